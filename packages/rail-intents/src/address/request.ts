// The questions for quotes, and the times that go with a live one. Pure.
import { findChain } from '@florin/chains'
import { HOUR_MS, type LatePolicy, MINUTE_MS } from '@florin/protocol'
import { type IntentsAsset, isSlow } from '../catalogue/assets.ts'
import type { QuoteRequest } from '../client/wire.ts'
import type { IntentsSettings } from '../settings/config.ts'
import { amountOutOf, askedFee } from './price.ts'

/** How long before their deadline ours ends: a payment made at our last moment is credited before they return anything. */
const MARGIN_MS = { usual: 10 * MINUTE_MS, slow: 2 * HOUR_MS }
/** How long the provider looks for somebody who makes the swap. */
const WAIT_FOR_SOLVERS_MS = 3_000

export interface Times {
  /** Ours: until when payers are told to pay. */
  payUntil: Date
  /** Theirs: what is short by then goes back. */
  returnsFrom: Date
}

export function timesOf(
  { windowMs }: Pick<IntentsSettings, 'windowMs'>,
  a: { payChain: string; settleChain: string; now: Date; expiresAt: Date; latePolicy: LatePolicy },
): Times {
  const window = isSlow(a.payChain, a.settleChain) ? windowMs.slow : windowMs.usual
  const margin = isSlow(a.payChain) ? MARGIN_MS.slow : MARGIN_MS.usual
  const [now, ends] = [a.now.getTime(), a.expiresAt.getTime()]
  // What they took they swap, however late it is here: where late money has to go back, they take none after the order's end.
  const last = a.latePolicy === 'refund' ? Math.max(ends - margin, (now + ends) / 2) : ends
  const payUntil = Math.min(now + window, last)
  const returnsFrom = a.latePolicy === 'refund' ? Math.min(payUntil + margin, ends) : payUntil + margin
  return { payUntil: new Date(payUntil), returnsFrom: new Date(returnsFrom) }
}

export const modeOf = (payChain: string): QuoteRequest['depositMode'] => (payChain === 'stellar' ? 'MEMO' : 'SIMPLE')

/** The beginning of a hash, so nobody has its key: a dry quote needs some address for refunds, and makes none. */
const NOBODY = '0x6382b3cc881412b77bfcaeed026001c00d9e3025'
const DRY_AMOUNT_MICROS = 50_000_000n

/** What paying out an asset costs is the same from wherever it is paid: asked of a dollar on an EVM chain. */
export function dryRequestOf(
  settings: Pick<IntentsSettings, 'slippageBps' | 'referral' | 'feeAccount'>,
  a: { assets: readonly IntentsAsset[]; settle: IntentsAsset; recipient: string; now: Date },
): QuoteRequest | null {
  const pay = a.assets.find(
    (asset) => asset.takes && asset.asset === 'USDC' && isEvm(asset.chain) && asset.assetId !== a.settle.assetId,
  )
  const amountOut = amountOutOf(a.settle, { amountUsdMicros: DRY_AMOUNT_MICROS, feeBps: 0, takesFee: false })
  if (pay === undefined || amountOut === null) return null
  const deadline = new Date(a.now.getTime() + HOUR_MS)
  const request = requestOf(settings, {
    ...{ pay, settle: a.settle, amountOut, feeBps: 0, deadline, recipient: a.recipient, refundTo: NOBODY },
  })
  return { ...request, dry: true }
}

const isEvm = (chain: string): boolean => findChain(chain)?.family === 'evm'

export function requestOf(
  settings: Pick<IntentsSettings, 'slippageBps' | 'referral' | 'feeAccount'>,
  a: {
    pay: IntentsAsset
    settle: IntentsAsset
    amountOut: bigint
    recipient: string
    refundTo: string
    deadline: Date
    feeBps: number
  },
): QuoteRequest {
  const fee = askedFee(a.feeBps)
  const { feeAccount } = settings
  return {
    ...{ dry: false, swapType: 'EXACT_OUTPUT', slippageTolerance: settings.slippageBps },
    ...{ originAsset: a.pay.assetId, depositType: 'ORIGIN_CHAIN', destinationAsset: a.settle.assetId },
    ...{ amount: a.amountOut.toString(), refundTo: a.refundTo, refundType: 'ORIGIN_CHAIN' },
    ...{ recipient: a.recipient, recipientType: 'DESTINATION_CHAIN', deadline: a.deadline.toISOString() },
    ...{ depositMode: modeOf(a.pay.chain), quoteWaitingTimeMs: WAIT_FOR_SOLVERS_MS, referral: settings.referral },
    ...(fee > 0 && feeAccount !== null ? { appFees: [{ recipient: feeAccount, fee }] } : {}),
  }
}
