// Orders that were paid in Bitcoin to the merchant's own wallet, and what the chain shows of them.
import type { FeesOwed, Order, OrderOnChain, Payment, Refund } from '@florin/protocol'
import type { StoredOrder } from './orders.ts'

/** Announced, replaced and announced again; and paid by a miner's reward. */
export const coinOrders: readonly (readonly [
  StoredOrder['status'],
  StoredOrder['status_detail'],
  readonly Payment['status'][],
])[] = [
  ['pending', 'seen_unconfirmed', ['dropped', 'unconfirmed']],
  ['success', 'paid', ['confirmed']],
]

const tx = (n: number): string => `${n}f`.repeat(32)
const DUE = '100000'

const TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
/** Made by the service's own writer, of one input and two outputs. */
const PSBT = btoa(`psbt\u00ff${'\u0001refund to sign '.repeat(28)}`)

/** The same order, paid in the coin. @param kinds of its payments */
export function inCoin(order: StoredOrder, kinds: readonly Payment['status'][]): StoredOrder {
  const payments = kinds.map(
    (status, n): Payment => ({
      ...{
        id: `pay_${n}${'c'.repeat(25)}`,
        pay_leg: 'leg_1',
        tx_hash: tx(n),
        output_index: 0,
        chain: 'btc',
        asset: 'BTC',
      },
      ...{ contract: null, decimals: 8, amount: DUE, transfers: 1, from: null, confirmations_required: 2, status },
      ...{ confirmations: status === 'confirmed' ? 2 : status === 'detected' ? 1 : 0, use: 'counted' },
      detected_at: order.created_at,
      mined_at: null,
    }),
  )
  const isPaid = order.status === 'success'
  const pay: Order['pay'] =
    order.pay === null
      ? null
      : {
          ...{ ...order.pay, rail: 'utxo', chain: 'btc', asset: 'BTC', decimals: 8, address: TO, amount_due: DUE },
          ...{ uri: `bitcoin:${TO}?amount=0.001`, rate: '50000', rate_source: 'one, two', amount_remaining: '0' },
          amount_received: isPaid ? DUE : '0',
        }
  const line = { chain: 'btc', asset: 'BTC', fee: '0', refunded: '0', held: '0', held_below_cost: '0' }
  return {
    ...{ ...order, payments, payments_total: payments.length, pay, settle_chain: 'btc', settle_asset: 'BTC' },
    ...{ settle_decimals: 8, settle_address: TO, amount_out_expected: DUE, refunds: [], refund_address: null },
    ...{ amount_out: isPaid ? DUE : null, settle_tx_hash: isPaid ? tx(0) : null },
    balance: isPaid ? [{ ...line, received: DUE, settled: DUE }] : [],
  }
}

/**
 * An order that was paid in another coin, whose payer had announced a payment to the wallet before and replaced it: that one came as
 * well, and goes back.
 */
export function inTwoCoins(order: StoredOrder): StoredOrder {
  const coin = inCoin(order, ['dropped', 'confirmed'])
  const others = coin.payments.map((row): Payment => ({ ...row, use: 'excess' }))
  const refund: Refund = {
    ...{ id: `ref_${'c'.repeat(26)}`, by: 'florin', status: 'proposed', amount: DUE, asset: 'BTC', chain: 'btc' },
    ...{ address: TO, tx_hash: null, reason: 'excess', created_at: order.created_at },
  }
  const line = { chain: 'btc', asset: 'BTC', received: DUE, settled: '0', fee: '0', refunded: '0', held: DUE }
  return {
    ...{ ...order, payments: [...others, ...order.payments], payments_total: 2 + order.payments_total },
    ...{ refunds: [refund], balance: [...order.balance, { ...line, held_below_cost: '0' }] },
  }
}

export function onChain(order: StoredOrder): OrderOnChain {
  return {
    order_no: order.order_no,
    payments: order.payments.filter(isOwn).map((row) => ({
      ...{ chain: row.chain, asset: row.asset, decimals: row.decimals },
      ...{ tx_hash: row.tx_hash, output_index: 0, fee_rate: row.status === 'dropped' ? '1.02' : '12.5' },
      unconfirmed_parents: row.status === 'unconfirmed' ? 2 : null,
      replaced_by: row.status === 'dropped' ? tx(1) : null,
      spendable_in: row.status === 'confirmed' ? 96 : 0,
      source: row.status === 'confirmed' ? 'coinbase' : 'plain',
    })),
    fee_owed:
      order.status === 'success' && order.pay?.rail === 'utxo'
        ? [{ chain: 'btc', asset: 'BTC', decimals: 8, amount: '500' }]
        : [],
  }
}

/** Of a payment to the wallet itself. */
const isOwn = ({ chain }: Payment): boolean => chain === 'btc'

export const toSign = () => ({ psbt: PSBT, fee: '282', why: null })

export const refundEvidence = {
  ...{ refund: 'ref_5v0k3h8y2n7q4m1x9c6d0p2r8t', reason: 'excess', amount: DUE, asset: 'BTC', chain: 'btc', to: TO },
  uri: `bitcoin:${TO}?amount=0.001`,
}

/** What the operator asks the shop for. */
export const feesOwed: FeesOwed['data'] = [
  { merchant: null, chain: 'btc', asset: 'BTC', decimals: 8, orders: 14, amount: '184500' },
  { merchant: null, chain: 'ltc', asset: 'LTC', decimals: 8, orders: 3, amount: '1520000' },
]
