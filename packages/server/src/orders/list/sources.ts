// Which ranges of which indexes a list of orders is read from. Each source gives order numbers in their order, so a page
// costs what it shows, however many orders there are; what no source covers is checked order by order.
import { IDEMPOTENCY_KEPT_MS } from '@florin/protocol'
import { firstIdAt } from '../../platform/ids.ts'
import type { AmountRange, OrderFilter } from '../filter.ts'

export type Source =
  | { kind: 'all' }
  /** The beginning of an order number, its end, or all of it. */
  | { kind: 'head' | 'tail'; value: string }
  | { kind: 'status' | 'chain' | 'currency' | 'external' | 'link' | 'invoice'; value: string }
  /** One amount; or a range of them that few orders have. */
  | { kind: 'amount'; micros: bigint }
  | { kind: 'amounts'; range: AmountRange }
  /** Any range, and what was asked for in dollars: never alone, as most orders may be passed over to find one. */
  | { kind: 'within'; range: AmountRange }
  | { kind: 'dollars' }
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
  /** Read over as much as the sources gave: an order has to be in each. */
  among: readonly Term[]
  /** What neither says of an order. */
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

/** Orders whose number is older than they are have a row of their own in the look-up. */
export const EARLY_KEY = 'early'

/** Searches for a payment give its address or its transaction. */
export const isOnChainText = (text: string): boolean => /^[!-~]{16,200}$/.test(text)

/**
 * @param a.words of `f.search`; null: nothing is searched.
 * @returns from the newest to the oldest.
 */
export function stretchesOf(f: OrderFilter, a: { lead: Term; among: readonly Term[] }): readonly Stretch[] {
  const { sources } = a.lead
  const given = parts.filter((part) => f[part] !== null)
  const unchecked = given.filter((part) => !isCovered(f, part, [a.lead, ...a.among]))
  const { among } = a
  const none: Term[] = []
  const below = f.createdTo === null ? null : firstIdAt('ord', f.createdTo)
  // Of numbers shortly before the end of a range some orders may be younger than it.
  const sure = f.createdTo === null ? null : earliest(f.createdTo)
  const from = f.createdFrom === null ? null : firstIdAt('ord', f.createdFrom)
  const before = f.createdFrom === null ? null : earliest(f.createdFrom)
  return cut([
    ...(sure === null
      ? []
      : [{ from: later(from, sure), below, sources, among, unchecked: [...unchecked, 'dates' as const] }]),
    { from, below: sure, sources, among, unchecked },
    ...(before === null
      ? []
      : [
          {
            ...{ from: before, below: below === null || (from !== null && from < below) ? from : below },
            ...{
              sources: [{ kind: 'key' as const, value: EARLY_KEY }],
              among: none,
              unchecked: [...given, 'dates' as const],
            },
          },
        ]),
  ])
}

/** A number is made with its order, or up to a day earlier where an idempotency key was taken over. */
const earliest = (createdFrom: Date): string => firstIdAt('ord', new Date(createdFrom.getTime() - IDEMPOTENCY_KEPT_MS))

const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b)

const cut = (stretches: readonly Stretch[]): Stretch[] =>
  stretches.filter(({ from, below }) => from === null || below === null || from < below)

/** Something that is asked for and that an index knows. */
export interface Term {
  sources: readonly Source[]
  part: Part | 'all'
  /** Whether an order from these sources is sure to fit. */
  isSure: boolean
  isLookup: boolean
  /** It is read beside another alone. */
  isBeside?: true
}

export const ALL: Term = { sources: [{ kind: 'all' }], part: 'all', isSure: true, isLookup: false }

/** Of several values of metadata each is a term. */
const isCovered = (f: OrderFilter, part: Part, by: readonly Term[]): boolean =>
  by.filter((term) => term.part === part && term.isSure).length >=
  (part === 'metadata' ? Object.keys(f.metadata ?? {}).length : 1)

/** One that names a single order or a handful comes first, and then there is no other. */
export function termsOf(f: OrderFilter, words: SearchWords | null): readonly Term[] {
  const one = (part: Part, source: Source, isLookup = false): Term => ({
    sources: [source],
    part,
    isSure: true,
    isLookup,
  })
  if (f.externalId !== null && f.search === null) return [one('externalId', { kind: 'external', value: f.externalId })]
  if (f.invoiceId !== null && f.search === null) return [one('invoiceId', { kind: 'invoice', value: f.invoiceId })]
  return [
    ...(f.search === null || words?.leads == null ? [] : [searchTerm(f.search, words, words.leads)]),
    ...(f.paymentLinkId === null ? [] : [one('paymentLinkId', { kind: 'link', value: f.paymentLinkId })]),
    ...Object.entries(f.metadata ?? {}).map(([key, value]) => one('metadata', { kind: 'metadata', key, value }, true)),
    ...(f.statuses === null
      ? []
      : [
          {
            ...one('statuses', { kind: 'all' }),
            sources: f.statuses.map((value): Source => ({ kind: 'status', value })),
          },
        ]),
    ...(f.settleChain === null ? [] : [one('settleChain', { kind: 'chain', value: f.settleChain })]),
    ...(f.currency === null
      ? []
      : f.currency === 'USD'
        ? [{ ...one('currency', { kind: 'dollars' }), isBeside: true as const }]
        : [one('currency', { kind: 'currency', value: f.currency })]),
    ...(f.amountUsd === null ? [] : [one('amountUsd', amountSource(f.amountUsd))]),
  ]
}

const amountSource = (range: AmountRange): Source =>
  range.fromMicros === range.toMicros ? { kind: 'amount', micros: range.fromMicros } : { kind: 'amounts', range }

/** A console shows the beginning and the last six characters of a number. */
export function numberSources(text: string): Source[] {
  if (/^ord_[0-9a-z]{1,26}$/.test(text)) return [{ kind: 'head', value: text }]
  return /^[0-9a-hjkmnp-tv-z]{6,26}$/.test(text) ? [{ kind: 'tail', value: text }] : []
}

function searchTerm(search: string, { words, beginning }: SearchWords, leads: readonly string[]): Term {
  const isOnChain = isOnChainText(search)
  return {
    sources: [
      ...numberSources(search.toLowerCase()),
      { kind: 'external', value: search },
      ...(isOnChain ? [{ kind: 'onChain' as const, value: search }] : []),
      ...leads.map((word) => ({ kind: 'key' as const, value: `w${word}` })),
      ...(beginning === null ? [] : [{ kind: 'beginning' as const, value: beginning }]),
    ],
    part: 'search',
    isSure: words.length < 2 && !isOnChain,
    isLookup: true,
  }
}
