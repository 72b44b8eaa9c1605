// What an order may become (contract.md 4.3). Pure and total: rows and a fact in, the new order, its steps and its
// events out; time and ids are arguments. Nothing else decides a status.
import { assert, unreachable } from '@florin/platform/assert'
import { isOnChain, type OrderStatus, orderMoves } from '@florin/protocol'
import { applyFact, type OtherFact } from './apply.ts'
import type { NewAttention } from './attention/item.ts'
import { attentionFor } from './attention/opens.ts'
import { settlementOf } from './commands.ts'
import { detailOf } from './detail.ts'
import type { Fact } from './facts.ts'
import {
  awaitsConfirmation,
  graceEndsAt,
  grossToSettle,
  hasItsMoney,
  isOpen,
  isPaid,
  isSettled,
  isSoldNoMore,
  LEFT_THE_CHAIN,
  leadingLeg,
  wasFinal,
  winnerOf,
  withUses,
} from './ledger.ts'
import { LEFT_AFTER_FINAL } from './left-chain.ts'
import type { Applied, NewId } from './outcome.ts'
import { type AppliedPayments, applyPayments, isPaymentFact, type PaymentFact } from './payments.ts'
import { dueRefunds } from './refunds/due.ts'
import { isAllReturned } from './refunds/refundable.ts'
import { currentLeg, isSameTarget, type OrderState, type SettlementState, shownTarget } from './state.ts'

/** One change of status, or of detail alone, with the order as it then was. */
export interface Step {
  order: OrderState
  /** False where only the detail changed: a row in the timeline, no event. */
  isMove: boolean
}

export interface Decision {
  /** The same object where nothing changed. */
  order: OrderState
  steps: Step[]
  attention: NewAttention[]
  /** For each fact, why it changed nothing, or null where it did. */
  ignored: (string | null)[]
}

/** Payments that follow each other are decided together: a flood is one version of the order, not thousands. */
export function decide(before: OrderState, facts: readonly Fact[], now: Date, newId: NewId): Decision {
  const decision: Decision = { order: before, steps: [], attention: [], ignored: [] }
  for (const run of inRuns(facts)) {
    const { order } = decision
    const { why, ...applied } = Array.isArray(run)
      ? applyPayments(order, run, now, newId)
      : alone(order, applyFact(order, run, now, newId))
    const next = why.includes(null) ? concluded(order, applied, now, newId) : { ...applied, order, steps: [] }
    // Every version writes a row, so a reader that follows a merchant's changes misses none.
    const isSilent = next.steps.length === 0 && next.order.version !== order.version
    decision.order = next.order
    decision.steps.push(...next.steps, ...(isSilent ? [{ order: next.order, isMove: false }] : []))
    decision.attention.push(...next.attention)
    decision.ignored.push(...(next.order === order ? why.map((one) => one ?? 'nothing changed') : why))
  }
  return decision
}

function inRuns(facts: readonly Fact[]): (PaymentFact[] | OtherFact)[] {
  const runs: (PaymentFact[] | OtherFact)[] = []
  for (const fact of facts) {
    const last = runs.at(-1)
    if (!isPaymentFact(fact)) runs.push(fact)
    else if (Array.isArray(last)) last.push(fact)
    else runs.push([fact])
  }
  return runs
}

const alone = (order: OrderState, applied: Applied): AppliedPayments =>
  applied.kind === 'applied' ? { ...applied, why: [null] } : { ...applied, order, why: [applied.why] }

/** What follows from rows that facts have changed. */
function concluded(
  before: OrderState,
  applied: { order: OrderState; attention: NewAttention[] },
  now: Date,
  newId: NewId,
): Omit<Decision, 'ignored'> {
  const steps: Step[] = []
  let order = applied.order
  let version = before.version
  // Each round makes at most one transition; no order can make more than three at once (expired → processing →
  // success).
  for (let round = 0; ; round++) {
    assert(round < 5, 'an order came to rest')
    order = accountedFor(order, now, newId)
    const status = nextStatus(order, now)
    if (status === null) break
    assert(orderMoves[order.status].includes(status), `${order.status} → ${status} is not in the table`)
    // The obligations of a transition belong to the same step, so that a webhook shows the order as it then is.
    order = accountedFor(arrive({ ...order, status }, now), now, newId)
    order = { ...order, detail: detailOf(order, now), version: ++version, updatedAt: now }
    steps.push({ order, isMove: true })
  }
  order = { ...order, detail: detailOf(order, now), lookAt: recheckAt(order, now) }
  const last = steps.at(-1)?.order ?? before
  const isNewDetail = order.detail !== last.detail
  if (isNewDetail || !isUnchanged(last, order)) order = { ...order, version: ++version, updatedAt: now }
  if (isNewDetail) steps.push({ order, isMove: false })
  if (order.version === before.version && before.lookAt?.getTime() === order.lookAt?.getTime()) {
    return { order: before, steps: [], attention: applied.attention }
  }
  return { order, steps, attention: [...applied.attention, ...attentionFor(before, order)] }
}

