// The walk of contract.md: every row of its sections 1 to 8, black-box over HTTP against the running program. Webhook
// signatures are checked by the official stripe package, which knows nothing of us and has the same scheme.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Stripe from 'stripe'
import { type Florin, startFlorin, until } from './florin.ts'
import { call, type Inbox, type Merchant, signUp, startInbox } from './merchant.ts'
import { startReceiver } from './receiver.ts'

let florin: Florin
let inbox: Inbox
let shop: Merchant

before(async () => {
  inbox = await startInbox()
  // The waits are one second here; that they are 1, 5, 30 and 120 minutes otherwise is proved with a false clock.
  florin = await startFlorin({ SMTP_URL: inbox.smtpUrl, WEBHOOK_RETRY_WAITS: '1,1,1,1' })
  shop = await signUp(florin.url, inbox, 'walk@shop.example')
})

after(async () => {
  // Undefined where it did not start; what else runs must end all the same.
  await florin?.close()
  await inbox.close()
})

const stripe = new Stripe('sk_test_unused')

interface OrderJson extends Record<string, unknown> {
  order_no: string
  status: string
}

const createOrder = (body: Record<string, unknown> = {}) =>
  call<OrderJson>(`${florin.url}/v1/orders`, 'POST', {
    headers: shop.key,
    body: { amount_usd: 25.5, external_id: 'A-1', ...body },
  })

const simulate = (orderNo: string, action: string) =>
  call<OrderJson>(`${florin.url}/v1/test/orders/${orderNo}/simulate`, 'POST', { headers: shop.key, body: { action } })

test('4 and 5: a code is sent by mail and buys a token of seven days, once', async () => {
  const email = 'second@shop.example'
  const sent = await call<{ code: number }>(`${florin.url}/api/v1/auth/code`, 'POST', { body: { email } })
  assert.deepEqual([sent.status, sent.body.code], [200, 0])
  const code = await inbox.codeFor(email)
  const wrong = await call<{ code: number }>(`${florin.url}/api/v1/auth/login`, 'POST', {
    body: { email, code: code === '000000' ? '000001' : '000000' },
  })
  assert.equal(wrong.status, 401)
  assert.notEqual(wrong.body.code, 0)
  const login = await call<{ code: number; data: { token: string; merchant: { email: string } } }>(
    `${florin.url}/api/v1/auth/login`,
    'POST',
    { body: { email, code } },
  )
  assert.deepEqual([login.status, login.body.code, login.body.data.merchant.email], [200, 0, email])
  const claims = JSON.parse(Buffer.from(login.body.data.token.split('.')[1] ?? '', 'base64url').toString()) as {
    exp: number
    iat: number
  }
  assert.equal(claims.exp - claims.iat, 7 * 86_400)
  assert.equal((await call(`${florin.url}/api/v1/auth/login`, 'POST', { body: { email, code } })).status, 401)
})

test('4 and 5: the console takes only its token, /v1 only an API key, in both headers', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer nonsense' },
    shop.key,
    { authorization: `Bearer ${shop.apiKey}` },
  ] as Record<string, string>[]) {
    assert.equal(
      (await call(`${florin.url}/api/v1/boss/appkeys`, 'POST', { headers, body: { name: 'x' } })).status,
      401,
    )
    assert.equal(
      (await call(`${florin.url}/api/v1/boss/addresses`, 'PUT', { headers, body: { chain: 'base', address: '0x' } }))
        .status,
      401,
    )
  }
  const { body: order } = await createOrder()
  const path = `${florin.url}/v1/orders/${order.order_no}`
  assert.equal((await call(path, 'GET', { headers: { 'x-api-key': shop.apiKey } })).status, 200)
  assert.equal((await call(path, 'GET', { headers: { authorization: `Bearer ${shop.apiKey}` } })).status, 200)
  for (const headers of [
    {},
    { 'x-api-key': 'nonsense' },
    { 'x-api-key': `${shop.apiKey}x` },
    { authorization: `Bearer ${shop.token}` },
  ] as Record<string, string>[]) {
    assert.equal((await call(path, 'GET', { headers })).status, 401)
  }
})

