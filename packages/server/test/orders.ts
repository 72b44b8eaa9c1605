// Orders for tests, each made through the real acts: valid by default, overrides only for what a test is about.
import { currentLeg, type OrderState } from '@florin/order-model/state'
import type { KeyCaller } from '../src/callers.ts'
import type { Deps } from '../src/deps.ts'
import { hashOf, parseApiKey } from '../src/keys/secret.ts'
import { findKeyCaller } from '../src/keys/store.ts'
import { changeMerchant } from '../src/login/merchant.ts'
import type { OrderDeps } from '../src/orders/advance.ts'
import { createOrder } from '../src/orders/create/create.ts'
import { parseInput } from '../src/orders/create/input.ts'
import { factRounds } from '../src/orders/inbox/inbox.ts'
import { chooseLeg } from '../src/orders/payer.ts'
import { handOver } from '../src/orders/rail-outbox.ts'
import { findOrder, getOrder } from '../src/orders/store.ts'
import { aMerchant, anApiKey, aReceivingAddress } from './factories.ts'

/** A merchant with a test key and a receiving address on base and btc; base is the default. */
export async function aCaller(deps: Deps, overrides: { feeBps?: number } = {}): Promise<KeyCaller> {
  const merchant = await aMerchant(deps)
  const config = { ...deps.config, feeBps: overrides.feeBps ?? deps.config.feeBps }
  const { apiKey } = await anApiKey({ ...deps, config }, merchant)
  await aReceivingAddress(deps, merchant)
  await aReceivingAddress(deps, merchant, 'btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
  await changeMerchant(deps, merchant, { name: undefined, defaultSettleChain: 'base' })
  const parsed = parseApiKey(apiKey)
  const caller = parsed && (await findKeyCaller(deps.sql, hashOf(parsed), deps.clock.now()))
  if (caller === null) throw new Error('the key that was just made is not live')
  return caller
}

/** The hash of a browser's secret. */
export const BROWSER = 'b0'.repeat(32)

/** The payer's browser binds a refund address: into a new leg that is shown to it alone. */
export async function bindRefund(deps: Deps, orderNo: string, refundAddress: string): Promise<OrderState> {
  const order = await getOrder(deps.sql, orderNo)
  const { chain, asset } = currentLeg(order) ?? order.settle
  return chooseLeg(deps, order, { chain, asset, refundAddress }, BROWSER)
}

/**
 * A pending order of $50 paid and settled in USDC on base, unless told otherwise. With a refund address, its one leg was
 * opened by `BROWSER`, which bound the address into it: nobody else can.
 */
export async function anOrder(
  deps: Deps,
  caller: KeyCaller,
  body: Parameters<typeof parseInput>[0] | Record<string, never> = {},
): Promise<OrderState> {
  const { refund_address: refundAddress, ...rest } = body as Parameters<typeof parseInput>[0]
  const asked = {
    ...('pay_chain' in rest ? {} : { pay_chain: 'base' }),
    ...rest,
    ...('amount' in rest ? {} : { amount_usd: rest.amount_usd ?? 50 }),
  }
  const { pay_chain: chain = 'base', pay_asset: asset = null, ...open } = asked
  const wish = parseInput(refundAddress === undefined ? asked : open)
  const { json } = await createOrder(deps, caller, wish, null)
  const { order_no: orderNo } = JSON.parse(json) as { order_no: string }
  const order = await findOrder(deps.sql, { orderNo, merchantId: caller.merchantId, livemode: caller.livemode })
  if (order === null) throw new Error('the order was not written')
  return refundAddress === undefined ? order : chooseLeg(deps, order, { chain, asset, refundAddress }, BROWSER)
}

export interface ManyOrder {
  orderNo: string
  orderRef: string
  legRef: string
}

/** Copies of an order with its one leg, made in the database: for crowds too large to make one by one. */
export function manyOrders(deps: Pick<Deps, 'sql'>, order: OrderState, count: number): Promise<ManyOrder[]> {
  return deps.sql<ManyOrder[]>`
    with copied as (
      insert into orders
      select (jsonb_populate_record(o, jsonb_build_object(
        'order_no', 'ord_' || lpad(n::text, 26, '0'), 'order_ref', o.order_ref || n, 'checkout_token', o.checkout_token || n,
        'pay_leg_id', o.pay_leg_id || n))).*
      from orders o, generate_series(1, ${count}::int) n where o.order_no = ${order.orderNo}
      returning order_no, order_ref, pay_leg_id
    )
    insert into pay_legs
    select (jsonb_populate_record(l, jsonb_build_object(
      'id', c.pay_leg_id, 'ref', c.order_ref || '.1', 'order_no', c.order_no))).*
    from copied c, pay_legs l where l.order_no = ${order.orderNo}
    returning order_no as "orderNo", left(ref, -2) as "orderRef", ref as "legRef"`
}

/** One round of both jobs between rails and orders. @returns how much was done. */
export async function settleDue(deps: OrderDeps): Promise<number> {
  return (await factRounds(deps)()) + (await handOver(deps))
}
