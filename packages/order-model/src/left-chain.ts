// What left the chain although it was final there: the reorg went past the chain's rule. The rail offers the same
// transaction again, and the order waits for it to return. Pure.
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { type Applied, applied, ignored } from './outcome.ts'
import { isPaidEarly, LEFT_UNPAID } from './refunds/refundable.ts'
import { BY_OTHERS } from './refunds/returned.ts'
import type { OrderState, RefundState, SettlementState } from './state.ts'

type FactOf<K extends RailFact['kind']> = Extract<RailFact, { kind: K }>

/** Why a settlement ended that an order without success had received from a third party. */
export const LEFT_AFTER_FINAL = 'the settlement left the chain'

/**
 * A success is never taken back: its settlement is wanted again, and its money stays reserved for the merchant however
 * long that takes. Before the success the order goes on as if it had not been settled.
 */
export function settlementLeft(order: OrderState, fact: FactOf<'settlement_left'>, now: Date): Applied {
  const leg = order.legs.find((candidate) => candidate.ref === fact.legRef)
  const gone = order.settlements.find(
    (row) => row.legId === leg?.id && row.status === 'final' && row.txHash === fact.txHash,
  )
  if (gone === undefined) return ignored('no settlement of this transaction is final')
  const next: SettlementState =
    order.status === 'success'
      ? { ...gone, status: 'wanted', leftAt: now }
      : { ...gone, status: 'failed', failure: LEFT_AFTER_FINAL }
  return applied({ ...order, settlements: order.settlements.map((row) => (row === gone ? next : row)) })
}

/** The refund, or its announcement, is on its way again; nothing else may take its money meanwhile. */
export function refundLeft(order: OrderState, fact: FactOf<'refund_left'>, now: Date): Applied {
  const leg = order.legs.find((candidate) => candidate.ref === fact.legRef)
  const isGone = (row: RefundState): boolean =>
    row.legId === leg?.id &&
    row.txHash === fact.txHash &&
    (row.status === 'succeeded' || row.status === 'proposed' || isPaidEarly(row))
  if (!order.refunds.some(isGone)) return ignored('no refund of this transaction was made')
  const next = (row: RefundState): RefundState => {
    // Its payment is not there either: it is asked for anew with that.
    if (isPaidEarly(row)) return { ...row, failure: LEFT_UNPAID, txHash: null }
    // What nobody here made, nobody here offers again.
    if (row.reason === BY_OTHERS) return { ...row, status: 'failed', failure: 'it left the chain again' }
    return { ...row, status: 'sending', leftAt: now }
  }
  return applied({ ...order, refunds: order.refunds.map((row) => (isGone(row) ? next(row) : row)) })
}