test('4: a key comes with its webhook secret and fee, an address is validated per chain', async () => {
  const key = await call<{ code: number; data: Record<string, unknown> }>(`${florin.url}/api/v1/boss/appkeys`, 'POST', {
    headers: shop.console,
    body: { name: 'second' },
  })
  assert.deepEqual([key.status, key.body.code], [200, 0])
  assert.match(String(key.body.data.api_key), /^florin_test_[0-9A-Za-z]{38}$/)
  assert.match(String(key.body.data.webhook_secret), /^whsec_[0-9A-Za-z]{32}$/)
  assert.equal(Number.isInteger(key.body.data.fee_bps), true)
  const put = (chain: string, address: string) =>
    call<{ code: number }>(`${florin.url}/api/v1/boss/addresses`, 'PUT', {
      headers: shop.console,
      body: { chain, address },
    })
  for (const [chain, address] of [
    ['eth', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['sol', 'DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK'],
    ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['xrp', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  ] as const) {
    const answer = await put(chain, address)
    // Some well-known addresses are refused on purpose (genesis account, token contract): then with a clear 422.
    assert.ok(answer.status === 200 || answer.status === 422, `${chain}: ${answer.text}`)
    const bad = await put(chain, `${address.slice(0, -1)}${address.endsWith('1') ? '2' : '1'}x`)
    assert.equal(bad.status, 422, chain)
    assert.notEqual(bad.body.code, 0)
  }
  // One address a chain, so base stays what it was for the tests beside this one.
  await call(`${florin.url}/api/v1/boss/merchant`, 'PATCH', {
    headers: shop.console,
    body: { default_settle_chain: 'base' },
  })
})

test('6: every status change reaches the receiver, signed as stripe verifies it, with the same object that GET sends', async () => {
  const receiver = await startReceiver()
  try {
    const { body: order } = await createOrder({ webhook_url: `${receiver.url}/hook`, settle_chain: 'base' })
    await simulate(order.order_no, 'pay')
    await simulate(order.order_no, 'settle')
    await until(() => receiver.of(order.order_no).length === 2, 'two webhooks')
    const got = receiver.of(order.order_no).sort((a, b) => a.event.order.version - b.event.order.version)
    assert.deepEqual(
      got.map((one) => [one.event.event, one.event.order.status]),
      [
        ['order.processing', 'processing'],
        ['order.success', 'success'],
      ],
    )
    for (const one of got) {
      const header = String(one.headers['x-service-signature'])
      assert.match(header, /^t=\d+,v1=[0-9a-f]{64}$/)
      const verified = stripe.webhooks.constructEvent(one.body, header, shop.webhookSecret)
      assert.equal(verified.id, one.event.id)
      assert.throws(() =>
        stripe.webhooks.constructEvent(Buffer.concat([one.body, Buffer.from(' ')]), header, shop.webhookSecret),
      )
      assert.equal(one.headers['x-service-event'], one.event.event)
      assert.equal(one.headers['content-type'], 'application/json')
      assert.equal(one.headers['user-agent'], 'Florin-Webhooks/1')
      assert.match(one.event.created_at, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    }
    const read = await call<OrderJson>(`${florin.url}/v1/orders/${order.order_no}`, 'GET', { headers: shop.key })
    const last = got[1]?.event.order
    assert.deepEqual(Object.keys(read.body), Object.keys(last ?? {}), 'the same shape')
    assert.deepEqual(read.body, last)
    assert.equal(typeof read.body.amount_usd, 'number')
    assert.match(String(read.body.amount_out), /^\d+$/)
    assert.ok(read.body.settle_tx_hash)
    assert.equal(read.body.external_id, 'A-1')
  } finally {
    await receiver.close()
  }
})

test('6: failed, refunded and expired are reported as well', async () => {
  const receiver = await startReceiver()
  try {
    const walk = async (...actions: string[]): Promise<string[]> => {
      const { body: order } = await createOrder({ webhook_url: receiver.url, settle_chain: 'base', pay_chain: 'base' })
      for (const action of actions) assert.equal((await simulate(order.order_no, action)).status, 200, action)
      const last = `order.${actions.at(-1) === 'fail' ? 'failed' : actions.at(-1) === 'refund' ? 'refunded' : 'expired'}`
      await until(() => receiver.of(order.order_no).some((one) => one.event.event === last), last)
      return receiver
        .of(order.order_no)
        .map((one) => one.event.event)
        .sort()
    }
    assert.deepEqual(await walk('pay', 'fail'), ['order.failed', 'order.processing'])
    assert.deepEqual(await walk('pay', 'refund'), ['order.processing', 'order.refunded'])
    assert.deepEqual(await walk('expire'), ['order.expired'])
  } finally {
    await receiver.close()
  }
})

test('6 and 8: no 2xx is a failure: five attempts in all with the same bytes and fresh signatures, then dead', async () => {
  const receiver = await startReceiver((one, before, response) => {
    response.statusCode = [500, 301, 404, 199, 503][before] === 199 ? 429 : ([500, 301, 404, 429, 503][before] ?? 200)
    response.setHeader('location', `${one.path}/elsewhere`)
    response.end('not now')
  })
  try {
    const { body: order } = await createOrder({
      webhook_url: `${receiver.url}/dead`,
      settle_chain: 'base',
      pay_chain: 'base',
    })
    await simulate(order.order_no, 'expire')
    const list = () =>
      call<{ data: { id: string; status: string; attempt_count: number }[] }>(
        `${florin.url}/v1/deliveries?order_no=${order.order_no}`,
        'GET',
        { headers: shop.key },
      )
    await until(async () => (await list()).body.data[0]?.status === 'dead', 'a dead delivery')
    const got = receiver.of(order.order_no)
    assert.equal(got.length, 5)
    assert.equal(new Set(got.map((one) => one.body.toString('hex'))).size, 1, 'frozen bytes')
    assert.deepEqual(
      got.map((one) => one.headers['x-service-attempt']),
      ['1', '2', '3', '4', '5'],
    )
    assert.ok(
      new Set(got.map((one) => one.headers['x-service-signature'])).size >= 4,
      'a fresh signature for each attempt',
    )
    assert.ok(
      got.every((one) => one.path === '/dead'),
      'a redirect is not followed',
    )
    const [row] = (await list()).body.data
    const detail = await call<{ attempts: { http_status: number; n: number }[] }>(
      `${florin.url}/v1/deliveries/${row?.id}`,
      'GET',
      { headers: shop.key },
    )
    assert.deepEqual(
      detail.body.attempts.map((attempt) => attempt.http_status),
      [500, 301, 404, 429, 503],
    )
  } finally {
    await receiver.close()
  }
})

test('6 and 8: a receiver that takes longer than ten seconds has failed; the next attempt may succeed', async () => {
  const receiver = await startReceiver((_one, before, response) => {
    if (before > 0) response.end()
  })
  try {
    const { body: order } = await createOrder({ webhook_url: receiver.url, settle_chain: 'base', pay_chain: 'base' })
    await simulate(order.order_no, 'expire')
    await until(() => receiver.of(order.order_no).length === 2, 'a second attempt')
    const list = () =>
      call<{ data: { id: string; status: string }[] }>(
        `${florin.url}/v1/deliveries?order_no=${order.order_no}`,
        'GET',
        { headers: shop.key },
      )
    await until(async () => (await list()).body.data[0]?.status === 'succeeded', 'success')
    const detail = await call<{ attempts: { http_status: number | null; latency_ms: number; error: string | null }[] }>(
      `${florin.url}/v1/deliveries/${(await list()).body.data[0]?.id}`,
      'GET',
      { headers: shop.key },
    )
    const [first, second] = detail.body.attempts
    assert.equal(first?.http_status, null)
    // It would never have answered.
    assert.ok((first?.latency_ms ?? 0) >= 9_900, `timed out after ${first?.latency_ms} ms`)
    assert.match(first?.error ?? '', /timeout/)
    assert.equal(second?.http_status, 200)
  } finally {
    await receiver.close()
  }
})

test('6: an order without a webhook_url sends nothing', async () => {
  const { body: order } = await createOrder({ settle_chain: 'base', pay_chain: 'base' })
  await simulate(order.order_no, 'pay')
  const list = await call<{ data: unknown[] }>(`${florin.url}/v1/deliveries?order_no=${order.order_no}`, 'GET', {
    headers: shop.key,
  })
  assert.deepEqual(list.body.data, [])
})
