// What a change of an order tells beside its status, to endpoints that chose to hear of it (contract.md 6). Pure.
import { sum } from '@florin/order-model/ledger'
import type { OrderState } from '@florin/order-model/state'
import { isOnChain, type UpdateKind } from '@florin/protocol'

/** Counted, since transfers move between rows when there are many. */
const transfersIn = (order: OrderState): bigint =>
  sum(order.payments, (row) => (isOnChain(row) ? BigInt(row.transfers) : 0n))

const sentIn = (order: OrderState): number => order.refunds.filter((row) => row.status === 'succeeded').length

const recordedIn = (order: OrderState): number => order.ownRefunds.filter((row) => row.status === 'recorded').length

/** A payment that had counted left the chain; the status may stay what it was. */
const isReorged = ({ detail }: OrderState): boolean =>
  detail === 'reorged' || detail === 'settlement_left_the_chain' || detail === 'refund_left_the_chain'

/** Each kind once for one commit, however many payments or refunds it is about. */
export function updatesOf(before: OrderState, after: OrderState): UpdateKind[] {
  const isSeen = transfersIn(after) > transfersIn(before)
  return [
    ...(isSeen ? (['order.updated.payment_seen'] as const) : []),
    ...(isSeen && after.detail === 'partially_paid' ? (['order.updated.partially_paid'] as const) : []),
    ...(sentIn(after) > sentIn(before) ? (['order.updated.refund_sent'] as const) : []),
    ...(isReorged(after) && !isReorged(before) ? (['order.updated.reorged'] as const) : []),
    ...(recordedIn(after) > recordedIn(before) ? (['order.updated.refund_recorded'] as const) : []),
  ]
}
