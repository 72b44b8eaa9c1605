// Promise: an export of many rows takes no more memory of its process than one of few.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@florin/protocol'
import { aMerchant, anApiKey } from '../../packages/server/test/factories.ts'
import { fillOrders } from '../../packages/server/test/scale/many-orders.ts'
import { benchDatabase } from '../webhooks/database.ts'
import { EXPORT_GOAL_MB, exportOf } from './export.ts'

const ORDERS = 300_000

test('an export of 75,000 rows stays within 40 MB of the process at rest', async (t) => {
  const { deps, url, drop } = await benchDatabase()
  t.after(drop)
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant, { mode: 'live' })
  const now = deps.clock.now()
  await fillOrders(url, { orders: ORDERS, large: merchant, apiKeyId: key.id, now, others: 200 })
  const warmUp = `&created_from=${new Date(now.getTime() - DAY_MS).toISOString()}`
  const { rows, idleMb, mostMb } = await exportOf(url, { headers: merchant.headers, warmUp })
  assert.equal(rows, ORDERS / 4)
  const more = mostMb - idleMb
  t.diagnostic(`${idleMb.toFixed(0)} MB before and at most ${more.toFixed(0)} MB more`)
  assert.ok(more <= EXPORT_GOAL_MB, `${more.toFixed(0)} MB more than ${idleMb.toFixed(0)}`)
})

test('an export whose process ends is a failure, and waits for nothing', async (t) => {
  const { deps, url, drop } = await benchDatabase()
  t.after(drop)
  const { headers } = await aMerchant(deps)
  const asked = { headers, warmUp: '', onStart: (pid: number) => process.kill(pid, 'SIGKILL') }
  await assert.rejects(exportOf(url, asked), /the API process ended: SIGKILL/)
})
