// The items that a change of an order ends. Pure.

import { isOnChain } from '@florin/protocol'
import { isSameAsset, type OrderState, type PaymentState } from '../state.ts'
import {
  approvalsOf,
  leftCause,
  lostCause,
  REFUND_APPROVAL,
  REFUND_BY_WALLET,
  REFUND_LEFT,
  reorgCause,
  SETTLEMENT_LEFT,
  straysOf,
  walletCause,
} from './cause.ts'
import type { AttentionOver, NewAttention } from './item.ts'

export function attentionOver(before: OrderState, after: OrderState): AttentionOver[] {
  const over: AttentionOver[] = []
  if (before.status === 'failed' && after.status !== 'failed') {
    over.push({ kind: 'settlement_failed', cause: null, resolution: `the order is ${after.status}` })
  }
  for (const [cause, rows] of straysOf(after)) {
    const [first] = rows
    const resolution = first === undefined ? null : strayEnd(before, after, first, rows)
    if (first !== undefined && resolution !== null) over.push({ kind: first.use, cause, resolution })
  }
  for (const old of before.settlements) {
    const row = after.settlements.find((one) => one.id === old.id)
    if (old.hold === null || (row?.status === 'wanted' && row.hold !== null)) continue
    const resolution = row?.isReleased === true ? 'the merchant wants it settled' : 'it is held no more'
    over.push({ kind: 'settlement_held', cause: `settlement_held:${old.id}`, resolution })
  }
  for (const old of before.refunds) {
    const now = after.refunds.find((row) => row.id === old.id)?.status
    if (old.status === 'waiting' && now !== 'waiting') {
      const resolution = now === 'sending' ? 'a refund address was given' : 'the refund is no longer needed'
      over.push({ kind: 'refund_address_needed', cause: `refund_address_needed:${old.id}`, resolution })
      over.push({ kind: REFUND_APPROVAL, cause: approvalsOf(old), resolution })
    }
    if (old.status === 'proposed' && (now === 'succeeded' || now === 'failed')) {
      const resolution = now === 'succeeded' ? 'the chain shows it' : 'the refund is no longer needed'
      over.push({ kind: REFUND_BY_WALLET, cause: walletCause(old), resolution })
    }
    const left = after.refunds.find((row) => row.id === old.id)?.leftAt ?? null
    if (old.leftAt !== null && left === null) {
      const resolution = now === 'failed' ? 'it could not be sent again' : 'it is on the chain again'
      over.push({ kind: REFUND_LEFT, cause: `${REFUND_LEFT}:${old.id}`, resolution })
    }
    if (old.status === 'failed' && now === 'succeeded') {
      const cause = `refunded_more_than_received:${old.id}`
      over.push({ kind: 'refunded_more_than_received', cause, resolution: 'its payment is there' })
      over.push({ kind: 'refund_failed', cause: `refund_failed:${old.id}`, resolution: 'the refund succeeded' })
    }
  }
  for (const old of before.payments) {
    const row = after.payments.find((candidate) => candidate.key === old.key)
    if (old.leftAt === null || (row !== undefined && row.leftAt !== null)) continue
    const resolution =
      row !== undefined && isOnChain(row) ? 'it is on the chain again' : 'other money stands in its place'
    over.push({ kind: 'reorg_after_final', cause: reorgCause(old), resolution })
  }
  for (const old of before.settlements) {
    const row = after.settlements.find((candidate) => candidate.id === old.id)
    if (old.leftAt === null || row?.leftAt !== null) continue
    const resolution = row.status === 'final' ? 'it is on the chain again' : 'the settlement is tried again'
    for (const cause of [leftCause(old), lostCause(old)]) over.push({ kind: SETTLEMENT_LEFT, cause, resolution })
  }
  return over
}

/** What a change on the way opened is over where the same commit went on from there. */
export function isMoot(after: OrderState, { kind, cause, evidence }: NewAttention): boolean {
  if (kind === 'settlement_failed') return after.status !== 'failed'
  if (kind === SETTLEMENT_LEFT) {
    return !after.settlements.some((row) => row.leftAt !== null && [leftCause(row), lostCause(row)].includes(cause))
  }
  if (kind === REFUND_LEFT) return !after.refunds.some((row) => row.leftAt !== null && row.id === evidence.refund)
  if (kind !== 'refund_failed' && kind !== 'refund_address_needed') return false
  const status = after.refunds.find((row) => row.id === evidence.refund)?.status
  return status !== (kind === 'refund_failed' ? 'failed' : 'waiting')
}

/** What became of it; null while a decision is pending. */
function strayEnd(
  before: OrderState,
  after: OrderState,
  first: PaymentState,
  rows: readonly PaymentState[],
): string | null {
  const isGone = (row: PaymentState): boolean => !isOnChain(row)
  if (rows.every(isGone)) {
    const keys = new Set(rows.map((row) => row.key))
    return before.payments.some((old) => keys.has(old.key) && !isGone(old)) ? 'the payment left the chain' : null
  }
  const known = new Set(before.refunds.map((row) => row.id))
  const isGoingBack = after.refunds.some(
    (row) => !known.has(row.id) && row.legId === first.legId && isSameAsset(row, first),
  )
  return isGoingBack ? 'it goes back to the payer' : null
}
