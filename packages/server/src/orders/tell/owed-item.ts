// Money that was to go back to the payer and reached the merchant instead: because after its deadline anybody may move it to
// whom the contract binds it to, or because a third party carries on whatever comes to its addresses. The merchant owes it, and
// is told so until it is refunded. Pure.

import { findChain } from '@florin/chains'
import { coinText } from '@florin/checkout-core'
import { type AttentionOver, amountEvidence, type NewAttention, paidBy } from '@florin/order-model/attention/item'
import { legBalancesOf } from '@florin/order-model/balance'
import { wasFinal } from '@florin/order-model/ledger'
import { SETTLED_INSTEAD } from '@florin/order-model/refunds/refundable'
import { isSameAsset, type LegState, type OrderState, type RefundState } from '@florin/order-model/state'
import type { AssetRef } from '@florin/rail-kit/interface/asset'

export const OWED = 'owed_to_payer'

const isOwed = (row: RefundState): boolean => row.status === 'failed' && row.failure === SETTLED_INSTEAD

const isThrough = (leg: LegState): boolean => leg.route?.custody === 'third-party'

const hasSettled = (order: OrderState, leg: LegState): boolean =>
  order.settlements.some((row) => row.legId === leg.id && wasFinal(row) && row.amountOut !== null)

/**
 * Legs of a third party whose money reached the merchant and pays for nothing. Of several that settled one pays the order, in
 * whatever order they did.
 */
function owedLegs(order: OrderState): LegState[] {
  const settled = order.legs.filter((leg) => isThrough(leg) && hasSettled(order, leg))
  if (order.status !== 'success')
    return settled.filter((leg) => order.refunds.some((row) => row.legId === leg.id && isOwed(row)))
  const paying = order.legs.find((leg) => leg.id === order.payLegId)
  // Another rail's leg pays it, or the one that the order shows, or the first.
  if (
    paying !== undefined &&
    !isThrough(paying) &&
    order.settlements.some((row) => row.legId === paying.id && wasFinal(row))
  )
    return settled
  const own = settled.find((leg) => leg.id === order.payLegId) ?? settled[0]
  return settled.filter((leg) => leg !== own)
}

export function owedFor(before: OrderState, after: OrderState): NewAttention[] {
  return [...pushedFor(before, after), ...carriedFor(before, after)]
}

/** What others had the contract pay to the merchant. */
function pushedFor(before: OrderState, after: OrderState): NewAttention[] {
  // What pays the order is the merchant's.
  if (after.status === 'success' && before.status !== 'success') return []
  const known = new Set(before.refunds.filter(isOwed).map((row) => row.id))
  const through = new Set(after.legs.filter(isThrough).map((leg) => leg.id))
  return after.refunds
    .filter((row) => isOwed(row) && !known.has(row.id) && !through.has(row.legId))
    .map((row) => {
      const settled = after.settlements.findLast((one) => one.legId === row.legId && wasFinal(one))
      const { from } = paidBy(after, row)
      return {
        kind: OWED,
        cause: `${OWED}:${row.id}`,
        evidence: {
          ...{ refund: row.id, reason: row.reason, ...amountEvidence(row, row.amount) },
          ...(settled?.txHash == null ? {} : { tx_hash: settled.txHash }),
          ...(from === null ? {} : { from }),
        },
        // It lies in the merchant's own wallet: the refund is asked for on the order's page.
        actions: ['dismiss'],
      }
    })
}

/** What a third party carried on: one item an order, which names every leg's money as it stands. */
function carriedFor(before: OrderState, after: OrderState): NewAttention[] {
  const owed = owedLegs(after)
  const [first] = owed
  if (first === undefined) return []
  const known = new Set(owedLegs(before).map((leg) => leg.id))
  const evidence = carriedEvidence(after, first, owed)
  const isNew = owed.some((leg) => !known.has(leg.id))
  const told = known.size === 0 ? null : JSON.stringify(carriedEvidence(before, first, owedLegs(before)))
  if (!isNew && told === JSON.stringify(evidence)) return []
  return [
    {
      kind: OWED,
      cause: `${OWED}:${after.orderNo}`,
      evidence,
      actions: ['dismiss'],
      renews: isNew ? 'or_opens' : 'only',
    },
  ]
}

