import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Order } from '@florin/protocol'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { aMerchant, anApiKey, type TestApiKey } from '../../test/factories.ts'
import { type TestApp, testApp } from '../../test/harness.ts'
import { bindRefund } from '../../test/orders.ts'
import { OrderSchema } from './schema.ts'

const BASE_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

interface Shop extends TestApp {
  key: TestApiKey
  call(method: 'GET' | 'POST', url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  create(body?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>
}

interface Answer {
  status: number
  body: Order & {
    error?: { code: string; param: string | null; message: string; type: string; request_id: string }
    data?: Order[]
    has_more?: boolean
    next_cursor?: string | null
  }
  headers: Record<string, unknown>
  text: string
}

async function aShop(t: TestContext, scopes?: Parameters<typeof anApiKey>[2]): Promise<Shop> {
  const made = await testApp(t)
  const merchant = await aMerchant(made.deps)
  const key = await anApiKey(made.deps, merchant, scopes)
  for (const [chain, address] of [
    ['base', BASE_ADDRESS],
    ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ] as const) {
    await made.deps.sql`
      insert into receiving_addresses (merchant_id, chain, address, updated_at)
      values (${merchant.id}, ${chain}, ${address}, ${made.clock.now()})`
  }
  const call: Shop['call'] = async (method, url, body, headers = {}) => {
    const reply = await made.app.inject({
      method,
      url,
      headers: { ...key.headers, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers, text: reply.payload }
  }
  const create: Shop['create'] = (body = {}, headers) =>
    call('POST', '/v1/orders', { amount_usd: 12.5, settle_chain: 'base', ...body }, headers)
  return { ...made, key, call, create }
}

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const isOrder = ajv.compile(OrderSchema)

test('an order is created with everything that was asked for and reads back the same', async (t) => {
  const shop = await aShop(t)
  const asked = {
    amount_usd: 12.345678,
    external_id: 'A-17',
    settle_asset: 'USDC',
    pay_chain: 'ethereum',
    pay_asset: 'eth',
    refund_address: '0x8617e340b3d01fa5f11f306f4090fd50e238070d',
    expires_in: 600,
    underpay_tolerance_bps: 100,
    late_policy: 'refund',
    title: 'Blue shirt',
    description: 'Size M',
    success_url: 'https://shop.example/thanks?o=1',
    cancel_url: 'https://shop.example/cart',
    metadata: { cart: '17', constructor: 'fine' },
  }
  const made = await shop.create(asked)
  assert.equal(made.status, 201)
  const order = made.body
  assert.ok(isOrder(order), JSON.stringify(isOrder.errors))
  assert.match(order.order_no, /^ord_[0-9a-hjkmnp-tv-z]{26}$/)
  assert.deepEqual(
    [order.status, order.status_detail, order.livemode, order.amount_usd, order.external_id, order.version],
    ['pending', 'awaiting_payment', false, 12.345678, 'A-17', 1],
  )
  assert.deepEqual(
    [order.settle_chain, order.settle_asset, order.settle_decimals, order.settle_address],
    ['base', 'USDC', 6, BASE_ADDRESS],
  )
  // A key names no refund address: the payer confirms it.
  assert.equal(order.refund_address, null)
  assert.equal(order.refund_address_proposed, '0x8617E340B3D01FA5F11F306F4090FD50E238070D')
  assert.deepEqual([order.pay?.chain, order.pay?.asset, order.pay?.contract], ['eth', 'ETH', null])
  assert.equal(order.pay?.amount_remaining, order.pay?.amount_due)
  assert.deepEqual(order.metadata, asked.metadata)
  assert.match(order.checkout_url, /^http:\/\/localhost:3000\/pay\/[0-9A-Za-z]{32}$/)
  const read = await shop.call('GET', `/v1/orders/${order.order_no}`)
  assert.equal(read.text, made.text, 'create and read send the same bytes')
})

test('what is left out has the documented defaults', async (t) => {
  const shop = await aShop(t)
  const { body } = await shop.create()
  assert.equal(Date.parse(body.expires_at) - Date.parse(body.created_at), 1_800_000)
  assert.deepEqual(
    [body.pay, body.external_id, body.webhook_url, body.refund_address, body.metadata, body.amount_out, body.payments],
    [null, null, null, null, {}, null, []],
  )
})

const refused: [string, Record<string, unknown> | string, number, string, string | null][] = [
  ['no amount', { amount_usd: undefined }, 422, 'missing_field', 'amount_usd'],
  ['an amount of zero', { amount_usd: 0 }, 422, 'invalid_amount', 'amount_usd'],
  ['an amount beside amount_usd', { amount: 5, currency: 'EUR' }, 422, 'validation_failed', 'amount'],
  ['a negative amount', { amount_usd: -1 }, 422, 'invalid_amount', 'amount_usd'],
  ['seven decimals', { amount_usd: 1.0000001 }, 422, 'invalid_amount', 'amount_usd'],
  ['a float that is not what it seems', { amount_usd: 0.1 + 0.2 }, 422, 'invalid_amount', 'amount_usd'],
  ['more than a million', { amount_usd: 1_000_000.000001 }, 422, 'invalid_amount', 'amount_usd'],
  ['a boolean amount', { amount_usd: true }, 422, 'validation_failed', 'amount_usd'],
  ['a null amount', { amount_usd: null }, 422, 'validation_failed', 'amount_usd'],
  ['an amount in words', { amount_usd: 'ten' }, 422, 'invalid_amount', 'amount_usd'],
  ['an exponent as text', { amount_usd: '1e2' }, 422, 'invalid_amount', 'amount_usd'],
  ['an unknown field', { sum: 5 }, 422, 'unknown_field', 'sum'],
  ['an unknown chain', { settle_chain: 'dogechainz' }, 422, 'unknown_chain', 'settle_chain'],
  ['a chain without an address', { settle_chain: 'sol' }, 422, 'receiving_address_missing', 'settle_chain'],
  [
    'no chain where several addresses are set',
    { settle_chain: undefined },
    422,
    'settle_chain_required',
    'settle_chain',
  ],
  ['an unknown asset', { settle_asset: 'NOPE' }, 422, 'unknown_asset', 'settle_asset'],
  ['an unknown pay asset', { pay_chain: 'btc', pay_asset: 'USDC' }, 422, 'unknown_asset', 'pay_asset'],
  ['a pay asset without its chain', { pay_asset: 'BTC' }, 422, 'missing_field', 'pay_chain'],
  ['a refund address without its chain', { refund_address: 'x' }, 422, 'missing_field', 'pay_chain'],
  ['a bad refund address', { pay_chain: 'base', refund_address: '0x12' }, 422, 'invalid_address', 'refund_address'],
  ['too short an expiry', { expires_in: 299 }, 422, 'validation_failed', 'expires_in'],
  ['too long an expiry', { expires_in: 86401 }, 422, 'validation_failed', 'expires_in'],
  ['a fractional expiry', { expires_in: 300.5 }, 422, 'validation_failed', 'expires_in'],
  ['too large a tolerance', { underpay_tolerance_bps: 1001 }, 422, 'validation_failed', 'underpay_tolerance_bps'],
  ['an unknown policy', { late_policy: 'keep' }, 422, 'validation_failed', 'late_policy'],
  [
    'a success_url that is no web address',
    { success_url: 'javascript:alert(1)' },
    422,
    'validation_failed',
    'success_url',
  ],
  ['a cancel_url with credentials', { cancel_url: 'https://u:p@shop.example' }, 422, 'validation_failed', 'cancel_url'],
  ['an external_id that is too long', { external_id: 'x'.repeat(129) }, 422, 'validation_failed', 'external_id'],
  ['metadata that is no object', { metadata: ['a'] }, 422, 'validation_failed', 'metadata'],
  ['metadata with a number', { metadata: { a: 1 } }, 422, 'validation_failed', 'metadata.a'],
  ['metadata with a hidden number', { metadata: { 'a\nb': 1 } }, 422, 'validation_failed', 'metadata'],
  ['metadata with a long key', { metadata: { ['k'.repeat(41)]: 'v' } }, 422, 'validation_failed', 'metadata'],
  [
    'metadata with 51 keys',
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'v'])) },
    422,
    'validation_failed',
    'metadata',
  ],
  ['text that is no JSON', '{"amount_usd":', 400, 'malformed_json', null],
  ['a NUL', '{"amount_usd":1,"settle_chain":"base","title":"a\\u0000b"}', 400, 'malformed_encoding', null],
  ['a lone surrogate', '{"amount_usd":1,"settle_chain":"base","title":"\\ud800"}', 400, 'malformed_encoding', null],
  ['an array', '[]', 422, 'validation_failed', null],
  ['null', 'null', 422, 'validation_failed', null],
]

