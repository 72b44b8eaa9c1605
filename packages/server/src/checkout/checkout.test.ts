import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { type Checkout, DAY_MS, HOUR_MS, MINUTE_MS, type Order } from '@florin/protocol'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { type TestApp, testApp } from '../../test/harness.ts'
import { aCaller, anOrder } from '../../test/orders.ts'
import { cancelOrder } from '../orders/acts.ts'
import { expireDue } from '../orders/expire.ts'
import { getOrder } from '../orders/store.ts'
import { noTips, orderView } from '../orders/view.ts'
import { ACTS_PER_MINUTE } from './door/limit.ts'
import { CheckoutSchema } from './schema.ts'

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const OTHER = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const isCheckout = ajv.compile(CheckoutSchema)

interface Payer extends TestApp {
  order: OrderState
  call(method: 'GET' | 'POST', path?: string, body?: unknown): Promise<Answer>
}

interface Answer {
  status: number
  text: string
  headers: Record<string, unknown>
  body: Checkout & { error?: { code: string; param: string | null; message: string } }
}

/** A payer in front of the checkout of an order that leaves the choice to it. */
async function aPayer(t: TestContext, body: Record<string, unknown> = {}, rateLimits = false): Promise<Payer> {
  const at = await testApp(t, { rateLimits })
  const order = await anOrder(at.deps, await aCaller(at.deps), {
    amount_usd: 50,
    settle_chain: 'base',
    ...body,
  } as never)
  return { ...at, order, call: (method, path = '', sent) => callAs(at, order.checkoutToken, method, path, sent) }
}

async function callAs(at: TestApp, token: string, method: 'GET' | 'POST', path = '', sent?: unknown): Promise<Answer> {
  const reply = await at.app.inject({
    method,
    url: `/checkout/${token}${path}`,
    ...(sent === undefined ? {} : { payload: sent as object }),
  })
  return { status: reply.statusCode, text: reply.payload, headers: reply.headers, body: reply.json() }
}

const choosing = { pay_chain: undefined }

test('a payer chooses, pays and is told of the settlement', async (t) => {
  const payer = await aPayer(t, { ...choosing, title: 'Blue shirt', success_url: 'https://shop.example/thanks' })
  await payer.deps.sql`update merchants set name = 'Shirts' where id = ${payer.order.merchantId}`
  const first = await payer.call('GET')
  assert.equal(first.status, 200)
  assert.ok(isCheckout(first.body), JSON.stringify(isCheckout.errors))
  assert.equal(first.body.merchant.name, 'Shirts')
  assert.equal(first.body.title, 'Blue shirt')
  assert.equal(first.body.pay, null)
  assert.equal(first.body.pay_chain, null)
  assert.equal(first.body.refund_address_state, 'possible')
  assert.equal(first.body.server_time, payer.clock.now().toISOString())
  assert.deepEqual(first.body.simulate, ['pay', 'underpay', 'overpay', 'expire'])
  assert.equal(first.headers['cache-control'], 'no-store')

  const chosen = await payer.call('POST', '/pay', { chain: 'ethereum', asset: 'usdc' })
  assert.equal(chosen.status, 200, chosen.text)
  assert.equal(chosen.body.pay?.chain, 'eth')
  assert.equal(chosen.body.pay?.amount_remaining, '50000000')
  assert.deepEqual(chosen.body.pay_chain, {
    name: 'Ethereum',
    family: 'evm',
    // Test money stands on no public explorer.
    explorer_tx: null,
    explorer_address: null,
    evm_chain_id: null,
  })
  const again = await payer.call('POST', '/pay', { chain: 'eth', asset: 'USDC' })
  assert.equal(again.body.pay?.id, chosen.body.pay?.id)
  assert.equal(again.body.version, chosen.body.version)

  const seen = await payer.call('POST', '/simulate', { action: 'pay' })
  assert.equal(seen.body.status, 'processing')
  assert.deepEqual(seen.body.choices, [])
  assert.equal(seen.body.payments[0]?.amount, '50000000')
  const done = await payer.call('POST', '/simulate', { action: 'settle' })
  assert.equal(done.body.status, 'success')
  assert.equal(done.body.refund_address_state, 'no')
  assert.deepEqual(done.body.simulate, [])
  assert.ok(isCheckout(done.body), JSON.stringify(isCheckout.errors))
  assert.deepEqual((await payer.call('GET')).body, done.body)
})

