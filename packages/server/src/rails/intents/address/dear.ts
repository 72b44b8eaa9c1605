// Whether a quote asks the payer for more than the way costs by the provider's own list of prices. Pure. A thin market may be dear
// for a while, so it is no lie: the coin is out for some minutes, and the payer is told to choose another.
import type { LegRequest } from '../../interface/leg.ts'
import type { IntentsAsset } from '../catalogue/assets.ts'
import type { CheckedQuote } from '../client/echo.ts'
import type { IntentsSettings } from '../settings/config.ts'
import { estimate } from './price.ts'

/** So much above what was reckoned the market may be. */
const DEARER_BPS = 2_000n
/** What is kept for a move of the price is about what was asked for: the provider rounds as it likes. */
const SLIPPAGE_MORE_BPS = 100
/** The cost of a payout moves within the hour in which it was learned. */
const PAYOUT_TIMES = 3n

export interface Judged {
  pay: IntentsAsset
  settle: IntentsAsset
  request: Pick<LegRequest, 'amountUsdMicros' | 'feeBps'>
  quote: Pick<CheckedQuote, 'amountDue' | 'least' | 'amountOut' | 'withdrawFee'>
  /** What paying out was last known to cost; null: it is not. */
  payoutCost: bigint | null
}

/** @returns null: it asks for what is usual; else why not, for people here. */
export function dearness(
  settings: Pick<IntentsSettings, 'apiKey' | 'feeAccount' | 'slippageBps'>,
  { pay, settle, request, quote, payoutCost }: Judged,
): string | null {
  const kept = BigInt(10_000 + settings.slippageBps + SLIPPAGE_MORE_BPS)
  if ((quote.amountDue - 1n) * 10_000n > quote.least * kept)
    return `it asks for ${quote.amountDue} smallest units where ${quote.least} are needed`
  // A payout that costs as much as it brings is none that anybody would order.
  const most = payoutCost === null ? quote.amountOut : PAYOUT_TIMES * payoutCost
  const cost = quote.withdrawFee < most ? quote.withdrawFee : most
  const usual = estimate(settings, { ...request, pay, settle, payoutCost: cost })
  // Of a coin that is listed without a price nothing can be said.
  if (usual?.amountDue == null || quote.amountDue * 10_000n <= usual.amountDue * (10_000n + DEARER_BPS)) return null
  return `it asks for ${quote.amountDue} smallest units where the list of prices makes it ${usual.amountDue}`
}
