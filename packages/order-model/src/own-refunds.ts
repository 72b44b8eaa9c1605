// Refunds that the merchant pays from an own wallet, of money that was settled (contract.md 5.2). They move no money that
// the order accounts for, so balance and status stay as they are. Pure.
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { sum } from './ledger.ts'
import { type Applied, applied, ignored, type NewId } from './outcome.ts'
import type { OrderState, OwnRefund } from './state.ts'

/** Requests of one order that are neither recorded nor canceled. */
export const OWN_REFUNDS_OPEN_MAX = 20

/** What may be refunded in all where more than the settlement is wanted: as much again, for whoever makes good a mishap. */
export const OWN_REFUNDS_OVER_TIMES = 2n

const GONE = 'the chain dropped what had settled this order, so the merchant does not have it'

export type OwnRefundFact =
  | {
      kind: 'own_refund_asked'
      asset: AssetRef
      amount: bigint
      address: string
      reason: string | null
      mayExceed: boolean
      fromHeight?: bigint | null
      once?: { key: string; body: string } | null
    }
  /** The merchant names the transaction; it is looked for. */
  | { kind: 'own_refund_named'; refundId: string; txHash: string }
  /** What was named is final and is something else, or was never mined; without a name, what was found counts elsewhere. */
  | { kind: 'own_refund_refused'; refundId: string; txHash: string | null; failure: string }
  /** Found on the chain: final, two providers agree, the amount, the asset and the recipient are the asked ones. */
  | {
      kind: 'own_refund_recorded'
      refundId: string
      txHash: string
      key: string
      sender: string | null
      sentFrom: 'own' | 'word'
    }
  | { kind: 'own_refund_canceled'; refundId: string }

/** Asked for of money that the chain took back afterwards: it is not to be paid until that is there again. */
export const isOfWhatIsGone = (order: OrderState, row: OwnRefund): boolean =>
  row.status === 'requested' && gone(order) > 0n && refundableByMerchant(order) < 0n

/** The one that was asked for with this Idempotency-Key, or null. */
export const madeWith = (order: OrderState, once: { key: string } | null): OwnRefund | null =>
  once === null ? null : (order.ownRefunds.find((row) => row.onceKey === once.key) ?? null)

/** What the merchant got and neither returned nor is about to. What left the chain after it was final is not there to return. */
export function refundableByMerchant(order: OrderState): bigint {
  const asked = order.ownRefunds.filter((row) => row.status !== 'canceled')
  return (order.amountOut ?? 0n) - gone(order) - sum(asked, (row) => row.amount)
}

const gone = (order: OrderState): bigint =>
  sum(
    order.settlements.filter((row) => row.leftAt !== null),
    (row) => row.amountOut ?? 0n,
  )

/**
 * Whether a transfer to the payer can be the merchant's. The receiving address is; an address that is known to be the payer's
 * own is not: what a payer sends to himself, or gets back from where he paid, refunds nothing. Of others the merchant's word
 * has to do, and the sender is shown. null is the sandbox, where nobody sends.
 */
export function canBeMerchants(order: OrderState, row: Pick<OwnRefund, 'address'>, sender: string | null): boolean {
  if (sender === null) return true
  const is = (other: string | null): boolean => other?.toLowerCase() === sender.toLowerCase()
  if (is(row.address)) return false
  if (is(order.settleAddress)) return true
  const isPayers =
    order.payments.some((payment) => is(payment.from)) ||
    order.legs.some((leg) => is(leg.refundAddress) || is(leg.boundRefundAddress))
  return !isPayers
}

