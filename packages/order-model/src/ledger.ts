// The pure accounting of an order: what each payment counts for, which leg is paid, what may be settled.
import { isOnChain, LATE_WINDOW_MS, type PaymentUse } from '@florin/protocol'
import { leastPaid } from '@florin/rail-kit/interface/leg'
import { costOf } from './balance.ts'
import {
  currentLeg,
  isSameAsset,
  type LegState,
  type OrderState,
  type PaymentState,
  type SettlementState,
} from './state.ts'

export const sum = <T>(rows: readonly T[], amountOf: (row: T) => bigint): bigint =>
  rows.reduce((total, row) => total + amountOf(row), 0n)

export const amountOf = (row: { amount: bigint }): bigint => row.amount

type Tolerance = Pick<OrderState, 'amountUsdMicros' | 'underpayToleranceBps'>

/** What must arrive on a leg for it to count as paid. */
export function requiredOn(
  { amountUsdMicros, underpayToleranceBps }: Tolerance,
  { amountDue, least }: Pick<LegState, 'amountDue' | 'least'>,
): bigint {
  if (least !== null) return least
  return leastPaid({ amountDue, amountUsdMicros, underpayToleranceBps })
}

/** What must be there for a settlement of a leg: as much as made the leg paid, and of a part of it no less than that part. */
export function leastToSettle(order: Tolerance, leg: Pick<LegState, 'amountDue' | 'least'>, gross: bigint): bigint {
  const required = requiredOn(order, leg)
  return required < gross ? required : gross
}

/** A leg is judged at its own quote and expiry. */
export function deadlineOf(order: OrderState, leg: LegState): Date {
  return leg.rateExpiresAt < order.expiresAt ? leg.rateExpiresAt : order.expiresAt
}

/** Until when late or partial money may still be completed. */
export function graceEndsAt(order: OrderState): Date {
  return new Date(order.expiresAt.getTime() + LATE_WINDOW_MS)
}

/** Whether a payment is of the right asset and came early enough to be settled under the order's late policy. */
function standing(order: OrderState, leg: LegState, payment: PaymentState): 'on_time' | 'late_but_welcome' | 'late' {
  if (order.canceled) return 'late'
  const time = timeOf(order, leg, payment.seenAt)
  const welcome = order.latePolicy === 'settle' && leg.isStable && time === 'in_grace'
  return time === 'on_time' ? 'on_time' : welcome ? 'late_but_welcome' : 'late'
}

/** By a leg's own clock alone: no later decision makes payments of one of these times differ. */
export function timeOf(order: OrderState, leg: LegState, seenAt: Date): 'on_time' | 'in_grace' | 'late' {
  if (seenAt <= deadlineOf(order, leg)) return 'on_time'
  return seenAt <= graceEndsAt(order) ? 'in_grace' : 'late'
}

/** Payments on a leg that are on the chain and in the leg's asset, oldest first. */
const moneyOn = (order: OrderState, leg: LegState): PaymentState[] =>
  order.payments.filter((payment) => payment.legId === leg.id && isOnChain(payment) && isSameAsset(payment, leg))

const eligibleOn = (order: OrderState, leg: LegState): PaymentState[] =>
  moneyOn(order, leg).filter((payment) => standing(order, leg, payment) !== 'late')

/** The money of a leg that cannot pay any more because it went back or is promised back: late money is first to go. */
function returnedOn(order: OrderState, leg: LegState): bigint {
  const back = order.refunds.filter((row) => row.legId === leg.id && row.status !== 'failed' && isSameAsset(row, leg))
  if (back.length === 0) return 0n
  const late = moneyOn(order, leg).filter((payment) => standing(order, leg, payment) === 'late')
  const taken = sum(back, amountOf) - sum(late, amountOf)
  return taken > 0n ? taken : 0n
}

export const isOpen = (row: SettlementState): boolean => row.status === 'wanted' || row.status === 'broadcast'

/** Whether the merchant has it, or by the chain's rule had it. */
export const wasFinal = (row: SettlementState): boolean => row.status === 'final' || row.leftAt !== null

/** Why a settlement ended whose payment was removed. */
export const LEFT_THE_CHAIN = 'the payment left the chain'

/** One that left the chain after it was final keeps its money even where it cannot be sent again. */
export const liveSettlements = (order: OrderState) =>
  order.settlements.filter((row) => row.status !== 'failed' || row.leftAt !== null)

/** What of a leg has finally reached the merchant. */
const settledOn = (order: OrderState, leg: LegState): bigint =>
  sum(
    order.settlements.filter((row) => row.legId === leg.id && wasFinal(row)),
    (row) => row.gross,
  )

/**
 * A partial settlement by a third party settles nothing until the rest has arrived as well. Where the rail judges what is
 * enough, the merchant has to have got the whole amount, however little of the payer's it took.
 */
function isSettledOn(order: OrderState, leg: LegState): boolean {
  if (leg.least === null) return settledOn(order, leg) >= requiredOn(order, leg)
  const rows = order.settlements.filter((row) => row.legId === leg.id && wasFinal(row))
  return rows.length > 0 && sum(rows, (row) => row.amountOut ?? 0n) >= leg.amountOut
}

export const isSettled = (order: OrderState): boolean => order.legs.some((leg) => isSettledOn(order, leg))

/**
 * The leg that pays the order: the one being settled, else settled, else the first on which enough was seen. Among
 * several it stays the one that the order shows: what the merchant was notified of is not taken back.
 */
export function winnerOf(order: OrderState): LegState | null {
  const open = order.settlements.find((row) => isOpen(row) && row.leftAt === null)
  return (
    order.legs.find((leg) => leg.id === open?.legId) ??
    firstOf(order, (leg) => isSettledOn(order, leg)) ??
    firstOf(order, (leg) => isPaid(order, leg))
  )
}

