// What an attention item consists of, and the evidence that people judge by. Pure.

import { isOnChain } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { isSameAsset, type OrderState, type PaymentState, type RefundState } from '../state.ts'

export interface NewAttention {
  kind: string
  /** One open item per cause. */
  cause: string
  evidence: Record<string, string>
  actions: readonly string[]
  /** Its evidence replaces that of the open item of the same cause; `only`: where none is open, nothing is opened. */
  renews?: 'or_opens' | 'only'
}

/** Items that need no decision any more, because the order moved on. */
export interface AttentionOver {
  kind: string
  /** null: all of this kind. */
  cause: string | null
  resolution: string
}

/** An amount for display. */
export function amountEvidence({ asset, chain }: AssetRef, amount: bigint) {
  return { amount: String(amount), asset, chain }
}

export const paymentEvidence = (row: PaymentState): Record<string, string> =>
  known({ ...amountEvidence(row, row.amount), tx_hash: row.txHash, from: row.from })

/** Omits unknown values. */
export function known(evidence: Record<string, string | null | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(evidence).filter((entry): entry is [string, string] => entry[1] != null))
}

const SENDERS_SHOWN = 5

/**
 * Who paid what a refund returns: the wallets that sent most, and how many are not named, since dust from five wallets
 * must not take the place of the payer's; and the largest payment.
 */
export function paidBy(order: OrderState, row: RefundState): { from: string | null; tx_hash: string | null } {
  const returned = new Map(row.parts?.map(({ payment, amount }) => [payment, amount]))
  const payments = order.payments
    .filter(
      (one) =>
        isOnChain(one) &&
        one.legId === row.legId &&
        isSameAsset(one, row) &&
        (row.parts === null ? one.detectedAt.getTime() <= row.createdAt.getTime() : returned.has(one.id)),
    )
    .map(({ id, from, txHash, amount }) => ({ from, txHash, amount: returned.get(id) ?? amount }))
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
