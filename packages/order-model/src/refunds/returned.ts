// What the chain shows went back: a refund that was asked for, one that somebody else made, or all that a rail held. Pure.
import { isOnChain } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { amountEvidence, type NewAttention } from '../attention/item.ts'
import { alarmOf } from '../attention/raised.ts'
import { addsUp, legBalancesOf } from '../balance.ts'
import { grossToSettle, isOpen, liveSettlements, requiredOn, sum, wasFinal, winnerOf } from '../ledger.ts'
import { type Applied, applied, ignored, type NewId } from '../outcome.ts'
import {
  isSameAsset,
  type LegState,
  type OrderState,
  type PaymentState,
  type RefundState,
  type SettlementState,
} from '../state.ts'
import { reasonOf } from './due.ts'
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

/** The rail does not know of it, and the money has left the address: the books show it. */
export function refundedByOthers(
  order: OrderState,
  fact: FactOf<'refunded_by_others'>,
  now: Date,
  newId: NewId,
): Applied {
  const { asset, amount, txHash, to: address } = fact
  const leg = order.legs.find((candidate) => candidate.ref === fact.legRef)
  if (leg === undefined) return ignored('the refund is of a leg that this order never showed')
  const alike = order.refunds.filter(
    (row) => row.legId === leg.id && isSameAsset(row, asset) && row.amount === amount && isSameAddress(row, address),
  )
  const known = alike.find((row) => row.txHash === txHash)
  if (known?.status === 'succeeded') return ignored('this refund is known')
  // The one that is due: after the restore of an older backup the service may have sent it before.
  const due = known ?? alike.find((row) => isDue(row) && row.leftAt === null)
  if (due !== undefined) return paidBack(order, due, { ...due, status: 'succeeded', address, txHash, ...NOTHING_WRONG })
  const wasAsked = fact.wasAnnounced === true && isFree(order, leg, fact)
  // What waits for an address asks for more since then: a part of it went where it was announced to.
  const more = order.refunds.find(
    (row) =>
      row.legId === leg.id &&
      isSameAsset(row, asset) &&
      row.status === 'waiting' &&
      row.address === null &&
      row.amount > amount,
  )
  if (wasAsked && more !== undefined) {
    const part: RefundState = { ...more, status: 'succeeded', amount, address, txHash, parts: null, ...NOTHING_WRONG }
    return paidBack(order, more, part)
  }
  const isExplained = wasAsked || isOwedTo(order, leg, fact)
  const row: RefundState = {
    ...asset,
    ...{ id: newId('ref'), legId: leg.id, status: 'succeeded', amount, address, txHash },
    reason:
      isExplained && !fact.isOpen
        ? reasonOf(order, { leg, asset, payments: paymentsOf(order, leg, asset), free: amount })
        : BY_OTHERS,
    ...{ signedBy: null, parts: null, ...NOTHING_WRONG, createdAt: now },
  }
  const done = paidBack(order, null, row)
  if (isExplained || fact.isOpen) return done
  const token = asset.contract?.toLowerCase() ?? null
  const alarm = {
    what: 'refund_not_asked_for',
    chain: asset.chain,
    token,
    amount,
    to: address,
    txHash,
    why: null,
  } as const
  return { ...done, attention: [...done.attention, alarmOf(order, { kind: 'alarm_raised', ...alarm })] }
}

const paymentsOf = (order: OrderState, leg: LegState, asset: AssetRef): PaymentState[] =>
  order.payments.filter((row) => row.legId === leg.id && isOnChain(row) && isSameAsset(row, asset))

const isDue = ({ status }: RefundState): boolean =>
  status === 'waiting' || status === 'sending' || status === 'proposed'

const isSameAddress = (row: RefundState, address: string): boolean =>
  row.address === null || row.address.toLowerCase() === address.toLowerCase()

/** Whether it went to the payer, as far as is known, and left what the merchant is to get of this leg. */
function isOwedTo(order: OrderState, leg: LegState, { asset, amount, to }: FactOf<'refunded_by_others'>): boolean {
  const isPayers = [leg.boundRefundAddress, leg.refundAddress].some((one) => one?.toLowerCase() === to.toLowerCase())
  return isPayers && isFree(order, leg, { asset, amount })
}

/** So much is held beside what the merchant is to get of this leg. */
export function isFree(
  order: OrderState,
  leg: LegState,
  { asset, amount }: Pick<FactOf<'refunded_by_others'>, 'asset' | 'amount'>,
): boolean {
  const held = legBalancesOf(order).find((line) => line.legId === leg.id && isSameAsset(line, asset))?.held ?? 0n
  return held - (isSameAsset(asset, leg) ? owedToMerchant(order, leg) : 0n) >= amount
}

/** Of what is held. */
function owedToMerchant(order: OrderState, leg: LegState): bigint {
  const open = liveSettlements(order).filter((row) => row.legId === leg.id && row.status !== 'final')
  if (open.length > 0) return sum(open, (row) => row.gross)
  const isToSettle = order.status !== 'success' && order.status !== 'refunded' && winnerOf(order)?.id === leg.id
  return isToSettle ? (grossToSettle(order, leg) ?? requiredOn(order, leg)) : 0n
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
