// What the merchant is to get, and what paying it this way costs about. Pure. What is due rounds up: never against the merchant.
import { divCeil, feeUnits, unitsDue, worthDue } from '@florin/platform/money'
import type { RouteEstimate } from '@florin/rail-kit/interface/leg'
import { type IntentsAsset, isSlow } from '../catalogue/assets.ts'
import type { IntentsSettings } from '../settings/config.ts'

const DOLLAR_MICROS = 1_000_000n
/** A dollar coin counts as a dollar while it is listed within one per cent of it. */
const PEG_BPS = 100n
/** What the provider was seen to take with and without a key; the quote's echo says the real one. */
const PROVIDER_BPS = { withKey: 20, without: 25 }
const FEE_MAX_BPS = 500
const SECONDS_SLOW = 900
const SECONDS_USUAL = 120

const dollars: ReadonlySet<string> = new Set(['USDC', 'USDT', 'USDT0'])

/** The price an amount is made with; null: none that can be used. */
export function usablePrice({ asset, priceMicros, isListed }: IntentsAsset): bigint | null {
  if (priceMicros === null || !isListed || !dollars.has(asset)) return priceMicros
  const off = priceMicros > DOLLAR_MICROS ? priceMicros - DOLLAR_MICROS : DOLLAR_MICROS - priceMicros
  return off * 10_000n <= PEG_BPS * DOLLAR_MICROS ? DOLLAR_MICROS : null
}

/**
 * What a leg is told to be worth by, decimal text: the coin's own price, a dollar for a dollar coin as in the price of the
 * choice. null: it has none.
 */
export const ratePrice = (pay: IntentsAsset): string | null =>
  pay.price !== null && usablePrice(pay) === DOLLAR_MICROS ? '1' : pay.price

/**
 * What the merchant's address is to get, in the settle asset: the order's amount less the operator's fee, which the payer's
 * amount pays inside the swap. null: the asset has no usable price.
 */
export function amountOutOf(
  settle: IntentsAsset,
  a: { amountUsdMicros: bigint; feeBps: number; takesFee: boolean },
): bigint | null {
  const priceMicros = usablePrice(settle)
  if (priceMicros === null) return null
  const gross = unitsDue({ usdMicros: a.amountUsdMicros, priceMicros, decimals: settle.decimals, spreadBps: 0 })
  return a.takesFee ? gross - feeUnits(gross, a.feeBps) : gross
}

/** Of an application's fee the provider hands on half: asking twice as much yields the operator's, up to its bound. */
export const askedFee = (feeBps: number): number => Math.min(2 * feeBps, FEE_MAX_BPS)

/** @param a.payoutCost in the settle asset, on top of what the merchant gets; null: not known. */
export function estimate(
  settings: Pick<IntentsSettings, 'apiKey' | 'feeAccount' | 'slippageBps'>,
  a: { pay: IntentsAsset; settle: IntentsAsset; amountUsdMicros: bigint; feeBps: number; payoutCost: bigint | null },
): RouteEstimate | null {
  const { pay, settle, amountUsdMicros, feeBps, payoutCost } = a
  const takesFee = settings.feeAccount !== null
  const amountOut = amountOutOf(settle, { amountUsdMicros, feeBps, takesFee })
  const price = usablePrice(pay)
  const settlePrice = usablePrice(settle)
  if (amountOut === null || price === null || settlePrice === null || !pay.takes || !settle.pays) return null
  const provider = settings.apiKey === null ? PROVIDER_BPS.without : PROVIDER_BPS.withKey
  // Of what is asked for as a fee the provider keeps half, which is in place of its own where it is more.
  const asked = takesFee ? askedFee(feeBps) : 0
  const spreadBps = Math.floor(asked / 2) + Math.max(provider, Math.ceil(asked / 2))
  const netMicros = takesFee ? amountUsdMicros - feeUnits(amountUsdMicros, feeBps) : amountUsdMicros
  const payoutMicros = divCeil((payoutCost ?? 0n) * settlePrice, 10n ** BigInt(settle.decimals))
  const usdMicros = netMicros + payoutMicros
  const least = unitsDue({ usdMicros, priceMicros: price, decimals: pay.decimals, spreadBps })
  const amountDue = divCeil(least * BigInt(10_000 + settings.slippageBps), 10_000n)
  const paidMicros = worthDue({ units: amountDue, decimals: pay.decimals, price, priceDecimals: 6 })
  const cost = paidMicros - amountUsdMicros
  return {
    ...{ amountDue, amountOut, costUsdMicros: cost > 0n ? cost : 0n },
    expectedS: isSlow(pay.chain, settle.chain) ? SECONDS_SLOW : SECONDS_USUAL,
  }
}
