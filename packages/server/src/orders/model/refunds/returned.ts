// What the chain shows went back: a refund that was asked for, one that somebody else made, or all that a rail held. Pure.
import type { RailFact } from '../../../rails/interface/fact.ts'
import { amountEvidence, type NewAttention } from '../attention/item.ts'
import { addsUp, legBalancesOf } from '../balance.ts'
import { isOpen, wasFinal } from '../ledger.ts'
import { type Applied, applied, ignored, type NewId } from '../outcome.ts'
import { isSameAsset, type OrderState, type RefundState, type SettlementState } from '../state.ts'
import { isPaidEarly, PAID_EARLY, RETURNED_EARLIER, withoutBrokenPromises } from './refundable.ts'

type FactOf<K extends RailFact['kind']> = Extract<RailFact, { kind: K }>

const NOTHING_WRONG = { failure: null, leftAt: null }

/** The chain shows that it was paid out, whatever was recorded before; but never more than came in. */
export function refunded(order: OrderState, fact: FactOf<'refund_succeeded'>): Applied {
  const row = order.refunds.find((candidate) => candidate.id === fact.refundId)
  if (row === undefined) return ignored('no such refund')
  if (row.status === 'succeeded') return ignored('the refund is succeeded')
  return paidBack(order, row, { ...row, status: 'succeeded', txHash: fact.txHash, ...NOTHING_WRONG })
}

/** Nobody here asked for it, and the money is gone from the address all the same: the books say so. */
export function refundedByOthers(
  order: OrderState,
  fact: FactOf<'refunded_by_others'>,
  now: Date,
  newId: NewId,
): Applied {
  const { asset, amount, txHash } = fact
  const leg = order.legs.find((candidate) => candidate.ref === fact.legRef)
  if (leg === undefined) return ignored('the refund is of a leg that this order never showed')
  const isIt = (row: RefundState): boolean =>
    row.reason === BY_OTHERS && row.legId === leg.id && row.txHash === txHash && row.amount === amount
  const known = order.refunds.find((row) => isIt(row) && isSameAsset(row, asset))
  if (known?.status === 'succeeded') return ignored('this refund is known')
  const row: RefundState = {
    ...asset,
    ...{ id: known?.id ?? newId('ref'), legId: leg.id, status: 'succeeded', amount, address: fact.to, txHash },
    ...{ reason: BY_OTHERS, signedBy: null, parts: null, ...NOTHING_WRONG, createdAt: known?.createdAt ?? now },
  }
  return paidBack(order, known ?? null, row)
}

/** Why a refund is there that nobody here asked for. */
export const BY_OTHERS = 'returned_by_others'

/** @param before the row that it was; null: it is a new one. */
function paidBack(order: OrderState, before: RefundState | null, row: RefundState): Applied {
  const refunds = before === null ? [...order.refunds, row] : order.refunds.map((old) => (old === before ? row : old))
  const next = { ...order, refunds }
  if (addsUp(next)) {
    const why = RETURNED_EARLIER
    return applied(withoutBrokenPromises(withoutEmptySettlement(next, row, why), row.legId, row, why))
  }
  const attention: NewAttention[] = [
    {
      kind: 'refunded_more_than_received',
      cause: `refunded_more_than_received:${before?.id ?? `${order.orderNo}:${row.txHash}`}`,
      evidence: {
        ...(before === null ? {} : { refund: row.id }),
        ...{ tx_hash: row.txHash ?? '', ...amountEvidence(row, row.amount) },
      },
      actions: ['dismiss'],
    },
  ]
  if (before === null) return ignored('more was refunded than is known to have come in', attention)
  const early: RefundState = { ...row, status: 'failed', failure: PAID_EARLY }
  const waits = { ...order, refunds: order.refunds.map((old) => (old === before ? early : old)) }
  return { ...applied(waits), attention }
}

/** Refunds that were paid early are booked as far as their money is there now; nothing asks for the same again. */
export function withPaidEarly(order: OrderState): OrderState {
  let booked = order
  for (const row of order.refunds.filter(isPaidEarly)) {
    const paid: RefundState = { ...row, status: 'succeeded', ...NOTHING_WRONG }
    const next = { ...booked, refunds: booked.refunds.map((old) => (old.id === row.id ? paid : old)) }
    if (addsUp(next)) booked = withoutBrokenPromises(next, row.legId, row, RETURNED_EARLIER)
  }
  return booked
}

/** A settlement requested after a failed refund has no money left once that refund turns out to be paid. */
function withoutEmptySettlement(order: OrderState, refund: RefundState, failure: string): OrderState {
  const held = legBalancesOf(order).find((line) => line.legId === refund.legId && isSameAsset(line, refund))?.held ?? 0n
  const leg = order.legs.find((candidate) => candidate.id === refund.legId)
  if (leg === undefined || !isSameAsset(leg, refund)) return order
  const isEmpty = (row: SettlementState): boolean => row.legId === leg.id && isOpen(row) && row.gross > held
  const settlements = order.settlements.map(
    (row): SettlementState => (isEmpty(row) ? { ...row, status: 'failed', failure } : row),
  )
  return { ...order, settlements }
}

/** Each leg's money is its own: what one swap returned says nothing of another's. */
export function allReturned(order: OrderState, fact: FactOf<'all_returned'>, now: Date, newId: NewId): Applied {
  const legs = new Set(
    order.legs.filter((leg) => fact.legRef === undefined || leg.ref === fact.legRef).map((leg) => leg.id),
  )
  if (order.settlements.some((row) => legs.has(row.legId) && wasFinal(row))) return ignored('the order is settled')
  const held = legBalancesOf(order).filter((line) => legs.has(line.legId) && line.held > 0n)
  if (held.length === 0) return ignored('nothing is held')
  const open = order.refunds.filter((row) => legs.has(row.legId) && row.status !== 'succeeded')
  const kept = order.refunds.filter((row) => !open.includes(row))
  const returned = held.map(
    ({ legId, chain, asset, contract, decimals, held: amount }): RefundState => ({
      ...{ chain, asset, contract, decimals },
      // One that was asked for is it, so that what was said of it ends.
      id: open.find((row) => row.legId === legId && row.amount === amount)?.id ?? newId('ref'),
      legId,
      status: 'succeeded',
      amount,
      address: fact.to ?? order.legs.find((leg) => leg.id === legId)?.boundRefundAddress ?? null,
      txHash: fact.txHash,
      reason: 'returned_by_rail',
      failure: null,
      signedBy: null,
      parts: null,
      leftAt: null,
      createdAt: now,
    }),
  )
  return applied({
    ...order,
    refunds: [...kept, ...returned],
    settlements: order.settlements.map((row) =>
      isOpen(row) && legs.has(row.legId) ? { ...row, status: 'failed', failure: 'the rail returned the money' } : row,
    ),
  })
}
