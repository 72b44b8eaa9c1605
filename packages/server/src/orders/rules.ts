// Owns what an order may become (api.md 4.3). Pure and total: rows and a fact in, the new order, its steps and its
// events out; time and ids are arguments. Nothing else decides a status.
import { type OrderStatus, orderMoves, type RefundReason, type StatusDetail } from '@florin/protocol'
import { assert, unreachable } from '../platform/assert.ts'
import type { NewId } from './applied.ts'
import { applyFact } from './apply.ts'
import { type AttentionWish, attentionFor } from './attention.ts'
import type { Fact } from './facts.ts'
import {
  balanceOf,
  graceEndsAt,
  grossToSettle,
  isAllReturned,
  isPaid,
  liveSettlements,
  type Pocket,
  pocketsOf,
  wasPaidLate,
  winnerOf,
  withUses,
} from './ledger.ts'
import { currentLeg, isSameAsset, type OrderState, type RefundState } from './state.ts'

/** One arrival in a status, or a change of detail alone. Each has the order as it then stood. */
export interface Step {
  order: OrderState
  /** False where only the detail changed: a row in the timeline, no event. */
  isMove: boolean
}

export type Decision =
  | { kind: 'stay'; why: string; attention: AttentionWish[] }
  | { kind: 'change'; order: OrderState; steps: Step[]; attention: AttentionWish[] }

export function decide(before: OrderState, fact: Fact, now: Date, newId: NewId): Decision {
  const applied = applyFact(before, fact, now, newId)
  if (applied.kind === 'ignored') return { kind: 'stay', why: applied.why, attention: applied.attention }
  const steps: Step[] = []
  let order = applied.order
  let version = before.version
  // Each round makes at most one move; no order can make more than three at once (expired → processing → success).
  for (let round = 0; ; round++) {
    assert(round < 5, 'an order came to rest')
    order = withObligations({ ...order, payments: withUses(order) }, now, newId)
    const status = nextStatus(order, now)
    if (status === null) break
    assert(orderMoves[order.status].includes(status), `${order.status} → ${status} is not in the table`)
    order = arrive({ ...order, status }, now)
    order = { ...order, detail: detailOf(order, now), version: ++version, updatedAt: now }
    steps.push({ order, isMove: true })
  }
  const detail = detailOf(order, now)
  const last = steps.at(-1)?.order ?? before
  if (detail !== last.detail) {
    order = { ...order, detail, version: ++version, updatedAt: now }
    steps.push({ order, isMove: false })
  }
  order = { ...order, ...settledFields(order), lookAt: lookAgainAt(order, now) }
  if (steps.length === 0) {
    if (!isUnchanged(before, order)) order = { ...order, version: version + 1, updatedAt: now }
    else if (before.lookAt?.getTime() === order.lookAt?.getTime()) {
      return { kind: 'stay', why: 'nothing changed', attention: applied.attention }
    }
  }
  return { kind: 'change', order, steps, attention: [...applied.attention, ...attentionFor(before, order)] }
}

/** The one move that is due, or null. */
function nextStatus(order: OrderState, now: Date): OrderStatus | null {
  const winner = winnerOf(order)
  switch (order.status) {
    case 'pending':
      if (isAllReturned(order)) return 'refunded'
      if (winner !== null && isPaid(order, winner)) return 'processing'
      return order.canceled || now >= order.expiresAt ? 'expired' : null
    case 'processing':
      if (order.settlements.some((row) => row.status === 'final')) return 'success'
      if (isAllReturned(order)) return 'refunded'
      if (liveSettlements(order).length === 0 && order.settlements.length > 0) return 'failed'
      return !hasItsMoney(order) && now >= graceEndsAt(order) ? 'failed' : null
    case 'failed':
      if (liveSettlements(order).length > 0) return 'processing'
      return isAllReturned(order) ? 'refunded' : null
    case 'expired':
      if (isAllReturned(order)) return 'refunded'
      // Somebody pushing too little to the merchant does not pay the order; it is accounted for and that is all.
      return !order.canceled && winner !== null && isPaid(order, winner) ? 'processing' : null
    case 'success':
    case 'refunded':
      return null
    default:
      return unreachable(order.status)
  }
}

/** False while a reorg has taken the payment of a processing order away. */
function hasItsMoney(order: OrderState): boolean {
  const winner = winnerOf(order)
  return winner !== null && isPaid(order, winner)
}

function arrive(order: OrderState, now: Date): OrderState {
  if (order.status === 'success') return { ...order, ...settledFields(order), settledAt: now }
  if (order.status !== 'failed') return order
  // A settlement that was never carried out must not be carried out behind a failed order's back.
  return {
    ...order,
    settlements: order.settlements.map((row) =>
      row.status === 'wanted' || row.status === 'broadcast'
        ? { ...row, status: 'failed', failure: 'the payment left the chain' }
        : row,
    ),
  }
}

/** What the merchant sees of the settlement: the amounts of the final ones, the newest transaction. */
function settledFields(order: OrderState): Pick<OrderState, 'amountOut' | 'settleTxHash'> {
  const final = order.settlements.filter((row) => row.status === 'final')
  const newest = final.at(-1) ?? order.settlements.findLast((row) => row.status === 'broadcast')
  return {
    amountOut: final.length === 0 ? null : final.reduce((total, row) => total + (row.amountOut ?? 0n), 0n),
    settleTxHash: newest?.txHash ?? null,
  }
}

