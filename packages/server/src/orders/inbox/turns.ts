// Whose facts are applied next: merchants in turn, and of each its orders in turn. Pure.

export interface WaitingOrder {
  merchantNo: number
  orderRef: string
}

/** Where the next round begins: merchants above this number, and of each the orders after the one named. */
export interface Turn {
  merchantNo: number
  after: Readonly<Record<number, string>>
}

export const firstTurn: Turn = { merchantNo: -1, after: {} }

/** What one look found. */
export interface Look {
  /** All that were looked at, whether or not anything of theirs is due. */
  merchants: readonly number[]
  /** By merchant. */
  found: readonly WaitingOrder[]
}

/** Whether it reached the last merchant who has facts. */
export const isLast = (look: Look): boolean => look.merchants.length < A_ROUND.merchants

/** How many a look is for. */
export const A_ROUND = { merchants: 50, each: 100 } as const

/** @param found by merchant. @returns an order of every merchant before a second one of any. */
export function inTurns(found: readonly WaitingOrder[]): WaitingOrder[] {
  const places = new Map<number, number>()
  return found
    .map((order) => {
      const place = places.get(order.merchantNo) ?? 0
      places.set(order.merchantNo, place + 1)
      return { order, place }
    })
    .sort((a, b) => a.place - b.place)
    .map(({ order }) => order)
}

/**
 * @param look what the round looked at and found. @param taken what it came to, in sequence.
 * A merchant goes on after its last order where there may be more, else from its first.
 */
export function nextTurn(turn: Turn, look: Look, taken: readonly WaitingOrder[]): Turn {
  const { merchants, found } = look
  const lists = Map.groupBy(found, (order) => order.merchantNo)
  const last = isLast(look) ? Number.POSITIVE_INFINITY : Math.max(...merchants)
  const wasLookedAt = (merchantNo: number): boolean => merchantNo > turn.merchantNo && merchantNo <= last
  const kept = Object.entries(turn.after).filter(([merchantNo]) => !wasLookedAt(Number(merchantNo)))
  const after = new Map(kept.map(([merchantNo, ref]): [number, string] => [Number(merchantNo), ref]))
  for (const [merchantNo, list] of lists) {
    const own = taken.filter((order) => order.merchantNo === merchantNo)
    const isMore = own.length < list.length || list.length === A_ROUND.each
    const ref = own.at(-1)?.orderRef ?? turn.after[merchantNo]
    if (isMore && ref !== undefined) after.set(merchantNo, ref)
  }
  const isCut = taken.length < found.length
  const merchantNo = isCut ? (taken.at(-1)?.merchantNo ?? -1) : isLast(look) ? -1 : last
  return merchantNo === -1 && after.size === 0 ? firstTurn : { merchantNo, after: Object.fromEntries(after) }
}
