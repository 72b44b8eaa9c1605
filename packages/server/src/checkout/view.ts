// An order as its payer sees it (contract.md 4.5). Every field is listed here, one by one: external_id, metadata and
// webhook_url belong to the merchant and must never be among them.
import { findChain } from '@florin/chains'
import { balanceOf } from '@florin/order-model/balance'
import { isWorthSending, sharesOf, totalOf } from '@florin/order-model/refunds/parts'
import { refundChainOf } from '@florin/order-model/refunds/refund-to'
import { shownLeg, standingOf, type Viewer } from '@florin/order-model/shown'
import type { LegState, OrderState, RefundState } from '@florin/order-model/state'
import { unreachable } from '@florin/platform/assert'
import { type Checkout, REFUND_APPROVAL_MS } from '@florin/protocol'
import type { OrderDetails } from '@florin/rail-kit/interface/services'
import { type Rails, readDetails as readOrderDetails } from '@florin/rail-kit/registry'
import { type Brand, shownBrand } from '../brand/brand.ts'
import type { RouteConditions } from '../orders/create/route.ts'
import { refundStep } from '../orders/payer.ts'
import { listSteps } from '../orders/simulate.ts'
import { type ChainTipOf, legView, orderView } from '../orders/view.ts'
import { listChoices, shortList } from './choices/choices.ts'

export interface CheckoutParts {
  rails: Rails
  tips: ChainTipOf
  brand: Brand
  now: Date
  /** The service's origin, which a wallet shows when it signs. */
  service: string
  /** The browser that it is for. */
  viewer: Viewer
  /** What keeps ways to pay from being offered now. */
  conditions: RouteConditions
  /** What the chain shows of its payments; left out: nothing that payers have to know. */
  details?: OrderDetails | null
}

/** Asked once there are payments to say something of. */
export async function readDetails(rails: Rails, order: OrderState): Promise<OrderDetails | null> {
  return order.payments.length === 0 ? null : readOrderDetails(rails, order)
}

export function checkoutView(order: OrderState, parts: CheckoutParts): Checkout {
  const { viewer, now } = parts
  const full = orderView(order, { baseUrl: '', tips: parts.tips, viewer })
  const leg = shownLeg(order, viewer)
  const all = listChoices(parts.rails, order, { now, viewer, conditions: parts.conditions })
  const choices = shortList(order, all)
  const refundChain = refundChainOf(order, leg)
  const way = refundStep(order, now, viewer)
  return {
    order_no: full.order_no,
    livemode: full.livemode,
    status: full.status,
    status_detail: detailFor(order, leg, now),
    version: full.version,
    merchant: shownBrand(parts.brand),
    title: full.title,
    description: full.description,
    amount: full.amount,
    currency: full.currency,
    exponent: full.exponent,
    fx: full.fx,
    amount_usd: full.amount_usd,
    pay: leg === null ? null : legView(order, leg),
    pay_chain: leg === null ? null : payChain(order, leg),
    choices,
    choices_total: all.length,
    payments: full.payments,
    payments_total: full.payments_total,
    // What the merchant has not paid yet is no word of Florin's to the payer.
    maturing: maturingOf(parts.details),
    refunds: full.refunds.filter((row) => row.by === 'florin' || row.status === 'succeeded'),
    refund_address: full.refund_address,
    refund_address_proposed: full.refund_address_proposed,
    refund_address_state: refundAddressState(order, { leg, now, canChoose: choices.length > 0, way }),
    refund_address_way: way,
    refund_signers: listSigners(order, parts),
    browser: standingOf(order, viewer),
    refund_chain: refundChain === null ? null : (findChain(refundChain)?.name ?? refundChain),
    late_policy: order.latePolicy,
    settle_tx_hash: full.settle_tx_hash,
    // What a shop says and where it leads after the payment may be what is sold.
    success_url: full.status === 'success' ? full.success_url : null,
    success_text: full.status === 'success' ? full.success_text : null,
    cancel_url: full.cancel_url,
    created_at: full.created_at,
    expires_at: full.expires_at,
    settled_at: full.settled_at,
    server_time: now.toISOString(),
    simulate: listSteps(order),
  }
}