test('errors: a body that is no JSON is told where it stops being so, without its text', async (t) => {
  const shop = await aShop(t)
  for (const [body, where] of [
    ['not json', 'it stops being JSON at line 1, column 1'],
    ["{'amount_usd': 5}", 'it stops being JSON at line 1, column 2'],
    ['{"amount_usd": 5,}', 'it stops being JSON at line 1, column 18'],
    ['{\n  "amount_usd": 5\n  "title": "secret"\n}', 'it stops being JSON at line 3, column 3'],
    ['{"a": [1, 2}', 'it stops being JSON at line 1, column 12'],
    ['{"a": 01}', 'it stops being JSON at line 1, column 7'],
    ['{"a": True}', 'it stops being JSON at line 1, column 7'],
    ['{"a": "x\ty"}', 'it stops being JSON at line 1, column 7'],
    ['{"a": 1} {}', 'it stops being JSON at line 1, column 10'],
    ['{"amount_usd":', 'it ends too early'],
    [' ', 'it is empty'],
  ] as const) {
    const { body: answer } = await shop.call('POST', '/v1/orders', body)
    assert.equal(answer.error?.code, 'malformed_json', body)
    assert.equal(answer.error?.message, `The body is not valid JSON: ${where}.`, body)
  }
})

test('errors: a limit that is too large is told the bound', async (t) => {
  const shop = await aShop(t)
  for (const limit of ['1000', '101', '0', '-1', 'x', '1e2', '1'.repeat(20)]) {
    const { status, body } = await shop.call('GET', `/v1/orders?limit=${limit}`)
    assert.deepEqual([status, body.error?.param], [422, 'limit'], limit)
    assert.match(body.error?.message ?? '', /whole number from 1 to 100\./, limit)
  }
})

