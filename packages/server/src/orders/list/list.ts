// A page of orders: numbers are taken from the sources in rounds until the page is full or as many were looked at as one call
// may look at. How far it looked is part of the answer, and the next page goes on from there.

import type { Db } from '../../platform/db/tx.ts'
import { idTime } from '../../platform/ids.ts'
import type { ListPage, OrderFilter } from '../filter.ts'
import type { OrderState } from '../model/state.ts'
import { type SearchWords, type Stretch, stretchesOf } from './sources.ts'
import { findIndexedFrom, findWords, keepFitting, listNumbers, listRows } from './store.ts'

/** Orders that a page looks at where no index knows the whole question; about 20 ms. */
const LOOKED_AT_MAX = 2_000
const ROUND_FIRST = 64
const ROUND_MAX = 1_000

export interface NumbersPage {
  numbers: string[]
  /** Where the next page begins; null: this is the last. */
  next: string | null
  /** Where the look ended before the page was full; null: it did not. */
  searchedUntil: Date | null
}

export interface OrdersPage extends Omit<NumbersPage, 'numbers'> {
  orders: OrderState[]
}

export async function listOrders(db: Db, f: OrderFilter, page: ListPage): Promise<OrdersPage> {
  const { numbers, ...rest } = await findNumbers(db, f, page)
  return { ...rest, orders: await listRows(db, f, { numbers, isOldestFirst: page.isOldestFirst }) }
}

/** @param lookAtMost orders that are looked at for one page. */
export async function findNumbers(
  db: Db,
  f: OrderFilter,
  page: ListPage,
  lookAtMost = LOOKED_AT_MAX,
): Promise<NumbersPage> {
  const words = f.search === null ? null : await findWords(db, f, f.search)
  const asksLookup = f.search !== null || f.metadata !== null || f.createdFrom !== null
  const indexedFrom = asksLookup ? await findIndexedFrom(db) : null
  const stretches = stretchesOf(f, { indexedFrom, words })
  const walk: Walk = { db, f, page, words, room: page.limit + 1, budget: lookAtMost }
  const found: string[] = []
  for (const stretch of page.isOldestFirst ? stretches.toReversed() : stretches) {
    const end = await walkStretch(walk, stretch, found)
    if (found.length > page.limit) {
      const numbers = found.slice(0, page.limit)
      return { numbers, next: numbers.at(-1) ?? null, searchedUntil: null }
    }
    if (end !== null) return { numbers: found, next: end, searchedUntil: idTime(end) }
  }
  return { numbers: found, next: null, searchedUntil: null }
}

interface Walk {
  db: Db
  f: OrderFilter
  page: ListPage
  words: SearchWords | null
  /** One more than is shown says that there is more. */
  room: number
  budget: number
}

/** Adds to `found`. @returns the number at which it stopped for having looked at enough; null: it did not. */
async function walkStretch(walk: Walk, stretch: Stretch, found: string[]): Promise<string | null> {
  const { db, f, page, words } = walk
  const { isOldestFirst } = page
  const { sources, unchecked } = stretch
  if (sources.length === 0) return null
  let last = page.after
  for (let round = ROUND_FIRST; ; round = Math.min(round * 4, ROUND_MAX)) {
    const room = walk.room - found.length
    const each =
      unchecked.length === 0 ? room : Math.ceil(Math.min(Math.max(round, room), walk.budget) / sources.length)
    const rows = await listNumbers(db, f, sources, {
      ...boundsAfter(stretch, last, isOldestFirst),
      isOldestFirst,
      each,
    })
    const cut = cutOf(rows, { sources: sources.length, each, isOldestFirst })
    const isBefore = (orderNo: string): boolean => cut === null || (isOldestFirst ? orderNo <= cut : orderNo >= cut)
    const numbers = [...new Set(rows.map((row) => row.orderNo).filter(isBefore))]
    found.push(
      ...(unchecked.length === 0 || numbers.length === 0
        ? numbers.slice(0, room)
        : await keepFitting(db, f, { numbers, unchecked, words, limit: room, isOldestFirst })),
    )
    if (cut === null || found.length === walk.room) return null
    walk.budget -= rows.length
    if (walk.budget <= 0) return cut
    last = cut
  }
}

function boundsAfter(stretch: Stretch, last: string | null, isOldestFirst: boolean): Pick<Stretch, 'from' | 'below'> {
  const { from, below } = stretch
  if (last === null) return { from, below }
  if (!isOldestFirst) return { from, below: below === null || last < below ? last : below }
  // No number is between a number and the same with one more character.
  const next = `${last}\u0001`
  return { from: from === null || next > from ? next : from, below }
}

/** As far as every source was read: one that has more may have numbers just behind its last. */
function cutOf(
  rows: readonly { source: number; orderNo: string }[],
  a: { sources: number; each: number; isOldestFirst: boolean },
): string | null {
  let cut: string | null = null
  for (let source = 0; source < a.sources; source++) {
    const own = rows.filter((row) => row.source === source)
    const last = own.at(-1)?.orderNo
    if (last === undefined || own.length < a.each) continue
    if (cut === null || (a.isOldestFirst ? last < cut : last > cut)) cut = last
  }
  return cut
}
