// Items that something else than the order's own change raises: requests, rails, the reconciler. Pure.

import { REFUND_APPROVAL_MS } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { type OrderState, type RefundState, shownPayee } from '../state.ts'
import {
  approvalsOf,
  BOOKS_DIFFER,
  causeOf,
  causeOfDifference,
  type RailAlarm,
  REFUND_APPROVAL,
  REFUND_BY_WALLET,
  walletCause,
} from './cause.ts'
import { type AttentionOver, amountEvidence, known, type NewAttention, paidBy } from './item.ts'

export const APPROVE = 'approve'

export const REFUSE = 'refuse'
/** The merchant says that a payout is there which nobody here can see. */
export const TAKE_WORD = 'take-word'

export function booksDiffer(
  id: string,
  line: { asset: AssetRef; booked: bigint; found: bigint; height: bigint | null },
): NewAttention {
  const { asset, booked, found, height } = line
  return {
    kind: BOOKS_DIFFER,
    cause: causeOfDifference(id),
    evidence: known({
      ...amountEvidence(asset, found > booked ? found - booked : booked - found),
      ...{ booked: String(booked), found: String(found), block: height === null ? null : String(height) },
    }),
    actions: ['dismiss'],
  }
}

export function refundByWallet(row: RefundState, a: { uri: string; to?: string }): NewAttention {
  return {
    kind: REFUND_BY_WALLET,
    cause: walletCause(row),
    evidence: known({
      ...{
        refund: row.id,
        reason: row.reason,
        ...amountEvidence(row, row.amount),
        to: a.to ?? row.address,
        uri: a.uri,
      },
    }),
    actions: ['dismiss'],
  }
}

/** What the merchant has to judge: destination, amount, who paid, and how little is known about who asks. */
export function approvalOf(order: OrderState, row: RefundState, a: { address: string; now: Date }): NewAttention {
  return {
    kind: REFUND_APPROVAL,
    cause: `${approvalsOf(row)}:${a.address}`,
    evidence: known({
      ...{
        refund: row.id,
        ...amountEvidence(row, row.amount),
        to: shownPayee(order, { ...row, address: a.address }),
        ...paidBy(order, row),
      },
      asked_by: 'somebody with the checkout link',
      lapses_at: new Date(a.now.getTime() + REFUND_APPROVAL_MS).toISOString(),
    }),
    actions: [APPROVE, REFUSE],
  }
}

/** Something a rail saw that no program should fix: the order does not change, and a person has to review it. */
export function alarmOf(order: OrderState, alarm: RailAlarm): NewAttention {
  const { what, chain, token, amount, to, txHash, why, more } = alarm
  const isMeant = (one: AssetRef): boolean => one.chain === chain && (one.contract?.toLowerCase() ?? null) === token
  const asset = order.legs.flatMap((leg) => [leg, leg.settle]).find(isMeant)?.asset ?? token ?? 'the native coin'
  // Where a rail knows the thing by its deposit address, that is no transaction.
  const named = more?.deposit_address === undefined ? { tx_hash: txHash } : {}
  return {
    kind: what,
    cause: causeOf(order, alarm),
    evidence: known({ amount: String(amount), asset, chain, to, failure: why, ...named, ...more }),
    actions: isPayout(alarm) ? [TAKE_WORD, 'dismiss'] : ['dismiss'],
  }
}

/** A payout with a transaction that the merchant can look for: a success that names none is never one. */
const isPayout = ({ what, more }: RailAlarm): boolean =>
  what === 'settlement_unproven' || (what === 'provider_contradicted' && more?.tx_hash !== undefined)

export function alarmEnd(order: OrderState, alarm: Extract<RailFact, { kind: 'alarm_over' }>): AttentionOver {
  return { kind: alarm.what, cause: causeOf(order, alarm), resolution: 'it is over by itself' }
}
