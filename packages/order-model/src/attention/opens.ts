// The items that a change of an order opens: evidence and available actions. Pure.

import { isOnChain } from '@florin/protocol'
import { costOf, legBalancesOf } from '../balance.ts'
import { isAskedAnew, isByWallet } from '../refunds/refundable.ts'
import {
  currentLeg,
  isSameAsset,
  type OrderState,
  type PaymentState,
  paidTo,
  type RefundState,
  shownPayee,
} from '../state.ts'
import { leftCause, lostCause, REFUND_LEFT, SETTLEMENT_LEFT, straysOf } from './cause.ts'
import { amountEvidence, known, type NewAttention, paidBy, paymentEvidence } from './item.ts'

/** The merchant names the refund address, where the payer has not. */
export const REFUND_TO = 'refund-to'

export function attentionFor(before: OrderState, after: OrderState): NewAttention[] {
  const wishes: NewAttention[] = []
  if (after.status === 'failed' && before.status !== 'failed') {
    const lost = after.settlements.findLast((row) => row.status === 'failed')
    const failure = lost?.failure ?? 'The payment left the chain.'
    // What a third party keeps nobody here can send, neither on nor back.
    const isKept = after.legs.some((leg) => leg.id === lost?.legId && leg.route?.custody === 'third-party')
    wishes.push({
      kind: 'settlement_failed',
      cause: `settlement_failed:${after.orderNo}:${after.version}`,
      evidence: { failure, ...unsettled(after) },
      actions: isKept ? ['dismiss'] : ['retry-settlement', 'refund', 'dismiss'],
    })
  }
  for (const row of after.refunds) {
    const was = before.refunds.find((old) => old.id === row.id)?.status
    // What a reorg took away is owed again once it is back.
    const wasSaid = was === 'failed' && isOwed(before, row)
    if (row.status === 'failed' && !wasSaid && isOwed(after, row) && !isAskedAnew(row)) {
      wishes.push({
        kind: 'refund_failed',
        cause: `refund_failed:${row.id}`,
        evidence: known({
          ...{ refund: row.id, failure: row.failure ?? '', ...amountEvidence(row, row.amount) },
          ...{ tx_hash: row.txHash, to: shownPayee(after, row) },
        }),
        actions: ['refund', 'dismiss'],
      })
    }
    if (row.reason === 'returned_by_others' && was === undefined) {
      wishes.push({
        kind: 'returned_by_others',
        cause: `returned_by_others:${row.id}`,
        evidence: known({
          ...{ refund: row.id, ...amountEvidence(row, row.amount), to: row.address, tx_hash: row.txHash },
        }),
        actions: ['dismiss'],
      })
    }
    if (row.status === 'waiting' && was === undefined) {
      wishes.push({
        kind: 'refund_address_needed',
        cause: `refund_address_needed:${row.id}`,
        evidence: known({
          ...{ refund: row.id, reason: row.reason, ...amountEvidence(row, row.amount) },
          ...paidBy(after, row),
          opens_at: openToAllAt(after, row),
        }),
        actions: [REFUND_TO, 'dismiss'],
      })
    }
  }
  wishes.push(...leftChain(before, after))
  const old = new Set(before.payments.map((payment) => payment.key))
  for (const [cause, rows] of straysOf(after)) {
    const payment = rows.find((row) => !old.has(row.key))
    if (payment === undefined) continue
    const isBelowCost = total(rows) <= costOf(after, payment.legId, payment)
    wishes.push({
      kind: payment.use,
      cause,
      evidence: known({
        ...{ payment: payment.id, ...paymentEvidence(payment) },
        expected: after.legs.find((leg) => leg.id === payment.legId)?.asset,
        held: isBelowCost ? 'below the cost of sending it back' : null,
      }),
      actions: isBelowCost ? ['dismiss'] : ['refund', 'dismiss'],
    })
  }
  return wishes
}

/** What could not be passed on: the newest money that counts, and where it should have gone. */
function unsettled(order: OrderState): Record<string, string> {
  const leg = currentLeg(order)
  const payment = order.payments.findLast((row) => row.legId === leg?.id && row.use === 'counted')
  const gross = order.settlements.findLast((row) => row.legId === leg?.id)?.gross ?? payment?.amount
  if (leg === null || gross === undefined) return {}
  return known({ ...amountEvidence(leg, gross), tx_hash: payment?.txHash, to: paidTo(leg) })
}

/** From when on anybody may have it sent to the merchant instead, where no refund address is bound. */
function openToAllAt(order: OrderState, row: RefundState): string | null {
  const leg = order.legs.find((one) => one.id === row.legId)
  const after = leg !== undefined && isSameAsset(leg, row) ? leg.proof?.route.openAfter : undefined
  return after === undefined ? null : new Date(Number(after) * 1000).toISOString()
}

/** Whether its money still lies there: what somebody else returned, or settled, asks for no decision. */
const isOwed = (order: OrderState, row: RefundState): boolean =>
  legBalancesOf(order).some(
    (line) => line.legId === row.legId && isSameAsset(line, row) && line.held > line.heldBelowCost,
  )

function leftChain(before: OrderState, after: OrderState): NewAttention[] {
  const wishes: NewAttention[] = []
  for (const row of after.settlements) {
    const old = before.settlements.find((candidate) => candidate.id === row.id)
    const leg = after.legs.find((candidate) => candidate.id === row.legId)
    const isNew = row.leftAt !== null && (old === undefined || old.leftAt === null)
    const isGivenUp = row.leftAt !== null && row.status === 'failed' && old?.status !== 'failed'
    if (leg === undefined || !(isNew || isGivenUp)) continue
    wishes.push({
      kind: SETTLEMENT_LEFT,
      cause: isGivenUp ? lostCause(row) : leftCause(row),
      evidence: known({
        ...amountEvidence(leg, row.gross),
        ...{ tx_hash: row.txHash, to: paidTo(leg), failure: isGivenUp ? row.failure : null },
        // Where the payment itself was the settlement, nobody here can offer it again.
        sent_by: after.payments.some((payment) => payment.txHash === row.txHash) ? 'payer' : null,
      }),
      actions: isGivenUp ? ['retry-settlement', 'dismiss'] : ['dismiss'],
    })
  }
  for (const row of after.refunds) {
    if (row.leftAt === null || before.refunds.find((old) => old.id === row.id)?.leftAt !== null) continue
    wishes.push({
      kind: REFUND_LEFT,
      cause: `${REFUND_LEFT}:${row.id}`,
      evidence: known({
        ...{ refund: row.id, ...amountEvidence(row, row.amount), tx_hash: row.txHash, to: shownPayee(after, row) },
        sent_by: isByWallet(after, row) ? 'wallet' : null,
      }),
      actions: ['dismiss'],
    })
  }
  return wishes
}

const total = (rows: readonly PaymentState[]): bigint =>
  rows.reduce((sum, row) => (isOnChain(row) ? sum + row.amount : sum), 0n)
