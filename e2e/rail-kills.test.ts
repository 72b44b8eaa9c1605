// The forwarder rail under a few power cuts; faults/rail-kills.faults.ts does it at length.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playKills } from './rail-kills.ts'

test('5 kills while 15 orders are paid, settled and refunded: every unit is accounted for, nothing is paid twice', async (t) => {
  const played = await playKills(t, { orders: 15, kills: 5 })
  assert.deepEqual([played.success, played.refunded], [12, 3])
})
