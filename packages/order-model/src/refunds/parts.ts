// Which payments a refund returns. The row keeps them from the moment that it begins, so that later money changes
// neither whose refund it is nor what a signature may move. Pure.
import { isOnChain } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { costOf } from '../balance.ts'
import { amountOf, liveSettlements, sum } from '../ledger.ts'
import {
  isSameAsset,
  type LegState,
  type OrderState,
  type PaymentState,
  type RefundPart,
  type RefundState,
} from '../state.ts'

/** Payments in turn, and how much of each is not taken yet. */
type Left = Map<PaymentState, bigint>

/** @returns what of `amount` was not there. */
function takeFrom(left: Left, payments: readonly PaymentState[], amount: bigint, parts: RefundPart[] = []): bigint {
  let rest = amount
  for (const payment of payments) {
    if (rest <= 0n) break
    const there = left.get(payment) ?? 0n
    const taken = there < rest ? there : rest
    if (taken === 0n) continue
    left.set(payment, there - taken)
    parts.push({ payment: payment.id, amount: taken })
    rest -= taken
  }
  return rest
}

/** Stable. A fold names no sender, so its money is taken after that of wallets: no wallet can claim more for it. */
const inTurn = (payments: readonly PaymentState[], rankOf: (payment: PaymentState) => number): PaymentState[] =>
  payments.toSorted((a, b) => rankOf(a) - rankOf(b) || Number(a.fold !== null) - Number(b.fold !== null))

const lateFirst = ({ use }: PaymentState): number => Number(use === 'counted' || use === 'excess')

/**
 * The payments that a new refund returns. The settlement takes the oldest payments that count, and a payment that another
 * refund returns is that one's. Late money is first to go.
 * @param a.others refunds that hold or returned money of this leg and asset.
 */
export function partsOf(
  order: OrderState,
  a: { leg: LegState; asset: AssetRef; amount: bigint; others: readonly RefundState[] },
): RefundPart[] {
  const payments = order.payments.filter((one) => one.legId === a.leg.id && isOnChain(one) && isSameAsset(one, a.asset))
  const byId = new Map(payments.map((payment) => [payment.id, payment]))
  const left: Left = new Map(payments.map((payment) => [payment, payment.amount]))
  let unplaced = 0n
  for (const row of a.others) {
    unplaced += row.amount
    for (const part of row.parts ?? []) {
      const payment = byId.get(part.payment)
      if (payment !== undefined) unplaced -= part.amount - takeFrom(left, [payment], part.amount)
    }
  }
  const settled = isSameAsset(a.leg, a.asset)
    ? sum(
        liveSettlements(order).filter((row) => row.legId === a.leg.id),
        (row) => row.gross,
      )
    : 0n
  const paying = inTurn(payments, ({ use }) => (use === 'counted' ? 0 : use === 'excess' ? 1 : 2))
  takeFrom(left, paying, settled)
  takeFrom(left, inTurn(payments, lateFirst), unplaced)
  const parts: RefundPart[] = []
  const there = payments.filter((one) => one.status === 'confirmed' && one.leftAt === null)
  takeFrom(left, inTurn(there, lateFirst), a.amount, parts)
  return parts
}

/** Of a refund, what each wallet sent that is named as its sender, by the wallet's address in lower case. */
export function sharesOf(order: OrderState, { parts }: RefundState): Map<string, RefundPart[]> {
  const byId = new Map(order.payments.map((payment) => [payment.id, payment]))
  const shares = new Map<string, RefundPart[]>()
  for (const part of parts ?? []) {
    const payment = byId.get(part.payment)
    if (payment?.status !== 'confirmed' || payment.from === null) continue
    const wallet = payment.from.toLowerCase()
    shares.set(wallet, [...(shares.get(wallet) ?? []), part])
  }
  return shares
}

/** Whether a part of a refund may be sent apart: up to its cost it is held. */
export const isWorthSending = (order: OrderState, row: RefundState, amount: bigint): boolean =>
  amount > 0n && (amount === row.amount || amount > costOf(order, row.legId, row))

export const totalOf = (parts: readonly RefundPart[]): bigint => sum(parts, amountOf)