/** Settlements and refunds that are due as the rows stand. */
function withObligations(order: OrderState, now: Date, newId: NewId): OrderState {
  if (order.status === 'processing' && order.settlements.length === 0) {
    const winner = winnerOf(order)
    const gross = winner === null ? null : grossToSettle(order, winner)
    if (winner === null || gross === null) return order
    const row = { id: newId('set'), legId: winner.id, status: 'wanted', gross, feeBps: order.feeBps } as const
    return {
      ...order,
      settlements: [{ ...row, fee: null, amountOut: null, txHash: null, failure: null, createdAt: now }],
    }
  }
  const due = pocketsOf(order, true)
    .map((pocket) => ({ pocket, amount: returnable(order, pocket, now) }))
    .filter(({ amount }) => amount > 0n)
  if (due.length === 0) return order
  const rows = due.map(
    ({ pocket, amount }): RefundState => ({
      ...pocket.asset,
      id: newId('ref'),
      legId: pocket.leg.id,
      status: order.refundAddress === null ? 'waiting' : 'sending',
      amount,
      address: order.refundAddress,
      txHash: null,
      reason: reasonOf(order, pocket),
      failure: null,
      createdAt: now,
    }),
  )
  return { ...order, refunds: [...order.refunds, ...rows] }
}

/** How much of a pocket goes back to the payer by itself, now. */
function returnable(order: OrderState, pocket: Pocket, now: Date): bigint {
  switch (order.status) {
    case 'pending':
    case 'processing':
    case 'failed':
      return 0n
    case 'success': {
      const isSettledLeg = liveSettlements(order).some((row) => row.legId === pocket.leg.id)
      const isDust = isSettledLeg && isSameAsset(pocket.asset, pocket.leg) && pocket.free <= pocket.leg.dust
      return isDust ? 0n : pocket.free
    }
    case 'refunded':
      return pocket.free
    case 'expired': {
      if (order.canceled || now >= graceEndsAt(order)) return pocket.free
      // Partial money waits a day for a top-up; what can never be completed goes back at once.
      const waiting = pocket.payments
        .filter((payment) => payment.use === 'counted' || payment.use === 'excess')
        .reduce((total, payment) => total + payment.amount, 0n)
      return pocket.free > waiting ? pocket.free - waiting : 0n
    }
    default:
      return unreachable(order.status)
  }
}

function reasonOf(order: OrderState, pocket: Pocket): RefundReason {
  const uses = new Set(pocket.payments.map((payment) => payment.use))
  if (uses.has('wrong_chain')) return 'wrong_chain'
  if (uses.has('wrong_asset')) return 'wrong_asset'
  if (order.canceled) return 'canceled'
  if (order.status === 'success') return uses.has('late') && !uses.has('counted') ? 'late' : 'excess'
  return uses.has('late') ? 'late' : 'underpaid'
}

function detailOf(order: OrderState, now: Date): StatusDetail {
  const refund = refundDetail(order)
  const counted = order.payments.some((payment) => payment.status !== 'orphaned' && payment.use === 'counted')
  const leg = currentLeg(order)
  switch (order.status) {
    case 'pending':
      if (refund !== null) return refund
      if (counted) return 'partially_paid'
      return leg !== null && now >= leg.rateExpiresAt && now < order.expiresAt ? 'quote_expired' : 'awaiting_payment'
    case 'processing':
      if (!hasItsMoney(order)) return 'reorged'
      return liveSettlements(order).length > 0 ? 'settling' : 'confirming'
    case 'success': {
      const winner = winnerOf(order)
      if (refund !== null) return refund
      if (winner !== null && wasPaidLate(order, winner)) return 'paid_late'
      return order.refunds.some((row) => row.reason === 'excess') ? 'overpaid' : 'paid'
    }
    case 'failed':
      if (refund !== null) return refund
      return order.settlements.some((row) => row.failure === 'the payment left the chain') ||
        order.settlements.length === 0
        ? 'reorged'
        : 'settlement_failed'
    case 'refunded':
      return refund ?? 'refunded'
    case 'expired':
      if (refund !== null) return refund
      if (order.canceled) return 'canceled'
      if (counted) return 'underpaid'
      return order.payments.some((payment) => payment.status !== 'orphaned') ? 'late_payment' : 'unpaid'
    default:
      return unreachable(order.status)
  }
}

function refundDetail(order: OrderState): StatusDetail | null {
  if (order.refunds.some((row) => row.status === 'waiting')) return 'refund_address_needed'
  if (order.refunds.some((row) => row.status === 'sending' || row.status === 'proposed')) return 'refunding'
  const isOwed = balanceOf(order).some((line) => line.held > 0n)
  return isOwed && order.refunds.some((row) => row.status === 'failed') ? 'refund_failed' : null
}

/** When the clock alone can change this order; null when it cannot. */
function lookAgainAt(order: OrderState, now: Date): Date | null {
  const grace = graceEndsAt(order)
  switch (order.status) {
    case 'pending': {
      const lapse = currentLeg(order)?.rateExpiresAt
      return lapse !== undefined && lapse > now && lapse < order.expiresAt ? lapse : order.expiresAt
    }
    case 'processing':
      return hasItsMoney(order) ? null : grace > now ? grace : now
    case 'expired':
      return !order.canceled && grace > now ? grace : null
    case 'success':
    case 'failed':
    case 'refunded':
      return null
    default:
      return unreachable(order.status)
  }
}

function isUnchanged(before: OrderState, after: OrderState): boolean {
  const same = <T>(a: readonly T[], b: readonly T[]): boolean =>
    a.length === b.length && a.every((row, n) => row === b[n])
  return (
    same(before.legs, after.legs) &&
    same(before.payments, after.payments) &&
    same(before.settlements, after.settlements) &&
    same(before.refunds, after.refunds) &&
    before.refundAddress === after.refundAddress &&
    before.canceled === after.canceled &&
    before.payLegId === after.payLegId &&
    before.expiresAt.getTime() === after.expiresAt.getTime()
  )
}
