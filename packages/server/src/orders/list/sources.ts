// Which ranges of which indexes a list of orders is read from. Each source gives order numbers in their order, so a page
// costs what it shows, however many orders there are; what no source covers is checked order by order.
import { IDEMPOTENCY_KEPT_MS } from '@florin/protocol'
import { firstIdAt } from '../../platform/ids.ts'
import type { OrderFilter } from '../filter.ts'

export type Source =
  | { kind: 'all' }
  /** The beginning of an order number, its end, or all of it. */
  | { kind: 'head' | 'tail'; value: string }
  | { kind: 'status' | 'chain' | 'external' | 'link' | 'invoice'; value: string }
  /** Of `order_lookup`. */
  | { kind: 'key'; value: string }
  | { kind: 'metadata'; key: string; value: string }
  /** A whole pay address or transaction hash. */
  | { kind: 'onChain'; value: string }

type Part = 'search' | 'externalId' | 'invoiceId' | 'paymentLinkId' | 'metadata' | 'statuses' | 'settleChain'

/** One stretch of order numbers and what is read there. */
export interface Stretch {
  /** The first number of it. */
  from: string | null
  /** The first number above it. */
  below: string | null
  sources: readonly Source[]
  /** What the sources do not say of an order. */
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
}

/** Orders whose number is older than they are have a row of their own in the look-up. */
export const EARLY_KEY = 'early'

/** Searches for a payment give its address or its transaction. */
export const isOnChainText = (text: string): boolean => /^[!-~]{16,200}$/.test(text)

/**
 * @param a.indexedFrom the number from which on the look-up is complete; null: it is complete.
 * @param a.words of `f.search`; null: nothing is searched.
 * @returns from the newest to the oldest.
 */
export function stretchesOf(
  f: OrderFilter,
  a: { indexedFrom: string | null; words: SearchWords | null },
): readonly Stretch[] {
  const { sources, covers, isLookup } = leadOf(f, a.words)
  const given = partsOf(f)
  const unchecked = given.filter((part) => part !== covers)
  const below = f.createdTo === null ? null : firstIdAt('ord', f.createdTo)
  if (a.indexedFrom !== null) {
    // Some of it is not in the look-up yet: what is older is read order by order.
    const from = f.createdFrom === null ? null : earliest(f.createdFrom)
    const dates = f.createdFrom === null && f.createdTo === null ? [] : (['dates'] as const)
    const lead = { from, below, sources, unchecked: [...unchecked, ...dates] }
    if (!isLookup) return [lead]
    const isAllOld = below !== null && below < a.indexedFrom
    const old = { from, below: isAllOld ? below : a.indexedFrom, unchecked: [...given, ...dates] }
    return cut([
      { ...lead, from: later(from, a.indexedFrom) },
      { ...old, sources: [{ kind: 'all' }] },
    ])
  }
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
            ...{ sources: [{ kind: 'key' as const, value: EARLY_KEY }], unchecked: [...given, 'dates' as const] },
          },
        ]),
  ])
}

/** A number is made with its order, or up to a day earlier where an idempotency key was taken over. */
const earliest = (createdFrom: Date): string => firstIdAt('ord', new Date(createdFrom.getTime() - IDEMPOTENCY_KEPT_MS))

const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b)

const cut = (stretches: readonly Stretch[]): Stretch[] =>
  stretches.filter(({ from, below }) => from === null || below === null || from < below)

const partsOf = (f: OrderFilter): Part[] => [
  ...(f.search === null ? [] : (['search'] as const)),
  ...(f.externalId === null ? [] : (['externalId'] as const)),
  ...(f.invoiceId === null ? [] : (['invoiceId'] as const)),
  ...(f.paymentLinkId === null ? [] : (['paymentLinkId'] as const)),
  ...(f.metadata === null ? [] : (['metadata'] as const)),
  ...(f.statuses === null ? [] : (['statuses'] as const)),
  ...(f.settleChain === null ? [] : (['settleChain'] as const)),
]

interface Lead {
  sources: Source[]
  /** The filter that an order from these sources is sure to fit; null: none is. */
  covers: Part | null
  isLookup: boolean
}

/** What is likely to be rarest leads: an identity before a value, a value before a state. */
function leadOf(f: OrderFilter, words: SearchWords | null): Lead {
  const one = (source: Source, covers: Part | null): Lead => ({ sources: [source], covers, isLookup: false })
  if (f.search !== null && words !== null) return searchLead(f.search, words)
  if (f.externalId !== null) return one({ kind: 'external', value: f.externalId }, 'externalId')
  if (f.invoiceId !== null) return one({ kind: 'invoice', value: f.invoiceId }, 'invoiceId')
  if (f.paymentLinkId !== null) return one({ kind: 'link', value: f.paymentLinkId }, 'paymentLinkId')
  const [pair, ...others] = Object.entries(f.metadata ?? {})
  if (pair !== undefined) {
    const source: Source = { kind: 'metadata', key: pair[0], value: pair[1] }
    return { sources: [source], covers: others.length === 0 ? 'metadata' : null, isLookup: true }
  }
  if (f.statuses !== null)
    return { sources: f.statuses.map((value) => ({ kind: 'status', value })), covers: 'statuses', isLookup: false }
  if (f.settleChain !== null) return one({ kind: 'chain', value: f.settleChain }, 'settleChain')
  return one({ kind: 'all' }, null)
}

/** A console shows the beginning and the last six characters of a number. */
export function numberSources(text: string): Source[] {
  if (/^ord_[0-9a-z]{1,26}$/.test(text)) return [{ kind: 'head', value: text }]
  return /^[0-9a-hjkmnp-tv-z]{6,26}$/.test(text) ? [{ kind: 'tail', value: text }] : []
}

function searchLead(search: string, { words, leads }: SearchWords): Lead {
  if (leads === null) return { sources: [{ kind: 'all' }], covers: null, isLookup: false }
  const isOnChain = isOnChainText(search)
  return {
    sources: [
      ...numberSources(search.toLowerCase()),
      { kind: 'external', value: search },
      ...(isOnChain ? [{ kind: 'onChain' as const, value: search }] : []),
      ...leads.map((word) => ({ kind: 'key' as const, value: `w${word}` })),
    ],
    covers: words.length < 2 && !isOnChain ? 'search' : null,
    isLookup: true,
  }
}
