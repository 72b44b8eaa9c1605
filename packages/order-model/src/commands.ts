// What merchants, payers and operators may request of an order, or why a request changes nothing. Pure.
import { deadlineOf, grossToSettle, isPaid, winnerOf } from './ledger.ts'
import { type Applied, applied, ignored, type NewId } from './outcome.ts'
import { refundOf } from './refunds/refund-of.ts'
import { refundablesOf } from './refunds/refundable.ts'
import { sawMoney, type Viewer } from './shown.ts'
import type { LegState, OrderState, SettlementState } from './state.ts'

export function legOpened(order: OrderState, leg: LegState, now: Date): Applied {
  const why = whyNotChosen(order, leg.holder, now)
  if (why !== null) return ignored(why)
  if (order.legs.some((known) => known.n === leg.n)) return ignored('another choice was made in the meantime')
  if (!hasRoomFor(order, leg.holder)) return ignored('too many ways to pay were chosen')
  const chosenAt = afterAll(order, now)
  return applied({ ...order, legs: [...order.legs, { ...leg, chosenAt }], payLegId: leg.id })
}

/** The payer comes back to a leg: it takes no room. */
export function legChosen(order: OrderState, legId: string, now: Date): Applied {
  const leg = order.legs.find((known) => known.id === legId)
  if (leg === undefined) return ignored('there is no such leg')
  const why = whyNotChosen(order, leg.holder, now)
  if (why !== null) return ignored(why)
  if (now >= deadlineOf(order, leg)) return ignored('its quote has lapsed')
  const legs = order.legs.map((known) => (known === leg ? { ...leg, chosenAt: afterAll(order, now) } : known))
  return applied({ ...order, legs, payLegId: leg.id })
}

/** Two choices can be made within a thousandth of a second. */
const afterAll = ({ legs }: OrderState, now: Date): Date =>
  new Date(Math.max(now.getTime(), ...legs.map((leg) => leg.chosenAt.getTime() + 1)))

function whyNotChosen(order: OrderState, holder: Viewer, now: Date): string | null {
  if (order.status !== 'pending' || order.canceled || now >= order.expiresAt) return `the order is ${order.status}`
  return sawMoney(order, holder) ? 'money has been seen' : null
}

export function refundAsked(order: OrderState, now: Date, newId: NewId): Applied {
  if (order.status === 'processing') return ignored('the money is on its way to the receiving address')
  if (order.status === 'pending' && order.legs.some((leg) => isPaid(order, leg)))
    return ignored('the order is being paid')
  // Asking again also covers what an earlier refund failed to return.
  const held = refundablesOf(order, false).filter((refundable) => refundable.free > 0n)
  if (held.length === 0) return ignored('no confirmed money is held back')
  const refundables = held.filter((refundable) => refundable.free > refundable.cost)
  if (refundables.length === 0) return ignored('what is held is below the cost of sending it back')
  const reason = order.status === 'failed' ? 'unsettleable' : 'merchant_request'
  const rows = refundables.map((refundable) =>
    refundOf(order, refundable, { amount: refundable.free, reason, now, newId }),
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
  const unknown = {
    fee: null,
    amountOut: null,
    txHash: null,
    failure: null,
    leftAt: null,
    hold: null,
    isReleased: false,
    proven: null,
  }
  return { id: newId('set'), legId: leg.id, status: 'wanted', gross, feeBps, ...unknown, createdAt: now }
}

/**
 * Room for legs (docs/decisions/0031-legs.md). Whoever has the checkout link can open legs, so one browser's clicks take
 * room from no other's: legs that everybody is shown have room of their own, which coming back to one does not use up, and
 * so has each browser that bound a refund address. The sums bound what a rail has to watch.
 */
export const LEGS_FOR_ALL_MAX = 100
export const LEGS_OF_A_BROWSER_MAX = 12
export const BROWSERS_MAX = 10

/** @param holder the browser that the leg would be shown to alone; null: everybody. */
export function hasRoomFor(order: OrderState, holder: Viewer): boolean {
  const same = order.legs.filter((leg) => leg.holder === holder)
  if (holder === null) return same.length < LEGS_FOR_ALL_MAX
  const browsers = new Set(order.legs.flatMap((leg) => leg.holder ?? []))
  return browsers.has(holder) ? same.length < LEGS_OF_A_BROWSER_MAX : browsers.size < BROWSERS_MAX
}

/** Whether this payer may still change how to pay. */
export function canChooseLeg(order: OrderState, now: Date, viewer: Viewer = null): boolean {
  return order.status === 'pending' && now < order.expiresAt && !sawMoney(order, viewer)
}
