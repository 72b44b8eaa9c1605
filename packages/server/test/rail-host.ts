// The orders' side for the conformance suite of rails: the real one, over the database of a test.
import { balanceOf } from '@florin/order-model/balance'
import { SINGLES_MAX } from '@florin/order-model/payments'
import type { OrderState } from '@florin/order-model/state'
import type { OrderHost, SuiteOrder } from '@florin/rail-kit/testing'
import { cancelOrder, nameRefundAddress, refundOrder, retrySettlement } from '../src/orders/acts.ts'
import type { OrderDeps } from '../src/orders/advance.ts'
import { expireDue } from '../src/orders/expire.ts'
import { reconcileDue } from '../src/orders/reconcile/reconcile.ts'
import { compareSoon, listBooks } from '../src/orders/reconcile/store.ts'
import { getOrder } from '../src/orders/store.ts'
import { listTimeline } from '../src/webhooks/events.store.ts'
import { settleDue } from './orders.ts'

export function railHost(deps: OrderDeps): OrderHost<OrderState> {
  const { sql, rails, clock } = deps
  const read = ({ orderNo }: Pick<SuiteOrder, 'orderNo'>): Promise<OrderState> => getOrder(sql, orderNo)
  return {
    ...{ sql, rails, read, maxSinglePayments: SINGLES_MAX },
    balanceOf: (order) => balanceOf(order as OrderState),
    async booksOf(order) {
      const legs = new Map((await read(order)).legs.map((leg) => [leg.id, leg.ref]))
      const books = await listBooks(sql, [order.orderNo])
      return books.map(({ legId, asset, booked }) => ({ legRef: legs.get(legId) ?? '', asset, booked }))
    },
    timelineOf: async (order) => listTimeline(sql, await read(order)),
    async work(note) {
      const say = ({ err }: { err?: unknown }): void => note(err)
      const log = Object.assign(Object.create(deps.log) as typeof deps.log, { error: say, warn: say })
      const watched = { ...deps, log }
      return (await settleDue(watched)) + (await expireDue(watched))
    },
    async compare(order) {
      await compareSoon(sql, order, clock.now())
      await reconcileDue(deps)
    },
    async differences({ orderNo }) {
      const rows = await sql<{ booked: string; found: string }[]>`
        select booked::text, found::text from book_differences where order_no = ${orderNo}`
      return rows.map(({ booked, found }) => ({ booked: BigInt(booked), found: BigInt(found) }))
    },
    async openItems({ orderNo }) {
      const rows = await sql<{ kind: string }[]>`
        select kind from attention where order_no = ${orderNo} and resolved_at is null`
      return rows.map(({ kind }) => kind)
    },
    async countRefundsHandedOver({ orderNo }) {
      return (await sql`select 1 from refunds where order_no = ${orderNo} and handed_over_at is not null`).length
    },
    cancel: async (order) => cancelOrder(deps, await read(order)),
    refund: async (order) => refundOrder(deps, await read(order), { actor: 'test', reason: null }),
    retrySettlement: async (order) => retrySettlement(deps, await read(order), 'test'),
    async nameRefundAddress(order, refundId, address) {
      await nameRefundAddress(deps, await read(order), { actor: 'test', refundId, address }, async () => undefined)
    },
  }
}
