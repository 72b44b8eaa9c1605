// The fees of a transaction. Pure. Nodes replace a transaction only for at least 10 % more of both values, so a bump
// adds 15 % to both; the operator's cap is never exceeded.

export interface Fees {
  /** Highest price of a unit of gas, in wei. */
  maxFee: bigint
  /** The part of it that goes to the block producer, in wei. */
  tip: bigint
}

export interface FeeMarket {
  baseFee: bigint
  /** What the node suggests. */
  suggestedTip: bigint
  minTip: bigint
  /** The operator's cap on maxFee. */
  cap: bigint
}

const BUMP_PERCENT = 15n

const raised = (amount: bigint): bigint => (amount * (100n + BUMP_PERCENT) + 99n) / 100n
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Twice the base fee covers five full blocks in a row. @returns null when the network asks more than the cap. */
export function firstFees(market: FeeMarket): Fees | null {
  const room = market.cap - market.baseFee
  if (room < market.minTip) return null
  const tip = smaller(larger(market.suggestedTip, market.minTip), room)
  return { maxFee: smaller(2n * market.baseFee + tip, market.cap), tip }
}

/** @returns fees that replace a transaction that was not mined, or null when they would exceed the cap. */
export function bumpedFees(last: Fees, market: FeeMarket): Fees | null {
  const tip = larger(raised(last.tip), market.minTip)
  const least = larger(raised(last.maxFee), market.baseFee + tip)
  if (least > market.cap) return null
  return { maxFee: smaller(larger(least, 2n * market.baseFee + tip), market.cap), tip }
}
