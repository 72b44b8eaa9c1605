// Compares what an order has booked with what lies on its addresses, and decides when an order is looked at again. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { Holding } from '@florin/rail-kit/interface/moves'

/** One asset of one leg, as its order has it: received - settled - fee - refunded. */
export interface BookLine {
  legId: string
  legRef: string
  asset: AssetRef
  booked: bigint
}

export interface Compared {
  legId: string
  asset: AssetRef
  booked: bigint
  found: bigint
  height: bigint | null
}

/** A line for whatever the rail could read; what it left out is not compared this time. */
export function compare(books: readonly BookLine[], holdings: readonly Holding[]): Compared[] {
  const legs = new Map(books.map((line) => [line.legRef, line.legId]))
  return holdings.flatMap(({ legRef, asset, amount: found, height }): Compared[] => {
    const legId = legs.get(legRef)
    if (legId === undefined) return []
    const line = books.find((one) => one.legRef === legRef && isSame(one.asset, asset))
    return [{ legId, asset: line?.asset ?? asset, booked: line?.booked ?? 0n, found, height }]
  })
}

/** Contracts are the same in every spelling. */
export const isSame = (a: AssetRef, b: AssetRef): boolean =>
  a.chain === b.chain && (a.contract?.toLowerCase() ?? null) === (b.contract?.toLowerCase() ?? null)

export interface KnownDifference {
  booked: bigint
  found: bigint
  height: bigint | null
  seenAt: Date
  toldAt: Date | null
}

/**
 * What one more look means for a difference. People hear of it when it was the same at two final blocks: what is under
 * way between two tables is gone by the second.
 */
export function nextOf(
  known: KnownDifference | null,
  line: Compared,
  now: Date,
): 'nothing' | 'note' | 'tell' | 'change' | 'end' {
  const gap = line.found - line.booked
  if (gap === 0n) return known === null ? 'nothing' : 'end'
  if (known === null) return 'note'
  if (known.found - known.booked !== gap) return 'change'
  if (known.toldAt !== null) return 'nothing'
  const isLater = line.height === null || known.height === null ? now > known.seenAt : line.height > known.height
  return isLater ? 'tell' : 'nothing'
}

/** Rounds over all orders compare an order for so long after it changed last or expired. */
export const COMPARED_FOR_MS = 90 * DAY_MS

/** A difference is reported at the second final block, and an order that closed is compared so soon after. */
export const AGAIN_MS = 20 * SECOND_MS

/** What closed an order is final on every chain by then, and the order is compared once more. */
const FINAL_MS = HOUR_MS

export interface OrderPace {
  status: string
  updatedAt: Date
  /** `new`: a difference is open that people have not heard of; `told`: they have heard of all that are. */
  differs: 'no' | 'new' | 'told'
  /** What could not be compared: a part was in motion, or its rail or chain could not be read. */
  missed: 'nothing' | 'part' | 'all'
}

/** When an order has a look of its own next; null: the rounds suffice. */
export function nextLookAt(order: OrderPace, now: Date): Date | null {
  const later = (ms: number): Date => new Date(now.getTime() + ms)
  const ageMs = now.getTime() - order.updatedAt.getTime()
  const isFresh = isClosed(order) && ageMs < DAY_MS
  if (order.missed !== 'nothing' && (isFresh || order.differs !== 'no')) {
    return later(order.missed === 'part' ? MINUTE_MS : 10 * MINUTE_MS)
  }
  if (order.differs !== 'no') return later(order.differs === 'new' ? AGAIN_MS : 5 * MINUTE_MS)
  if (!isClosed(order) || ageMs >= FINAL_MS) return null
  return new Date(order.updatedAt.getTime() + FINAL_MS)
}

export const isClosed = ({ status }: { status: string }): boolean => status !== 'pending' && status !== 'processing'

/** A round begins so long after the one before, and is late when it is not whole after `ROUND_MAX_MS`. */
export const ROUND_EVERY_MS = DAY_MS
export const ROUND_MAX_MS = 7 * DAY_MS
