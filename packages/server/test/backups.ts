// A shop with a long past, for backups: one order with webhooks that is paid and settled, and copies of it with all rows.
import assert from 'node:assert/strict'
import { givePositions } from './deliveries.ts'
import { aMerchant, anApiKey, aReceivingAddress } from './factories.ts'
import type { TestApp } from './harness.ts'
import { settleDue } from './orders.ts'
import { copiesOf } from './scale/crowd.ts'

/** A statement may not take long. */
const AT_ONCE = 250

/** @returns the headers of the shop's API key, and the order that the others are copies of. */
export async function manyOrders(at: TestApp, count: number) {
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  await aReceivingAddress(at.deps, merchant)
  const call = async (url: string, payload: object) => {
    const answer = await at.app.inject({ method: 'POST', url, headers: key.headers, payload })
    assert.ok(answer.statusCode < 300, answer.body)
    return answer.json()
  }
  const order = { amount_usd: 5, pay_chain: 'base', webhook_url: 'http://127.0.0.1:9999/webhooks' }
  const { order_no: no } = await call('/v1/orders', order)
  for (const action of ['pay', 'confirm', 'settle']) await call(`/v1/test/orders/${no}/simulate`, { action })
  while ((await settleDue(at.deps)) > 0);
  await givePositions(at.deps)
  for (let n = 1; n < count; n += AT_ONCE) await copiesOf(at.deps.sql, no, Math.min(AT_ONCE, count - n), n)
  await givePositions(at.deps)
  return { headers: key.headers, orderNo: no }
}
