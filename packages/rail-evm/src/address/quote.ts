// The arithmetic of a quote: what is due, what the merchant gets of it, and what is too little to return. Pure.
import { AppError } from '@florin/platform/errors'
import { feeUnits, unitsDue } from '@florin/platform/money'

/** Gas of a refund to a bound address, the same on every chain (the contracts' gas table), rounded up. */
export const REFUND_GAS = 110_000n
const NATIVE_DECIMALS = 18

export interface QuoteInput {
  amountUsdMicros: bigint
  decimals: number
  priceMicros: bigint
  spreadBps: number
  feeBps: number
  refundCostMicros: bigint
}

export interface Quote {
  amountDue: bigint
  amountOut: bigint
  /** Twice what a refund costs. */
  dust: bigint
}

/** @throws AppError amount_too_small, amount_too_large */
export function quote(a: QuoteInput): Quote {
  const { priceMicros, decimals } = a
  const amountDue = unitsDue({ usdMicros: a.amountUsdMicros, priceMicros, decimals, spreadBps: a.spreadBps })
  const amountOut = amountDue - feeUnits(amountDue, a.feeBps)
  if (amountOut <= 0n) throw new AppError('amount_too_small')
  // The route's minAmount is a uint128.
  if (amountDue >> 128n !== 0n) throw new AppError('amount_too_large')
  return {
    amountDue,
    amountOut,
    dust: unitsDue({ usdMicros: 2n * a.refundCostMicros, priceMicros, decimals, spreadBps: 0 }),
  }
}

/** What a refund costs at this gas price, in USD micros. */
export function refundCostMicros(gasPriceWei: bigint, nativePriceMicros: bigint): bigint {
  return (REFUND_GAS * gasPriceWei * nativePriceMicros) / 10n ** BigInt(NATIVE_DECIMALS)
}
