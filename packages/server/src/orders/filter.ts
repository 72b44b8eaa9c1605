// The filters that lists of orders take (contract.md 4.4), the same in /v1 and the console. Pure.
import { AppError } from '@florin/platform/errors'
import { parseMoment } from '@florin/platform/http/timestamp'
import { parseDecimal } from '@florin/platform/money'
import { DAY_MS, METADATA_KEY_MAX, METADATA_VALUE_MAX, type OrderStatus, orderStatuses } from '@florin/protocol'
import { Type } from 'typebox'
import { parseChain } from '../parse-chain.ts'

/** What a list or an export asks for. */
export interface OrderFilter {
  merchantId: string
  merchantNo: number
  livemode: boolean
  statuses: readonly string[] | null
  externalId: string | null
  settleChain: string | null
  /** ISO 4217, as the order was asked for. */
  currency: string | null
  /** What it is worth in dollars: from and to, both inclusive. */
  amountUsd: AmountRange | null
  paymentLinkId: string | null
  invoiceId: string | null
  createdFrom: Date | null
  createdTo: Date | null
  metadata: Readonly<Record<string, string>> | null
  /** Console search: words of the title, a whole number, external id, pay address or transaction hash. */
  search: string | null
}

export interface AmountRange {
  fromMicros: bigint
  toMicros: bigint
}

/** Where in a list, and how much of it. */
export interface ListPage {
  /** Continue below this order_no, or above it where the oldest come first. */
  after: string | null
  isOldestFirst: boolean
  limit: number
}

const STATUSES_MAX = orderStatuses.length
/** Statuses are matched when they are read, so that one text may hold several. */
const StatusText = Type.String({ minLength: 1, maxLength: 100 })
/** Each is one more condition on the same index. */
const METADATA_FILTERS_MAX = 5
const Moment = Type.String({ maxLength: 40, description: 'ISO 8601, such as 2026-01-31T00:00:00Z' })

export const OrderFilterQuery = {
  status: Type.Optional(
    Type.Union([StatusText, Type.Array(StatusText, { maxItems: STATUSES_MAX })], {
      description: 'Those in any of these statuses: repeated, or with commas between them.',
      'x-document': { type: 'array', items: { enum: [...orderStatuses] }, maxItems: STATUSES_MAX },
    }),
  ),
  external_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  created_from: Type.Optional(Moment),
  created_to: Type.Optional(Moment),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: METADATA_VALUE_MAX }), {
      minProperties: 1,
      maxProperties: METADATA_FILTERS_MAX,
      description: `Those whose metadata has this value: metadata[cart]=7. Up to ${METADATA_FILTERS_MAX} keys, all of which must fit.`,
    }),
  ),
  settle_chain: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  currency: Type.Optional(
    Type.String({ minLength: 1, maxLength: 20, description: 'Those asked for in this currency, such as EUR.' }),
  ),
  amount_usd_from: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20,
      description:
        'Those of at least so many dollars, by `amount_usd`. A list by a range of amounts needs dates of at most 92 days.',
    }),
  ),
  amount_usd_to: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20,
      description: 'Those of at most so many dollars; the same twice is an exact amount.',
    }),
  ),
  payment_link_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  invoice_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
}

/** Of a list that is read page by page. A cursor goes on in the direction that is asked for. */
export const SortQuery = {
  sort: Type.Optional(
    Type.Enum(['newest', 'oldest'], { description: 'Which come first; newest where left out.', default: 'newest' }),
  ),
}

/** The console's search. */
export const SearchQuery = {
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
}