test('checkout: an order that is paid or canceled → no link asks a wallet to pay, on the page, in the API and in webhooks', async (t) => {
  const payer = await aPayer(t, { ...choosing, webhook_url: 'https://shop.example/hook' })
  const { orderNo } = payer.order
  const read = async () =>
    orderView(await getOrder(payer.deps.sql, orderNo), { baseUrl: 'http://localhost', tips: noTips })
  const chosen = await payer.call('POST', '/pay', { chain: 'base' })
  assert.match(chosen.body.pay?.uri ?? '', /[?&]amount=50000000$/)
  for (const action of ['pay', 'settle']) {
    await payer.call('POST', '/simulate', { action })
    const { pay, status } = (await payer.call('GET')).body
    assert.deepEqual([pay?.uri, (await read()).pay?.uri], [null, null], `${action}: ${status}`)
  }
  const told = await payer.deps.sql<{ body: Uint8Array }[]>`
    select body from order_events where order_no = ${orderNo} and body is not null order by version limit 10`
  assert.deepEqual(
    told
      .map(({ body }) => (JSON.parse(Buffer.from(body).toString()) as { order: Order }).order)
      .map(({ status, pay }) => [status, pay?.uri]),
    [
      ['processing', null],
      ['success', null],
    ],
  )
  const canceled = await aPayer(t, choosing)
  await canceled.call('POST', '/pay', { chain: 'base' })
  await cancelOrder(canceled.deps, await getOrder(canceled.deps.sql, canceled.order.orderNo))
  const { pay } = (await canceled.call('GET')).body
  assert.deepEqual([pay?.uri, pay?.amount_remaining], [null, '50000000'])
})

test('no answer of the checkout ever holds what belongs to the merchant alone', async (t) => {
  const secrets = {
    external_id: 'EXT-7c1',
    metadata: { note_9f: 'META-2b8' },
    webhook_url: 'https://hook-5d3.example/in',
  }
  const payer = await aPayer(t, { ...choosing, ...secrets })
  const answers = [await payer.call('GET')]
  const acts: [string, object][] = [
    ['/pay', { chain: 'base', asset: 'USDC' }],
    ['/pay', { chain: 'nowhere', asset: 'USDC' }],
    ['/simulate', { action: 'overpay' }],
    ['/simulate', { action: 'settle' }],
    ['/refund-address', { address: 'nonsense' }],
    ['/refund-address', { address: PAYER }],
    ['/refund-address', { address: OTHER }],
    ['/simulate', { action: 'refund' }],
    ['/simulate', { action: 'pay' }],
  ]
  for (const [path, body] of acts) answers.push(await payer.call('POST', path, body))
  assert.equal(answers.filter((answer) => answer.status === 200).length, 6)
  const { orderRef, merchantId } = payer.order
  const apiKeyId = String(payer.order.apiKeyId)
  for (const { text } of answers) {
    for (const secret of ['EXT-7c1', 'note_9f', 'META-2b8', 'hook-5d3', orderRef, apiKeyId ?? '', merchantId]) {
      assert.ok(!text.includes(secret), `${secret} in ${text}`)
    }
    assert.doesNotMatch(text, /external_id|metadata|webhook/)
  }
})

test('whatever is wrong with a token, the answer is the same', async (t) => {
  const payer = await aPayer(t)
  const { checkoutToken: token, orderNo } = payer.order
  const flipped = token.replace(/./, (c) => (c === 'a' ? 'b' : 'a'))
  const wrong = [flipped, token.slice(1), `${token}0`, orderNo, 'x', '%20', "'or'1'='1", `${token.slice(0, 31)}-`]
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['GET', '/stream', undefined],
    ['POST', '/pay', { chain: 'base' }],
    ['POST', '/refund-address', { address: PAYER }],
    ['POST', '/simulate', { action: 'pay' }],
  ] as const) {
    for (const each of wrong) {
      const answer = await callAs(payer, each, method, path, body)
      assert.equal(answer.status, 404, `${method} ${path} ${each}`)
      const { code, message, param } = answer.body.error ?? {}
      assert.deepEqual([code, message, param], ['checkout_not_found', 'There is no such checkout.', null])
    }
  }
})

test('bad choices are refused by name, and nothing can be chosen once money was seen', async (t) => {
  const payer = await aPayer(t, choosing)
  for (const [body, status, code, param] of [
    [{}, 422, 'missing_field', 'chain'],
    [{ chain: 'nowhere' }, 422, 'unknown_chain', 'chain'],
    [{ chain: 'base', asset: 'PEPE' }, 422, 'unknown_asset', 'asset'],
    [{ chain: 'base', asset: 5 }, 422, 'validation_failed', 'asset'],
    [{ chain: 'base', amount: '1' }, 422, 'unknown_field', 'amount'],
    [{ chain: 'btc', refund_address: PAYER }, 422, 'invalid_address', 'refund_address'],
  ] as const) {
    const { error } = (await payer.call('POST', '/pay', body)).body
    assert.deepEqual([error?.code, error?.param], [code, param])
    assert.equal((await payer.call('POST', '/pay', body)).status, status)
  }
  await payer.call('POST', '/pay', { chain: 'base' })
  await payer.call('POST', '/simulate', { action: 'underpay' })
  const { pay } = (await payer.call('GET')).body
  assert.match(pay?.uri ?? '', new RegExp(`[?&]amount=${pay?.amount_remaining}$`), 'a wallet is asked for the rest')
  assert.notEqual(pay?.amount_remaining, pay?.amount_due)
  const late = await payer.call('POST', '/pay', { chain: 'eth' })
  assert.deepEqual([late.status, late.body.error?.code], [409, 'leg_not_changeable'])
  assert.deepEqual((await payer.call('GET')).body.choices, [])
})

