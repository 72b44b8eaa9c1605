// Which console calls can move money, and which of them leave an audit line and a mail. A new call that writes has to be put on
// this list: that is a decision.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { HDKey } from '@scure/bip32'
import { buildApp } from '../src/app.ts'
import { OPERATOR } from './console.ts'
import { aMerchant, aReceivingAccount, aReceivingAddress, type TestMerchant } from './factories.ts'
import { type TestApp, testApp, testDeps } from './harness.ts'

const acts = {
  fresh: [
    'POST appkeys/:id/rotate',
    'POST appkeys/:id/webhook-secret/rotate',
    'POST email',
    'POST merchants/:id/close',
    'POST merchants/:id/email',
    'POST merchants/:id/email/cancel',
    'POST merchants/:id/resume',
    'POST merchants/:id/suspend',
    'POST webhook_endpoints/:id/secret/rotate',
    'PUT addresses/:chain/confirmations',
    'PUT addresses/:chain/used',
    'PUT addresses/:chain/wallet-limit',
    'PUT third-party',
  ],
  judged: [
    'DELETE addresses/:chain',
    'PATCH appkeys/:id',
    'PATCH brand',
    'PATCH merchant',
    'POST appkeys',
    'POST attention/:id/:action',
    'POST orders/:order_no/merchant_refunds',
    'PUT addresses',
  ],
  bound: ['POST orders/:order_no/refund', 'POST orders/:order_no/retry-settlement'],
  harmless: [
    'DELETE addresses/:chain/waiting',
    'DELETE appkeys/:id',
    'DELETE brand/logo',
    'DELETE email',
    'DELETE sessions',
    'DELETE sessions/:id',
    'DELETE webhook_endpoints/:id',
    'PATCH currencies',
    'PATCH mails',
    'PATCH webhook_endpoints/:id',
    'POST addresses/validate',
    'POST appkeys/:id/test-event',
    'POST confirmation',
    'POST confirmation/code',
    'POST deliveries/:id/resend',
    'POST deliveries/replay',
    'POST invoices',
    'POST invoices/:id/send',
    'POST invoices/:id/void',
    'POST logout',
    'POST orders',
    'POST orders/:order_no/cancel',
    'POST orders/:order_no/look-again',
    'POST orders/:order_no/merchant_refunds/:id/cancel',
    'POST orders/:order_no/merchant_refunds/:id/transaction',
    'POST orders/:order_no/refunds/:id/psbt',
    'POST payment_links',
    'POST payment_links/:id',
    'POST test/orders',
    'POST test/orders/:order_no/simulate',
    'POST webhook_endpoints',
    'POST webhook_endpoints/:id/test',
    'PUT brand/logo',
  ],
}

test('every console call that writes is known to move money or not to', async (t) => {
  const { deps } = await testDeps(t)
  const app = await buildApp(deps)
  t.after(() => app.close())
  const found: Record<string, string[]> = { fresh: [], judged: [], bound: [], harmless: [] }
  for (const [route, act] of app.consoleActs) found[act]?.push(route.replace('/api/v1/boss/', ''))
  for (const list of Object.values(found)) list.sort()
  assert.deepEqual(found, acts)
  assert.throws(() => app.post('/api/v1/boss/new-thing', async () => null), /new-thing does not say its act/)
})

interface Act {
  /** As in the list above, or a reading call that hands out payers. */
  route: string
  url: string
  body?: object
  as?: 'operator'
  /** What has to be there; its values fill `{id}` in the url. */
  given?: (at: Parts) => Promise<string>
}
interface Parts {
  at: TestApp
  merchant: TestMerchant
  call(method: string, url: string, body?: object, as?: 'operator'): Promise<{ status: number; data: { id: string } }>
}

const keyOf = async ({ call }: Parts) => (await call('POST', 'appkeys', { name: 'one', mode: 'test' })).data.id
const merchantOf = async ({ at }: Parts) => (await aMerchant(at.deps)).id
const withEmailChange = async (parts: Parts) => {
  const id = await merchantOf(parts)
  await parts.call('POST', `merchants/${id}/email`, { email: 'lost@shop.example', reason: 'lost' }, 'operator')
  return id
}
const endpointOf = async ({ call }: Parts) =>
  (
    await call('POST', 'webhook_endpoints', {
      url: 'https://hooks.shop.example/a',
      events: ['order.success'],
      mode: 'test',
    })
  ).data.id
/** Another wallet each time: an account has one owner. */
const accountOf = async ({ at, merchant }: Parts) => {
  const key = HDKey.fromMasterSeed(randomBytes(32)).derive("m/86'/0'/0'").publicExtendedKey
  return aReceivingAccount(at.deps, merchant, { chain: 'btc', text: `tr([0a0b0c0d/86h/0h/0h]${key}/0/*)` })
}
const addressOf = async ({ at, merchant }: Parts) => aReceivingAddress(at.deps, merchant)