test('create: empty texts and lists, as PHP sends them, count as absent', async (t) => {
  const shop = await aShop(t)
  const texts = ['external_id', 'webhook_url', 'pay_chain', 'settle_asset', 'title', 'description', 'payer_email']
  const empty = Object.fromEntries([...texts, 'success_url', 'cancel_url', 'late_policy'].map((name) => [name, '']))
  const made = await shop.create({ ...empty, settle_chain: 'base', metadata: [] })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { title, external_id: reference, metadata } = made.body as unknown as Order
  assert.deepEqual([title, reference, metadata], [null, null, {}])
  // An unknown field stays unknown, and text within metadata stays what it is.
  assert.equal((await shop.create({ tilte: '' })).body.error?.code, 'unknown_field')
  const kept = await shop.create({ metadata: { note: '' } })
  assert.deepEqual((kept.body as unknown as Order).metadata, { note: '' })
  assert.equal((await shop.create({ metadata: ['a'] })).status, 422)
})

test('what was pasted in the wrong field does not come back', async (t) => {
  const shop = await aShop(t)
  const secret = `0x${'5ec2e7'.repeat(10)}abcd`
  for (const field of ['settle_chain', 'settle_asset', 'pay_chain', 'pay_asset']) {
    const answer = await shop.create({ pay_chain: 'base', [field]: secret })
    assert.equal(answer.status, 422, field)
    assert.doesNotMatch(JSON.stringify(answer.body), /5ec2e7/, field)
  }
})

