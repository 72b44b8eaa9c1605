// Owns what a person is asked to look at when an order changed: evidence and the actions that fit. Pure.
import type { OrderState } from './state.ts'

export interface AttentionWish {
  kind: string
  /** One open item a cause. */
  cause: string
  evidence: Record<string, string>
  actions: readonly string[]
}

export function attentionFor(before: OrderState, after: OrderState): AttentionWish[] {
  const wishes: AttentionWish[] = []
  if (after.status === 'failed' && before.status !== 'failed') {
    const failure =
      after.settlements.findLast((row) => row.status === 'failed')?.failure ?? 'The payment left the chain.'
    wishes.push({
      kind: 'settlement_failed',
      cause: `settlement_failed:${after.orderNo}:${after.version}`,
      evidence: { failure },
      actions: ['retry-settlement', 'refund', 'dismiss'],
    })
  }
  for (const row of after.refunds) {
    const known = before.refunds.find((old) => old.id === row.id)?.status
    if (row.status === 'failed' && known !== 'failed') {
      wishes.push({
        kind: 'refund_failed',
        cause: `refund_failed:${row.id}`,
        evidence: {
          refund: row.id,
          failure: row.failure ?? '',
          amount: String(row.amount),
          asset: row.asset,
          chain: row.chain,
        },
        actions: ['refund', 'dismiss'],
      })
    }
    if (row.status === 'waiting' && known === undefined) {
      wishes.push({
        kind: 'refund_address_needed',
        cause: `refund_address_needed:${row.id}`,
        evidence: {
          refund: row.id,
          reason: row.reason,
          amount: String(row.amount),
          asset: row.asset,
          chain: row.chain,
        },
        actions: ['dismiss'],
      })
    }
  }
  const known = new Set(before.payments.map((payment) => payment.key))
  for (const payment of after.payments) {
    if (!known.has(payment.key) && (payment.use === 'wrong_asset' || payment.use === 'wrong_chain')) {
      wishes.push({
        kind: payment.use,
        cause: `${payment.use}:${payment.key}`,
        evidence: { payment: payment.id, amount: String(payment.amount), asset: payment.asset, chain: payment.chain },
        actions: ['refund', 'dismiss'],
      })
    }
  }
  return wishes
}
