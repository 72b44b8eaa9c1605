// Compares what an order has booked with what lies on its addresses, and says when an order is looked at again. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { AssetRef } from '../../rails/interface/asset.ts'
import type { Holding } from '../../rails/interface/moves.ts'

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

/** Money can still come to its addresses for so long after an order changed last. */
export const COMPARED_FOR_MS = 90 * DAY_MS

export interface OrderPace {
  status: string
  /** Whether anything ever came in. */
  hasMoney: boolean
  updatedAt: Date
  expiresAt: Date
  /** A difference is open. */
  differs: boolean
  /** A part was in motion, or its rail could not be read. */
  missed: 'nothing' | 'part' | 'rail'
}

/** A difference is told at the second final block, and an order that closed is compared so soon after. */
export const AGAIN_MS = 20 * SECOND_MS

/** When an order is compared next; null: never again. */
export function nextLookAt(order: OrderPace, now: Date): Date | null {
  const later = (ms: number): Date => new Date(now.getTime() + ms)
  if (order.missed === 'rail') return later(10 * MINUTE_MS)
  if (order.differs) return later(AGAIN_MS)
  if (order.missed === 'part') return later(MINUTE_MS)
  const last = order.updatedAt > order.expiresAt ? order.updatedAt : order.expiresAt
  const age = now.getTime() - last.getTime()
  if (age > COMPARED_FOR_MS) return null
  // Where nothing came, the look before it expires finds what was missed.
  if (order.status === 'pending' && !order.hasMoney) return later(15 * MINUTE_MS)
  if (order.status === 'processing' || age < HOUR_MS) return later(5 * MINUTE_MS)
  return later(age < DAY_MS ? HOUR_MS : DAY_MS)
}
