// The wire shape of an order (contract.md 4.2): the same in create, read, list and webhook.

import { uriForAmount } from '@florin/chains'
import { balanceOf } from '@florin/order-model/balance'
import { progressOn } from '@florin/order-model/ledger'
import { shownLeg, type Viewer } from '@florin/order-model/shown'
import { type LegState, type OrderState, type PaymentState, paidTo, shownPayee } from '@florin/order-model/state'
import { divCeil, parseDecimal, usdNumber, worthDue } from '@florin/platform/money'
import {
  isOnChain,
  minorText,
  type Order,
  type OrderOnChain,
  PAYMENTS_SHOWN_MAX,
  type Payment,
  type TimelineEntry,
  type WebhookEvent,
  type WebhookKind,
} from '@florin/protocol'
import type { OrderDetails } from '@florin/rail-kit/interface/services'
import type { TimelineRow } from '../webhooks/events.store.ts'

/**
 * Heights of the chain tips, for counting confirmations; a chain without one counts none beyond the payment's block.
 */
export type ChainTipOf = (chain: string, livemode: boolean) => bigint | null

export const noTips: ChainTipOf = () => null

/** @param a.viewer the browser it is for; omitted: a reader that holds no leg, so private legs are hidden. */
export function orderView(order: OrderState, a: { baseUrl: string; tips: ChainTipOf; viewer?: Viewer }): Order {
  const leg = shownLeg(order, a.viewer ?? null)
  const written = (address: string | null) =>
    leg === null ? address : shownPayee(order, { chain: leg.chain, address })
  return {
    order_no: order.orderNo,
    livemode: order.livemode,
    external_id: order.externalId,
    status: order.status,
    status_detail: order.detail,
    amount: minorText(order.money.minor, order.money.exponent),
    currency: order.money.currency,
    amount_minor: order.money.minor.toString(),
    exponent: order.money.exponent,
    fx: order.fx,
    amount_usd: usdNumber(order.amountUsdMicros),
    fee_bps: order.feeBps,
    amount_out: order.amountOut === null ? null : order.amountOut.toString(),
    amount_out_expected: leg === null ? null : leg.amountOut.toString(),
    settle_chain: order.settle.chain,
    settle_asset: order.settle.asset,
    settle_decimals: order.settle.decimals,
    settle_address: leg !== null && leg.id === order.payLegId ? paidTo(leg) : order.settleAddress,
    settle_tx_hash: order.settleTxHash,
    ...provenOf(order),
    pay: leg === null ? null : legView(order, leg),
    payments: order.payments
      .slice(-PAYMENTS_SHOWN_MAX)
      .reverse()
      .map((payment) => paymentView(payment, a.tips(payment.chain, order.livemode))),
    payments_total: order.payments.reduce((total, payment) => total + payment.transfers, 0),
    refunds: [
      ...order.refunds.map((refund) => ({
        by: 'florin' as const,
        id: refund.id,
        status: refund.status,
        amount: refund.amount.toString(),
        asset: refund.asset,
        chain: refund.chain,
        address: shownPayee(order, refund),
        tx_hash: refund.txHash,
        reason: refund.reason,
        created_at: refund.createdAt.toISOString(),
      })),
      ...ownRefunds(order),
    ],
    balance: balanceOf(order).map((line) => ({
      chain: line.chain,
      asset: line.asset,
      received: line.received.toString(),
      settled: line.settled.toString(),
      fee: line.fee.toString(),
      refunded: line.refunded.toString(),
      held: line.held.toString(),
      held_below_cost: line.heldBelowCost.toString(),
    })),
    refund_address: written(leg?.boundRefundAddress ?? leg?.refundAddress ?? null),
    refund_address_proposed: written(order.refundProposal),
    checkout_url: `${a.baseUrl}/pay/${order.checkoutToken}`,
    webhook_url: order.webhookUrl,
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
    title: order.title,
    description: order.description,
    metadata: order.metadata,
    payment_link_id: order.paymentLinkId,
    invoice_id: order.invoiceId,
    quantity: order.quantity,
    payer_email: order.payerEmail,
    payer_locale: order.payerLocale,
    payer_name: order.payerName,
    payer_note: order.payerNote,
    success_text: order.successText,
    version: order.version,
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
    expires_at: order.expiresAt.toISOString(),
    settled_at: order.settledAt === null ? null : order.settledAt.toISOString(),
  }
}

/** Of what a third party paid out: whether somebody else saw all of it. */
function provenOf({ settlements }: OrderState): Pick<Order, 'settlement_proven'> {
  const told = settlements.map((row) => row.proven).filter((proven) => proven !== null)
  return told.length === 0 ? {} : { settlement_proven: told.every((proven) => proven) }
}

