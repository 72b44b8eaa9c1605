// Kinds of items, and what makes two of a kind the same: one open item per cause. Pure.
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { formerFold, type OrderState, type PaymentState, type RefundState, type SettlementState } from '../state.ts'

/** Something final left the chain: the item stays until it is back, or cannot come back. */
export const SETTLEMENT_LEFT = 'settlement_left_the_chain'

export const REFUND_LEFT = 'refund_left_the_chain'

/** What lies on an order's addresses is not what it has booked. */
export const BOOKS_DIFFER = 'books_differ'

export const causeOfDifference = (id: string): string => `${BOOKS_DIFFER}:${id}`

/** The money is in the merchant's own wallet, which alone can send some of it back. */
export const REFUND_BY_WALLET = 'refund_by_wallet'

export const walletCause = (row: RefundState): string => `${REFUND_BY_WALLET}:${row.id}`

/** An address sent through the checkout link alone; the merchant has to approve it. */
export const REFUND_APPROVAL = 'refund_approval'

/** All requests about one refund: their causes start with it. */
export const approvalsOf = (row: RefundState): string => `${REFUND_APPROVAL}:${row.id}`

export const leftCause = (row: SettlementState): string => `${SETTLEMENT_LEFT}:${row.id}`

/** It could not be sent again: an item of its own, since it asks for a decision. */
export const lostCause = (row: SettlementState): string => `${leftCause(row)}:failed`

export type RailAlarm = Extract<RailFact, { kind: 'alarm_raised' }>

/** One transaction may move the money of many orders. */
export const causeOf = (order: OrderState, alarm: { what: string; txHash: string }): string =>
  `${alarm.what}:${order.orderNo}:${alarm.txHash}`

/** Money that the order does not accept, by the cause of its one item: anybody can send it in a thousand pieces. */
export function straysOf(order: OrderState): Map<string, PaymentState[]> {
  const strays = order.payments.filter((row) => row.use === 'wrong_asset' || row.use === 'wrong_chain')
  return Map.groupBy(strays, (row) => `${row.use}:${row.legId}:${row.chain}:${row.contract ?? row.asset}`)
}

/** Of many small payments one item tells. */
export const reorgCause = ({ key, fold }: Pick<PaymentState, 'key' | 'fold'>): string =>
  `reorg_after_final:${fold === null ? key : formerFold(fold)}`
