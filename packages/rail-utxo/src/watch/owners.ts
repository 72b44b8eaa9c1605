// Which order a payment is of where its address was given to several, one after the other: the wallet's limit makes that
// necessary where nobody pays. Only an amount to the satoshi decides; all else is the older order's, late, and a person's. Pure.

export interface OwningLeg {
  ref: string
  orderRef: string
  amountDue: bigint
  createdAt: Date
  /** Of an order that this database has lost: it was restored from a backup of before. */
  isLost: boolean
}

export interface Owner<Leg> {
  leg: Leg
  /** The newer order that it may as well be of: a person has to look. */
  doubt: Leg | null
}

/**
 * @param legs of one script, oldest first.
 * @returns null: nobody was given it.
 */
export function ownerOf<Leg extends OwningLeg>(
  legs: readonly Leg[],
  paid: { amount: bigint; seenAt: Date },
): Owner<Leg> | null {
  const [first] = legs
  const last = legs.at(-1)
  if (first === undefined || last === undefined) return null
  // A new quote has the same address: what was there when the money came is what was paid.
  const legAt = (orderRef: string): Leg => {
    const own = legs.filter((leg) => leg.orderRef === orderRef)
    return own.findLast((leg) => leg.createdAt <= paid.seenAt) ?? own[0] ?? first
  }
  if (legs.every((leg) => leg.orderRef === first.orderRef)) return { leg: legAt(first.orderRef), doubt: null }
  const exact = legs.filter((leg) => leg.amountDue === paid.amount)
  const [one] = exact
  if (one !== undefined && exact.every((leg) => leg.orderRef === one.orderRef))
    return { leg: exact.findLast((leg) => leg.createdAt <= paid.seenAt) ?? one, doubt: null }
  // Its payer may have paid: the money is booked to no other order.
  const lost = legs.findLast((leg) => leg.isLost)
  if (lost !== undefined) return { leg: legAt(lost.orderRef), doubt: legs.findLast((leg) => !leg.isLost) ?? null }
  return { leg: legAt(first.orderRef), doubt: last }
}
