// Owns orders for tests, each made through the real acts: valid by default, overrides only for what a test is about.
import { randomBytes } from 'node:crypto'
import { defaultScopes } from '@florin/protocol'
import type { KeyCaller } from '../src/callers.ts'
import type { Deps } from '../src/deps.ts'
import { createOrder } from '../src/orders/create.ts'
import type { OrderState } from '../src/orders/state.ts'
import { findOrder } from '../src/orders/store.ts'
import { parseWish } from '../src/orders/wish.ts'

/** A merchant with a test key and a receiving address on base and btc; base is the default. */
export async function aCaller(
  deps: Pick<Deps, 'sql' | 'clock'>,
  overrides: Partial<KeyCaller> = {},
): Promise<KeyCaller> {
  const tag = randomBytes(8).toString('hex')
  const now = deps.clock.now()
  const [merchant] = await deps.sql<{ no: number }[]>`
    insert into merchants (id, email, default_settle_chain, created_at)
    values (${`mer_${tag}`}, ${`${tag}@shop.example`}, 'base', ${now}) returning no`
  const caller: KeyCaller = {
    id: `key_${tag}`,
    merchantId: `mer_${tag}`,
    merchantNo: merchant?.no ?? 0,
    livemode: false,
    scopes: defaultScopes,
    feeBps: 0,
    ...overrides,
  }
  await deps.sql`
    insert into api_keys (id, merchant_id, livemode, name, prefix, last4, scopes, fee_bps, created_at)
    values (${caller.id}, ${caller.merchantId}, ${caller.livemode}, 'test', 'florin_test_', 'abcd',
      ${[...caller.scopes]}, ${caller.feeBps}, ${now})`
  for (const [chain, address] of [
    ['base', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ]) {
    await deps.sql`
      insert into receiving_addresses (merchant_id, chain, address, updated_at)
      values (${caller.merchantId}, ${chain ?? ''}, ${address ?? ''}, ${now})`
  }
  return caller
}

/** A pending order of $50 paid and settled in USDC on base, unless told otherwise. */
export async function anOrder(
  deps: Deps,
  caller: KeyCaller,
  body: Parameters<typeof parseWish>[0] | Record<string, never> = {},
): Promise<OrderState> {
  const wish = parseWish({ amount_usd: 50, ...('pay_chain' in body ? {} : { pay_chain: 'base' }), ...body })
  const { json } = await createOrder(deps, caller, wish, null)
  const { order_no: orderNo } = JSON.parse(json) as { order_no: string }
  const order = await findOrder(deps.sql, { orderNo, merchantId: caller.merchantId, livemode: caller.livemode })
  if (order === null) throw new Error('the order was not written')
  return order
}
