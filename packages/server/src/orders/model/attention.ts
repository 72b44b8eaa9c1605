// The attention items that a change of an order opens: evidence and available actions. Pure.
import { isOnChain, REFUND_APPROVAL_MS } from '@florin/protocol'
import type { AssetRef, RailFact } from '../../rails/rail.ts'
import { costOf, legBalancesOf } from './ledger.ts'
import {
  currentLeg,
  isSameAsset,
  type OrderState,
  type PaymentState,
  paidTo,
  type RefundState,
  type SettlementState,
} from './state.ts'

/** The merchant names the refund address, where the payer has not. */
export const REFUND_TO = 'refund-to'

/** An address sent through the checkout link alone; the merchant has to approve it. */
export const REFUND_APPROVAL = 'refund_approval'
export const APPROVE = 'approve'
export const REFUSE = 'refuse'

/** Something final left the chain: the item stays until it is back, or cannot come back. */
export const SETTLEMENT_LEFT = 'settlement_left_the_chain'
export const REFUND_LEFT = 'refund_left_the_chain'

/** What lies on an order's addresses is not what it has booked. */
export const BOOKS_DIFFER = 'books_differ'
export const causeOfDifference = (id: string): string => `${BOOKS_DIFFER}:${id}`

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

/** The money is in the merchant's own wallet, which alone can send some of it back. */
export const REFUND_BY_WALLET = 'refund_by_wallet'
const walletCause = (row: RefundState): string => `${REFUND_BY_WALLET}:${row.id}`

export const refundByWallet = (row: RefundState, uri: string): NewAttention => ({
  kind: REFUND_BY_WALLET,
  cause: walletCause(row),
  evidence: known({
    ...{ refund: row.id, reason: row.reason, ...amountEvidence(row, row.amount), to: row.address, uri },
  }),
  actions: ['dismiss'],
})

type RailAlarm = Extract<RailFact, { kind: 'alarm_raised' }>

export interface NewAttention {
  kind: string
  /** One open item per cause. */
  cause: string
  evidence: Record<string, string>
  actions: readonly string[]
}

/** Items that need no decision any more, because the order moved on. */
export interface AttentionOver {
  kind: string
  /** null: all of this kind. */
  cause: string | null
  resolution: string
}

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
      over.push({ kind: 'refund_failed', cause: `refund_failed:${old.id}`, resolution: 'the refund succeeded' })
    }
  }
  for (const old of before.settlements) {
    const row = after.settlements.find((candidate) => candidate.id === old.id)
    if (old.leftAt === null || row?.leftAt !== null) continue
    const resolution = row.status === 'final' ? 'it is on the chain again' : 'the settlement is tried again'
    for (const cause of [leftCause(old), lostCause(old)]) over.push({ kind: SETTLEMENT_LEFT, cause, resolution })
  }
  return over
}

/** Money that the order does not accept, by the cause of its one item: anybody can send it in a thousand pieces. */
function straysOf(order: OrderState): Map<string, PaymentState[]> {
  const strays = order.payments.filter((row) => row.use === 'wrong_asset' || row.use === 'wrong_chain')
  return Map.groupBy(strays, (row) => `${row.use}:${row.legId}:${row.chain}:${row.contract ?? row.asset}`)
}

const total = (rows: readonly PaymentState[]): bigint =>
  rows.reduce((sum, row) => (isOnChain(row) ? sum + row.amount : sum), 0n)

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

/** An amount for display. */
export function amountEvidence({ asset, chain }: AssetRef, amount: bigint) {
  return { amount: String(amount), asset, chain }
}

export const paymentEvidence = (row: PaymentState): Record<string, string> =>
  known({ ...amountEvidence(row, row.amount), tx_hash: row.txHash, from: row.from })

/** Omits unknown values. */
function known(evidence: Record<string, string | null | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(evidence).filter((entry): entry is [string, string] => entry[1] != null))
}

/** What could not be passed on: the newest money that counts, and where it should have gone. */
function unsettled(order: OrderState): Record<string, string> {
  const leg = currentLeg(order)
  const payment = order.payments.findLast((row) => row.legId === leg?.id && row.use === 'counted')
  const gross = order.settlements.findLast((row) => row.legId === leg?.id)?.gross ?? payment?.amount
  if (leg === null || gross === undefined) return {}
  return known({ ...amountEvidence(leg, gross), tx_hash: payment?.txHash, to: paidTo(leg) })
}

