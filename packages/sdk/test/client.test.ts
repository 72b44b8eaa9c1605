// Promises: every call of contract.md 4.4 goes out as written there; lists are walked to their end; bad input never leaves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin, type List } from '../src/index.ts'
import { answer, localServer } from './local-server.ts'

const apiKey = `florin_test_${'k'.repeat(38)}`
const at = new Date('2026-01-02T03:04:05.678Z')

const calls: [name: string, call: (florin: Florin) => Promise<unknown>, wire: string, body?: unknown][] = [
  [
    'create',
    (f) => f.orders.create({ amount_usd: 49.9, metadata: { cart: '7' } }),
    'POST /v1/orders',
    { amount_usd: 49.9, metadata: { cart: '7' } },
  ],
  ['get', (f) => f.orders.get('ord_1'), 'GET /v1/orders/ord_1'],
  ['list', (f) => f.orders.list().page(), 'GET /v1/orders'],
  [
    'list with every filter',
    (f) =>
      f.orders
        .list({
          status: ['success', 'failed'],
          external_id: 'a b&c',
          created_from: at,
          created_to: '2026-02-01T00:00:00Z',
          settle_chain: 'base',
          limit: 5,
          cursor: 'c1',
        })
        .page(),
    'GET /v1/orders?status=success&status=failed&external_id=a+b%26c&created_from=2026-01-02T03%3A04%3A05.678Z&created_to=2026-02-01T00%3A00%3A00Z&settle_chain=base&limit=5&cursor=c1',
  ],
  [
    'make a payment link',
    (f) => f.paymentLinks.create({ title: 'Chair', amount: '49.90', currency: 'EUR', stock: 3 }),
    'POST /v1/payment_links',
    { title: 'Chair', amount: '49.90', currency: 'EUR', stock: 3 },
  ],
  ['payment links', (f) => f.paymentLinks.list({ active: true }).page(), 'GET /v1/payment_links?active=true'],
  ['a payment link', (f) => f.paymentLinks.get('plk_1'), 'GET /v1/payment_links/plk_1'],
  [
    'turn a payment link off',
    (f) => f.paymentLinks.change('plk_1', { active: false, stock: null }),
    'POST /v1/payment_links/plk_1',
    { active: false, stock: null },
  ],
  [
    'make an invoice',
    (f) => f.invoices.create({ due_date: '2026-12-31', lines: [{ description: 'Work', unit_price: 80 }], send: true }),
    'POST /v1/invoices',
    { due_date: '2026-12-31', lines: [{ description: 'Work', unit_price: 80 }], send: true },
  ],
  ['invoices', (f) => f.invoices.list({ status: 'overdue' }).page(), 'GET /v1/invoices?status=overdue'],
  ['an invoice', (f) => f.invoices.get('inv_1'), 'GET /v1/invoices/inv_1'],
  ['mail an invoice', (f) => f.invoices.send('inv_1'), 'POST /v1/invoices/inv_1/send', {}],
  ['take an invoice back', (f) => f.invoices.void('inv_1'), 'POST /v1/invoices/inv_1/void', {}],
  ['cancel', (f) => f.orders.cancel('ord_1'), 'POST /v1/orders/ord_1/cancel', {}],
  ['refund', (f) => f.orders.refund('ord_1'), 'POST /v1/orders/ord_1/refund', {}],
  [
    'refund with a reason',
    (f) => f.orders.refund('ord_1', { reason: 'sold out' }),
    'POST /v1/orders/ord_1/refund',
    { reason: 'sold out' },
  ],
  ['timeline', (f) => f.orders.events('ord_1').page(), 'GET /v1/orders/ord_1/events'],
  ['events', (f) => f.events.list({ after: 'x1', limit: 2 }).page(), 'GET /v1/events?after=x1&limit=2'],
  [
    'deliveries',
    (f) => f.deliveries.list({ order_no: 'ord_1', status: 'dead', event: 'order.failed' }).page(),
    'GET /v1/deliveries?order_no=ord_1&status=dead&event=order.failed',
  ],
  ['delivery', (f) => f.deliveries.get('dlv_1'), 'GET /v1/deliveries/dlv_1'],
  ['resend', (f) => f.deliveries.resend('dlv_1'), 'POST /v1/deliveries/dlv_1/resend', {}],
  ['chains', (f) => f.chains.list().page(), 'GET /v1/chains'],
  [
    'simulate',
    (f) => f.test.simulate('ord_1', { action: 'pay' }),
    'POST /v1/test/orders/ord_1/simulate',
    { action: 'pay' },
  ],
  [
    'simulate with an amount',
    (f) => f.test.simulate('ord_1', { action: 'underpay', amount: 5n }),
    'POST /v1/test/orders/ord_1/simulate',
    { action: 'underpay', amount: '5' },
  ],
]

for (const [name, call, wire, body] of calls) {
  test(`${name} is ${wire.split('?')[0]}`, async (t) => {
    const { baseUrl, received } = await localServer(t, (_, response) =>
      answer(response, 200, { data: [], has_more: false, next_cursor: null }),
    )
    assert.deepEqual(await call(new Florin({ apiKey, baseUrl })), { data: [], has_more: false, next_cursor: null })
    const [request] = received
    assert.ok(request)
    const query = request.query.size > 0 ? `?${request.query}` : ''
    assert.equal(`${request.method} ${request.path}${query}`, wire)
    assert.deepEqual(request.body === '' ? undefined : JSON.parse(request.body), body)
    assert.equal(request.headers['x-api-key'], apiKey)
    assert.equal(request.headers['content-type'], body === undefined ? undefined : 'application/json')
    assert.match(request.headers['user-agent'] ?? '', /^florin-sdk\/\d+\.\d+\.\d+$/)
    assert.equal('idempotency-key' in request.headers, /^POST \/v1\/(orders|payment_links|invoices)$/.test(wire))
  })
}

