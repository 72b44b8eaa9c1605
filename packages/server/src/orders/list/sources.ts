// Which ranges of which indexes a list of orders is read from. Each source gives order numbers in their order, so a page
// costs what it shows, however many orders there are; what no source covers is checked order by order.
import { firstIdAt } from '@florin/platform/ids'
import { IDEMPOTENCY_KEPT_MS, type OrderStatus } from '@florin/protocol'
import type { OrderFilter } from '../filter.ts'
import { EARLY_KEY } from './early.ts'

export type Source =
  | { kind: 'all' }
  /** The beginning of an order number, its end, or all of it. */
  | { kind: 'head' | 'tail'; value: string }
  | { kind: 'status' | 'chain' | 'currency' | 'external' | 'link' | 'invoice'; value: string }
  | { kind: 'amount'; micros: bigint }
  /** Of `order_lookup`. */
  | { kind: 'key'; value: string }
  /** Of a word that few entries have. */
  | { kind: 'beginning'; value: string }
  | { kind: 'metadata'; key: string; value: string }
  /** A whole pay address or transaction hash. */
  | { kind: 'onChain'; value: string }

const parts = [
  ...(['search', 'externalId', 'invoiceId', 'paymentLinkId', 'metadata'] as const),
  ...(['statuses', 'settleChain', 'currency', 'amountUsd'] as const),
] as const
type Part = (typeof parts)[number]

/** One stretch of order numbers and what is read there. */
export interface Stretch {
  /** The first number of it. */
  from: string | null
  /** The first number above it. */
  below: string | null
  sources: readonly Source[]
  /** The filters that the sources do not cover: each order is checked for them. */
  unchecked: readonly (Part | 'dates')[]
}

/** What a search is looking for, as the words of titles are stored. */
export interface SearchWords {
  words: readonly string[]
  /**
   * Stored words that lead to all orders with those: the rarest of them, or all that the last of them begins. null: it
   * begins too many, and orders are looked at one by one.
   */
  leads: readonly string[] | null
  /** Leads to them all by itself, as few words of few orders begin so. */
  beginning: string | null
}

/** Searches for a payment give its address or its transaction. */
export const isOnChainText = (text: string): boolean => /^[!-~]{16,200}$/.test(text)

/** @returns from the newest to the oldest. */
export function stretchesOf(f: OrderFilter, { sources, covers }: Lead): readonly Stretch[] {
  const given = parts.filter((part) => f[part] !== null)
  const unchecked = given.filter((part) => part !== covers)
  const below = f.createdTo === null ? null : firstIdAt('ord', f.createdTo)
  // Of numbers shortly before the end of a range some orders may be younger than it.
  const sure = f.createdTo === null ? null : earliest(f.createdTo)
  const from = f.createdFrom === null ? null : firstIdAt('ord', f.createdFrom)
  const before = f.createdFrom === null ? null : earliest(f.createdFrom)
  return cut([
    ...(sure === null
      ? []
      : [{ from: later(from, sure), below, sources, unchecked: [...unchecked, 'dates' as const] }]),
    { from, below: sure, sources, unchecked },
    ...(before === null
      ? []
      : [
          {
            ...{ from: before, below: below === null || (from !== null && from < below) ? from : below },
            sources: [{ kind: 'key' as const, value: EARLY_KEY }],
            unchecked: [...given, 'dates' as const],
          },
        ]),
  ])
}

/** A number is made with its order, or up to a day earlier where an idempotency key was taken over. */
const earliest = (createdFrom: Date): string => firstIdAt('ord', new Date(createdFrom.getTime() - IDEMPOTENCY_KEPT_MS))

const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b)

const cut = (stretches: readonly Stretch[]): Stretch[] =>
  stretches.filter(({ from, below }) => from === null || below === null || from < below)

/** The filter that an index is read by. */
export interface Lead {
  sources: readonly Source[]
  /** The filter that each order from these sources is sure to fit; null: none. */
  covers: Part | null
}

/** Most orders rest in one of these, so a chain is likely to have fewer. */
const commonStatuses: readonly string[] = ['success', 'expired'] satisfies OrderStatus[]

/** Of several filters the one that usually fits the fewest orders leads; the others are checked. */
export function leadOf(f: OrderFilter, words: SearchWords | null): Lead {
  const one = (covers: Part, ...sources: Source[]): Lead => ({ sources, covers })
  if (f.externalId !== null) return one('externalId', { kind: 'external', value: f.externalId })
  if (f.invoiceId !== null) return one('invoiceId', { kind: 'invoice', value: f.invoiceId })
  if (f.paymentLinkId !== null) return one('paymentLinkId', { kind: 'link', value: f.paymentLinkId })
  if (f.search !== null && words?.leads != null) return searchLead(f.search, words, words.leads)
  const [pair, ...more] = Object.entries(f.metadata ?? {})
  if (pair !== undefined) {
    const [key, value] = pair
    return { sources: [{ kind: 'metadata', key, value }], covers: more.length === 0 ? 'metadata' : null }
  }
  if (f.amountUsd !== null && f.amountUsd.fromMicros === f.amountUsd.toMicros)
    return one('amountUsd', { kind: 'amount', micros: f.amountUsd.fromMicros })
  if (f.currency !== null && f.currency !== 'USD') return one('currency', { kind: 'currency', value: f.currency })
  const isCommon = f.statuses?.some((status) => commonStatuses.includes(status)) ?? true
  if (f.settleChain !== null && isCommon) return one('settleChain', { kind: 'chain', value: f.settleChain })
  if (f.statuses !== null) return one('statuses', ...f.statuses.map((value) => ({ kind: 'status' as const, value })))
  return { sources: [{ kind: 'all' }], covers: null }
}

/** A console shows the beginning and the last six characters of a number. */
export function numberSources(text: string): Source[] {
  if (/^ord_[0-9a-z]{1,26}$/.test(text)) return [{ kind: 'head', value: text }]
  return /^[0-9a-hjkmnp-tv-z]{6,26}$/.test(text) ? [{ kind: 'tail', value: text }] : []
}

function searchLead(search: string, { words, beginning }: SearchWords, leads: readonly string[]): Lead {
  const isOnChain = isOnChainText(search)
  return {
    sources: [
      ...numberSources(search.toLowerCase()),
      { kind: 'external', value: search },
      ...(isOnChain ? [{ kind: 'onChain' as const, value: search }] : []),
      ...leads.map((word) => ({ kind: 'key' as const, value: `w${word}` })),
      ...(beginning === null ? [] : [{ kind: 'beginning' as const, value: beginning }]),
    ],
    covers: words.length < 2 && !isOnChain ? 'search' : null,
  }
}
