// The invented merchants of the playground. The local part of the email says which: `new` has nothing yet, `broken` gets an
// error from every list, `slow` waits for everything, `ops` is an operator, `suspended` and `closed` are refused, `moving`, `moved`
// and `lost` are about to have another email, anyone else has a shop with some weeks of business.

import type { AttentionItem, AuditItem, BookDifference, Delivery } from '@florin/protocol'
import type { Account } from '../src/accounts/queries.ts'
import type {
  AccountCandidate,
  AddressChange,
  ReceivingAddress,
  Account as WalletAccount,
} from '../src/addresses/queries.ts'
import type { ApiKey } from '../src/keys/queries.ts'
import type { SessionItem } from '../src/login/queries.ts'
import type { Merchant } from '../src/session.ts'
import type { Brand } from '../src/settings/brand-queries.ts'
import type { EmailChange } from '../src/settings/email-queries.ts'
import type { Replay } from '../src/webhooks/queries.ts'
import { makeAccounts, openChange } from './accounts.ts'
import { alarms } from './alarms.ts'
import { noBrand, shopBrand } from './brand.ts'
import { coinOrders, inCoin, refundEvidence } from './coin.ts'
import { crowd } from './crowd.ts'
import { makeOrder, paths, type StoredOrder } from './orders.ts'
import { makeRandom, type Random } from './random.ts'

/** An address with no change that waits. */
export const settled = {
  ...{ effective_at: null, until_then: null, is_default: false, is_removal: false },
  ...{ account: null, until_then_account: null },
} as const

/** BIP-84's account on Litecoin, with many who chose it and did not pay. */
const litecoin: WalletAccount = {
  id: 'acct_5v0k3h8y2n7q4m1x9c6d0p2r8t',
  script_type: 'wpkh',
  fingerprint: '73c5da0a',
  path: 'm/84h/2h/0h',
  first_addresses: [
    'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
    'ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn',
    'ltc1qc6aucuznvhh9uvux246x24vf9y9ncfk729m92s',
    'ltc1qr4uckk3jjxtknw5mtqmtwvt87955rc7ays0hsh',
    'ltc1q8mtg60wwrnh5wjver003uewy4drfm9sses95z2',
  ],
  state: 'near_limit',
  use: { known: 'part', told_by: ['unspent', 'blocks'], read_down_to: 812_345, asks: true },
  ...{
    next_index: 41,
    unpaid: 12,
    unpaid_max: 15,
    by_payers: 7,
    by_payers_max: 7,
    wallet_limit: 20,
    is_shared: false,
    confirmations: null,
  },
}