/** A second address waits once a live order was paid, for a browser that is not known. */
const waitingOf = async (parts: Parts) => {
  await addressOf(parts)
  const { at, merchant, call } = parts
  await call('POST', 'orders?livemode=false', { amount_usd: 5, pay_chain: 'base' })
  await at.deps.sql`update orders set livemode = true, status = 'processing' where merchant_id = ${merchant.id}`
  await call('PUT', 'addresses', { chain: 'base', address: OTHER })
  return ''
}
const emailOf = async ({ call }: Parts) => {
  await call('POST', 'email', { email: 'elsewhere@shop.example' })
  return ''
}

const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const reason = { reason: 'asked by phone' }

const traced: readonly Act[] = [
  { route: 'POST appkeys/:id/rotate', url: 'appkeys/{id}/rotate', body: { grace_seconds: 0 }, given: keyOf },
  {
    route: 'POST appkeys/:id/webhook-secret/rotate',
    url: 'appkeys/{id}/webhook-secret/rotate',
    body: {},
    given: keyOf,
  },
  { route: 'POST email', url: 'email', body: { email: 'elsewhere@shop.example' } },
  {
    route: 'POST merchants/:id/suspend',
    url: 'merchants/{id}/suspend',
    body: reason,
    as: 'operator',
    given: merchantOf,
  },
  {
    ...{ route: 'POST merchants/:id/resume', url: 'merchants/{id}/resume', body: reason, as: 'operator' },
    async given(parts) {
      const id = await merchantOf(parts)
      await parts.call('POST', `merchants/${id}/suspend`, reason, 'operator')
      return id
    },
  },
  { route: 'POST merchants/:id/close', url: 'merchants/{id}/close', body: reason, as: 'operator', given: merchantOf },
  {
    ...{ route: 'POST merchants/:id/email', url: 'merchants/{id}/email', as: 'operator', given: merchantOf },
    body: { email: 'new@shop.example', reason: 'lost' },
  },
  {
    ...{ route: 'POST merchants/:id/email/cancel', url: 'merchants/{id}/email/cancel', as: 'operator' },
    ...{ body: reason, given: withEmailChange },
  },
  {
    ...{ route: 'POST webhook_endpoints/:id/secret/rotate', url: 'webhook_endpoints/{id}/secret/rotate' },
    ...{ body: {}, given: endpointOf },
  },
  {
    ...{ route: 'PUT addresses/:chain/confirmations', url: 'addresses/btc/confirmations', given: accountOf },
    body: { confirmations: [{ below_usd: null, blocks: 9 }] },
  },
  { route: 'PUT addresses/:chain/used', url: 'addresses/btc/used', body: { next_index: 3 }, given: accountOf },
  {
    ...{ route: 'PUT addresses/:chain/wallet-limit', url: 'addresses/btc/wallet-limit' },
    ...{ body: { wallet_limit: 15 }, given: accountOf },
  },
  { route: 'PUT third-party', url: 'third-party', body: { chain: 'base', livemode: true, on: true } },
  { route: 'PUT third-party', url: 'third-party', body: { chain: 'base', livemode: false, on: false } },
  // Acts that look at what is asked, and change what payers or money see.
  { route: 'PUT addresses', url: 'addresses', body: { chain: 'base', address: OTHER } },
  { route: 'DELETE addresses/:chain', url: 'addresses/base', given: addressOf },
  { route: 'PATCH merchant', url: 'merchant', body: { default_settle_chain: 'base' } },
  { route: 'PATCH merchant', url: 'merchant', body: { name: 'Other mugs' } },
  { route: 'PATCH brand', url: 'brand', body: { support_email: 'help@elsewhere.example' } },
  { route: 'POST appkeys', url: 'appkeys', body: { name: 'two', mode: 'test', scopes: ['refunds:write'] } },
  { route: 'PATCH appkeys/:id', url: 'appkeys/{id}', body: { scopes: ['refunds:write'] }, given: keyOf },
  // Acts that take no fresh sign-in, and that a thief would want nobody to hear of.
  { route: 'DELETE appkeys/:id', url: 'appkeys/{id}', given: keyOf },
  { route: 'PATCH mails', url: 'mails', body: { paid: false } },
  { route: 'PATCH currencies', url: 'currencies', body: { spread_bps: 1000 } },
  { route: 'PATCH currencies', url: 'currencies', body: { default_currency: 'EUR' } },
  { route: 'DELETE addresses/:chain/waiting', url: 'addresses/base/waiting', given: waitingOf },
  { route: 'DELETE email', url: 'email', given: emailOf },
  { route: 'GET orders/export', url: 'orders/export?format=csv&livemode=true' },
  {
    ...{ route: 'POST webhook_endpoints', url: 'webhook_endpoints' },
    body: { url: 'https://hooks.shop.example/b', events: ['order.success'], mode: 'test' },
  },
  { route: 'PATCH webhook_endpoints/:id', url: 'webhook_endpoints/{id}', body: { enabled: false }, given: endpointOf },
  { route: 'DELETE webhook_endpoints/:id', url: 'webhook_endpoints/{id}', given: endpointOf },
]