function carriedEvidence(order: OrderState, first: LegState, owed: readonly LegState[]): Record<string, string> {
  const { settle } = first
  const sum = order.settlements
    .filter((row) => wasFinal(row) && owed.some((leg) => leg.id === row.legId && isSameAsset(leg.settle, settle)))
    .reduce((total, row) => total + (row.amountOut ?? 0n), 0n)
  return {
    ...{ carried_by: first.rail, ...amountEvidence(settle, sum) },
    ...Object.fromEntries(legLines(order, owed).map((line, n) => [`leg_${n + 1}`, line])),
  }
}

const LINES_MAX = 20
const chainName = (id: string): string => findChain(id)?.name ?? id
const coins = (asset: AssetRef, amount: bigint): string =>
  `${coinText(String(amount), asset.decimals)} ${asset.asset} on ${chainName(asset.chain)}`

/** Where the money of each leg is that got any. */
export function legLines(order: OrderState, owed: readonly LegState[]): string[] {
  return legBalancesOf(order)
    .filter((line) => line.received > 0n)
    .slice(0, LINES_MAX)
    .map((line) => {
      const leg = order.legs.find((one) => one.id === line.legId)
      const settled = order.settlements.filter((row) => row.legId === line.legId && row.status === 'final')
      const out = settled.reduce((total, row) => total + (row.amountOut ?? 0n), 0n)
      const back = leg?.boundRefundAddress ?? leg?.refundAddress ?? null
      const failed = order.refunds.find((row) => row.legId === line.legId && row.status === 'failed' && !isOwed(row))
      const parts = [
        ...(leg === undefined || out === 0n
          ? []
          : [`${coins(leg.settle, out)} reached you, ${owed.includes(leg) ? 'beyond the order' : 'for the order'}`]),
        ...(line.refunded === 0n
          ? []
          : [`${coins(line, line.refunded)} went back${back === null ? '' : ` to ${back}`}`]),
        ...(line.held === 0n || leg === undefined
          ? []
          : [
              failed === undefined
                ? `${coins(line, line.held)} is under way at ${leg.address}`
                : `${coins(line, line.held)} is stuck at ${leg.address}: ${failed.failure ?? 'nobody says why'}`,
            ]),
      ]
      return `${coins(line, line.received)} came${back === null ? '' : ` from a payer with the address ${back} there`}: ${parts.join('; ')}`
    })
}

/** What is owed, in the coin that the merchant got. */
function owedSums(order: OrderState): { asset: AssetRef; amount: bigint }[] {
  const through = new Set(order.legs.filter(isThrough).map((leg) => leg.id))
  const direct = order.refunds.filter((row) => isOwed(row) && !through.has(row.legId))
  const carried = owedLegs(order).flatMap((leg) =>
    order.settlements
      .filter((row) => row.legId === leg.id && wasFinal(row))
      .map((row) => ({ asset: leg.settle, amount: row.amountOut ?? 0n })),
  )
  const sums = new Map<string, { asset: AssetRef; amount: bigint }>()
  for (const { asset, amount } of [...direct.map((row) => ({ asset: row, amount: row.amount })), ...carried]) {
    const key = `${asset.chain} ${asset.asset}`
    sums.set(key, { asset, amount: (sums.get(key)?.amount ?? 0n) + amount })
  }
  return [...sums.values()]
}

/** Over where the merchant's own refunds cover all of it. */
export function owedOver(before: OrderState, after: OrderState): AttentionOver[] {
  const owed = owedSums(after)
  const isBack = (order: OrderState): boolean =>
    owed.every(({ asset, amount }) => {
      const own = order.ownRefunds.filter(
        (row) => row.status === 'recorded' && row.chain === asset.chain && row.asset === asset.asset,
      )
      return own.reduce((sum, row) => sum + row.amount, 0n) >= amount
    })
  return owed.length > 0 && isBack(after) && !isBack(before)
    ? [{ kind: OWED, cause: null, resolution: 'it was refunded' }]
    : []
}
