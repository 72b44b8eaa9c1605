// The first half of a decision: applies one fact to an order's rows, or says why it changes nothing. Pure.
// rules.ts derives the status from the rows.
import { unreachable } from '@florin/platform/assert'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { alarmOf, refundByWallet } from './attention/raised.ts'
import { addsUp, legBalancesOf } from './balance.ts'
import { legChosen, legOpened, refundAsked, settlementRetried } from './commands.ts'
import type { Fact } from './facts.ts'
import { letGo, settlementHeld, UNPROVEN } from './holds.ts'
import { isOpen } from './ledger.ts'
import { refundLeft, settlementLeft } from './left-chain.ts'
import { type Applied, applied, ignored, type NewId } from './outcome.ts'
import { applyOwnRefund } from './own-refunds.ts'
import type { PaymentFact } from './payments.ts'
import {
  refundAddressAsked,
  refundAddressGiven,
  refundAddressNamed,
  refundAddressRefused,
  refundAddressSigned,
} from './refunds/refund-to.ts'
import { hasMoney, SETTLED_INSTEAD, withoutBrokenPromises } from './refunds/refundable.ts'
import { allReturned, isFree, refunded, refundedByOthers } from './refunds/returned.ts'
import type { LegState, OrderState, RefundState, SettlementState } from './state.ts'

/** Payments are applied many at a time (payments.ts). */
export type OtherFact = Exclude<Fact, PaymentFact>

export function applyFact(order: OrderState, fact: OtherFact, now: Date, newId: NewId): Applied {
  switch (fact.kind) {
    case 'settlement_broadcast':
      return changeSettlement(order, fact.settlementId, (row) =>
        isOpen(row) ? { ...row, status: 'broadcast', txHash: fact.txHash } : null,
      )
    case 'settlement_undone':
      return changeSettlement(order, fact.settlementId, (row) =>
        row.status === 'broadcast'
          ? { ...row, status: 'wanted', txHash: row.leftAt === null ? null : row.txHash }
          : null,
      )
    case 'settlement_held':
      return settlementHeld(order, fact)
    case 'settlement_let_go':
      return letGo(order, (row) => (row.id === fact.settlementId ? { ...row, hold: null } : row))
    case 'settlement_released':
      return letGo(order, (row) => (row.hold === null ? row : { ...row, hold: null, isReleased: true }))
    case 'settlement_failed':
      return changeSettlement(order, fact.settlementId, (row) =>
        isOpen(row) ? { ...row, status: 'failed', failure: fact.failure } : null,
      )
    case 'settlement_final':
      return settled(order, fact, now, newId)
    case 'settlement_unproven':
      return settlementUnproven(order, fact)
    case 'settlement_left':
      return settlementLeft(order, fact, now)
    case 'refund_proposed':
      return refundProposed(order, fact)
    case 'refund_succeeded':
      return refunded(order, fact)
    case 'refunded_by_others':
      return refundedByOthers(order, fact, now, newId)
    case 'refund_left':
      return refundLeft(order, fact, now)
    case 'refund_failed':
      return changeRefund(order, fact.refundId, (row) =>
        row.status === 'sending' || row.status === 'proposed'
          ? { ...row, status: 'failed', failure: fact.failure, leftAt: null }
          : null,
      )
    case 'all_returned':
      return allReturned(order, fact, now, newId)
    case 'alarm_raised':
      return ignored('an alarm is for people', isExpected(order, fact) ? [] : [alarmOf(order, fact)])
    case 'alarm_over':
      return ignored('an alarm is for people')
    case 'leg_opened':
      return legOpened({ ...order, payerLocale: order.payerLocale ?? fact.payerLocale ?? null }, fact.leg, now)
    case 'leg_chosen':
      return legChosen(order, fact.legId, now)
    case 'time_passed':
      return applied(order)
    case 'deadline_reached':
      if (order.status !== 'pending') return ignored('only a pending order has a deadline ahead')
      return applied(order.expiresAt > now ? { ...order, expiresAt: now } : order)
    case 'cancel_asked':
      if (order.canceled) return ignored('already canceled')
      if (order.status !== 'pending') return ignored(`the order is ${order.status}`)
      if (order.legs.some((leg) => hasMoney(order, leg))) return ignored('money has been received')
      return applied({ ...order, canceled: true })
    case 'refund_asked':
      return refundAsked(order, now, newId)
    case 'refund_address_given':
      return refundAddressGiven(order, fact)
    case 'refund_address_named':
      return refundAddressNamed(order, fact.holder, fact.address)
    case 'refund_address_signed':
      return refundAddressSigned(order, fact, now, newId)
    case 'refund_address_asked':
      return refundAddressAsked(order, fact.address, now)
    case 'refund_address_refused':
      return refundAddressRefused(order)
    case 'own_refund_asked':
    case 'own_refund_named':
    case 'own_refund_refused':
    case 'own_refund_recorded':
    case 'own_refund_canceled':
      return applyOwnRefund(order, fact, now, newId)
    case 'settlement_retried':
      return settlementRetried(order, now, newId)
    default:
      return unreachable(fact)
  }
}

type FactOf<K extends RailFact['kind']> = Extract<RailFact, { kind: K }>

/**
 * A refund is announced to the payer's own address: after the restore of an older backup the service itself may have announced it. The
 * address may have been given after the backup; then it has to be money that the merchant is not to get.
 */