export function attentionFor(before: OrderState, after: OrderState): NewAttention[] {
  const wishes: NewAttention[] = []
  if (after.status === 'failed' && before.status !== 'failed') {
    const failure =
      after.settlements.findLast((row) => row.status === 'failed')?.failure ?? 'The payment left the chain.'
    wishes.push({
      kind: 'settlement_failed',
      cause: `settlement_failed:${after.orderNo}:${after.version}`,
      evidence: { failure, ...unsettled(after) },
      actions: ['retry-settlement', 'refund', 'dismiss'],
    })
  }
  for (const row of after.refunds) {
    const was = before.refunds.find((old) => old.id === row.id)?.status
    if (row.status === 'failed' && was !== 'failed' && isOwed(after, row)) {
      wishes.push({
        kind: 'refund_failed',
        cause: `refund_failed:${row.id}`,
        evidence: known({
          ...{ refund: row.id, failure: row.failure ?? '', ...amountEvidence(row, row.amount) },
          ...{ tx_hash: row.txHash, to: row.address },
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

const leftCause = (row: SettlementState): string => `${SETTLEMENT_LEFT}:${row.id}`
/** It could not be sent again: an item of its own, since it asks for a decision. */
const lostCause = (row: SettlementState): string => `${leftCause(row)}:failed`

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
        ...{ refund: row.id, ...amountEvidence(row, row.amount), tx_hash: row.txHash, to: row.address },
      }),
      actions: ['dismiss'],
    })
  }
  return wishes
}

/** All requests about one refund: their causes start with it. */
const approvalsOf = (row: RefundState): string => `${REFUND_APPROVAL}:${row.id}`

/**
 * Who paid what a refund returns: the wallets that sent most, and how many are not named, since dust from five wallets
 * must not take the place of the payer's; and the largest payment.
 */
export function paidBy(order: OrderState, row: RefundState): { from: string | null; tx_hash: string | null } {
  const payments = order.payments
    .filter(
      (one) =>
        isOnChain(one) &&
        one.legId === row.legId &&
        isSameAsset(one, row) &&
        one.detectedAt.getTime() <= row.createdAt.getTime(),
    )
    .sort((a, b) => (a.amount < b.amount ? 1 : -1))
  const sums = new Map<string, bigint>()
  for (const { from, amount } of payments) {
    if (from !== null) sums.set(from, (sums.get(from) ?? 0n) + amount)
  }
  const senders = [...sums].sort(([, a], [, b]) => (a < b ? 1 : -1)).map(([from]) => from)
  const others = senders.length - SENDERS_SHOWN
  const named = senders.slice(0, SENDERS_SHOWN).join(' ')
  const from = others > 0 ? `${named} and ${others} more` : named
  return { from: from || null, tx_hash: payments[0]?.txHash ?? null }
}

const SENDERS_SHOWN = 5

/** What the merchant has to judge: destination, amount, who paid, and how little is known about who asks. */
export function approvalOf(order: OrderState, row: RefundState, a: { address: string; now: Date }): NewAttention {
  return {
    kind: REFUND_APPROVAL,
    cause: `${approvalsOf(row)}:${a.address}`,
    evidence: known({
      ...{ refund: row.id, ...amountEvidence(row, row.amount), to: a.address, ...paidBy(order, row) },
      asked_by: 'somebody with the checkout link',
      lapses_at: new Date(a.now.getTime() + REFUND_APPROVAL_MS).toISOString(),
    }),
    actions: [APPROVE, REFUSE],
  }
}

/** Something a rail saw that no program should fix: the order does not change, and a person has to review it. */
export function alarmOf(order: OrderState, alarm: RailAlarm): NewAttention {
  const { what, chain, token, amount, to, txHash, why, more } = alarm
  const leg = order.legs.find((one) => one.chain === chain && (one.contract?.toLowerCase() ?? null) === token)
  const asset = leg?.asset ?? token ?? 'the native coin'
  return {
    kind: what,
    cause: causeOf(order, alarm),
    evidence: known({ amount: String(amount), asset, chain, to, tx_hash: txHash, failure: why, ...more }),
    actions: ['dismiss'],
  }
}

/** One transaction may move the money of many orders. */
const causeOf = (order: OrderState, alarm: { what: string; txHash: string }): string =>
  `${alarm.what}:${order.orderNo}:${alarm.txHash}`

export function alarmEnd(order: OrderState, alarm: Extract<RailFact, { kind: 'alarm_over' }>): AttentionOver {
  return { kind: alarm.what, cause: causeOf(order, alarm), resolution: 'it is over by itself' }
}
