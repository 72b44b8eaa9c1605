// Which legs a reader may be shown for payment (docs/decisions/0020-refund-address.md). A leg with a refund address
// belongs to the browser that bound it; no other reader sees it before it has paid the order. Pure.
import { hasMoney } from './refunds/refundable.ts'
import { currentLeg, type LegState, type OrderState } from './state.ts'

/** The hash of the asking browser's secret; null: a key, a webhook, a session, a browser without one. */
export type Viewer = string | null

/** A bound leg without a holder was opened by a release that did not record holders: its owner is unknown. */
const isOpenToAll = (leg: LegState): boolean => leg.holder === null && leg.boundRefundAddress === null

export const isHeldBy = (leg: LegState, viewer: Viewer): boolean =>
  leg.holder !== null && viewer !== null && isSameHash(leg.holder, viewer)

/** Constant-time comparison. */
function isSameHash(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let n = 0; n < a.length; n++) difference |= a.charCodeAt(n) ^ b.charCodeAt(n % b.length)
  return difference === 0
}

export const isPayableBy = (leg: LegState, viewer: Viewer): boolean => isOpenToAll(leg) || isHeldBy(leg, viewer)

/**
 * The leg that a reader is shown: the one that pays, once it does; before, its own that was chosen last, else the open
 * one that was.
 */
export function shownLeg(order: OrderState, viewer: Viewer): LegState | null {
  const current = currentLeg(order)
  if (order.status !== 'pending' && order.status !== 'expired') return current
  const own = order.legs.filter((leg) => isHeldBy(leg, viewer))
  const shown = own.length > 0 ? own : order.legs.filter(isOpenToAll)
  const paid = shown.find((leg) => leg.id === current?.id && hasMoney(order, leg))
  const isNewestOpen = own.length === 0 && current !== null && isOpenToAll(current)
  return paid ?? (isNewestOpen ? current : chosenLast(shown))
}

const chosenLast = (legs: readonly LegState[]): LegState | null =>
  legs.reduce<LegState | null>((last, leg) => (last === null || leg.chosenAt >= last.chosenAt ? leg : last), null)

/** Whether money was seen that keeps this reader from choosing again. Money on another browser's leg does not. */
export const sawMoney = (order: OrderState, viewer: Viewer): boolean =>
  order.legs.some((leg) => isPayableBy(leg, viewer) && hasMoney(order, leg))

/** The reader's relation to the order's private legs: it holds one, another browser does, or there is none. */
export function standingOf(order: OrderState, viewer: Viewer): 'holder' | 'other' | 'any' {
  if (order.legs.some((leg) => isHeldBy(leg, viewer))) return 'holder'
  return order.legs.some((leg) => !isOpenToAll(leg)) ? 'other' : 'any'
}
