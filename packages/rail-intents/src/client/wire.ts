// What the provider's answers look like, read field by field: what has another shape is not an answer. Pure.
import { decimalOf } from '@florin/platform/money'

export interface Token {
  assetId: string
  decimals: number
  blockchain: string
  symbol: string
  /** Decimal text; null: it says none. */
  price: string | null
  contract: string | null
}

/** As sent and as echoed. */
export interface QuoteRequest {
  dry: boolean
  swapType: 'EXACT_OUTPUT'
  slippageTolerance: number
  originAsset: string
  depositType: 'ORIGIN_CHAIN'
  destinationAsset: string
  amount: string
  refundTo: string
  refundType: 'ORIGIN_CHAIN'
  recipient: string
  recipientType: 'DESTINATION_CHAIN'
  deadline: string
  depositMode: 'SIMPLE' | 'MEMO'
  quoteWaitingTimeMs: number
  referral: string
  appFees?: AppFee[]
}

export interface AppFee {
  recipient: string
  fee: number
}

/** The whole reply is kept for disputes; these are the fields that are read. */
export interface QuoteReply {
  correlationId: string
  timestamp: string
  signature: string
  quoteRequest: Readonly<Record<string, unknown>>
  quote: Readonly<Record<string, unknown>>
}

export interface Transaction {
  hash: string
  explorerUrl: string | null
}

export interface StatusReply {
  status: string
  updatedAt: Date | null
  quoteResponse: QuoteReply | null
  /** Smallest units; null: not told. */
  amountIn: bigint | null
  amountOut: bigint | null
  deposited: bigint | null
  refunded: bigint | null
  refundReason: string | null
  origin: readonly Transaction[]
  destination: readonly Transaction[]
}

/** A partner's swap as the list of swaps tells it. */
export interface FeedEntry {
  depositAddress: string
  depositMemo: string | null
  status: string
}

export class UnreadableAnswer extends Error {}

const TOKENS_MAX = 5_000
const TEXT_MAX = 512

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_MAX ? value : null

/** Entries of another shape are left out: one odd token hides no other. */
export function readTokens(json: unknown): Token[] {
  if (!Array.isArray(json)) throw new UnreadableAnswer('the list of tokens is no list')
  return json.slice(0, TOKENS_MAX).flatMap((entry): Token[] => {
    if (!isObject(entry)) return []
    const [assetId, blockchain, symbol] = [entry.assetId, entry.blockchain, entry.symbol].map(textOf)
    const { decimals } = entry
    if (!assetId || !blockchain || !symbol) return []
    if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > 36) return []
    const price = decimalOf(entry.price)
    return [{ assetId, blockchain, symbol, decimals, price, contract: textOf(entry.contractAddress) }]
  })
}

export function readQuote(json: unknown): QuoteReply {
  if (!isObject(json) || !isObject(json.quoteRequest) || !isObject(json.quote))
    throw new UnreadableAnswer('a quote has another shape than documented')
  const { quoteRequest, quote } = json
  return {
    ...{ correlationId: textOf(json.correlationId) ?? '', timestamp: textOf(json.timestamp) ?? '' },
    ...{ signature: textOf(json.signature) ?? '', quoteRequest, quote },
  }
}

/** Digits of the smallest unit. */
export function unitsOf(value: unknown): bigint | null {
  return typeof value === 'string' && /^\d{1,60}$/.test(value) ? BigInt(value) : null
}

export function readStatus(json: unknown): StatusReply {
  const status = isObject(json) ? textOf(json.status) : null
  if (!isObject(json) || status === null) throw new UnreadableAnswer('a status has another shape than documented')
  const details = isObject(json.swapDetails) ? json.swapDetails : {}
  const updatedAt = textOf(json.updatedAt)
  const time = updatedAt === null ? Number.NaN : Date.parse(updatedAt)
  return {
    status,
    updatedAt: Number.isNaN(time) ? null : new Date(time),
    quoteResponse: isObject(json.quoteResponse) ? readQuote(json.quoteResponse) : null,
    ...{ amountIn: unitsOf(details.amountIn), amountOut: unitsOf(details.amountOut) },
    ...{ deposited: unitsOf(details.depositedAmount), refunded: unitsOf(details.refundedAmount) },
    refundReason: textOf(details.refundReason),
    ...{ origin: readTransactions(details.originChainTxHashes) },
    destination: readTransactions(details.destinationChainTxHashes),
  }
}

const TRANSACTIONS_MAX = 100

function readTransactions(value: unknown): Transaction[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, TRANSACTIONS_MAX).flatMap((entry): Transaction[] => {
    const hash = isObject(entry) ? textOf(entry.hash) : null
    return hash === null || !isObject(entry) ? [] : [{ hash, explorerUrl: textOf(entry.explorerUrl) }]
  })
}

export function readFeed(json: unknown): FeedEntry[] {
  const rows = isObject(json) && Array.isArray(json.data) ? json.data : json
  if (!Array.isArray(rows)) throw new UnreadableAnswer('the list of swaps is no list')
  return rows.flatMap((entry): FeedEntry[] => {
    const [depositAddress, status] = isObject(entry)
      ? [textOf(entry.depositAddress), textOf(entry.status)]
      : [null, null]
    if (!depositAddress || !status || !isObject(entry)) return []
    return [{ depositAddress, status, depositMemo: textOf(entry.depositMemo) }]
  })
}