export function readOrderFilter(query: {
  status?: string | string[]
  external_id?: string
  created_from?: string
  created_to?: string
  metadata?: Record<string, string>
  settle_chain?: string
  currency?: string
  amount_usd_from?: string
  amount_usd_to?: string
  payment_link_id?: string
  invoice_id?: string
}): Omit<OrderFilter, 'merchantId' | 'merchantNo' | 'livemode' | 'search'> {
  return {
    statuses: query.status === undefined ? null : parseStatuses([query.status].flat()),
    externalId: query.external_id ?? null,
    createdFrom: momentOrNull(query.created_from, 'created_from'),
    createdTo: momentOrNull(query.created_to, 'created_to'),
    metadata: query.metadata === undefined ? null : checkedKeys(query.metadata),
    currency: query.currency === undefined ? null : parseCurrency(query.currency),
    amountUsd: parseAmounts(query.amount_usd_from, query.amount_usd_to),
    paymentLinkId: query.payment_link_id ?? null,
    invoiceId: query.invoice_id ?? null,
    settleChain: query.settle_chain === undefined ? null : parseChain(query.settle_chain, 'settle_chain').id,
  }
}

/** @throws AppError validation_failed, which names them all. */
function parseStatuses(texts: readonly string[]): OrderStatus[] {
  const statuses = texts.flatMap((text) => text.split(',')).map((text) => orderStatuses.find((each) => each === text))
  const known = statuses.filter((status) => status !== undefined)
  if (known.length === statuses.length) return [...new Set(known)]
  const message = `status takes one or more of: ${orderStatuses.join(', ')}; several with commas between them.`
  throw new AppError('validation_failed', { param: 'status', message })
}

function checkedKeys(metadata: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (Object.keys(metadata).every((key) => key.length > 0 && key.length <= METADATA_KEY_MAX)) return metadata
  const message = `A metadata key has 1 to ${METADATA_KEY_MAX} characters: metadata[cart]=7.`
  throw new AppError('validation_failed', { param: 'metadata', message })
}

/** Any code: one that no order has is no mistake, as currencies come and go. */
function parseCurrency(text: string): string {
  const code = text.toUpperCase()
  if (/^[A-Z0-9]{2,12}$/.test(code)) return code
  throw new AppError('validation_failed', { param: 'currency', message: 'A currency is a code such as EUR.' })
}

const DOLLARS_MAX = 1_000_000_000_000_000n

function parseAmounts(from: string | undefined, to: string | undefined): AmountRange | null {
  if (from === undefined && to === undefined) return null
  const micros = (text: string, param: string): bigint => {
    const value = parseDecimal(text, 6)
    if (value !== null && value >= 0n && value <= DOLLARS_MAX) return value
    const message = `${param} is an amount in dollars with at most 6 decimals, such as 49.90.`
    throw new AppError('validation_failed', { param, message })
  }
  return {
    fromMicros: from === undefined ? 0n : micros(from, 'amount_usd_from'),
    toMicros: to === undefined ? DOLLARS_MAX : micros(to, 'amount_usd_to'),
  }
}

/** A range of amounts has no index of its own, so orders are looked at one by one: only in a list of so many days. */
export const AMOUNT_RANGE_DAYS = 92

/** @throws AppError validation_failed where a range of amounts is asked for without dates, or something that few orders have. */
export function requireDates(f: OrderFilter, now: Date): void {
  const { amountUsd, createdFrom, createdTo } = f
  if (amountUsd === null || amountUsd.fromMicros === amountUsd.toMicros) return
  if ([f.externalId, f.invoiceId, f.paymentLinkId, f.metadata, f.search].some((other) => other !== null)) return
  if (createdFrom !== null && (createdTo ?? now).getTime() - createdFrom.getTime() <= AMOUNT_RANGE_DAYS * DAY_MS) return
  const message =
    `A range of amounts needs created_from, and created_to at most ${AMOUNT_RANGE_DAYS} days after it (left out: now). ` +
    'One amount (amount_usd_from and amount_usd_to the same) needs neither, nor does a list by q, external_id, metadata, payment_link_id or invoice_id.'
  throw new AppError('validation_failed', { param: 'created_from', message })
}

const momentOrNull = (text: string | undefined, param: string): Date | null =>
  text === undefined ? null : parseMoment(text, param)