export function applyOwnRefund(order: OrderState, fact: OwnRefundFact, now: Date, newId: NewId): Applied {
  if (fact.kind === 'own_refund_asked') return asked(order, fact, now, newId)
  const row = order.ownRefunds.find((one) => one.id === fact.refundId)
  if (row === undefined) return ignored('there is no such refund')
  // What was paid is booked also where its request was canceled before the chain showed it.
  const isOver = row.status === 'recorded' || (row.status === 'canceled' && fact.kind === 'own_refund_canceled')
  if (isOver) return ignored(`the refund is ${row.status}`)
  const to = (next: Partial<OwnRefund>): Applied =>
    applied({ ...order, ownRefunds: order.ownRefunds.map((one) => (one === row ? { ...row, ...next } : one)) })
  switch (fact.kind) {
    case 'own_refund_named':
      return to({ txHash: fact.txHash, failure: null })
    case 'own_refund_refused':
      // Another transaction was named meanwhile: this one is of no interest any more.
      return row.txHash === fact.txHash ? to({ txHash: null, failure: fact.failure }) : ignored('another one was named')
    case 'own_refund_recorded': {
      const recorded: OwnRefund = {
        ...row,
        status: 'recorded',
        txHash: fact.txHash,
        key: fact.key,
        sender: fact.sender,
        sentFrom: fact.sentFrom,
        failure: null,
        recordedAt: now,
      }
      const after = { ...order, ownRefunds: order.ownRefunds.map((one) => (one === row ? recorded : one)) }
      return applied(row.status === 'canceled' ? warned(after, recorded) : after)
    }
    case 'own_refund_canceled':
      return to({ status: 'canceled' })
  }
}

/** What was asked for instead of a refund that turns out to be paid would go back beside it. */
function warned(order: OrderState, { id, txHash }: OwnRefund): OrderState {
  if (refundableByMerchant(order) >= 0n) return order
  const failure = `The refund ${id} of this order was canceled and had been paid by ${txHash}. Do not pay this one as well: with it more would go back than the order brought. Cancel it.`
  const ownRefunds = order.ownRefunds.map((row) => (row.status === 'requested' ? { ...row, failure } : row))
  return { ...order, ownRefunds }
}

/** Requests that a transfer of this amount may be of, rather than of one that was canceled before. */
export const laterRequestsLike = (order: OrderState, row: OwnRefund, amount: bigint): OwnRefund[] =>
  row.status !== 'canceled'
    ? []
    : order.ownRefunds.filter(
        (one) =>
          one.status === 'requested' &&
          one.createdAt >= row.createdAt &&
          one.address === row.address &&
          one.asset === row.asset &&
          one.amount === amount,
      )

function asked(
  order: OrderState,
  fact: OwnRefundFact & { kind: 'own_refund_asked' },
  now: Date,
  newId: NewId,
): Applied {
  if (madeWith(order, fact.once ?? null) !== null) return ignored('it was asked for with this Idempotency-Key')
  if (!(order.status === 'success' || order.status === 'expired') || order.amountOut === null) {
    return ignored('nothing was settled to the merchant')
  }
  if (fact.amount <= 0n || (!fact.mayExceed && gone(order) === order.amountOut)) {
    return ignored(gone(order) > 0n ? GONE : 'there is nothing left to refund')
  }
  if (!fact.mayExceed && fact.amount > refundableByMerchant(order)) {
    return ignored('it is more than the receiving address got and was not refunded or asked for yet')
  }
  // A slip of a digit is ten times as much, and ends at a wallet's question.
  const most = OWN_REFUNDS_OVER_TIMES * order.amountOut
  if (fact.amount - refundableByMerchant(order) + order.amountOut > most) {
    return ignored(`with it the refunds of this order would be above ${OWN_REFUNDS_OVER_TIMES} times what it brought`)
  }
  if (order.ownRefunds.filter((row) => row.status === 'requested').length >= OWN_REFUNDS_OPEN_MAX) {
    return ignored(`${OWN_REFUNDS_OPEN_MAX} refunds of this order wait already: record or cancel one first`)
  }
  const { chain, asset, contract, decimals } = fact.asset
  const row: OwnRefund = {
    ...{ id: newId('mrf'), status: 'requested', chain, asset, contract, decimals },
    ...{ amount: fact.amount, fromHeight: fact.fromHeight ?? null },
    ...{ address: fact.address, reason: fact.reason, txHash: null, failure: null, key: null },
    ...{ sender: null, sentFrom: null, onceKey: fact.once?.key ?? null, onceBody: fact.once?.body ?? null },
    ...{ createdAt: now, recordedAt: null },
  }
  return applied({ ...order, ownRefunds: [...order.ownRefunds, row] })
}
