// Which of several filters leads a list, and what it costs to check the others: their indexes are asked how far apart their orders
// are, from where the page begins.

import type { Db } from '../../platform/db/tx.ts'
import { firstIdAt, idTime } from '../../platform/ids.ts'
import type { ListPage, OrderFilter } from '../filter.ts'
import { ALL, type SearchWords, type Term, termsOf } from './sources.ts'
import { hasFew, probe } from './store.ts'

export interface Plan {
  lead: Term
  /** Read beside it, as their orders are not so much closer together that looking at each of the lead's is cheaper. */
  among: Term[]
  /** Pages of 8 KB that each order of the lead costs, about. */
  pagesEach: number
}

/** Orders of a term that are asked for; one that has fewer is read whole. */
const PROBED = 24
/** Entries of an index in a page of it. */
const ENTRIES = 60
/** So many of another term for each of the lead are as dear as looking at the order. */
const CLOSER_MAX = 100
/** An order far from the one before it: down the index, and its row. */
const ALONE = 5
/** One of three on a page of the table. */
const BESIDE = 0.4

export async function planOf(db: Db, f: OrderFilter, a: { page: ListPage; words: SearchWords | null }): Promise<Plan> {
  const terms: Term[] = []
  const beside: Term[] = []
  for (const term of termsOf(f, a.words)) {
    const [source] = term.sources
    if (source?.kind === 'amounts' && !(await hasFew(db, f, source.range)))
      beside.push({ ...term, sources: [{ kind: 'within', range: source.range }] })
    else if (term.isBeside === true) beside.push(term)
    else terms.push(term)
  }
  const [only = ALL] = terms
  const isNamed = only.part === 'externalId' || only.part === 'invoiceId'
  if (isNamed || (only.part === 'search' && isOnly(f))) return { lead: only, among: [], pagesEach: BESIDE }
  if (terms.length < 2 && beside.length === 0 && isAlone(f, [only]))
    return { lead: only, among: [], pagesEach: 1 / ENTRIES }
  const asked = [ALL, ...terms]
  const rows = await probe(db, f, asked, { ...boundsOf(f, a.page), isOldestFirst: a.page.isOldestFirst, each: PROBED })
  const start = rows.find((row) => row.term === 0)?.first
  const apart = asked.map((_, n) => {
    const row = rows.find((one) => one.term === n)
    if (start === undefined || row === undefined || row.n < PROBED) return Number.POSITIVE_INFINITY
    return (Math.abs(idTime(row.last).getTime() - idTime(start).getTime()) + 1) / row.n
  })
  const best = terms
    .map((term, n) => ({ term, apart: apart[n + 1] ?? 1, n: rows.find((row) => row.term === n + 1)?.n ?? 0 }))
    .sort((x, y) => (x.apart === y.apart ? x.n - y.n : y.apart - x.apart))
  const all = { term: ALL, apart: apart[0] ?? 1, n: 0 }
  const [lead = all, ...others] = best
  /** How many of another term come for each of the lead's; of two that are few it does not matter. */
  const closer = (one: number): number => (one === lead.apart ? 1 : lead.apart / one)
  const among = [...others, ...beside.map((term) => ({ term, apart: all.apart, n: 0 }))].filter(
    (one) => one.term.isSure && closer(one.apart) <= CLOSER_MAX,
  )
  const known = [lead, ...among].map((one) => one.term)
  const looking = isAlone(f, known) ? 0 : Math.min(ALONE, BESIDE * Math.max(1, closer(all.apart) / 3))
  const reading = among.reduce((sum, one) => sum + closer(one.apart) / ENTRIES, 1 / ENTRIES)
  return { lead: lead.term, among: among.map((one) => one.term), pagesEach: reading + looking }
}

/** How much is asked for; each value of metadata is one. */
const askedOf = (f: OrderFilter): number =>
  [f.search, f.externalId, f.invoiceId, f.paymentLinkId, f.statuses, f.settleChain, f.currency, f.amountUsd].filter(
    (one) => one !== null,
  ).length + Object.keys(f.metadata ?? {}).length

const isOnly = (f: OrderFilter): boolean => askedOf(f) === 1

/** Whether nothing is asked for that these do not say. */
const isAlone = (f: OrderFilter, terms: readonly Term[]): boolean =>
  terms.filter((term) => term.isSure && term.part !== 'all').length >= askedOf(f)

/** Where the page begins; dates are bounds of numbers, to a day. */
function boundsOf(f: OrderFilter, { after, isOldestFirst }: ListPage): { from: string | null; below: string | null } {
  const from = f.createdFrom === null ? null : firstIdAt('ord', f.createdFrom)
  const below = f.createdTo === null ? null : firstIdAt('ord', f.createdTo)
  if (after === null) return { from, below }
  if (isOldestFirst) return { from: from === null || after > from ? after : from, below }
  return { from, below: below === null || after < below ? after : below }
}
