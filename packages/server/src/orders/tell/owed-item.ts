// Money that was to go back to the payer and reached the merchant instead, because after its deadline anybody may move it to
// whom the contract binds it to. The merchant owes it, and is told so until it is refunded. Pure.
import { type AttentionOver, amountEvidence, type NewAttention, paidBy } from '../model/attention/item.ts'
import { SETTLED_INSTEAD, wasFinal } from '../model/ledger.ts'
import type { OrderState, RefundState } from '../model/state.ts'

export const OWED = 'owed_to_payer'

const isOwed = (row: RefundState): boolean => row.status === 'failed' && row.failure === SETTLED_INSTEAD

export function owedFor(before: OrderState, after: OrderState): NewAttention[] {
  // What pays the order is the merchant's.
  if (after.status === 'success' && before.status !== 'success') return []
  const known = new Set(before.refunds.filter(isOwed).map((row) => row.id))
  return after.refunds
    .filter((row) => isOwed(row) && !known.has(row.id))
    .map((row) => {
      const settled = after.settlements.findLast((one) => one.legId === row.legId && wasFinal(one))
      const { from } = paidBy(after, row)
      // A third party carries on whatever comes to its address; what reached the merchant is another coin.
      const leg = after.legs.find((one) => one.id === row.legId)
      const isThrough = leg?.route?.custody === 'third-party' && settled?.amountOut != null
      const came = isThrough
        ? {
            ...{ carried_by: leg.rail, came_amount: String(settled.amountOut) },
            ...{ came_asset: leg.settle.asset, came_chain: leg.settle.chain },
          }
        : {}
      return {
        kind: OWED,
        cause: `${OWED}:${row.id}`,
        evidence: {
          ...{ refund: row.id, reason: row.reason, ...amountEvidence(row, row.amount) },
          ...(settled?.txHash == null ? {} : { tx_hash: settled.txHash }),
          ...(from === null ? {} : { from }),
          ...came,
        },
        // It lies in the merchant's own wallet: the refund is asked for on the order's page.
        actions: ['dismiss'],
      }
    })
}

/** Over where the merchant's own refunds cover all of it. */
export function owedOver(before: OrderState, after: OrderState): AttentionOver[] {
  const owed = after.refunds.filter(isOwed).reduce((sum, row) => sum + row.amount, 0n)
  const isBack = (order: OrderState): boolean =>
    order.ownRefunds.reduce((sum, row) => (row.status === 'recorded' ? sum + row.amount : sum), 0n) >= owed
  return owed > 0n && isBack(after) && !isBack(before)
    ? [{ kind: OWED, cause: null, resolution: 'it was refunded' }]
    : []
}