test('checkout: a signature of a wallet that is not deployed → refused in words that explain it', async (t) => {
  const payer = await aPayer(t, choosing)
  const signature = `0x${'00'.repeat(64)}${'6492'.repeat(16)}`
  const proof = { pay_leg: 'leg_1', from: PAYER, expires_at: '2026-01-01T00:00:00.000Z', signature }
  const { status, body } = await payer.call('POST', '/refund-address', { address: PAYER, proof })
  assert.deepEqual([status, body.error?.code, body.error?.param], [422, 'invalid_wallet_signature', 'signature'])
  assert.match(body.error?.message ?? '', /not deployed \(ERC-6492\)\. Deploy the wallet/)
})

test('coming back to a way to pay is the same address, however often', async (t) => {
  const payer = await aPayer(t, choosing)
  const addresses = new Set<string>()
  for (let n = 0; n < 60; n++) {
    const chain = n % 2 === 0 ? 'base' : 'eth'
    const { status, body } = await payer.call('POST', '/pay', { chain, asset: 'USDC' })
    assert.deepEqual([status, body.pay?.chain], [200, chain])
    addresses.add(body.pay?.address ?? '')
  }
  assert.equal(addresses.size, 2)
  assert.ok((await payer.call('GET')).body.choices.length > 0)
  assert.equal((await getOrder(payer.deps.sql, payer.order.orderNo)).legs.length, 2)
})

test('a quote that lapsed is made anew, as often as a day allows', async (t) => {
  const payer = await aPayer(t, { ...choosing, expires_in: 86_400 })
  const addresses = new Set<string>()
  for (let n = 0; n < 95; n++) {
    const { status, body } = await payer.call('POST', '/pay', { chain: 'eth', asset: 'ETH' })
    assert.equal(status, 200)
    addresses.add(body.pay?.address ?? '')
    payer.clock.advance(15 * MINUTE_MS)
  }
  assert.equal(addresses.size, 95)
})

test('what is offered to a test order is short, sorted, and can be opened', async (t) => {
  const payer = await aPayer(t, { ...choosing, settle_chain: 'btc' })
  const { choices } = (await payer.call('GET')).body
  assert.ok(choices.length > 20 && choices.length < 60, `${choices.length}`)
  assert.equal(choices[0]?.chain, 'btc')
  assert.deepEqual([...new Set(choices.map((choice) => choice.chain))].slice(0, 4), ['btc', 'eth', 'base', 'arb'])
  assert.equal(new Set(choices.map(({ chain, asset }) => `${chain} ${asset}`)).size, choices.length)
  const caller = await aCaller(payer.deps)
  for (const choice of choices) {
    const order = await anOrder(payer.deps, caller, choosing as never)
    const { chain, asset } = choice
    const answer = await callAs(payer, order.checkoutToken, 'POST', '/pay', { chain, asset })
    assert.deepEqual([answer.body.pay?.chain, answer.body.pay?.asset], [chain, asset], answer.text)
    assert.equal(answer.body.pay?.decimals, choice.decimals)
    // After a lapsed quote the same coin is there to be chosen again.
    assert.ok(answer.body.choices.some((offered) => offered.chain === chain && offered.asset === asset))
  }
})

test('nothing is offered once the deadline passed or the order was canceled', async (t) => {
  const payer = await aPayer(t, choosing)
  payer.clock.advance(30 * MINUTE_MS)
  assert.deepEqual((await payer.call('GET')).body.choices, [])
  assert.equal((await payer.call('POST', '/pay', { chain: 'base' })).body.error?.code, 'leg_not_changeable')
  const other = await anOrder(payer.deps, await aCaller(payer.deps))
  await cancelOrder(payer.deps, other)
  const canceled = (await callAs(payer, other.checkoutToken, 'GET')).body
  assert.deepEqual([canceled.status_detail, canceled.choices, canceled.refund_address_state], ['canceled', [], 'no'])
})

