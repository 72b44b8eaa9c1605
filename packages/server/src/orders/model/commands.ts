// What merchants, payers and operators may request of an order, or why a request changes nothing. Pure.
import { grossToSettle, isPaid, refundablesOf, winnerOf } from './ledger.ts'
import { type Applied, applied, ignored, type NewId } from './outcome.ts'
import { refundTo } from './refund-to.ts'
import { sawMoney, type Viewer } from './shown.ts'
import type { LegState, OrderState, RefundState, SettlementState } from './state.ts'

export function legOpened(order: OrderState, leg: LegState, now: Date): Applied {
  if (order.status !== 'pending' || order.canceled || now >= order.expiresAt)
    return ignored(`the order is ${order.status}`)
  if (sawMoney(order, leg.holder)) return ignored('money has been seen')
  if (order.legs.some((known) => known.n === leg.n)) return ignored('another choice was made in the meantime')
  return applied({ ...order, legs: [...order.legs, leg], payLegId: leg.id })
}

export function refundAsked(order: OrderState, now: Date, newId: NewId): Applied {
  if (order.status === 'processing') return ignored('the money is on its way to the receiving address')
  if (order.status === 'pending' && order.legs.some((leg) => isPaid(order, leg)))
    return ignored('the order is being paid')
  // Asking again also covers what an earlier refund failed to return.
  const refundables = refundablesOf(order, false).filter((refundable) => refundable.free > 0n)
  if (refundables.length === 0) return ignored('no confirmed money is held back')
  const rows = refundables.map(
    (refundable): RefundState => ({
      ...refundable.asset,
      id: newId('ref'),
      legId: refundable.leg.id,
      ...refundTo(refundable.leg, refundable.asset),
      amount: refundable.free,
      txHash: null,
      reason: order.status === 'failed' ? 'unsettleable' : 'merchant_request',
      failure: null,
      signedBy: null,
      leftAt: null,
      createdAt: now,
    }),
  )
  return applied({ ...order, refunds: [...order.refunds, ...rows] })
}

export function settlementRetried(order: OrderState, now: Date, newId: NewId): Applied {
  const lost = order.settlements.find((row) => row.status === 'failed' && row.leftAt !== null)
  if (order.status === 'success' && lost !== undefined) return lostRetried(order, lost, now, newId)
  if (order.status !== 'failed') return ignored(`the order is ${order.status}`)
  const leg = winnerOf(order)
  const gross = leg === null ? null : grossToSettle(order, leg)
  if (leg === null || gross === null) return ignored('the money is not there to settle')
  return applied({ ...order, settlements: [...order.settlements, settlementOf(order, leg, gross, now, newId)] })
}

/** A new request takes the place of one that left the chain and could not be sent again. */
function lostRetried(order: OrderState, lost: SettlementState, now: Date, newId: NewId): Applied {
  const again: SettlementState = { ...lost, id: newId('set'), status: 'wanted', failure: null, createdAt: now }
  const settlements = order.settlements.map((row) => (row === lost ? { ...lost, leftAt: null } : row))
  return applied({ ...order, settlements: [...settlements, again] })
}

/** Requests a settlement from the rail that the leg is on. */
export function settlementOf(
  { feeBps }: OrderState,
  leg: LegState,
  gross: bigint,
  now: Date,
  newId: NewId,
): SettlementState {
  const unknown = { fee: null, amountOut: null, txHash: null, failure: null, leftAt: null }
  return { id: newId('set'), legId: leg.id, status: 'wanted', gross, feeBps, ...unknown, createdAt: now }
}

/** Maximum number of legs per order: bounds what its rail has to watch. */
export const LEGS_MAX = 20

/** Whether this payer may still change how to pay. */
export function canChooseLeg(order: OrderState, now: Date, viewer: Viewer = null): boolean {
  return order.status === 'pending' && now < order.expiresAt && !sawMoney(order, viewer) && order.legs.length < LEGS_MAX
}