function isExpected(order: OrderState, fact: FactOf<'alarm_raised'>): boolean {
  const { what, chain, token, amount, to, isOlder } = fact
  if (what !== 'refund_announced_not_asked_for') return false
  const isPayers = (leg: LegState): boolean =>
    leg.chain === chain && leg.refundAddress?.toLowerCase() === to?.toLowerCase()
  const isPayersMoney = (leg: LegState): boolean =>
    legBalancesOf(order).some(
      (line) =>
        line.legId === leg.id &&
        line.chain === chain &&
        (line.contract?.toLowerCase() ?? null) === token &&
        isFree(order, leg, { asset: line, amount }),
    )
  return order.legs.some((leg) => isPayers(leg) || (isOlder === true && isPayersMoney(leg)))
}

function changeSettlement(
  order: OrderState,
  id: string,
  next: (row: SettlementState) => SettlementState | null,
): Applied {
  const row = order.settlements.find((candidate) => candidate.id === id)
  if (row === undefined) return ignored('no such settlement')
  const changed = next(row)
  if (changed === null) return ignored(`the settlement is ${row.status}`)
  return applied({ ...order, settlements: order.settlements.map((old) => (old.id === id ? changed : old)) })
}

function settled(order: OrderState, fact: FactOf<'settlement_final'>, now: Date, newId: NewId): Applied {
  const leg = order.legs.find((candidate) => candidate.ref === fact.legRef)
  if (leg === undefined) return ignored('the settlement is for a leg that this order never showed')
  if (order.settlements.some((row) => row.status === 'final' && row.txHash === fact.txHash && row.legId === leg.id)) {
    return ignored('this settlement is known to be final')
  }
  const asked = order.settlements.find((row) => row.id === fact.settlementId)
  if (fact.settlementId !== null && asked?.legId !== leg.id) return ignored('no such settlement was asked for')
  // Whoever sent the transaction, the amount it moved counts towards what was requested for this leg.
  const own =
    asked === undefined || asked.status === 'final'
      ? order.settlements.find((row) => row.legId === leg.id && (isOpen(row) || row.leftAt !== null))
      : asked
  const final: SettlementState = {
    id: own?.id ?? newId('set'),
    legId: leg.id,
    status: 'final',
    gross: fact.gross,
    feeBps: order.feeBps,
    fee: fact.fee,
    amountOut: fact.amountOut,
    txHash: fact.txHash,
    failure: null,
    leftAt: null,
    hold: null,
    isReleased: own?.isReleased ?? false,
    proven: fact.proven ?? null,
    createdAt: own?.createdAt ?? now,
  }
  const next: OrderState = {
    ...order,
    settlements: [...order.settlements.filter((row) => row.id !== final.id), final],
    refunds: [...order.refunds, ...excessOf(leg, fact, now, newId)],
  }
  if (fact.gross <= 0n || !addsUp(next)) {
    return ignored('more was settled than is known to have come in', [
      {
        kind: 'settled_more_than_received',
        cause: `settled_more_than_received:${fact.txHash}`,
        evidence: { tx_hash: fact.txHash, amount: String(fact.gross), asset: leg.asset, chain: leg.chain },
        actions: ['dismiss'],
      },
    ])
  }
  return applied(withoutBrokenPromises(next, leg.id, leg, SETTLED_INSTEAD))
}

/** What the rail gave back beside the settlement. */
function excessOf(leg: LegState, fact: FactOf<'settlement_final'>, now: Date, newId: NewId): RefundState[] {
  const { excess } = fact
  if (excess === undefined || excess.amount <= 0n) return []
  const { chain, asset, contract, decimals } = leg
  return [
    {
      ...{ chain, asset, contract, decimals, id: newId('ref'), legId: leg.id, status: 'succeeded' },
      // A rail that asks for a little more than it needs gives the rest back: nobody paid too much.
      reason: fact.gross + excess.amount > leg.amountDue ? 'excess' : 'returned_by_rail',
      ...{ amount: excess.amount, address: excess.to, txHash: excess.txHash, createdAt: now },
      ...{ failure: null, signedBy: null, parts: null, leftAt: null },
    },
  ]
}

/** It stays open, and the order says why. */
function settlementUnproven(order: OrderState, fact: FactOf<'settlement_unproven'>): Applied {
  const leg = order.legs.find((candidate) => candidate.ref === fact.legRef)
  const row = order.settlements.find((candidate) => candidate.legId === leg?.id && isOpen(candidate))
  if (row === undefined) return ignored('no settlement is under way')
  if (row.hold === UNPROVEN) return ignored('it is known to be unproven')
  return changeSettlement(order, row.id, () => ({ ...row, status: 'broadcast', txHash: fact.txHash, hold: UNPROVEN }))
}

function refundProposed(order: OrderState, fact: FactOf<'refund_proposed'>): Applied {
  const change = changeRefund(order, fact.refundId, (row) =>
    row.status === 'sending' ? { ...row, status: 'proposed', txHash: fact.txHash ?? row.txHash, leftAt: null } : null,
  )
  const row = order.refunds.find((candidate) => candidate.id === fact.refundId)
  if (change.kind === 'ignored' || row === undefined || fact.byWallet === undefined) return change
  return { ...change, attention: [refundByWallet(row, fact.byWallet)] }
}

function changeRefund(order: OrderState, id: string, next: (row: RefundState) => RefundState | null): Applied {
  const row = order.refunds.find((candidate) => candidate.id === id)
  if (row === undefined) return ignored('no such refund')
  const changed = next(row)
  if (changed === null) return ignored(`the refund is ${row.status}`)
  return applied({ ...order, refunds: order.refunds.map((old) => (old.id === id ? changed : old)) })
}