test('money that an expired order holds invites a refund address once it has to go back, an empty one never does', async (t) => {
  const payer = await aPayer(t, choosing)
  await payer.call('POST', '/simulate', { action: 'underpay' })
  await payer.call('POST', '/simulate', { action: 'confirm' })
  await payer.call('POST', '/simulate', { action: 'expire' })
  assert.equal((await payer.call('GET')).body.refund_address_state, 'no')
  payer.clock.advance(DAY_MS + 31 * MINUTE_MS)
  await expireDue(payer.deps)
  assert.equal((await payer.call('GET')).body.refund_address_state, 'wanted')
  const empty = await anOrder(payer.deps, await aCaller(payer.deps))
  const expired = await callAs(payer, empty.checkoutToken, 'POST', '/simulate', { action: 'expire' })
  assert.equal(expired.body.refund_address_state, 'no')
})

test('simulating is for test orders, and a step that does not apply says why', async (t) => {
  const payer = await aPayer(t, choosing)
  const wrong = await payer.call('POST', '/simulate', { action: 'settle' })
  assert.deepEqual([wrong.status, wrong.body.error?.code], [409, 'simulation_not_applicable'])
  assert.equal((await payer.call('POST', '/simulate', { action: 'fly' })).body.error?.code, 'validation_failed')
  await payer.deps.sql`update orders set livemode = true where order_no = ${payer.order.orderNo}`
  const live = await payer.call('POST', '/simulate', { action: 'pay' })
  assert.deepEqual([live.status, live.body.error?.code], [409, 'simulation_not_applicable'])
  assert.deepEqual((await payer.call('GET')).body.simulate, [])
})

test('acts on one checkout are bounded a minute, reading is not', async (t) => {
  const payer = await aPayer(t, choosing, true)
  // The forms of the plain page count with the calls of the script.
  for (let n = 0; n < ACTS_PER_MINUTE / 2; n++) {
    await payer.call('POST', '/pay', { chain: 'base' })
    const form = { method: 'POST', url: `/pay/${payer.order.checkoutToken}`, payload: 'choice=base+USDC' } as const
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await payer.app.inject({ ...form, headers })).statusCode, 303)
  }
  const tooMany = await payer.call('POST', '/simulate', { action: 'pay' })
  assert.deepEqual([tooMany.status, tooMany.body.error?.code], [429, 'rate_limited'])
  assert.equal(tooMany.headers['retry-after'], '60')
  assert.equal((await payer.call('GET')).status, 200)
  const neighbour = await anOrder(payer.deps, await aCaller(payer.deps))
  assert.equal((await callAs(payer, neighbour.checkoutToken, 'POST', '/simulate', { action: 'pay' })).status, 200)
  payer.clock.advance(MINUTE_MS)
  assert.equal((await payer.call('POST', '/simulate', { action: 'pay' })).status, 200)
})

test('the deadline counts against the time of the server that answers', async (t) => {
  const payer = await aPayer(t, choosing)
  payer.clock.advance(HOUR_MS)
  const { server_time: time, expires_at: end } = (await payer.call('GET')).body
  assert.equal(Date.parse(time) - Date.parse(end), HOUR_MS - 30 * MINUTE_MS)
})

test('who has sent already has the chain looked at, twice a minute, with something that is a hash', async (t) => {
  const payer = await aPayer(t, {}, true)
  const rail = payer.deps.rails.byKind('sandbox')
  assert.ok(rail)
  const looks: string[] = []
  t.mock.method(rail, 'recheck', async (orderRef: string) => void looks.push(orderRef))
  payer.clock.advance(31 * MINUTE_MS)
  await expireDue(payer.deps)
  looks.length = 0
  const wrong = await payer.call('POST', '/look', { tx_hash: 'my payment of yesterday' })
  assert.deepEqual([wrong.status, wrong.body.error?.code], [422, 'validation_failed'])
  assert.deepEqual(looks, [])
  const hash = `0x${'5e'.repeat(32)}`
  const looked = await payer.call('POST', '/look', { tx_hash: ` ${hash} ` })
  assert.deepEqual([looked.status, looked.body.status], [200, 'expired'])
  assert.deepEqual(looks, [payer.order.orderRef])
  assert.equal((await payer.call('POST', '/look', { tx_hash: hash })).status, 429)
  payer.clock.advance(MINUTE_MS)
  assert.equal((await payer.call('POST', '/look', { tx_hash: hash })).status, 200)
  const page = (await payer.app.inject(`/pay/${payer.order.checkoutToken}`)).payload
  assert.match(page, /name="tx_hash"/)
  rail.recheck = async () => Promise.reject(new Error('no node answers'))
  payer.clock.advance(MINUTE_MS)
  const down = await payer.call('POST', '/look', { tx_hash: hash })
  assert.deepEqual([down.status, down.body.error?.code], [503, 'rail_unavailable'])
})
