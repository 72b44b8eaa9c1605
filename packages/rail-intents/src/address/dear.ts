// Whether a quote asks the payer for more than the way costs by the provider's own list of prices, or is for an amount that the
// way is too long for. Pure. A thin market and a dear chain are no lies: this order is refused, and nothing else.
import { unitsDue } from '@florin/platform/money'
import type { LegRequest } from '@florin/rail-kit/interface/leg'
import type { IntentsAsset } from '../catalogue/assets.ts'
import type { CheckedQuote } from '../client/echo.ts'
import type { IntentsSettings } from '../settings/config.ts'
import { estimate, usablePrice } from './price.ts'

/** So much above what was reckoned the market may be. */
const DEARER_BPS = 2_000n
/** What is kept for a move of the price is about what was asked for: the provider rounds as it likes. */
const SLIPPAGE_MORE_BPS = 100
/**
 * What the provider says that the payout costs is its word alone, so it explains no more of a price than this: half of what is
 * paid out, of small amounts some dollars.
 */
const PAYOUT_PART = 2n
const PAYOUT_MICROS = 5_000_000n
/** A way back may cost as much of what is paid. */
const REFUND_PART = 2n

export interface Judged {
  pay: IntentsAsset
  settle: IntentsAsset
  request: Pick<LegRequest, 'amountUsdMicros' | 'feeBps'>
  quote: Pick<CheckedQuote, 'amountDue' | 'least' | 'amountOut' | 'withdrawFee' | 'refundFee'>
}

export type Dear = {
  /** `price`: it is too high; `amount`: it is too small for this way. */
  what: 'price' | 'amount'
  /** For people here. */
  why: string
}

/** @returns null: it asks for what is usual. */
export function dearness(
  settings: Pick<IntentsSettings, 'apiKey' | 'feeAccount' | 'slippageBps'>,
  { pay, settle, request, quote }: Judged,
): Dear | null {
  const { amountDue, least, amountOut, withdrawFee, refundFee } = quote
  if (refundFee * REFUND_PART > amountDue) return { what: 'amount', why: `a refund costs ${refundFee} of ${amountDue}` }
  const kept = BigInt(10_000 + settings.slippageBps + SLIPPAGE_MORE_BPS)
  if ((amountDue - 1n) * 10_000n > least * kept)
    return { what: 'price', why: `it asks for ${amountDue} smallest units where ${least} are needed` }
  const most = max(amountOut / PAYOUT_PART, unitsOfDollars(settle))
  if (withdrawFee > most) return { what: 'amount', why: `the payout costs ${withdrawFee} beside ${amountOut}` }
  const usual = estimate(settings, { ...request, pay, settle, payoutCost: withdrawFee })
  // Of a coin that is listed without a price nothing can be said.
  if (usual?.amountDue == null || amountDue * 10_000n <= usual.amountDue * (10_000n + DEARER_BPS)) return null
  return { what: 'price', why: `it asks for ${amountDue} where the list of prices makes it ${usual.amountDue}` }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Of an asset without a price: none. */
function unitsOfDollars(settle: IntentsAsset): bigint {
  const priceMicros = usablePrice(settle)
  return priceMicros === null
    ? 0n
    : unitsDue({ usdMicros: PAYOUT_MICROS, priceMicros, decimals: settle.decimals, spreadBps: 0 })
}
