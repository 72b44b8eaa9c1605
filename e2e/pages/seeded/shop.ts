// A shop with some business: keys, addresses, orders in every state of the sandbox, deliveries that arrived and that failed,
// links, invoices, and an item of every kind that can need attention. All but the items is made over HTTP.
import { DAY_MS, SECOND_MS, type SimulateAction } from '@florin/protocol'
import { attentionReasons } from '../../../packages/order-model/src/attention/kinds.ts'
import { withTx } from '../../../packages/platform/src/db/tx.ts'
import { newId } from '../../../packages/platform/src/ids.ts'
import { startJobs } from '../../../packages/platform/src/worker/loop.ts'
import { insertAttention } from '../../../packages/server/src/attention/store.ts'
import { insertChange, saveApproval } from '../../../packages/server/src/login/accounts/email-change.store.ts'
import { saveStanding } from '../../../packages/server/src/login/accounts/store.ts'
import { changeMerchant } from '../../../packages/server/src/login/merchant.ts'
import { webhookJobs } from '../../../packages/server/src/webhooks/jobs.ts'
import { indexed } from '../../../packages/server/src/webhooks/queue/indexed.store.ts'
import { promoteDue } from '../../../packages/server/src/webhooks/queue/reap.store.ts'
import { OPERATOR } from '../../../packages/server/test/console.ts'
import { eventually, givePositions } from '../../../packages/server/test/deliveries.ts'
import {
  aMerchant,
  anApiKey,
  aReceivingAccount,
  aReceivingAddress,
  freshen,
  type TestMerchant,
} from '../../../packages/server/test/factories.ts'
import type { TestApp } from '../../../packages/server/test/harness.ts'
import type { Receiver } from './receiver.ts'

export type Who = 'shop' | 'full' | 'new' | 'ops' | 'moving' | 'moved' | 'lost' | 'suspended' | 'closed'

/** Acts on orders of the sandbox, one after another. */
const ways: readonly (readonly SimulateAction[])[] = [
  [],
  ['underpay'],
  ['pay'],
  ['pay', 'reorg'],
  ['pay', 'settle'],
  ['overpay', 'settle'],
  ['pay', 'fail'],
  ['pay', 'fail', 'refund'],
  ['expire'],
  ['pay', 'confirm'],
]

// BIP-86's vector.
const ACCOUNT =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ'

type Send = <T>(method: 'POST' | 'PUT', url: string, body: object, headers?: Record<string, string>) => Promise<T>