/** What waits longest. */
function maturingOf(details: OrderDetails | null | undefined): Checkout['maturing'] {
  const waiting = (details?.payments ?? []).flatMap(({ source, spendableIn }) =>
    source === 'plain' || spendableIn === 0 ? [] : [{ source, blocks: spendableIn }],
  )
  return waiting.toSorted((a, b) => b.blocks - a.blocks)[0] ?? null
}

/** Test money is on no public chain: explorers of the main networks would show nothing, or something else. */
function payChain(order: OrderState, leg: LegState): Checkout['pay_chain'] {
  const chain = findChain(leg.chain)
  if (chain === null) return null
  const id = order.livemode ? chain.caip2?.match(/^eip155:(\d+)$/) : leg.uri.match(/^ethereum:[^?]*@(\d+)/)
  return {
    name: chain.name,
    family: chain.family,
    explorer_tx: order.livemode ? chain.explorer.tx : null,
    explorer_address: order.livemode ? chain.explorer.address : null,
    evm_chain_id: id?.[1] === undefined ? null : Number(id[1]),
  }
}

/** Another browser's choices, and payments to its legs, do not affect the leg that this one is shown. */
function detailFor(order: OrderState, leg: LegState | null, now: Date): Checkout['status_detail'] {
  if (order.status !== 'pending' || leg?.id === order.payLegId) return order.detail
  if (order.detail !== 'partially_paid' && order.detail !== 'quote_expired') return order.detail
  return leg !== null && now >= leg.rateExpiresAt && now < order.expiresAt ? 'quote_expired' : 'awaiting_payment'
}

/** Wallets that paid money which waits for an address, on rails that can verify a signature. */
function listSigners(order: OrderState, { rails, service }: CheckoutParts): Checkout['refund_signers'] {
  const signers = new Map<string, Checkout['refund_signers'][number]>()
  for (const row of order.refunds) {
    const leg = order.legs.find((one) => one.id === row.legId)
    if (row.status !== 'waiting' || leg === undefined || rails.servicesOf(leg.rail).isSignedBy === undefined) continue
    const [{ legId, chain }, shares] = [row, sharesOf(order, row)]
    for (const { from } of order.payments) {
      const share = totalOf(shares.get(from?.toLowerCase() ?? '') ?? [])
      if (from === null || !isWorthSending(order, row, share)) continue
      signers.set(`${legId} ${from}`, { service, order_no: order.orderNo, pay_leg: legId, chain, from })
    }
  }
  return [...signers.values()].slice(0, SIGNERS_MAX)
}

/** Anybody can send thousands of small payments; a payer has a wallet or two. */
const SIGNERS_MAX = 20

const waitingOf = (order: OrderState): RefundState[] => order.refunds.filter((row) => row.status === 'waiting')

/** Whether the merchant was asked about all that waits. */
export function isAsked(order: OrderState, now: Date): boolean {
  const at = order.refundAskedAt?.getTime() ?? null
  if (at === null || now.getTime() >= at + REFUND_APPROVAL_MS) return false
  return waitingOf(order).every((row) => row.createdAt.getTime() <= at)
}

function refundAddressState(
  order: OrderState,
  a: { leg: LegState | null; now: Date; canChoose: boolean; way: Checkout['refund_address_way'] },
): Checkout['refund_address_state'] {
  if (waitingOf(order).length > 0) return isAsked(order, a.now) ? 'asked' : 'wanted'
  const holdsMoney = balanceOf(order).some((line) => line.held > 0n)
  switch (order.status) {
    case 'pending':
      // A bound address can be replaced until money is seen.
      if (a.way === 'bind') return a.leg !== null || a.canChoose ? 'possible' : 'no'
      return a.way === 'name' ? 'possible' : 'no'
    case 'processing':
      return a.way === 'name' ? 'possible' : 'no'
    case 'failed':
    case 'expired':
      return holdsMoney && a.way === 'name' ? 'possible' : 'no'
    case 'success':
    case 'refunded':
      return 'no'
    default:
      return unreachable(order.status)
  }
}