/** Why nobody has to hear of the others at once. */
const untraced: Readonly<Record<string, string>> = {
  'DELETE brand/logo': 'is seen, and moves nothing',
  'DELETE sessions': 'ends what a thief has',
  'DELETE sessions/:id': 'ends what a thief has',
  'POST addresses/validate': 'writes nothing',
  'POST appkeys/:id/test-event': 'sends a sample',
  'POST confirmation': 'is the answer to a mail',
  'POST confirmation/code': 'is a mail itself',
  'POST deliveries/:id/resend': 'sends what was sent before',
  'POST deliveries/replay': 'sends what was sent before',
  'POST invoices': 'asks for money to addresses of the merchant',
  'POST invoices/:id/send': 'is a mail itself, to the payer',
  'POST invoices/:id/void': 'the invoice says so',
  'POST logout': 'ends a session',
  'POST orders': 'asks for money to addresses of the merchant',
  'POST orders/:order_no/cancel': 'only what got nothing; the receiver hears of it',
  'POST orders/:order_no/look-again': 'reads the chain',
  'POST orders/:order_no/merchant_refunds/:id/cancel': 'takes back a request',
  'POST orders/:order_no/merchant_refunds/:id/transaction': 'the chain decides, and the payer is mailed',
  'POST orders/:order_no/refund': 'money moves to where it is bound; receiver and payer hear of it',
  'POST orders/:order_no/refunds/:id/psbt': 'sends nothing',
  'POST orders/:order_no/retry-settlement': 'money moves to where it is bound; the receiver hears of it',
  'POST payment_links': 'asks for money to addresses of the merchant',
  'POST payment_links/:id': 'its price and target never change',
  'POST test/orders': 'no real money',
  'POST test/orders/:order_no/simulate': 'no real money',
  'POST webhook_endpoints/:id/test': 'sends a sample',
  'PUT brand/logo': 'is seen, and moves nothing',
}

/** Their items come of orders in trouble: orders/own-refunds, rail-intents/flows and prices prove their traces. */
const tracedElsewhere = ['POST attention/:id/:action', 'POST orders/:order_no/merchant_refunds']

test('console acts: each that matters leaves audit line and mail in its transaction, or nothing at all', async (t) => {
  const missing = [...acts.fresh, ...acts.judged].filter((route) => !traced.some((act) => act.route === route))
  assert.deepEqual(missing, tracedElsewhere)
  const others = [...acts.bound, ...acts.harmless].filter((route) => !traced.some((act) => act.route === route))
  assert.deepEqual(others.sort(), Object.keys(untraced).sort(), 'each act is mailed, or it is said why not')
  const at = await testApp(t, { operatorEmails: [OPERATOR] })
  const { sql } = at.deps
  const operator = await aMerchant(at.deps, OPERATOR)
  await sql`create function fail_here() returns trigger language plpgsql as 'begin raise exception ''cut off''; end'`
  for (const { route, url, body, as, given } of traced) {
    const merchant = await aMerchant(at.deps)
    const call: Parts['call'] = async (method, path, payload, who) => {
      const { headers } = who === 'operator' ? operator : merchant
      const reply = await at.app.inject({
        ...{ method: method as 'POST', url: `/api/v1/boss/${path}`, headers },
        ...(payload === undefined ? {} : { payload }),
      })
      const isJson = String(reply.headers['content-type']).startsWith('application/json')
      return { status: reply.statusCode, data: isJson ? reply.json().data : {} }
    }
    const id = (await given?.({ at, merchant, call })) ?? ''
    const act = () => call(route.split(' ')[0] ?? '', url.replace('{id}', id), body, as)
    const before = await wholeOf(sql)
    for (const table of ['audit_log', 'mail_notices']) {
      await sql.unsafe(`create trigger cut before insert on ${table} for each row execute function fail_here()`)
      assert.equal((await act()).status, 500, `${route} without ${table}`)
      assert.equal(await wholeOf(sql), before, `${route} without ${table} changes nothing`)
      await sql.unsafe(`drop trigger cut on ${table}`)
    }
    const known = await tracesOf(sql)
    const { status } = await act()
    assert.ok(status < 300, `${route}: ${status}`)
    const news = (await tracesOf(sql)).filter((each) => !known.some(({ id: old }) => old === each.id))
    const kinds = new Set(news.map(({ kind }) => kind))
    assert.deepEqual([...kinds].sort(), ['audit', 'notice'], `${route} ${JSON.stringify(body ?? null)}`)
    assert.equal(new Set(news.map(({ tx }) => tx)).size, 1, `${route} writes them in one transaction`)
  }
})

const tracesOf = (sql: TestApp['deps']['sql']) =>
  sql<{ kind: string; id: string; tx: string }[]>`
    select 'audit' as kind, id, xmin::text as tx from audit_log
    union all select 'notice', id, xmin::text from mail_notices`

/** Every row of every table, but for when sessions and keys were last used. */
async function wholeOf(sql: TestApp['deps']['sql']): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'florin' and c.relkind = 'r' and c.relname not in ('sessions') order by 1`
  const parts = tables.map(
    ({ name }) => `(select count(*) || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from "${name}" t)`,
  )
  const [row] = await sql.unsafe<{ whole: string }[]>(
    `select array_to_string(array[${parts.join(', ')}], ' ') as whole`,
  )
  return row?.whole ?? ''
}