export const sender =
  (at: TestApp, own: Record<string, string>): Send =>
  async (method, url, payload, headers = own) => {
    const answer = await at.app.inject({ method, url, headers, payload })
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.body}`)
    return answer.json()
  }

export async function seedShop(at: TestApp, receiver: Receiver, email: string, isFirst = false): Promise<TestMerchant> {
  const merchant = await aMerchant(at.deps, email)
  await freshen(at.deps, merchant)
  await aReceivingAddress(at.deps, merchant)
  await aReceivingAddress(at.deps, merchant, 'btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
  await aReceivingAddress(at.deps, merchant, 'sol', '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV')
  // A wallet is one merchant's.
  if (isFirst)
    await aReceivingAccount(at.deps, merchant, { chain: 'ltc', text: `wpkh([73c5da0a/84h/2h/0h]${ACCOUNT}/<0;1>/*)` })
  await changeMerchant(at.deps, merchant, { name: 'Bottega Nova', defaultSettleChain: 'base' })
  const key = await anApiKey(at.deps, merchant, { name: 'Shop server' })
  await anApiKey(at.deps, merchant, { name: 'Reports, read only', scopes: ['orders:read'] })
  await anApiKey(at.deps, merchant, { name: 'Shop server', mode: 'live' })
  const send = sender(at, key.headers)
  const boss = sender(at, merchant.headers)
  await boss('POST', '/api/v1/boss/webhook_endpoints', { url: 'https://shop.example/webhooks', mode: 'live' })
  const jobs = startJobs(webhookJobs(at.deps), at.deps)
  const order = async (n: number, way: readonly SimulateAction[], more: object = {}): Promise<string> => {
    const titles = ['Espresso cups, six pieces', 'Oak table', 'Tea']
    const body = { amount_usd: 20 + n, title: titles[n % 3], external_id: `cart-${n}`, pay_chain: 'base', ...more }
    const { order_no: no } = await send<{ order_no: string }>('POST', '/v1/orders', body)
    for (const action of way) await send('POST', `/v1/test/orders/${no}/simulate`, { action })
    return no
  }
  const delivered = (isDone: (row: { attempt: number; state: string }) => boolean) =>
    eventually(
      () => at.deps.sql<{ attempt: number; state: string }[]>`
        select attempt_count as attempt, status as state from deliveries where merchant_no = ${merchant.no}`,
      (rows) => rows.every(isDone),
    )
  await order(1, ['pay', 'settle'], { webhook_url: receiver.down })
  for (let attempt = 1; attempt <= 5; attempt++) {
    at.deps.wake.deliveries.fire()
    await delivered((row) => row.attempt >= attempt)
    at.clock.advance(2 * SECOND_MS)
    await indexed(at.deps.sql, (tx) => promoteDue(tx, at.clock.now()))
  }
  for (const [n, way] of ways.entries()) await order(n + 2, way, { webhook_url: receiver.up })
  await order(20, ['pay', 'settle'], { pay_chain: 'btc', pay_asset: 'BTC', settle_chain: 'btc', settle_asset: 'BTC' })
  await order(21, ['pay', 'settle'], { webhook_url: receiver.down })
  await givePositions(at.deps)
  at.deps.wake.deliveries.fire()
  await delivered((row) => row.attempt > 0)
  await jobs.stop()
  await seedSelling(send)
  await seedItems(at, merchant, await order(22, ['pay', 'settle']))
  return merchant
}

async function seedSelling(send: Send): Promise<void> {
  const link = { title: 'Workshop', currency: 'EUR', amount: '49.90' }
  await send('POST', '/v1/payment_links', link)
  await send('POST', '/v1/payment_links', { title: 'Gift card', currency: 'EUR', amount_min: '10', amount_max: '200' })
  await send('POST', '/v1/invoices', {
    ...{ currency: 'EUR', payer_name: 'Client Ltd', payer_email: 'ann@client.example', due_date: '2090-01-31' },
    lines: [
      { description: 'Consulting, November', quantity: '7.5', unit_price: '80.00' },
      { description: 'Travel', quantity: '1', unit_price: '19.99' },
    ],
    ...{ tax: { label: 'VAT', percent: '19' }, note: 'Thank you.' },
  })
}

/** One item of every kind about one order that counts as live, as nothing real can happen here. */
async function seedItems(at: TestApp, merchant: TestMerchant, orderNo: string): Promise<void> {
  const { sql, clock } = at.deps
  await sql`update orders set livemode = true where order_no = ${orderNo}`
  const evidence = {
    ...{ amount: '49900000', asset: 'USDC', chain: 'base', failure: 'TokenTransferFailed: account is blacklisted' },
    ...{ tx_hash: `0x${'9c'.repeat(32)}`, to: '0x52908400098527886E0F7030069857D2E4169EE7', expected: 'USDC' },
    ...{ from: '0x8617E340B3D01FA5F11F306F4090FD50E238070D', booked: '49900000', found: '0' },
  }
  for (const kind of attentionReasons) {
    const about = { merchantId: merchant.id, livemode: true, orderNo }
    const wish = { kind, cause: `seed:${orderNo}:${kind}`, evidence, actions: ['dismiss'] }
    await insertAttention(sql, about, wish, clock.now())
  }
  const about = { merchantId: merchant.id, livemode: false, orderNo: null }
  const wish = { kind: 'settlement_failed', cause: `seed:${merchant.id}`, evidence, actions: ['dismiss'] }
  await insertAttention(sql, about, wish, clock.now())
}

/** Accounts that an operator sees, and merchants whose own account is not as usual. */
export async function seedAccounts(at: TestApp): Promise<[Who, TestMerchant][]> {
  const { sql, clock } = at.deps
  const now = clock.now()
  for (const email of ['shop0@bottega.example', 'shop9@bottega.example']) await aMerchant(at.deps, email)
  const standing = async (email: string, closedAt: Date | null): Promise<TestMerchant> => {
    const merchant = await aMerchant(at.deps, email)
    await withTx(sql, (tx) => saveStanding(tx, { id: merchant.id, suspendedAt: now, closedAt }))
    return merchant
  }
  await standing('shop1@bottega.example', null)
  const moving = async (email: string, a: { byOperator: boolean; isWhole: boolean }): Promise<TestMerchant> => {
    const merchant = await aMerchant(at.deps, email)
    const id = newId('emc', now)
    const approved = a.isWhole ? now : null
    await withTx(sql, async (tx) => {
      await insertChange(tx, {
        ...{ id, merchantId: merchant.id, oldEmail: email, newEmail: `cassa-${email}` },
        ...{ askedBy: a.byOperator ? 'operator:ops@florin.example' : email, byOperator: a.byOperator, createdAt: now },
        ...{ oldApprovedAt: null, newApprovedAt: null, effectiveAt: null, expiresAt: new Date(now.getTime() + DAY_MS) },
      })
      const effectiveAt = a.isWhole ? new Date(now.getTime() + DAY_MS) : null
      await saveApproval(tx, { id, oldApprovedAt: approved, newApprovedAt: now, effectiveAt })
    })
    return merchant
  }
  await moving('a.very.long.name.of.a.merchant.2@a-long-domain.example', { byOperator: true, isWhole: true })
  return [
    ['ops', await aMerchant(at.deps, OPERATOR)],
    ['suspended', await standing('suspended@bottega.example', null)],
    ['closed', await standing('closed@bottega.example', now)],
    ['moving', await moving('moving@bottega.example', { byOperator: false, isWhole: false })],
    ['moved', await moving('moved@bottega.example', { byOperator: false, isWhole: true })],
    ['lost', await moving('lost@bottega.example', { byOperator: true, isWhole: true })],
  ]
}
