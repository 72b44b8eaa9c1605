// Promises: a call is sent again exactly where that is safe and useful, an order is never made twice by it, time limits hold,
// and what is thrown says everything but the key.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { inspect } from 'node:util'
import { Florin, FlorinError, type FlorinOptions } from '../src/index.ts'
import { retryWaitMs } from '../src/retry.ts'
import { answer, drop, fail, localServer, type Script } from './local-server.ts'

const apiKey = `florin_live_${'k'.repeat(38)}`

async function client(t: Parameters<typeof localServer>[0], script: Script, options: Partial<FlorinOptions> = {}) {
  const { baseUrl, received } = await localServer(t, script)
  return { florin: new Florin({ apiKey, baseUrl, ...options }), received }
}

/** Fails twice in the given way, then answers. */
const twice =
  (failure: Script): Script =>
  (request, response, count) =>
    count <= 2 ? failure(request, response, count) : answer(response, 200, { order_no: 'ord_1' })

const passing: [name: string, failure: Script][] = [
  ['503 of the service', (_, response) => fail(response, 'unavailable')],
  ['429', (_, response) => fail(response, 'rate_limited', { 'retry-after': '0' })],
  ["a proxy's 502", (_, response) => response.writeHead(502).end('<html>')],
  ['a dropped connection', (_, response) => drop(response)],
  [
    'an answer cut in half',
    (_, response) =>
      void response.writeHead(200, { 'content-length': '90' }).write('{"order_no"', () => drop(response)),
  ],
  [
    'a create still running elsewhere',
    (_, response) => fail(response, 'idempotency_in_progress', { 'retry-after': '0' }),
  ],
]

// At once, because each waits for its retries.
suite('what passes', { concurrency: true }, () => {
  for (const [name, failure] of passing) {
    test(`create outlives ${name}, twice, with one Idempotency-Key and one body`, async (t) => {
      const { florin, received } = await client(t, twice(failure))
      assert.equal((await florin.orders.create({ amount_usd: 5 })).order_no, 'ord_1')
      assert.equal(received.length, 3)
      assert.equal(new Set(received.map(({ headers }) => headers['idempotency-key'])).size, 1)
      assert.equal(new Set(received.map(({ body }) => body)).size, 1)
    })
  }
})

test('an error says what to do, of the service as of the way to it', async (t) => {
  const { florin } = await client(t, (_, response) => fail(response, 'order_not_found'))
  await assert.rejects(florin.orders.get('ord_1'), (error: FlorinError) =>
    /a test key does not see live orders/.test(error.cure ?? ''),
  )
  const nobody = new Florin({ apiKey, baseUrl: 'http://127.0.0.1:9', maxRetries: 0 })
  await assert.rejects(nobody.orders.get('ord_1'), (error: FlorinError) =>
    /Look whether the service runs/.test(error.cure ?? ''),
  )
})

test('each create has a key of its own, and a key given is used', async (t) => {
  const { florin, received } = await client(t, (_, response) => answer(response, 201, {}))
  await florin.orders.create({ amount_usd: 5 })
  await florin.orders.create({ amount_usd: 5 })
  await florin.orders.create({ amount_usd: 5 }, { idempotencyKey: 'cart-7' })
  const keys = received.map(({ headers }) => headers['idempotency-key'])
  assert.match(String(keys[0]), /^[\da-f-]{36}$/)
  assert.notEqual(keys[0], keys[1])
  assert.equal(keys[2], 'cart-7')
})

test('Retry-After is waited for, never less', async (t) => {
  const { florin, received } = await client(t, (_, response, count) =>
    count === 1 ? fail(response, 'rate_limited', { 'retry-after': '1' }) : answer(response, 200, {}),
  )
  await florin.orders.get('ord_1')
  assert.ok((received[1]?.atMs ?? 0) - (received[0]?.atMs ?? 0) >= 1_000)
})

test('a refund is not sent again where the first may have been carried out', async (t) => {
  for (const failure of [drop, (response: Parameters<typeof drop>[0]) => response.writeHead(502).end()]) {
    const { florin, received } = await client(t, (_, response) => failure(response))
    await assert.rejects(florin.orders.refund('ord_1'), FlorinError)
    assert.equal(received.length, 1)
  }
})

test('a refund is sent again where the service says that it did nothing', async (t) => {
  const { florin, received } = await client(
    t,
    twice((_, response) => fail(response, 'rail_unavailable')),
  )
  await florin.orders.refund('ord_1')
  assert.equal(received.length, 3)
})

test('what will not get better is thrown at once, with all that the service said', async (t) => {
  const { florin, received } = await client(t, (_, response) => fail(response, 'invalid_address', {}, 'refund_address'))
  const error = await florin.orders.create({ amount_usd: 5 }).catch((reason: unknown) => reason)
  assert.ok(error instanceof FlorinError)
  const { name, code, type, status, param, requestId, message } = error
  assert.deepEqual(
    { name, code, type, status, param, requestId, message },
    {
      name: 'FlorinError',
      code: 'invalid_address',
      type: 'invalid_request',
      status: 422,
      param: 'refund_address',
      requestId: 'req_1',
      message: 'The address is not valid on this chain.',
    },
  )
  assert.equal(received.length, 1)
})

test('after the last retry the last error is thrown', async (t) => {
  const { florin, received } = await client(t, (_, response) => fail(response, 'unavailable'), { maxRetries: 1 })
  await assert.rejects(florin.orders.get('ord_1'), { code: 'unavailable', status: 503 })
  assert.equal(received.length, 2)
})