test('every refused body says what was wrong with it', async (t) => {
  const shop = await aShop(t)
  for (const [name, body, status, code, param] of refused) {
    const answer = typeof body === 'string' ? await shop.call('POST', '/v1/orders', body) : await shop.create(body)
    assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [status, code, param], name)
    assert.ok((answer.body.error?.message.length ?? 0) > 10, name)
    assert.match(answer.body.error?.request_id ?? '', /^req_/, name)
  }
  const [row] = await shop.deps.sql<{ n: number }[]>`select count(*)::int as n from orders`
  assert.equal(row?.n, 0)
})

test('amounts are taken as numbers and as decimal text, up to the millionth', async (t) => {
  const shop = await aShop(t)
  for (const [given, expected] of [
    [1, 1],
    ['1', 1],
    [0.000001, 0.000001],
    [1e6, 1_000_000],
    ['999999.999999', 999_999.999999],
    ['5.10', 5.1],
  ] as const) {
    const { status, body } = await shop.create({ amount_usd: given })
    assert.deepEqual([status, body.amount_usd], [201, expected], String(given))
  }
})

test('the same idempotency key and body get the first answer again, another body is refused', async (t) => {
  const shop = await aShop(t)
  const headers = { 'idempotency-key': 'order 17' }
  const first = await shop.create({ title: 'a', external_id: 'b' }, headers)
  const again = await shop.create({ external_id: 'b', title: 'a' }, headers)
  assert.equal(again.text, first.text)
  assert.deepEqual([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']], [undefined, 'true'])
  const other = await shop.create({ title: 'c' }, headers)
  assert.deepEqual(
    [other.status, other.body.error?.code, other.body.error?.type],
    [409, 'idempotency_key_reused', 'idempotency'],
  )
  for (const bad of ['', 'x'.repeat(256), 'a\tb']) {
    const answer = await shop.create({}, { 'idempotency-key': bad })
    assert.deepEqual([answer.status, answer.body.error?.code], [400, 'malformed_idempotency_key'], JSON.stringify(bad))
  }
  // A refusal is not stored: the key is free for a better body.
  assert.equal((await shop.create({ settle_chain: 'sol' }, { 'idempotency-key': 'k2' })).status, 422)
  assert.equal((await shop.create({}, { 'idempotency-key': 'k2' })).status, 201)
  shop.clock.advance(24 * 3_600_000 + 1)
  const nextDay = await shop.create({ title: 'c' }, headers)
  assert.equal(nextDay.status, 201)
})

test('an order of another merchant or mode does not exist', async (t) => {
  const shop = await aShop(t)
  const { body: order } = await shop.create()
  const stranger = await anApiKey(shop.deps, await aMerchant(shop.deps))
  for (const path of ['', '/events']) {
    const answer = await shop.call('GET', `/v1/orders/${order.order_no}${path}`, undefined, stranger.headers)
    assert.deepEqual([answer.status, answer.body.error?.code], [404, 'order_not_found'])
  }
  for (const path of ['/cancel']) {
    const answer = await shop.call('POST', `/v1/orders/${order.order_no}${path}`, {}, stranger.headers)
    assert.equal(answer.status, 404)
  }
  for (const no of ['nothing', 'ord_00000000000000000000000000', "ord_'; drop table orders", 'x'.repeat(101)]) {
    const answer = await shop.call('GET', `/v1/orders/${encodeURIComponent(no)}`)
    assert.ok([404, 422].includes(answer.status), no)
  }
})

test('the list pages newest first, filters, and refuses made-up cursors', async (t) => {
  const shop = await aShop(t)
  const made: string[] = []
  for (let n = 0; n < 5; n++) {
    made.unshift((await shop.create({ external_id: n % 2 === 0 ? 'even' : 'odd' })).body.order_no)
    shop.clock.advance(1000)
  }
  const seen: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await shop.call('GET', `/v1/orders?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    assert.equal(page.status, 200)
    seen.push(...(page.body.data ?? []).map((order) => order.order_no))
    assert.equal(page.body.has_more, page.body.next_cursor !== null)
    cursor = page.body.next_cursor
  } while (cursor)
  assert.deepEqual(seen, made)
  const count = async (query: string): Promise<number | undefined> =>
    (await shop.call('GET', `/v1/orders?${query}`)).body.data?.length
  assert.equal(await count('external_id=even'), 3)
  assert.equal(await count('status=pending&status=expired'), 5)
  assert.equal(await count('status=success'), 0)
  assert.equal(await count('settle_chain=eip155:8453'), 5)
  assert.equal(
    await count(`created_from=${encodeURIComponent(new Date(shop.clock.now().getTime() - 2500).toISOString())}`),
    2,
  )
  assert.equal(await count('status=pending,expired'), 5)
  const oldest = await shop.call('GET', '/v1/orders?sort=oldest&limit=2')
  assert.deepEqual(
    oldest.body.data?.map((order) => order.order_no),
    made.toReversed().slice(0, 2),
  )
  const onwards = await shop.call('GET', `/v1/orders?sort=oldest&cursor=${oldest.body.next_cursor}`)
  assert.deepEqual(
    onwards.body.data?.map((order) => order.order_no),
    made.toReversed().slice(2),
  )
  for (const [query, word] of [
    ['status=pending,paid', /^status takes one or more of: pending, processing/],
    ['created_from=2026-02-30', /^created_from names a day that does not exist: 2026-02 has 28\./],
    [
      'created_from=0000-01-01T00:00:00Z',
      /^created_from names a time that does not exist: it takes years 1970 to 9999/,
    ],
    ['created_from=2026-01-31T23:59:60Z', /^created_from names a time that does not exist/],
    ['created_to=2026-01-31T00:00:00%2B99:99', /^created_to names a time that does not exist/],
    ['created_to=2026-01-31T00:00:00+02:00', /^created_to lost its "\+": in a query a \+ is a space\. Write it as %2B/],
  ] as const) {
    const { status, body } = await shop.call('GET', `/v1/orders?${query}`)
    assert.deepEqual([status, body.error?.code, body.error?.param], [422, 'validation_failed', query.split('=')[0]])
    assert.match(body.error?.message ?? '', word)
  }
  // Cursors of another list, and text that is none.
  for (const [query, code] of [
    [`cursor=${Buffer.from(`["dlv_${'0'.repeat(26)}"]`).toString('base64url')}`, 'malformed_cursor'],
    ['metadata[cart]=%ff', 'malformed_url'],
    ['external_id=50%', 'malformed_url'],
  ] as const) {
    const { status, body } = await shop.call('GET', `/v1/orders?${query}`)
    assert.deepEqual([status, body.error?.code], [400, code], query)
  }
  for (const query of [
    'limit=0',
    'sort=cheapest',
    'metadata=cart',
    'metadata[]=7',
    'nope[cart]=7',
    'metadata[cart]=7&metadata=x',
    'limit=101',
    'limit=x',
    'cursor=abc',
    'cursor=!!',
    'status=paid',
    'created_from=yesterday',
    'nope=1',
    'settle_chain=nope',
  ]) {
    const answer = await shop.call('GET', `/v1/orders?${query}`)
    assert.ok(answer.status === 422 || answer.status === 400, `${query}: ${answer.status}`)
    assert.ok(answer.body.error?.code, query)
  }
})

test('orders are found by their metadata, which PHP may send empty', async (t) => {
  const shop = await aShop(t)
  const empty = await shop.create({ metadata: [] })
  assert.deepEqual([empty.status, empty.body.metadata], [201, {}])
  assert.equal((await shop.create({ metadata: ['7'] })).status, 422)
  const first = await shop.create({ metadata: { cart: '7', shop: "o'neil" } })
  const second = await shop.create({ metadata: { cart: '7' } })
  const bracketed = await shop.create({ metadata: { '[x]': '1', 'a][b': '2' } })
  const found = async (query: string) =>
    (await shop.call('GET', `/v1/orders?${query}`)).body.data?.map((order) => order.order_no)
  assert.deepEqual(await found('metadata[cart]=7'), [second.body.order_no, first.body.order_no])
  assert.deepEqual(await found('metadata%5Bcart%5D=7&metadata[shop]=o%27neil'), [first.body.order_no])
  assert.deepEqual(await found('metadata[cart]=70'), [])
  assert.deepEqual(await found('metadata[[x]]=1&metadata[a][b]=2'), [bracketed.body.order_no])
  const other = await anApiKey(shop.deps, await aMerchant(shop.deps))
  const stranger = await shop.call('GET', '/v1/orders?metadata[cart]=7', undefined, other.headers)
  assert.deepEqual(stranger.body.data, [])
})

test('cancel works once and then is the same answer', async (t) => {
  const shop = await aShop(t)
  const { body: order } = await shop.create()
  const first = await shop.call('POST', `/v1/orders/${order.order_no}/cancel`, {})
  assert.deepEqual([first.status, first.body.status, first.body.status_detail], [200, 'expired', 'canceled'])
  const again = await shop.call('POST', `/v1/orders/${order.order_no}/cancel`)
  assert.deepEqual([again.status, again.text], [200, first.text])
  const { body: paid } = await shop.create({ pay_chain: 'base' })
  await shop.call('POST', `/v1/test/orders/${paid.order_no}/simulate`, { action: 'pay' })
  const late = await shop.call('POST', `/v1/orders/${paid.order_no}/cancel`, {})
  assert.deepEqual([late.status, late.body.error?.code], [409, 'order_not_cancelable'])
})

test('a refund needs its own scope, takes no address, and says why when there is nothing', async (t) => {
  const shop = await aShop(t, { scopes: ['orders:read', 'orders:write', 'refunds:write'] })
  const { body: order } = await shop.create({ pay_chain: 'base' })
  await bindRefund(shop.deps, order.order_no, BASE_ADDRESS)
  const path = `/v1/orders/${order.order_no}/refund`
  const nothing = await shop.call('POST', path, { reason: 'changed my mind' })
  assert.deepEqual([nothing.status, nothing.body.error?.code], [409, 'refund_not_possible'])
  assert.equal((await shop.call('POST', path, { address: BASE_ADDRESS })).body.error?.code, 'unknown_field')
  const simulate = `/v1/test/orders/${order.order_no}/simulate`
  await shop.call('POST', simulate, { action: 'underpay' })
  await shop.call('POST', simulate, { action: 'confirm' })
  const asked = await shop.call('POST', path, { reason: 'changed my mind' })
  assert.deepEqual(
    [asked.status, asked.body.status_detail, asked.body.refunds[0]?.status],
    [200, 'refunding', 'sending'],
  )
  const [payment] = asked.body.payments
  assert.ok(payment?.mined_at && payment.mined_at <= payment.detected_at, 'its block is older than the look at it')
  const done = await shop.call('POST', simulate, { action: 'refund' })
  assert.deepEqual([done.body.status, done.body.balance[0]?.held], ['refunded', '0'])

  const plain = await anApiKey(shop.deps, await aMerchant(shop.deps))
  const denied = await shop.call('POST', path, {}, plain.headers)
  assert.deepEqual([denied.status, denied.body.error?.code], [403, 'scope_missing'])
})

test('every simulated step does what the document says, and 409 where it does not apply', async (t) => {
  const shop = await aShop(t)
  const walk = async (...actions: (string | [string, string])[]): Promise<Answer> => {
    const { body } = await shop.create({ pay_chain: 'base' })
    await bindRefund(shop.deps, body.order_no, BASE_ADDRESS)
    let answer: Answer | null = null
    for (const step of actions) {
      const [action, amount] = typeof step === 'string' ? [step] : step
      answer = await shop.call('POST', `/v1/test/orders/${body.order_no}/simulate`, {
        action,
        ...(amount ? { amount } : {}),
      })
    }
    assert.ok(answer)
    if (answer.status === 200) assert.ok(isOrder(answer.body), JSON.stringify(isOrder.errors))
    return answer
  }
  const ends: [(string | [string, string])[], string, string][] = [
    [['pay'], 'processing', 'confirming'],
    [['pay', 'confirm'], 'processing', 'settling'],
    [['pay', 'confirm', 'settle'], 'success', 'paid'],
    [['pay', 'settle'], 'success', 'paid'],
    [['underpay'], 'pending', 'partially_paid'],
    [
      [['underpay', '5000000'], 'pay', 'settle'].map((s, n) => (n === 0 ? ['underpay', '5000000'] : s)) as (
        | string
        | [string, string]
      )[],
      'success',
      'paid',
    ],
    [['overpay', 'settle'], 'success', 'refunding'],
    [['overpay', 'settle', 'refund'], 'success', 'overpaid'],
    [['pay', 'fail'], 'failed', 'settlement_failed'],
    [['pay', 'refund'], 'refunded', 'refunded'],
    [['pay', 'reorg'], 'processing', 'reorged'],
    [['pay', 'reorg', 'pay', 'settle'], 'success', 'paid'],
    [['expire'], 'expired', 'unpaid'],
    [['underpay', 'expire'], 'expired', 'underpaid'],
    [['expire', 'pay_late'], 'processing', 'confirming'],
    [['expire', 'pay_late', 'settle'], 'success', 'paid_late'],
  ]
  for (const [actions, status, detail] of ends) {
    const { status: http, body } = await walk(...actions)
    assert.deepEqual([http, body.status, body.status_detail], [200, status, detail], JSON.stringify(actions))
  }
  // A list reads the tables for many orders at once, one order for itself.
  const listed = (await shop.call('GET', '/v1/orders?limit=100')).body.data as unknown as Order[]
  assert.equal(listed.length, ends.length)
  for (const order of listed)
    assert.deepEqual(order, (await shop.call('GET', `/v1/orders/${order.order_no}`)).body, order.status_detail)
  for (const actions of [
    ['confirm'],
    ['settle'],
    ['fail'],
    ['refund'],
    ['reorg'],
    ['pay_late'],
    ['expire', 'expire'],
    ['expire', 'pay'],
    ['pay', 'settle', 'pay'],
    ['pay', 'confirm', 'confirm'],
  ]) {
    const { status, body } = await walk(...actions)
    assert.deepEqual([status, body.error?.code], [409, 'simulation_not_applicable'], JSON.stringify(actions))
  }
  const { body: open } = await shop.create()
  const paid = await shop.call('POST', `/v1/test/orders/${open.order_no}/simulate`, { action: 'pay' })
  assert.deepEqual([paid.body.pay?.chain, paid.body.pay?.asset, paid.body.status], ['base', 'USDC', 'processing'])
  for (const body of [{}, { action: 'steal' }, { action: 'pay', amount: '0' }, { action: 'pay', amount: 5 }]) {
    assert.equal((await shop.call('POST', `/v1/test/orders/${open.order_no}/simulate`, body)).status, 422)
  }
})

test('a revoked key is refused at the next request', async (t) => {
  const shop = await aShop(t)
  const { body: order } = await shop.create()
  await shop.deps.sql`update api_keys set revoked_at = ${shop.clock.now()} where id = ${shop.key.id}`
  const answer = await shop.call('GET', `/v1/orders/${order.order_no}`)
  assert.deepEqual([answer.status, answer.body.error?.code], [401, 'invalid_api_key'])
})
