// A refund as it begins, whether it is due or asked for. Pure.
import type { RefundReason } from '@florin/protocol'
import type { NewId } from '../outcome.ts'
import type { OrderState, RefundState } from '../state.ts'
import { partsOf } from './parts.ts'
import { refundTo } from './refund-to.ts'
import type { Refundable } from './refundable.ts'

/** @param a.amount more than `refundable.cost`: what costs more to send than it is worth is held. */
export function refundOf(
  order: OrderState,
  refundable: Refundable,
  a: { amount: bigint; reason: RefundReason; now: Date; newId: NewId },
): RefundState {
  const { leg, asset, refunds: others } = refundable
  return {
    ...asset,
    id: a.newId('ref'),
    legId: leg.id,
    ...refundTo(leg, asset),
    amount: a.amount,
    txHash: null,
    reason: a.reason,
    failure: null,
    signedBy: null,
    parts: partsOf(order, { leg, asset, amount: a.amount, others }),
    leftAt: null,
    createdAt: a.now,
  }
}
