// The invented merchants of the playground. The local part of the email says which: `new` has nothing yet, `broken` gets an
// error from every list, `slow` waits for everything, `ops` is an operator, `suspended` and `closed` are refused, `moving`, `moved`
// and `lost` are about to have another email, anyone else has a shop with some weeks of business.

import type { AccountCandidate, Account as WalletAccount } from '../src/addresses/queries.ts'
import type { ApiKey } from '../src/keys/queries.ts'
import type { SessionItem } from '../src/login/queries.ts'
import { makeAccounts, openChange } from './accounts.ts'
import { noBrand, shopBrand } from './brand.ts'
import { coinOrders, inCoin, inTwoCoins } from './coin.ts'
import { crowd } from './crowd.ts'
import { addDeliveries } from './deliveries.ts'
import { addAttention, addAudit } from './notices.ts'
import { makeOrder, paths, type StoredOrder } from './orders.ts'
import { makeRandom } from './random.ts'
import { settled, type World } from './state.ts'

/** The row is taken, blocks are read yet, another merchant has it, and large orders wait longer. */
const usedUp = (account: WalletAccount): WalletAccount => ({
  ...account,
  ...{ state: 'full', unpaid: 15, is_shared: true },
  use: { known: 'reading', told_by: ['unspent', 'blocks'], read_down_to: 2_790_114, asks: true },
  confirmations: [
    { below_usd: 1_000, blocks: 3 },
    { below_usd: null, blocks: 12 },
  ],
})

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
      time_zone: isNew ? null : 'Europe/Berlin',
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
  if (email.startsWith('full')) {
    crowd(world, origin, now)
    for (const row of world.addresses) if (row.account !== null) row.account = usedUp(row.account)
  }
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
  const stepsOf = (...[status, detail]: [StoredOrder['status'], StoredOrder['status_detail']]) =>
    paths.find(([known, same]) => known === status && same === detail)?.[2] ?? []
  for (const [status, detail, kinds] of coinOrders) {
    const steps = stepsOf(status, detail)
    const made = { at: now - 40 * 60_000, now, livemode: false, origin, status, detail, steps }
    world.orders.push(inCoin(makeOrder(random, made), kinds))
  }
  const paid = {
    at: now - 5 * HOUR,
    now,
    livemode: true,
    origin,
    status: 'success',
    steps: stepsOf('success', 'paid'),
  } as const
  world.orders.push(inTwoCoins(makeOrder(random, { ...paid, detail: 'refunding' })))
  world.orders.sort((a, b) => b.created_at.localeCompare(a.created_at))
  for (const order of world.orders) addDeliveries(world, order, now)
  addAttention(world, now)
  addAudit(world, now)
}