/** The one transition that is due, or null. */
function nextStatus(order: OrderState, now: Date): OrderStatus | null {
  const winner = winnerOf(order)
  switch (order.status) {
    case 'pending':
      if (isAllReturned(order)) return 'refunded'
      if (winner !== null && isPaid(order, winner)) return 'processing'
      if (order.canceled) return 'expired'
      return now >= order.expiresAt && !awaitsConfirmation(order, now) ? 'expired' : null
    case 'processing':
      if (isSettled(order)) return 'success'
      if (isAllReturned(order) && !mayComeBack(order)) return 'refunded'
      if (!order.settlements.some(isOpen) && order.settlements.some(isFailed)) return 'failed'
      return !hasItsMoney(order) && now >= graceEndsAt(order) ? 'failed' : null
    case 'failed':
      if (order.settlements.some(isOpen) || isSettled(order)) return 'processing'
      return isAllReturned(order) ? 'refunded' : null
    case 'expired':
      if (isAllReturned(order)) return 'refunded'
      // A third-party settlement below the due amount is recorded only.
      return winner !== null && !isSoldNoMore(order, winner) && isPaid(order, winner) ? 'processing' : null
    case 'success':
    case 'refunded':
      return null
    default:
      return unreachable(order.status)
  }
}

/**
 * A reorg took away what paid the order. Returning the rest then ends nothing: the payment may be mined again while the
 * rail still has its settlement, and a refund beside it would pay twice.
 */
function mayComeBack(order: OrderState): boolean {
  if (order.settlements.some(isOpen)) return true
  const onChain = new Set(order.payments.filter(isOnChain).map((row) => row.txHash))
  return order.payments.some((row) => row.status === 'orphaned' && row.use === 'counted' && !onChain.has(row.txHash))
}

function arrive(order: OrderState, now: Date): OrderState {
  switch (order.status) {
    case 'success':
      return closeSettlements({ ...order, settledAt: now }, 'the money was settled by another transaction')
    case 'failed':
      // A settlement that was never carried out must not be carried out after its order failed.
      return closeSettlements(order, LEFT_THE_CHAIN)
    default:
      return order
  }
}

function closeSettlements(order: OrderState, failure: string): OrderState {
  const closed = (row: SettlementState): SettlementState => (isOpen(row) ? { ...row, status: 'failed', failure } : row)
  return { ...order, settlements: order.settlements.map(closed) }
}

const isFailed = (row: SettlementState): boolean => row.status === 'failed' && row.failure !== LEFT_AFTER_FINAL

/** The order with everything that follows from its rows: uses, obligations, what the merchant sees; rows sorted. */
function accountedFor(order: OrderState, now: Date, newId: NewId): OrderState {
  const obliged = withObligations({ ...order, payments: withUses(order) }, now, newId)
  const { payments, settlements, refunds } = obliged
  const sorted = { payments: byId(payments), settlements: byId(settlements), refunds: byId(refunds) }
  const rows = { ...obliged, ...sorted }
  // The only place that decides which leg an order shows, and with it where its money settles.
  const led = { ...rows, payLegId: leadingLeg(rows)?.id ?? null }
  const aimed = { ...led, ...shownTarget(led) }
  return { ...aimed, ...settledFields(aimed) }
}

const byId = <T extends { id: string }>(rows: readonly T[]): T[] => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))

/** The settlement as the merchant sees it: what the shown target received, and the newest transaction to it. */
function settledFields(order: OrderState): Pick<OrderState, 'amountOut' | 'settleTxHash'> {
  const legs = new Set(order.legs.filter((leg) => isSameTarget(order, leg)).map((leg) => leg.id))
  const rows = order.settlements.filter((row) => legs.has(row.legId))
  const final = rows.filter(wasFinal)
  const newest = final.at(-1) ?? rows.findLast((row) => row.status === 'broadcast')
  return {
    amountOut: final.length === 0 ? null : final.reduce((total, row) => total + (row.amountOut ?? 0n), 0n),
    settleTxHash: newest?.txHash ?? null,
  }
}

/** Settlements and refunds that are due as the rows stand. */
function withObligations(order: OrderState, now: Date, newId: NewId): OrderState {
  // What failed is retried by an operator only.
  if (order.status === 'processing' && !order.settlements.some((row) => isOpen(row) || isFailed(row))) {
    const winner = winnerOf(order)
    const gross = winner === null ? null : grossToSettle(order, winner)
    if (winner === null || gross === null) return order
    return { ...order, settlements: [...order.settlements, settlementOf(order, winner, gross, now, newId)] }
  }
  const isCompleted = order.status === 'expired' && nextStatus(order, now) === 'processing'
  const due = dueRefunds(order, { now, newId, isCompleted })
  return due.length === 0 ? order : { ...order, refunds: [...order.refunds, ...due] }
}

/** When the clock alone can change this order; null when it cannot. */
function recheckAt(order: OrderState, now: Date): Date | null {
  const grace = graceEndsAt(order)
  switch (order.status) {
    case 'pending': {
      const lapse = currentLeg(order)?.rateExpiresAt
      if (lapse !== undefined && lapse > now && lapse < order.expiresAt) return lapse
      // Its rail reports what becomes of it; the clock alone ends the day that it has.
      return awaitsConfirmation(order, now) && now >= order.expiresAt ? grace : order.expiresAt
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
    same(before.ownRefunds, after.ownRefunds) &&
    before.refundAsks === after.refundAsks &&
    before.refundAskedAt === after.refundAskedAt &&
    before.canceled === after.canceled &&
    before.rail === after.rail &&
    isSameTarget(before, after) &&
    before.payLegId === after.payLegId &&
    before.expiresAt.getTime() === after.expiresAt.getTime()
  )
}
