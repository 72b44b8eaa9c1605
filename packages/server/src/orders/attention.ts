// Owns what a person is asked to look at when an order changed: evidence and the actions that fit. Pure.
import type { OrderState } from './state.ts'

export interface AttentionWish {
  kind: string
  /** One open item a cause. */
  cause: string
  evidence: Record<string, string>
  actions: readonly string[]
}

/** Items that nobody has to decide any more, because the order itself went on. */
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
  for (const old of before.refunds) {
    const now = after.refunds.find((row) => row.id === old.id)?.status
    if (old.status === 'waiting' && now !== 'waiting') {
      const resolution = now === 'sending' ? 'a refund address was given' : 'the refund is no longer needed'
      over.push({ kind: 'refund_address_needed', cause: `refund_address_needed:${old.id}`, resolution })
    }
    if (old.status === 'failed' && now === 'succeeded') {
      over.push({ kind: 'refund_failed', cause: `refund_failed:${old.id}`, resolution: 'the refund succeeded' })
    }
  }
  return over
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
