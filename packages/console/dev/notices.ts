// What an invented merchant has to decide, and what was done in the account.
import type { AttentionItem, AuditItem, BookDifference } from '@florin/protocol'
import { alarms } from './alarms/index.ts'
import { refundEvidence } from './coin.ts'
import type { StoredOrder } from './orders.ts'
import type { World } from './state.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export function addAttention(world: World, now: number): void {
  const failed = world.orders.find((order) => !order.livemode && order.status === 'failed')
  const waiting = world.orders.find((order) => !order.livemode && order.status_detail === 'refund_address_needed')
  const coinOrder = world.orders.find((order) => order.pay?.rail === 'utxo' && order.status === 'success')
  const item = (kind: string, order: StoredOrder | undefined, over: Partial<AttentionItem>): AttentionItem => ({
    id: `att_${world.random.text(26)}`,
    livemode: false,
    kind,
    order_no: order?.order_no ?? null,
    summary: '',
    evidence: {},
    actions: ['dismiss'],
    created_at: new Date(now - world.attention.length * 5 * HOUR - 20 * 60_000).toISOString(),
    resolved_at: null,
    resolved_by: null,
    resolution: null,
    ...over,
  })
  world.attention.push(
    item('settlement_failed', failed, {
      summary: 'The payment is final, but sending it to your receiving address failed three times.',
      evidence: {
        failure: 'The receiving address refused the money.',
        amount: '49900000',
        asset: 'USDC',
        chain: 'base',
        tx_hash: `0x${'9c'.repeat(32)}`,
        to: '0x52908400098527886E0F7030069857D2E4169EE7',
      },
      actions: ['retry-settlement', 'refund', 'dismiss'],
    }),
    item('refund_address_needed', waiting, {
      summary: 'Part of the money came in before the deadline. The payer has not said where it goes back to.',
      evidence: {
        amount: '19960000',
        asset: 'USDC',
        chain: 'base',
        reason: 'underpaid',
        tx_hash: `0x${'3d'.repeat(32)}`,
      },
      actions: ['refund-to', 'dismiss'],
    }),
    item('refund_by_wallet', coinOrder, {
      summary:
        'The money of this order lies in your own wallet. Send 0.001 BTC on Bitcoin from it to the address below; the payment link opens a wallet with both. This ends by itself once a block shows it.',
      evidence: refundEvidence,
    }),
    item('wallet_limit_near', undefined, {
      summary:
        '12 addresses in a row of your LTC account wait for a payment, of at most 15: then the coin is not offered until one is paid. 7 of them were started on payment links or invoices, which may take half: there it is not offered now. The highest is number 41 (index 40). Raise the limit in your wallet (it was said to be 20; Electrum: wallet.change_gap_limit(100) in its console; Sparrow: Settings, Advanced), then say it on the page of the receiving address; any payment of your own to the newest address ends the row as well.',
      evidence: {
        chain: 'ltc',
        unpaid: '12',
        unpaid_max: '15',
        by_payers: '7',
        by_payers_max: '7',
        highest: '41',
        highest_index: '40',
        wallet_limit: '20',
      },
      actions: [],
    }),
    item('wrong_asset', undefined, {
      summary: 'Another asset than the order asked for was sent to its address.',
      evidence: { amount: '120000000', asset: 'USDT', chain: 'base' },
      resolved_at: new Date(now - 2 * DAY).toISOString(),
      resolved_by: world.merchant.email,
      resolution: 'refund',
    }),
  )
  const settled = world.orders.find((order) => order.livemode && order.status === 'success')
  world.attention.push(...alarms.map((alarm) => item(alarm.kind, settled, { ...alarm, livemode: true })))
}

export function addAudit(world: World, now: number): void {
  const entry = (
    days: number,
    action: string,
    subject: string,
    detail: AuditItem['detail'],
    actor = world.merchant.email,
  ): AuditItem => ({
    id: `aud_${world.random.text(26)}`,
    actor,
    action,
    subject,
    detail,
    created_at: new Date(now - days * DAY).toISOString(),
  })
  const difference = (days: number, gap: number, isOpen: boolean): BookDifference => ({
    ...{
      id: `dif_${world.random.text(26)}`,
      livemode: false,
      order_no: world.orders[0]?.order_no ?? '',
      merchant: null,
    },
    ...{
      chain: 'base',
      asset: 'USDC',
      contract: null,
      decimals: 6,
      booked: '50000000',
      found: String(50_000_000 + gap),
    },
    ...{ block: '31415926', told_at: new Date(now - days * DAY).toISOString() },
    resolved_at: isOpen ? null : new Date(now - (days - 0.1) * DAY).toISOString(),
  })
  world.differences.push(difference(1, -1_000_000, true), difference(8, 250_000, false))
  const first = world.appkeys[0]?.id ?? ''
  const refunded = world.orders.find((order) => order.status === 'refunded')?.order_no ?? ''
  world.audit.push(
    entry(0.02, 'order.refund_asked', refunded, { reason: 'Customer changed their mind' }),
    entry(3, 'receiving_address.changed', 'btc', { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }),
    entry(6, 'receiving_address.removed', 'eth', {}),
    entry(9, 'api_key.revoked', world.appkeys[2]?.id ?? '', { name: 'Old laptop' }),
    entry(21, 'api_key.secret_rotated', first, { overlap_seconds: 86_400 }),
    entry(30, 'receiving_address.changed', 'sol', { label: 'Cold wallet' }),
    entry(44, 'order.settlement_retried', refunded, {}, 'operator:ops@florin.example'),
    entry(60, 'api_key.created', first, { name: 'Shop server', livemode: false }),
  )
}
