// The forwarder rail under thirty power cuts, in about three minutes. RAIL_KILLS makes it longer or shorter.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playKills } from './rail-kills.ts'

const KILLS = Number(process.env.RAIL_KILLS ?? 30)
const ORDERS = 100

test(`${KILLS} kills while ${ORDERS} orders are paid, settled and refunded: every unit is accounted for`, async (t) => {
  const played = await playKills(t, { orders: ORDERS, kills: KILLS })
  assert.deepEqual([played.success, played.refunded], [80, 20])
})
