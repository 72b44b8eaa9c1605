// A page of orders: numbers are taken from the sources in rounds until the page is full or as many were looked at as one call
// may look at. How far it looked is part of the answer, and the next page goes on from there.

import type { OrderState } from '@florin/order-model/state'
import type { Db } from '@florin/platform/db/tx'
import { idTime } from '@florin/platform/ids'
import type { ListPage, OrderFilter } from '../filter.ts'
import { listByNumbers } from '../rows.store.ts'
import { leadOf, type SearchWords, type Stretch, stretchesOf } from './sources.ts'
import { findWords, keepFitting, listNumbers } from './store.ts'

/** Orders that a page of a list may look at to find what it shows: far apart, or side by side where no index leads. */
const LOOKED_AT = 100
const LOOKED_AT_IN_TURN = 400
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
  const orders = new Map((await listByNumbers(db, { ...f, numbers })).map((order) => [order.orderNo, order]))
  return { ...rest, orders: numbers.flatMap((orderNo) => orders.get(orderNo) ?? []) }
}

/** @param a.lookedAt how many orders may be looked at for one page of the list. */
export async function findNumbers(
  db: Db,
  f: OrderFilter,
  page: ListPage,
  a: { lookedAt?: number } = {},
): Promise<NumbersPage> {
  const words = f.search === null ? null : await findWords(db, f, f.search)
  const lead = leadOf(f, words)
  const stretches = stretchesOf(f, lead)
  const isInTurn = lead.sources.some(({ kind }) => kind === 'all')
  const budget = a.lookedAt ?? (isInTurn ? LOOKED_AT_IN_TURN : LOOKED_AT)
  const walk: Walk = { db, f, page, words, room: page.limit + 1, budget }
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
  /** Orders that may still be looked at. */
  budget: number
}

/** Adds to `found`. @returns the number at which it stopped for having looked at enough; null: it did not. */
async function walkStretch(walk: Walk, stretch: Stretch, found: string[]): Promise<string | null> {
  const { db, f, page, words } = walk
  const { isOldestFirst } = page
  const { sources, unchecked } = stretch
  const isChecked = unchecked.length > 0
  const isInTurn = sources.some(({ kind }) => kind === 'all')
  if (sources.length === 0) return null
  let last = page.after
  for (let round = ROUND_FIRST; ; round = Math.min(round * 4, ROUND_MAX)) {
    const room = walk.room - found.length
    const each = isChecked
      ? Math.ceil(Math.min(Math.max(round, room), Math.max(1, walk.budget)) / sources.length)
      : room
    const rows = await listNumbers(db, f, sources, {
      ...boundsAfter(stretch, last, isOldestFirst),
      isOldestFirst,
      each,
    })
    const cut = cutOf(rows, { sources: sources.length, each, isOldestFirst })
    const isBefore = (orderNo: string): boolean => cut === null || (isOldestFirst ? orderNo <= cut : orderNo >= cut)
    const numbers = [...new Set(rows.map((row) => row.orderNo).filter(isBefore))]
    found.push(
      ...(!isChecked || numbers.length === 0
        ? numbers.slice(0, room)
        : await keepFitting(db, f, { numbers, isInTurn, unchecked, words, limit: room, isOldestFirst })),
    )
    if (cut === null || found.length === walk.room) return null
    if (isChecked) walk.budget -= rows.length
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