test('a base URL may have a path and a slash at its end', async (t) => {
  const { baseUrl, received } = await localServer(t, (_, response) => answer(response, 200, {}))
  await new Florin({ apiKey, baseUrl: `${baseUrl}/pay/` }).orders.get('ord_1')
  assert.equal(received[0]?.path, '/pay/v1/orders/ord_1')
})

test('a list is walked from page to page, to its end and no further', async (t) => {
  const pages: Record<string, unknown> = {
    '': { data: [1, 2], has_more: true, next_cursor: 'b' },
    b: { data: [], has_more: true, next_cursor: 'c' },
    c: { data: [3], has_more: false, next_cursor: 'd' },
  }
  for (const [name, open] of [
    ['cursor', (f: Florin) => f.orders.list({ status: 'success' })],
    ['after', (f: Florin) => f.events.list()],
  ] as [string, (f: Florin) => List<unknown>][]) {
    const { baseUrl, received } = await localServer(t, ({ query }, response) =>
      answer(response, 200, pages[query.get(name) ?? '']),
    )
    const items: unknown[] = []
    for await (const item of open(new Florin({ apiKey, baseUrl }))) items.push(item)
    assert.deepEqual(items, [1, 2, 3])
    assert.deepEqual(
      received.map(({ query }) => query.get(name)),
      [null, 'b', 'c'],
    )
  }
})

test('leaving a list early asks for no further page', async (t) => {
  const { baseUrl, received } = await localServer(t, (_, response) =>
    answer(response, 200, { data: [1, 2], has_more: true, next_cursor: 'b' }),
  )
  for await (const _ of new Florin({ apiKey, baseUrl }).orders.list()) break
  assert.equal(received.length, 1)
})

test('a list that goes on without saying where is an error, not an endless loop', async (t) => {
  const { baseUrl } = await localServer(t, (_, response) =>
    answer(response, 200, { data: [1], has_more: true, next_cursor: 'same' }),
  )
  const list = new Florin({ apiKey, baseUrl }).orders.list({ cursor: 'same' })
  await assert.rejects(
    async () => {
      for await (const _ of list);
    },
    { code: 'unexpected_answer' },
  )
})

test('an id that would change the path is refused before anything is sent', async (t) => {
  const { baseUrl, received } = await localServer(t, (_, response) => answer(response, 200, {}))
  const florin = new Florin({ apiKey, baseUrl })
  for (const id of ['', '..', 'ord_1/cancel', 'ord_1?x', 'ord 1', undefined as unknown as string]) {
    await assert.rejects(async () => florin.orders.get(id), TypeError)
    await assert.rejects(async () => florin.deliveries.resend(id), TypeError)
  }
  assert.equal(received.length, 0)
})

test('what cannot be sent is refused at once, and is not taken for a broken connection', async (t) => {
  const { baseUrl, received } = await localServer(t, (_, response) => answer(response, 201, {}))
  const { orders } = new Florin({ apiKey, baseUrl })
  for (const idempotencyKey of ['', 'a\nb', 'clé', ' a', 'x'.repeat(256)]) {
    await assert.rejects(async () => orders.create({ amount_usd: 5 }, { idempotencyKey }), TypeError)
  }
  await assert.rejects(orders.create({ amount_usd: 5n as unknown as number }), TypeError)
  assert.equal(received.length, 0)
})

test('wrong settings are refused with a sentence, and the key is not in it', () => {
  const baseUrl = 'https://pay.shop.example'
  const wrong: [options: object, says: RegExp][] = [
    [{ baseUrl }, /apiKey is missing/],
    [{ baseUrl, apiKey: '' }, /apiKey is missing/],
    [{ baseUrl, apiKey: `${apiKey}\n` }, /white space/],
    [{ baseUrl, apiKey: `whsec_${'k'.repeat(32)}` }, /webhook secret/],
    [{ apiKey }, /baseUrl takes/],
    [{ apiKey, baseUrl: 'pay.shop.example' }, /baseUrl takes/],
    [{ apiKey, baseUrl: 'ftp://pay.shop.example' }, /baseUrl takes/],
    [{ apiKey, baseUrl: 'https://user:pass@pay.shop.example' }, /baseUrl takes/],
    [{ apiKey, baseUrl: `${baseUrl}/v1/` }, /without "\/v1"/],
    [{ apiKey, baseUrl, timeoutMs: 0 }, /timeoutMs/],
    [{ apiKey, baseUrl, maxRetries: -1 }, /maxRetries/],
    [{ apiKey, baseUrl, maxRetries: Number.POSITIVE_INFINITY }, /maxRetries/],
  ]
  for (const [options, says] of wrong) {
    assert.throws(
      () => new Florin(options as ConstructorParameters<typeof Florin>[0]),
      (error: Error) => error instanceof TypeError && says.test(error.message) && !error.message.includes('kkk'),
    )
  }
})
