// How far answers about a currency may be apart, by its class (docs/currencies.md). In basis points. Pure.
import { type Currency, type CurrencyClass, HOUR_MS, MINUTE_MS } from '@florin/protocol'

/** Two answers of one moment, and what each publication between them adds. */
const tolerances: Readonly<Record<CurrencyClass, readonly [base: number, step: number]>> = {
  base: [0, 0],
  deep: [100, 75],
  mid: [150, 125],
  peg: [50, 0],
  thin: [300, 200],
  split: [300, 200],
}

/** A currency fixed to the euro moves against the dollar as the euro does. */
const EURO_STEP = 75
/** Beyond this many publications a distance explains no more. */
const STEPS_MAX = 5

export function toleranceBps(currency: Currency, publications: number): number {
  const [base, step] = tolerances[currency.class]
  const each = currency.peg !== undefined && currency.peg.to !== 'USD' ? EURO_STEP : step
  return base + each * Math.min(publications, STEPS_MAX)
}

/** A live market's answer counts for this long. */
export const LIVE_MS = 10 * MINUTE_MS
/** A live answer that did not move for this long while markets were open is dead. */
export const STUCK_MS = 2 * HOUR_MS
/** A fixing that says the same for so many publications is an old one under a new date. */
export const STUCK_FIXINGS = 4
/** A fixing counts this long after its successor should have been out. */
export const OVERDUE_MS = 6 * HOUR_MS
/** Older fixings price only beside a live market, or where the merchant takes rates of before the weekend. */
export const ALONE_MS = 30 * HOUR_MS
/** No fixing counts longer, whatever the calendar says. */
export const FIXING_MAX_MS = (5 * 24 + 6) * HOUR_MS
/** A date further ahead than this is a fault, not a time zone. */
export const FUTURE_MS = 48 * HOUR_MS
/** A jump of more than this many tolerances since the last rate waits for a person. */
export const JUMP = 5
/** Days of absence that a jump may be explained by. */
export const JUMP_STEPS_MAX = 10

export function jumpBps(currency: Currency, publications: number): number {
  const [base, step] = tolerances[currency.class]
  return JUMP * (base + step * Math.min(publications, JUMP_STEPS_MAX))
}
