// What must become of an order's money, said a second time: coin by coin, from the tables of the contract (docs/api.md),
// and without a line of what order-model does. Tests compare the two.
import { DAY_MS, MINUTE_MS } from '@florin/protocol'

/** A deposit. Times are milliseconds since the order was made. */
export interface Coin {
  key: string
  leg: 0 | 1
  amount: bigint
  /** When its block was seen: this is what counts. */
  seen: number
  /** When the order hears of it, and when of its confirmation. */
  told: number
  confirmed: number
}

export interface Scenario {
  /** For each leg, whether it is a stable coin: its quote then lasts as long as the order, else 15 minutes. */
  stable: readonly [boolean, boolean]
  toleranceBps: number
  latePolicy: 'settle' | 'refund'
  /** The merchant cancels before any money is told of. */
  canceledAt: number | null
  refundsFail: boolean
  coins: readonly Coin[]
}

export const DEADLINE = 30 * MINUTE_MS
export const QUOTE_END = 15 * MINUTE_MS
export const GRACE_END = DEADLINE + DAY_MS
export const DUE_UNITS = 50_000_000n
export const DUST_UNITS = 40_000n
/** What sending money back costs: up to that it stays. */
export const COST_UNITS = 20_000n
/** A dollar of a $50 order. */
const DOLLAR_UNITS = 1_000_000n

export interface Return {
  leg: number
  amount: bigint
  reason: string | null
  at: number
}

export interface Verdict {
  status: string
  paidLeg: number | null
  gross: bigint | null
  returns: Return[]
}

type Held = Coin & { isTold: boolean; isConfirmed: boolean; isGone: boolean }

/** All that must have happened when everything has been told, and the clock has gone on for days. */
export function judge(scenario: Scenario): Verdict {
  const { stable, canceledAt, latePolicy } = scenario
  const coins: Held[] = scenario.coins.map((coin) => ({ ...coin, isTold: false, isConfirmed: false, isGone: false }))
  const verdict: Verdict = { status: 'pending', paidLeg: null, gross: null, returns: [] }
  let isCanceled = false

  const byBps = (DUE_UNITS * BigInt(scenario.toleranceBps)) / 10_000n
  const required = DUE_UNITS - (byBps < DOLLAR_UNITS ? byBps : DOLLAR_UNITS)
  const mayPay = (coin: Coin): boolean => {
    if (isCanceled) return false
    if (coin.seen <= (stable[coin.leg] ? DEADLINE : QUOTE_END)) return true
    return latePolicy === 'settle' && stable[coin.leg] === true && coin.seen <= GRACE_END
  }
  const total = (some: readonly Coin[]): bigint => some.reduce((sum, coin) => sum + coin.amount, 0n)

  /** Legs of which late and other money went back as one: what a later return of theirs is called is left open. */
  const mixed = new Set<number>()
  const giveBack = (leg: number, some: readonly Held[], reason: string | null, at: number): void => {
    if (total(some) <= COST_UNITS) return
    for (const coin of some) coin.isGone = true
    verdict.returns.push({ leg, amount: total(some), reason, at })
  }

  /** What is left of the settled leg beside the settlement and what went back. */
  let surplus = 0n

  const look = (now: number): void => {
    if (verdict.status === 'pending' || verdict.status === 'expired') {
      const paid = [0, 1].find((leg) => {
        const paying = coins.filter((coin) => coin.leg === leg && coin.isTold && !coin.isGone && mayPay(coin))
        return total(paying) >= required
      })
      if (paid !== undefined) {
        verdict.status = 'processing'
        verdict.paidLeg = paid
      } else if (isCanceled || now >= DEADLINE) verdict.status = 'expired'
    }
    if (verdict.status === 'processing') {
      const own = coins.filter((coin) => coin.leg === verdict.paidLeg && coin.isConfirmed && !coin.isGone)
      const paying = total(own.filter(mayPay))
      if (paying < required) return
      verdict.gross = paying - DUE_UNITS > DUST_UNITS ? DUE_UNITS : paying
      verdict.status = 'success'
      surplus = total(own) - verdict.gross
      for (const coin of own) coin.isGone = true
      if (surplus > COST_UNITS) {
        verdict.returns.push({ leg: verdict.paidLeg ?? 0, amount: surplus, reason: 'excess', at: now })
        surplus = 0n
      }
    }
    for (const leg of [0, 1]) giveBackFrom(leg, now)
    const told = coins.filter((coin) => coin.isTold)
    const isBack = [0, 1].every((leg) => total(told.filter((coin) => coin.leg === leg && !coin.isGone)) <= COST_UNITS)
    const isAllBack = told.some((coin) => coin.isGone) && isBack && !scenario.refundsFail
    if (verdict.status === 'expired' && isAllBack) verdict.status = 'refunded'
  }

  const giveBackFrom = (leg: number, now: number): void => {
    const here = coins.filter((coin) => coin.leg === leg && coin.isConfirmed && !coin.isGone)
    if (here.length === 0) return
    const late = here.filter((coin) => !mayPay(coin))
    if (verdict.status === 'success' && leg !== verdict.paidLeg) {
      const isLate = coins.some((coin) => coin.leg === leg && coin.isConfirmed && !mayPay(coin))
      giveBack(leg, here, isLate ? 'late' : 'excess', now)
    } else if (verdict.status === 'success') {
      // What is not worth sending stays until it is.
      surplus += total(here)
      for (const coin of here) coin.isGone = true
      if (surplus <= COST_UNITS) return
      verdict.returns.push({ leg, amount: surplus, reason: 'excess', at: now })
      surplus = 0n
    } else if (verdict.status === 'expired' && isCanceled) {
      giveBack(leg, here, 'canceled', now)
    } else if (verdict.status === 'expired' && now < GRACE_END) {
      // What can still be completed waits for a day; what never can goes back at once.
      giveBack(leg, late, 'late', now)
    } else if (verdict.status === 'expired') {
      giveBack(leg, here, mixed.has(leg) ? null : late.length > 0 ? 'late' : 'underpaid', now)
      if (late.length > 0 && late.length < here.length) mixed.add(leg)
    } else if (verdict.status === 'refunded') {
      // The contract does not say what it calls money that comes after all is over.
      giveBack(leg, here, null, now)
    }
  }

  const moments = [...coins.flatMap((coin) => [coin.told, coin.confirmed]), canceledAt ?? 0, DEADLINE, GRACE_END]
  for (const now of [...new Set(moments)].sort((a, b) => a - b)) {
    if (now === canceledAt) {
      isCanceled = true
      look(now)
    }
    // One after the other, as a rail tells them; the clock is asked last.
    for (const coin of coins) {
      if (coin.told === now) {
        coin.isTold = true
        look(now)
      }
      if (coin.confirmed === now) {
        coin.isConfirmed = true
        look(now)
      }
    }
    look(now)
  }
  return verdict
}
