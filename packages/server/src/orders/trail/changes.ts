// What one commit changed about an order, a line for each thing that changed. Pure. Nothing in a line is secret, and
// nothing says who the payer is: no email, no name, no link, no text of the merchant's.
import type { OrderState, PaymentState, RefundState, SettlementState } from '@florin/order-model/state'

export interface Change {
  what: 'order' | 'payment' | 'settlement' | 'refund'
  fields: Readonly<Record<string, string | number>>
}

/** A flood of payments is some lines and a number. */
const ROWS_MAX = 20

export function changesOf(before: OrderState, after: OrderState): Change[] {
  const moved = after.status !== before.status || after.detail !== before.detail
  return [
    ...(moved ? [orderChange(before, after)] : []),
    ...changed(after.payments, before.payments).map(paymentChange),
    ...changed(after.settlements, before.settlements).map((row) => settlementChange(row, after)),
    ...changed(after.refunds, before.refunds).map(refundChange),
  ]
}

const orderChange = (before: OrderState, after: OrderState): Change => ({
  what: 'order',
  fields: { status: after.status, detail: after.detail, was: before.status, version: after.version },
})

/** Those that are new or have another status. */
function changed<T extends { id: string; status: string; txHash: string | null }>(
  rows: readonly T[],
  old: readonly T[],
): T[] {
  const known = new Map(old.map((row) => [row.id, row]))
  return rows
    .filter((row) => known.get(row.id)?.status !== row.status || known.get(row.id)?.txHash !== row.txHash)
    .slice(0, ROWS_MAX)
}

const hashOf = (txHash: string | null): Record<string, string> => (txHash === null ? {} : { tx: txHash })
const failureOf = (failure: string | null): Record<string, string> => (failure === null ? {} : { failure })

const paymentChange = (row: PaymentState): Change => ({
  what: 'payment',
  fields: {
    ...{ payment: row.id, status: row.status, use: row.use, chain: row.chain, asset: row.asset },
    ...{ amount: String(row.amount), decimals: row.decimals, ...hashOf(row.txHash) },
    ...(row.transfers > 1 ? { transfers: row.transfers } : {}),
  },
})

const settlementChange = (row: SettlementState, order: OrderState): Change => ({
  what: 'settlement',
  fields: {
    ...{ settlement: row.id, status: row.status, chain: order.settle.chain, asset: order.settle.asset },
    ...{ gross: String(row.gross), ...hashOf(row.txHash), ...failureOf(row.failure) },
  },
})

const refundChange = (row: RefundState): Change => ({
  what: 'refund',
  fields: {
    ...{ refund: row.id, status: row.status, chain: row.chain, asset: row.asset, reason: row.reason },
    ...{ amount: String(row.amount), decimals: row.decimals, ...hashOf(row.txHash), ...failureOf(row.failure) },
  },
})
