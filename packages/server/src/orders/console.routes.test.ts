import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Order, TimelineEntry } from '@florin/protocol'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { aMerchant, anApiKey, aReceivingAddress, type TestMerchant } from '../../test/factories.ts'
import { type TestApp, testApp } from '../../test/harness.ts'
import { bindRefund } from '../../test/orders.ts'
import { revokeKey } from '../keys/change.ts'
import { OrderSchema } from './schema.ts'

const BASE_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const OPERATOR = 'operator@florin.example'

interface Answer {
  status: number
  body: {
    code: number
    data: Order & { data: (Order & TimelineEntry)[]; has_more: boolean; next_cursor: string | null }
    error?: { code: string; param: string | null; message: string }
  }
}

interface Console extends TestApp {
  merchant: TestMerchant
  call(method: 'GET' | 'POST', url: string, body?: unknown, who?: Pick<TestMerchant, 'headers'>): Promise<Answer>
  create(body?: Record<string, unknown>): Promise<Order>
  simulate(order: Order, action: string): Promise<Answer>
}

async function aConsole(t: TestContext): Promise<Console> {
  const at = await testApp(t, { operatorEmails: [OPERATOR] })
  const merchant = await aShop(at)
  const call: Console['call'] = async (method, url, body, who = merchant) => {
    const reply = await at.app.inject({
      method,
      url: `/api/v1/boss/${url}`,
      headers: who.headers,
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  return {
    ...at,
    merchant,
    call,
    async create(body = {}) {
      const made = await call('POST', 'test/orders', { amount_usd: 50, pay_chain: 'base', ...body })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      return made.body.data
    },
    simulate: (order, action) => call('POST', `test/orders/${order.order_no}/simulate`, { action }),
  }
}

/** A merchant with a test key and a receiving address. */
async function aShop(at: TestApp, email?: string): Promise<TestMerchant> {
  const merchant = await aMerchant(at.deps, email)
  await anApiKey(at.deps, merchant)
  await at.deps.sql`
    insert into receiving_addresses (merchant_id, chain, address, updated_at)
    values (${merchant.id}, 'base', ${BASE_ADDRESS}, ${at.clock.now()})`
  return merchant
}

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const isOrder = ajv.compile(OrderSchema)
const NOBODYS = 'ord_01jd0000000000000000000000'

slowTest('a test order is made from the console with the newest test key, and driven to its end', async (t) => {
  const at = await aConsole(t)
  at.clock.advance(1000)
  const newest = await anApiKey(at.deps, at.merchant, { name: 'newest' })
  const order = await at.create({ external_id: 'A-1', webhook_url: 'https://shop.example/hook' })
  assert.ok(isOrder(order), JSON.stringify(isOrder.errors))
  assert.equal(order.livemode, false)
  assert.equal(order.external_id, 'A-1')
  const [row] = await at.deps.sql<{ key: string }[]>`
    select api_key_id as key from orders where order_no = ${order.order_no}`
  assert.equal(row?.key, newest.id)

  assert.equal((await at.simulate(order, 'pay')).body.data.status, 'processing')
  assert.equal((await at.simulate(order, 'settle')).body.data.status, 'success')
  const read = await at.call('GET', `orders/${order.order_no}`)
  assert.equal(read.body.code, 0)
  assert.equal(read.body.data.status, 'success')
  const timeline = (await at.call('GET', `orders/${order.order_no}/events?livemode=false`)).body.data.data
  assert.deepEqual(
    timeline.map((entry) => [entry.event, entry.status, entry.status_detail, entry.version]),
    [
      [null, 'pending', 'awaiting_payment', 1],
      ['order.processing', 'processing', 'confirming', 2],
      [null, 'processing', 'settling', 3],
      ['order.success', 'success', 'paid', 4],
    ],
  )
})

test('without a test key that works a test order has no webhook, and the answer says what to do for one', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  await anApiKey(at.deps, merchant, { mode: 'live' })
  const expiring = new Date(at.clock.now().getTime() + 1000)
  await anApiKey(at.deps, merchant, { expiresAt: expiring })
  const revoked = await anApiKey(at.deps, merchant)
  await revokeKey(at.deps, merchant, revoked.id)
  at.clock.advance(2000)
  await aReceivingAddress(at.deps, merchant)
  const make = (payload: object) =>
    at.app.inject({ method: 'POST', url: '/api/v1/boss/test/orders', headers: merchant.headers, payload })
  assert.equal((await make({ amount_usd: 5 })).statusCode, 201)
  const reply = await make({ amount_usd: 5, webhook_url: 'https://shop.example/hook' })
  assert.equal(reply.statusCode, 422)
  assert.equal(reply.json().error.code, 'test_key_missing')
  assert.equal(reply.json().code, 42214)
})

test('orders are listed newest first, by page, filter and search', async (t) => {
  const at = await aConsole(t)
  const made: Order[] = []
  for (let n = 0; n < 5; n++) {
    at.clock.advance(1000)
    made.push(await at.create({ external_id: `cart-${n}`, title: n === 3 ? '50% off_shirt' : 'Shoes' }))
  }
  const numbers = made.map((order) => order.order_no).reverse()
  await at.simulate(made[0] as Order, 'pay')
  const list = async (query: string): Promise<string[]> => {
    const { status, body } = await at.call('GET', `orders?livemode=false&${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.data.map((order) => order.order_no)
  }
  assert.deepEqual(await list(''), numbers)
  const first = (await at.call('GET', 'orders?livemode=false&limit=2')).body.data
  assert.deepEqual([first.data.map((order) => order.order_no), first.has_more], [numbers.slice(0, 2), true])
  assert.deepEqual(await list(`limit=2&cursor=${first.next_cursor}`), numbers.slice(2, 4))
  assert.deepEqual(await list('status=processing'), [numbers[4]])
  assert.deepEqual(await list('status=pending&status=processing'), numbers)
  assert.deepEqual(await list('external_id=cart-3'), [numbers[1]])
  assert.deepEqual(await list(`created_from=${made[3]?.created_at}`), numbers.slice(0, 2))
  assert.deepEqual(await list(`created_to=${made[3]?.created_at}`), numbers.slice(2))
  assert.deepEqual(await list('settle_chain=ethereum'), [])
  assert.deepEqual(await list('q=CART'), numbers)
  assert.deepEqual(await list('q=cart&limit=2&status=pending'), numbers.slice(0, 2))
  assert.deepEqual(await list('q=cart&sort=oldest'), numbers.toReversed())
  // What is a wildcard to the database is no letter to people.
  assert.deepEqual(await list(`q=${encodeURIComponent('50% off_s')}`), [numbers[1]])
  assert.deepEqual(await list(`q=${encodeURIComponent('off 50')}`), [numbers[1]], 'words in any order')
  assert.deepEqual(await list('q=50_25shoes'), [])
  assert.deepEqual(await list('q=%25'), [])
  for (const part of [made[2]?.order_no, made[2]?.order_no.slice(-12), made[2]?.order_no.slice(-6).toUpperCase()])
    assert.deepEqual(await list(`q=${part}`), [numbers[2]], part)
  assert.deepEqual(await list(`q=${made[2]?.order_no.slice(0, 14)}`), [numbers[2]], 'by what a console shows of it')
  assert.deepEqual(await list(`q=${made[2]?.pay?.address.toUpperCase()}`), [numbers[2]])
  const paid = (await at.call('GET', `orders/${numbers[4]}`)).body.data
  assert.deepEqual(await list(`q=${paid.payments[0]?.tx_hash}`), [numbers[4]])
  assert.deepEqual((await at.call('GET', 'orders?livemode=true')).body.data.data, [])
  const stranger = await aMerchant(at.deps)
  for (const q of [made[2]?.order_no, made[2]?.order_no.slice(-6), made[2]?.pay?.address, 'shoes', 'cart-2']) {
    const url = `/api/v1/boss/orders?livemode=false&q=${q}`
    assert.deepEqual((await at.app.inject({ url, headers: stranger.headers })).json().data.data, [], q)
  }
})

test('bad queries are refused by name', async (t) => {
  const at = await aConsole(t)
  for (const [query, code, param] of [
    ['', 'missing_field', 'livemode'],
    ['livemode=yes', 'validation_failed', 'livemode'],
    ['livemode=true&livemode=false', 'validation_failed', 'livemode'],
    ['livemode=true&limit=0', 'validation_failed', 'limit'],
    ['livemode=true&cursor=abc', 'malformed_cursor', 'cursor'],
    ['livemode=true&status=done', 'validation_failed', 'status'],
    ['livemode=true&created_from=yesterday', 'validation_failed', 'created_from'],
    ['livemode=true&settle_chain=nowhere', 'unknown_chain', 'settle_chain'],
    ['livemode=true&sort=up', 'validation_failed', 'sort'],
  ]) {
    const { error } = (await at.call('GET', `orders?${query}`)).body
    assert.deepEqual([error?.code, error?.param], [code, param], query)
  }
})

test('an order is canceled once, and refunds say why not', async (t) => {
  const at = await aConsole(t)
  const order = await at.create()
  const refund = await at.call('POST', `orders/${order.order_no}/refund`, { reason: 'changed their mind' })
  assert.deepEqual([refund.status, refund.body.error?.code], [409, 'refund_not_possible'])
  const canceled = await at.call('POST', `orders/${order.order_no}/cancel`)
  assert.deepEqual([canceled.body.data.status, canceled.body.data.status_detail], ['expired', 'canceled'])
  assert.equal((await at.call('POST', `orders/${order.order_no}/cancel`, {})).status, 200)
  const paid = await at.create()
  await at.simulate(paid, 'pay')
  const late = await at.call('POST', `orders/${paid.order_no}/cancel`)
  assert.deepEqual([late.status, late.body.error?.code], [409, 'order_not_cancelable'])
  const redirected = await at.call('POST', `orders/${paid.order_no}/refund`, { address: BASE_ADDRESS })
  assert.equal(redirected.body.error?.code, 'unknown_field')
})

test('a refund from the console goes to the bound address and is written down with who asked', async (t) => {
  const at = await aConsole(t)
  const order = await at.create()
  await bindRefund(at.deps, order.order_no, '0x8617E340B3D01FA5F11F306F4090FD50E238070D')
  await at.simulate(order, 'pay')
  await at.simulate(order, 'fail')
  const refunding = await at.call('POST', `orders/${order.order_no}/refund`, { reason: 'sold out' })
  assert.equal(refunding.body.data.status_detail, 'refunding')
  assert.equal(refunding.body.data.refunds[0]?.address, '0x8617E340B3D01FA5F11F306F4090FD50E238070D')
  const [entry] = await at.deps.sql<{ actor: string; detail: { reason: string } }[]>`
    select actor, detail from audit_log where subject = ${order.order_no}`
  assert.deepEqual([entry?.actor, entry?.detail.reason], [at.merchant.email, 'sold out'])
})

test('settlements are retried by operators, whosever the order is', async (t) => {
  const at = await aConsole(t)
  const operator = await aMerchant(at.deps, OPERATOR)
  const order = await at.create()
  await at.simulate(order, 'pay')
  await at.simulate(order, 'fail')
  const path = `orders/${order.order_no}/retry-settlement`
  const own = await at.call('POST', path)
  assert.deepEqual([own.status, own.body.error?.code], [403, 'operator_required'])
  const retried = await at.call('POST', path, undefined, operator)
  assert.equal(retried.body.data.status, 'processing')
  const again = await at.call('POST', path, {}, operator)
  assert.deepEqual([again.status, again.body.error?.code], [409, 'settlement_not_retryable'])
  assert.equal((await at.call('POST', `orders/${NOBODYS}/retry-settlement`, {}, operator)).status, 404)
  const [entry] = await at.deps.sql<{ actor: string; merchant: string }[]>`
    select actor, merchant_id as merchant from audit_log where subject = ${order.order_no}`
  assert.deepEqual(entry, { actor: `operator:${OPERATOR}`, merchant: at.merchant.id })
})

const routes = (orderNo: string): ['GET' | 'POST', string, object?][] => [
  ['GET', `orders/${orderNo}`],
  ['GET', `orders/${orderNo}/events`],
  ['POST', `orders/${orderNo}/cancel`, {}],
  ['POST', `orders/${orderNo}/refund`, {}],
  ['POST', `test/orders/${orderNo}/simulate`, { action: 'pay' }],
]

test("somebody else's order is not there, and neither is one that never was", async (t) => {
  const at = await aConsole(t)
  const order = await at.create()
  const stranger = await aShop(at)
  const operator = await aMerchant(at.deps, OPERATOR)
  const answers = new Set<string>()
  for (const who of [stranger, operator]) {
    for (const each of [order.order_no, NOBODYS, 'x', "ord_'"]) {
      for (const [method, url, body] of routes(encodeURIComponent(each))) {
        const { status, body: answer } = await at.call(method, url, body, who)
        assert.equal(status, 404, `${method} ${url}`)
        answers.add(JSON.stringify([answer.code, answer.data, answer.error?.code, answer.error?.message]))
      }
    }
    assert.deepEqual((await at.call('GET', 'orders?livemode=false', undefined, who)).body.data.data, [])
  }
  assert.deepEqual([...answers], ['[40402,null,"order_not_found","There is no such order."]'])
  assert.equal((await at.call('GET', `orders/${order.order_no}?livemode=true`)).status, 404)
  assert.equal((await at.call('GET', `orders/${order.order_no}`)).body.data.status, 'pending')
})

test('a live order is not simulated', async (t) => {
  const at = await aConsole(t)
  const order = await at.create()
  await at.deps.sql`update orders set livemode = true where order_no = ${order.order_no}`
  assert.equal((await at.simulate(order, 'pay')).body.error?.code, 'order_not_found')
})

test('nothing of this is for whoever has no token', async (t) => {
  const at = await aConsole(t)
  const all = [
    ...routes(NOBODYS),
    ['GET', 'orders?livemode=true'],
    ['POST', `orders/${NOBODYS}/retry-settlement`, {}],
    ['POST', 'test/orders', { amount_usd: 5 }],
  ] as ['GET' | 'POST', string, object?][]
  const key = await anApiKey(at.deps, at.merchant)
  for (const [method, url, body] of all) {
    for (const headers of [{ authorization: '' }, { authorization: `Bearer ${key.apiKey}` }]) {
      const { status, body: answer } = await at.call(method, url, body, { headers })
      assert.deepEqual([status, answer.error?.code], [401, 'invalid_token'], `${method} ${url}`)
    }
  }
})

test('an order from the console needs no key: it has its link, the payer’s email and the fee of the service, and ends in the feed', async (t) => {
  const { call, deps, merchant, simulate } = await aConsole(t)
  const wish = {
    amount_usd: '12.50',
    title: 'Chair',
    external_id: 'C-1',
    payer_email: ' Ann@Shop.Example ',
    expires_in: 600,
  }
  const { status, body } = await call('POST', 'orders?livemode=false', wish)
  assert.equal(status, 201, JSON.stringify(body))
  const order = body.data
  assert.deepEqual(
    [order.amount_usd, order.payer_email, order.payment_link_id, order.invoice_id, order.fee_bps, order.webhook_url],
    [12.5, 'Ann@shop.example', null, null, deps.config.feeBps, null],
  )
  assert.match(order.checkout_url, /\/pay\/[0-9A-Za-z]{32}$/)
  assert.equal((await simulate(order, 'expire')).body.data.status, 'expired')
  const [event] = await deps.sql<{ key: string | null; body: Uint8Array }[]>`
    select api_key_id as key, body from order_events where merchant_id = ${merchant.id} and event = 'order.expired'`
  assert.equal(event?.key, null)

  const refused = async (query: string, more: object) => {
    const answer = await call('POST', `orders${query}`, { ...wish, ...more })
    return [answer.status, answer.body.error?.code, answer.body.error?.param]
  }
  assert.deepEqual(await refused('', {}), [422, 'missing_field', 'livemode'])
  assert.deepEqual(await refused('?livemode=false', { webhook_url: 'https://shop.example/x' }), [
    422,
    'unknown_field',
    'webhook_url',
  ])
  assert.deepEqual(await refused('?livemode=false', { payer_email: 'ann' }), [422, 'validation_failed', 'payer_email'])
  assert.deepEqual(await refused('?livemode=true', {}), [422, 'no_rail', 'settle_chain'])
})