/** The current leg if it is among them, else the first. */
function firstOf(order: OrderState, isOne: (leg: LegState) => boolean): LegState | null {
  const legs = order.legs.filter(isOne)
  return legs.find((leg) => leg.id === order.payLegId) ?? legs[0] ?? null
}

/**
 * The leg that the order is about: the one that pays, or was last to be settled, else one that received money and may
 * still pay, dust apart, else the one that was chosen last.
 */
export function leadingLeg(order: OrderState): LegState | null {
  const lastTried = order.settlements.at(-1)?.legId
  return (
    winnerOf(order) ??
    order.legs.find((leg) => leg.id === lastTried) ??
    firstOf(order, (leg) => sum(eligibleOn(order, leg), amountOf) > costOf(order, leg.id, leg)) ??
    currentLeg(order)
  )
}

export function isPaid(order: OrderState, leg: LegState): boolean {
  return sum(eligibleOn(order, leg), amountOf) - returnedOn(order, leg) >= requiredOn(order, leg)
}

/**
 * An order of a link with a stock gave its pieces back when it expired: another payer may have them by the time that a block shows
 * money with a header older than the deadline. What a third party swapped has reached the merchant and is not returned.
 */
export const isSoldNoMore = (order: OrderState, leg: LegState): boolean =>
  order.canceled || (isFromStock(order) && order.status === 'expired' && leg.least === null)

const isFromStock = (order: OrderState): boolean => order.paymentLinkId !== null && order.latePolicy === 'refund'

/** What was announced on a leg, and is in no block yet. */
export const unconfirmedOn = (order: OrderState, leg: LegState): PaymentState[] =>
  order.payments.filter(
    (payment) => payment.legId === leg.id && payment.status === 'unconfirmed' && isSameAsset(payment, leg),
  )

/**
 * Whether what was announced in time would pay the order with what is there: then it does not expire while the chain
 * makes up its mind, which it has a day for. An order from a stock expires all the same: a transaction that never confirms
 * costs nothing, and would keep the pieces from everybody else for that day.
 */
export function awaitsConfirmation(order: OrderState, now: Date): boolean {
  if (order.canceled || isFromStock(order) || now >= graceEndsAt(order)) return false
  return order.legs.some((leg) => {
    const announced = unconfirmedOn(order, leg).filter((payment) => standing(order, leg, payment) === 'on_time')
    if (announced.length === 0) return false
    const there = sum(eligibleOn(order, leg), amountOf) - returnedOn(order, leg)
    return there + sum(announced, amountOf) >= requiredOn(order, leg)
  })
}

/** False while a reorg has taken the payment of a processing order away. */
export function hasItsMoney(order: OrderState): boolean {
  const winner = winnerOf(order)
  return winner !== null && isPaid(order, winner)
}

/** What may be settled now: confirmed money on the winning leg; the excess beyond dust stays behind. null: not yet. */
export function grossToSettle(order: OrderState, leg: LegState): bigint | null {
  const confirmed =
    sum(
      eligibleOn(order, leg).filter((payment) => payment.status === 'confirmed'),
      amountOf,
    ) - returnedOn(order, leg)
  if (confirmed < requiredOn(order, leg)) return null
  const gross = (confirmed - leg.amountDue > leg.dust ? leg.amountDue : confirmed) - settledOn(order, leg)
  return gross > 0n ? gross : null
}

export function wasPaidLate(order: OrderState, leg: LegState): boolean {
  const onTime = eligibleOn(order, leg).filter((payment) => standing(order, leg, payment) === 'on_time')
  return sum(onTime, amountOf) < requiredOn(order, leg)
}

/** The payments with `use` as the order now stands. */
export function withUses(order: OrderState): PaymentState[] {
  const winner = winnerOf(order)
  const counted = winner === null ? null : countedOn(order, winner)
  return order.payments.map((payment) => {
    const use = useOf(order, counted, payment)
    return use === payment.use ? payment : { ...payment, use }
  })
}

/** The payments that were needed to pay a leg, by key. Anybody can send thousands, so this is a single pass. */
function countedOn(order: OrderState, leg: LegState): ReadonlySet<string> {
  const required = requiredOn(order, leg)
  const keys = new Set<string>()
  let total = -returnedOn(order, leg)
  for (const payment of eligibleOn(order, leg)) {
    if (total >= required) break
    keys.add(payment.key)
    total += payment.amount
  }
  return keys
}

/** @param counted the payments that count on the leg that pays; null: no leg does yet, so any may. */
function useOf(order: OrderState, counted: ReadonlySet<string> | null, payment: PaymentState): PaymentUse {
  const leg = order.legs.find((candidate) => candidate.id === payment.legId)
  if (leg === undefined || payment.chain !== leg.chain) return 'wrong_chain'
  if (!isSameAsset(payment, leg)) return 'wrong_asset'
  // A payment that left the chain keeps its `use`, so that its history can be read.
  if (payment.status === 'orphaned' || payment.status === 'dropped') return payment.use
  if (standing(order, leg, payment) === 'late') return 'late'
  return counted === null || counted.has(payment.key) ? 'counted' : 'excess'
}

/** What the payer sent towards a leg, and what is still missing; both as the checkout shows them. */
export function progressOn(order: OrderState, leg: LegState): { received: bigint; remaining: bigint } {
  const received = sum(moneyOn(order, leg), amountOf)
  const kept = received - returnedOn(order, leg)
  return { received, remaining: kept >= leg.amountDue ? 0n : leg.amountDue - kept }
}