/** What the merchant pays, as the order tells it: `waiting` until a transaction is known, `sending` until it is recorded. */
function ownRefunds(order: OrderState): Order['refunds'] {
  return order.ownRefunds
    .filter((row) => row.status !== 'canceled')
    .map((row) => ({
      id: row.id,
      by: 'merchant',
      status: row.status === 'recorded' ? 'succeeded' : row.txHash === null ? 'waiting' : 'sending',
      amount: row.amount.toString(),
      asset: row.asset,
      chain: row.chain,
      address: shownPayee(order, row),
      tx_hash: row.txHash,
      reason: 'merchant_request',
      created_at: row.createdAt.toISOString(),
    }))
}

/** What is asked for is worth more than the order where the way there costs something; rounding to units is no cost. */
function totalOf({ amountUsdMicros }: OrderState, { amountDue, decimals, rate }: LegState): string {
  const price = parseDecimal(rate, RATE_DECIMALS_MAX) ?? 0n
  const worth = worthDue({ units: amountDue, decimals, price, priceDecimals: RATE_DECIMALS_MAX })
  return totalText(worth > amountUsdMicros ? worth : amountUsdMicros)
}

/** In cents, of which a part counts as a whole one. */
export const totalText = (usdMicros: bigint): string => minorText(divCeil(usdMicros, 10_000n), 2)

const RATE_DECIMALS_MAX = 18

export function legView(order: OrderState, leg: LegState): NonNullable<Order['pay']> {
  const { received, remaining } = progressOn(order, leg)
  return {
    id: leg.id,
    rail: leg.rail,
    route: leg.route === null ? null : { ...leg.route, total_usd: totalOf(order, leg), expected_s: leg.expectedS },
    chain: leg.chain,
    asset: leg.asset,
    contract: leg.contract,
    decimals: leg.decimals,
    address: leg.address,
    memo: leg.memo,
    uri: uriNow(order, leg, { received, remaining }),
    amount_due: leg.amountDue.toString(),
    amount_received: received.toString(),
    amount_remaining: remaining.toString(),
    rate: leg.rate,
    rate_source: leg.rateSource,
    rate_expires_at: leg.rateExpiresAt.toISOString(),
    proof: leg.proof,
  }
}

/** What a wallet opens asks for what is still due: the whole amount once more, or any once it is paid, would be too much. */
function uriNow(
  { status, canceled }: OrderState,
  { uri, amountDue, decimals }: LegState,
  { received, remaining }: { received: bigint; remaining: bigint },
): string | null {
  const isToPay = (status === 'pending' || status === 'expired') && !canceled
  if (!isToPay || remaining === 0n) return null
  return received > 0n ? uriForAmount(uri, { from: amountDue, to: remaining, decimals }) : uri
}

export function onChainView({ orderNo }: OrderState, details: OrderDetails): OrderOnChain {
  return {
    order_no: orderNo,
    payments: details.payments.map((row) => ({
      ...{ chain: row.asset.chain, asset: row.asset.asset, decimals: row.asset.decimals },
      ...{ tx_hash: row.txHash, output_index: row.outputIndex, fee_rate: row.feeRate },
      ...{ unconfirmed_parents: row.unconfirmedParents, replaced_by: row.replacedBy },
      ...{ spendable_in: row.spendableIn, source: row.source },
    })),
    fee_owed: details.feeOwed.map(({ asset: { chain, asset, decimals }, amount }) => ({
      ...{ chain, asset, decimals, amount: amount.toString() },
    })),
  }
}

export function paymentView(payment: PaymentState, head: bigint | null): Payment {
  return {
    id: payment.id,
    pay_leg: payment.legId,
    tx_hash: payment.txHash,
    output_index: payment.outputIndex,
    chain: payment.chain,
    asset: payment.asset,
    contract: payment.contract,
    decimals: payment.decimals,
    amount: payment.amount.toString(),
    transfers: payment.transfers,
    from: payment.from,
    confirmations: confirmationsOf(payment, head),
    confirmations_required: payment.confirmationsRequired,
    status: payment.status,
    use: payment.use,
    detected_at: payment.detectedAt.toISOString(),
    mined_at: isOnChain(payment) ? (payment.minedAt?.toISOString() ?? null) : null,
  }
}

function confirmationsOf(payment: PaymentState, head: bigint | null): number {
  if (!isOnChain(payment)) return 0
  if (payment.height !== null && head !== null && head >= payment.height) return Number(head - payment.height) + 1
  return payment.status === 'confirmed' ? payment.confirmationsRequired : 1
}

/** The webhook body. It is rendered once, when the event is committed, and exactly those bytes are sent. */
export function webhookBody(a: { id: string; event: WebhookKind; createdAt: Date; order: Order }): Uint8Array {
  const payload: WebhookEvent = { id: a.id, event: a.event, created_at: a.createdAt.toISOString(), order: a.order }
  return new TextEncoder().encode(JSON.stringify(payload))
}

export function timelineView(row: TimelineRow): TimelineEntry {
  return {
    id: row.id,
    event: row.event as TimelineEntry['event'],
    status: row.status as TimelineEntry['status'],
    status_detail: row.statusDetail as TimelineEntry['status_detail'],
    version: row.version,
    created_at: row.createdAt.toISOString(),
  }
}