export interface World {
  random: Random
  merchant: Merchant
  sessions: SessionItem[]
  appkeys: ApiKey[]
  /** A sign-in of long ago asks for a code. */
  isFresh: boolean
  isOperator: boolean
  accounts: Account[]
  emailChange: EmailChange | null
  addresses: ReceivingAddress[]
  history: AddressChange[]
  /** Chains that NEAR Intents may carry to. */
  throughLive: Set<string>
  throughTest: Set<string>
  orders: StoredOrder[]
  deliveries: Delivery[]
  attention: AttentionItem[]
  audit: AuditItem[]
  differences: BookDifference[]
  brand: Brand
  replays: Map<string, Replay>
  listeners: Set<(change: string) => void>
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

export function makeWorld(email: string, origin: string): World {
  const random = makeRandom(20_261_121)
  const now = Date.now()
  const iso = (ms: number) => new Date(ms).toISOString()
  const isNew = email.startsWith('new')
  const agent = (system: string) =>
    `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36`
  const session = (n: number, current: boolean, system: string): SessionItem => ({
    id: `ses_${random.text(26)}`,
    user_agent: agent(system),
    ip: `203.0.113.${n}`,
    created_at: iso(now - n * DAY),
    last_seen_at: iso(now - n * 2 * HOUR),
    expires_at: iso(now + (7 - n) * DAY),
    current,
  })
  const world: World = {
    random,
    merchant: {
      id: `mer_${random.text(26)}`,
      email,
      name: isNew ? null : 'Bottega Nova',
      default_settle_chain: isNew ? null : 'base',
      created_at: iso(now - 70 * DAY),
    },
    sessions: [session(0, true, 'X11; Linux x86_64')],
    appkeys: [],
    isFresh: false,
    isOperator: email.startsWith('ops'),
    accounts: [],
    emailChange: openChange(email, now),
    addresses: [],
    history: [],
    throughLive: new Set(),
    throughTest: new Set(['base', 'eth', 'btc']),
    orders: [],
    deliveries: [],
    attention: [],
    audit: [],
    differences: [],
    brand: noBrand,
    replays: new Map(),
    listeners: new Set(),
  }
  if (isNew) return world
  if (world.isOperator) world.accounts = makeAccounts(world, now)
  world.sessions.push(
    session(2, false, 'Macintosh; Intel Mac OS X 10_15_7'),
    session(4, false, 'iPhone; CPU iPhone OS 18_0'),
  )
  fillShop(world, now, origin)
  if (email.startsWith('full')) crowd(world, origin, now)
  return world
}

function fillShop(world: World, now: number, origin: string): void {
  world.brand = shopBrand
  const { random } = world
  const iso = (ms: number) => new Date(ms).toISOString()
  const key = (name: string, mode: 'test' | 'live', over: Partial<ApiKey>): ApiKey => ({
    id: `key_${random.text(26)}`,
    name,
    mode,
    prefix: `florin_${mode}_${random.text(4)}`,
    last4: random.text(4),
    scopes: ['orders:read', 'orders:write', 'webhooks:read', 'webhooks:write'],
    fee_bps: 50,
    created_at: iso(now - 60 * DAY),
    expires_at: null,
    last_used_at: iso(now - 4 * 60_000),
    revoked_at: null,
    ...over,
  })
  world.appkeys.push(
    key('Shop server', 'test', {}),
    key('Reports, read only', 'test', { scopes: ['orders:read'], last_used_at: null, expires_at: iso(now + 20 * DAY) }),
    key('Old laptop', 'test', { revoked_at: iso(now - 9 * DAY), last_used_at: iso(now - 12 * DAY) }),
    key('Shop server', 'live', { scopes: ['orders:read', 'orders:write', 'webhooks:read', 'refunds:write'] }),
  )
  world.addresses.push(
    {
      chain: 'base',
      family: 'evm',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      label: 'Treasury',
      updated_at: iso(now - 58 * DAY),
      warnings: [],
      ...settled,
    },
    {
      chain: 'btc',
      family: 'utxo',
      address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      label: null,
      updated_at: iso(now - DAY / 4),
      warnings: [],
      effective_at: iso(now + (DAY * 3) / 4),
      until_then: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      is_default: false,
      is_removal: false,
      account: null,
      until_then_account: null,
    },
    {
      chain: 'ltc',
      family: 'utxo',
      address: litecoin.id,
      label: 'Shop wallet',
      updated_at: iso(now - 20 * DAY),
      warnings: [],
      ...settled,
      account: litecoin,
    },
    {
      chain: 'sol',
      family: 'solana',
      address: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
      label: 'Cold wallet',
      updated_at: iso(now - 30 * DAY),
      warnings: [{ code: 'no_checksum', message: 'This form has no checksum: compare every character.' }],
      ...settled,
    },
  )
  world.history = world.addresses
    .map((each, n) => ({
      id: `adr_${n}`,
      chain: each.chain,
      address: each.address as string | null,
      account: each.account as AccountCandidate | null,
      label: each.label,
      changed_by: world.merchant.email,
      changed_at: each.updated_at,
    }))
    .concat([
      {
        id: 'adr_9',
        chain: 'eth',
        address: null,
        account: null,
        label: null,
        changed_by: world.merchant.email,
        changed_at: iso(now - 6 * DAY),
      },
    ])
    .sort((a, b) => b.changed_at.localeCompare(a.changed_at))

  for (const livemode of [false, true]) {
    paths.forEach(([status, detail, steps], n) => {
      const at = now - (n * 3 + 1) * 4 * 60_000
      world.orders.push(makeOrder(random, { at, now, livemode, origin, status, detail, steps }))
    })
    for (let n = 0; n < 240; n++) {
      const at = now - 2 * HOUR - Math.floor(random.next() ** 1.3 * 60 * DAY)
      const path = random.next() < 0.78 ? paths[6] : random.pick(paths.slice(8))
      if (path === undefined) continue
      const [status, detail, steps] = path
      world.orders.push(makeOrder(random, { at, now, livemode, origin, status, detail, steps }))
    }
  }
  for (const [status, detail, kinds] of coinOrders) {
    const steps = paths.find(([known, same]) => known === status && same === detail)?.[2] ?? []
    const made = { at: now - 40 * 60_000, now, livemode: false, origin, status, detail, steps }
    world.orders.push(inCoin(makeOrder(random, made), kinds))
  }
  world.orders.sort((a, b) => b.created_at.localeCompare(a.created_at))
  const old = world.orders
    .filter((order) => !order.livemode)
    .slice(0, 60)
    .findLast(({ status_detail: detail }) => detail === 'paid')
  if (old !== undefined) Object.assign(old, { archived_at: iso(now - DAY), timeline: [] })
  for (const order of world.orders) if (order !== old) addDeliveries(world, order, now)
  addAttention(world, now)
  addAudit(world, now)
}

export function addDeliveries(world: World, order: StoredOrder, now: number): void {
  for (const entry of order.timeline) {
    if (entry.event === null || order.webhook_url === null) continue
    if (world.deliveries.some((each) => each.event_id === entry.id)) continue
    const luck = world.random.next()
    const at = Date.parse(entry.created_at)
    // Five attempts take 2 h 36 min.
    const isRecent = now - at < 3 * HOUR
    const status = luck < 0.86 ? 'succeeded' : isRecent ? 'retrying' : luck < 0.94 ? 'succeeded' : 'dead'
    const tries = status === 'succeeded' ? (luck > 0.84 ? 2 : 1) : status === 'retrying' ? 2 : 5
    const waits = [0, 60_000, 360_000, 2_160_000, 9_360_000]
    const faults = [
      [500, 'http_500', 213, '{"error":"database is locked"}\n<script>alert("not run")</script>'],
      [null, 'timeout_headers', 10_000, null],
      [null, 'connect_refused', 12, null],
      [401, 'http_401', 88, 'bad signature'],
    ] as const
    world.deliveries.push({
      id: `dlv_${world.random.text(26)}`,
      event_id: entry.id,
      event: entry.event,
      order_no: order.order_no,
      livemode: order.livemode,
      endpoint_id: null,
      url: order.webhook_url,
      status,
      attempt_count: tries,
      next_attempt_at: status === 'retrying' ? new Date(now + 18 * 60_000).toISOString() : null,
      attempts: Array.from({ length: tries }, (_, n) => {
        const [http_status, error, latency_ms, response_excerpt] =
          n === tries - 1 && status === 'succeeded'
            ? ([200, null, world.random.int(40, 400), 'ok'] as const)
            : world.random.pick(faults)
        return {
          n: n + 1,
          at: new Date(at + (waits[n] ?? 0)).toISOString(),
          http_status,
          latency_ms,
          error,
          response_excerpt,
        }
      }),
      created_at: entry.created_at,
      resent_from: null,
    })
  }
  world.deliveries.sort((a, b) => b.created_at.localeCompare(a.created_at))
}

function addAttention(world: World, now: number): void {
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

function addAudit(world: World, now: number): void {
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
