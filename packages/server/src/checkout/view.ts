// What a payer sees of an order (contract.md 4.5). Every field is named here, one by one: external_id, metadata and
// webhook_url belong to the merchant and must never be among them.
import { findChain } from '@florin/chains'
import type { Checkout } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import { refundChainOf } from '../orders/model/commands.ts'
import { balanceOf } from '../orders/model/ledger.ts'
import { currentLeg, type LegState, type OrderState } from '../orders/model/state.ts'
import { listSteps } from '../orders/simulate.ts'
import { type ChainTipOf, legView, orderView } from '../orders/view.ts'
import { unreachable } from '../platform/assert.ts'
import { listChoices } from './choices.ts'

export interface CheckoutParts {
  rails: Deps['rails']
  tips: ChainTipOf
  merchantName: string | null
  now: Date
}

export function checkoutView(order: OrderState, parts: CheckoutParts): Checkout {
  const full = orderView(order, { baseUrl: '', tips: parts.tips })
  const leg = currentLeg(order)
  const choices = listChoices(parts.rails, order, parts.now)
  const refundChain = refundChainOf(order)
  return {
    order_no: full.order_no,
    livemode: full.livemode,
    status: full.status,
    status_detail: full.status_detail,
    version: full.version,
    merchant: { name: parts.merchantName },
    title: full.title,
    description: full.description,
    amount_usd: full.amount_usd,
    pay: leg === null ? null : legView(order, leg),
    pay_chain: leg === null ? null : payChain(order, leg),
    choices,
    payments: full.payments,
    payments_total: full.payments_total,
    refunds: full.refunds,
    refund_address: full.refund_address,
    refund_address_state: refundAddressState(order, choices.length > 0),
    refund_chain: refundChain === null ? null : (findChain(refundChain)?.name ?? refundChain),
    late_policy: order.latePolicy,
    settle_tx_hash: full.settle_tx_hash,
    success_url: full.success_url,
    cancel_url: full.cancel_url,
    created_at: full.created_at,
    expires_at: full.expires_at,
    settled_at: full.settled_at,
    server_time: parts.now.toISOString(),
    simulate: listSteps(order),
  }
}

/** Test money is on no public chain: the explorers of the main networks would show nothing, or something else. */
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

function refundAddressState(order: OrderState, canChoose: boolean): Checkout['refund_address_state'] {
  if (order.refundAddress !== null) return 'no'
  if (order.refunds.some((row) => row.status === 'waiting')) return 'wanted'
  const holdsMoney = balanceOf(order).some((line) => line.held > 0n)
  switch (order.status) {
    case 'pending':
      return order.payLegId !== null || canChoose ? 'possible' : 'no'
    case 'processing':
      return 'possible'
    case 'failed':
    case 'expired':
      return holdsMoney ? 'possible' : 'no'
    case 'success':
    case 'refunded':
      return 'no'
    default:
      return unreachable(order.status)
  }
}