test('a wait longer than a minute is handed to the caller', async (t) => {
  const { florin, received } = await client(t, (_, response) =>
    fail(response, 'rate_limited', { 'retry-after': '3600' }),
  )
  await assert.rejects(florin.orders.get('ord_1'), { code: 'rate_limited', retryAfterSeconds: 3600 })
  assert.equal(received.length, 1)
})

test('a service that hangs is given up, before its headers and in the middle of its body', async (t) => {
  const scripts: Script[] = [() => {}, (_, response) => void response.writeHead(200).write('{"order_no":')]
  for (const script of scripts) {
    const { florin } = await client(t, script, { timeoutMs: 80, maxRetries: 0 })
    await assert.rejects(florin.orders.get('ord_1'), { code: 'timeout', type: 'connection', status: null })
  }
})

test('a create that timed out is sent again with its key', async (t) => {
  const { florin, received } = await client(t, (_, response, count) => void (count > 1 && answer(response, 201, {})), {
    timeoutMs: 80,
  })
  await florin.orders.create({ amount_usd: 5 })
  assert.equal(received[0]?.headers['idempotency-key'], received[1]?.headers['idempotency-key'])
})

test("the caller's signal ends a call in flight and a wait between two tries", async (t) => {
  const hangs = await client(
    t,
    (_, response) => void response.writeHead(200).write('{', () => controller.abort(reason)),
  )
  const reason = new Error('the shopper left')
  let controller = new AbortController()
  await assert.rejects(hangs.florin.orders.get('ord_1', { signal: controller.signal }), reason)

  const waits = await client(t, (_, response) => {
    fail(response, 'rate_limited', { 'retry-after': '50' })
    response.on('close', () => setImmediate(() => controller.abort(reason)))
  })
  controller = new AbortController()
  await assert.rejects(waits.florin.orders.get('ord_1', { signal: controller.signal }), reason)
  assert.equal(waits.received.length, 1)
  await assert.rejects(waits.florin.orders.get('ord_1', { signal: controller.signal }), reason)
  assert.equal(waits.received.length, 1)
})

test('a service that is not there is named, for a call of any kind after its retries', async (t) => {
  const { baseUrl } = await localServer(t, () => {})
  const unused = baseUrl.replace(/\d+$/, '1')
  const florin = new Florin({ apiKey, baseUrl: unused, maxRetries: 1 })
  await assert.rejects(florin.orders.refund('ord_1'), (error: FlorinError) => {
    return error.code === 'connection_failed' && error.message.includes(unused)
  })
})

test('a redirect is not followed, so the key goes nowhere else', async (t) => {
  const elsewhere = await localServer(t, (_, response) => answer(response, 200, {}))
  const { florin } = await client(t, (_, response) =>
    response.writeHead(308, { location: `${elsewhere.baseUrl}/` }).end(),
  )
  await assert.rejects(florin.orders.get('ord_1'), { code: 'unexpected_answer', status: 308, message: /redirect/ })
  assert.equal(elsewhere.received.length, 0)
})

test('a page in the place of JSON is an error, with status 200 too', async (t) => {
  const { florin } = await client(t, (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  )
  await assert.rejects(florin.orders.get('ord_1'), { code: 'unexpected_answer', status: 200 })
})

test('neither the client nor any error shows the key, however it is printed', async (t) => {
  const { florin } = await client(
    t,
    (_, response, count) => {
      if (count === 1) fail(response, 'invalid_api_key')
      else if (count === 2) response.writeHead(500).end('oops')
      else drop(response)
    },
    { maxRetries: 0 },
  )
  const shown = [florin, florin.orders, florin.events.stream(), florin.orders.list()]
  const errors = await Promise.all(
    [1, 2, 3].map(() => florin.orders.create({ amount_usd: 1 }).catch((error: unknown) => error)),
  )
  for (const each of [...shown, ...errors]) {
    const printed = [
      inspect(each, { depth: 20, showHidden: true, getters: true }),
      JSON.stringify(each),
      String(each),
      each instanceof Error ? each.stack : '',
    ]
    assert.ok(!printed.join().includes('kkkk'))
  }
  assert.match(inspect(florin), /^Florin \{ baseUrl: 'http/)
})

test('a fetch of one’s own is used', async () => {
  const seen: unknown[] = []
  const fetch = async (...request: unknown[]) => {
    seen.push(request[0])
    return Response.json({ order_no: 'ord_1' })
  }
  await new Florin({ apiKey, baseUrl: 'https://pay.shop.example', fetch }).orders.get('ord_1')
  assert.deepEqual(seen, ['https://pay.shop.example/v1/orders/ord_1'])
})

test('waits double, spread by chance, and never begin before Retry-After', () => {
  const error = (retryAfterSeconds: number | null) =>
    new FlorinError('', { code: 'rate_limited', type: 'rate_limit', status: 429, retryAfterSeconds })
  assert.deepEqual(
    [0, 1, 2, 9].map((made) => retryWaitMs(error(null), false, made, 1)),
    [250, 500, 1_000, 8_000],
  )
  assert.equal(retryWaitMs(error(null), false, 0, 0), 125)
  assert.equal(retryWaitMs(error(2), false, 0, 0), 2_125)
  assert.equal(retryWaitMs(error(61), true, 0, 0), null)
})
