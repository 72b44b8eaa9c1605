// Ten thousand hostile requests over every route: none is answered with a 5xx, none is left hanging, and every refusal
// has our shape. The cases are drawn from a seeded generator, so a failure can be drawn again.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { errorTable } from '@florin/protocol'
import { sized } from '../scripts/sizes.ts'
import { type Florin, startFlorin } from './florin.ts'
import { call, type Inbox, type Merchant, signUp, startInbox } from './merchant.ts'

const REQUESTS = sized({ short: 2_000, full: 10_000, soak: 1_000_000 })
const SEED = 20_261_121

let florin: Florin
let inbox: Inbox
let shop: Merchant
let routes: { method: string; path: string }[]
let orderNo: string

before(async () => {
  inbox = await startInbox()
  florin = await startFlorin({ SMTP_URL: inbox.smtpUrl })
  shop = await signUp(florin.url, inbox, 'fuzz@shop.example')
  const document = await call<{ paths: Record<string, Record<string, unknown>> }>(`${florin.url}/openapi.json`, 'GET')
  routes = Object.entries(document.body.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .map((method) => ({ method: method.toUpperCase(), path }))
      // A stream stays open by design, and signing out would end the session that the rest uses.
      .filter((route) => !/stream|logout|sessions/.test(route.path)),
  )
  const order = await call<{ order_no: string }>(`${florin.url}/v1/orders`, 'POST', {
    headers: shop.key,
    body: { amount_usd: 1 },
  })
  orderNo = order.body.order_no
})

after(async () => {
  await florin.close()
  await inbox.close()
})

// mulberry32: small, seeded, good enough to pick from lists.
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const random = generator(SEED)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const nasty: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -0,
  2 ** 53,
  '',
  ' ',
  'a',
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '﻿',
  '💸',
  'ＵＳＤＣ',
  "'; drop table orders; --",
  '../../etc/passwd',
  '%00',
  '%ff',
  '<script>alert(1)</script>',
  'x'.repeat(300),
  'x'.repeat(5000),
  [],
  [[]],
  {},
  { a: { b: { c: [] } } },
  'NaN',
  'Infinity',
  '1e400',
  '0x10',
  '-0.0',
  '00012',
  'eth',
  'base',
  'btc',
  'USDC',
  'live',
  'order.success',
  'pay',
  '2026-11-21T00:00:00Z',
  '9999-99-99',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  'toString',
  Array.from({ length: 2000 }, () => 0),
]

const fields = [
  'email',
  'code',
  'name',
  'mode',
  'scopes',
  'expires_at',
  'chain',
  'address',
  'label',
  'amount_usd',
  'external_id',
  'webhook_url',
  'settle_chain',
  'settle_asset',
  'pay_chain',
  'pay_asset',
  'refund_address',
  'expires_in',
  'underpay_tolerance_bps',
  'late_policy',
  'title',
  'metadata',
  'action',
  'amount',
  'reason',
  'grace_seconds',
  'overlap_seconds',
  'from',
  'to',
  'status',
  'url',
  'event',
  'default_settle_chain',
  '__proto__',
  'constructor',
  'nonsense',
]

function value(depth = 0): unknown {
  if (depth < 2 && random() < 0.1)
    return Object.fromEntries(Array.from({ length: 3 }, () => [pick(fields), value(depth + 1)]))
  return pick(nasty)
}

/** Bytes of a body: mostly JSON objects of known names and hostile values, sometimes no JSON at all. */
function body(): Buffer {
  const kind = random()
  if (kind < 0.7)
    return Buffer.from(
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 1 + Math.floor(random() * 6) }, () => [pick(fields), value()])),
      ),
    )
  if (kind < 0.8) return Buffer.from(JSON.stringify(value()) ?? 'null')
  if (kind < 0.85) return Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
  if (kind < 0.9)
    return Buffer.from(
      pick([
        '{',
        '{"a":',
        '[[[',
        '"',
        'nul',
        '{"a":1}}',
        '﻿{}',
        "{'a':1}",
        '{"a":1e9999}',
        '{"a":"\\ud800"}',
        '{"\\u0000":1}',
      ]),
    )
  if (kind < 0.93) return Buffer.from(`{"title":"${'x'.repeat(70_000)}"}`)
  if (kind < 0.96) return Buffer.from('['.repeat(30_000))
  return Buffer.from(Array.from({ length: 64 }, () => Math.floor(random() * 256)))
}

// Mostly the right type, so that most bodies are really looked at.
const types = [
  ...Array<string>(24).fill('application/json'),
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'nonsense',
  '',
]

function path(template: string): string {
  const filled = template.replace(/\{[^}]+\}/g, (name) =>
    random() < 0.4 && name.includes('order')
      ? orderNo
      : encodeURIComponent(
          String(
            pick(
              nasty.filter(
                (entry) => typeof entry === 'string' && entry.isWellFormed() && entry !== '' && entry.length < 400,
              ),
            ),
          ),
        ),
  )
  if (random() < 0.6) return filled
  const query = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const name = pick([
      ...fields,
      'limit',
      'cursor',
      'after',
      'livemode',
      'q',
      'created_from',
      'order_no',
      'metric',
      'bucket',
      'format',
    ])
    return `${name}=${pick(['', '1', '-1', '0', '101', 'x', '%00', '%ff', '%', 'abc', 'true', 'eyJhIjoxfQ', encodeURIComponent(String(pick(nasty.filter((entry) => typeof entry === 'string' && entry.isWellFormed())))).slice(0, 2000)])}`
  })
  return `${filled}?${query.join('&')}`
}

test(`${REQUESTS} hostile requests over every route get an answer below 500, in our shape`, async (t) => {
  assert.ok(routes.length >= 25, `only ${routes.length} routes are documented`)
  const codes = new Map<string, number>()
  let sent = 0
  const one = async (): Promise<void> => {
    const route = routes[sent % routes.length] ?? routes[0]
    if (route === undefined) return
    const headers = new Headers()
    const type = pick(types)
    if (type !== '') headers.set('content-type', type)
    if (random() < 0.05) headers.set('content-encoding', pick(['gzip', 'br', 'nonsense', 'identity']))
    if (random() < 0.2) headers.set('idempotency-key', pick(['', 'k', 'x'.repeat(300), 'a b', 'é']))
    const credential = random()
    if (credential < 0.8) {
      if (route.path.startsWith('/v1')) headers.set('x-api-key', shop.apiKey)
      else headers.set('authorization', `Bearer ${shop.token}`)
    } else if (credential < 0.9)
      headers.set(
        pick(['authorization', 'x-api-key']),
        pick([
          '',
          'Bearer',
          'Bearer ',
          'Basic x',
          `Bearer ${shop.apiKey}`,
          shop.token,
          'florin_test_x',
          'x'.repeat(4000),
        ]),
      )
    const method = random() < 0.95 ? route.method : pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
    const target = path(route.path)
    const withBody = method !== 'GET' && method !== 'HEAD' && random() < 0.95
    const response = await fetch(`${florin.url}${target}`, {
      method,
      headers,
      ...(withBody ? { body: new Uint8Array(body()) } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(120_000),
    })
    const text = await response.text()
    const label = `${method} ${target.slice(0, 200)} → ${response.status} ${text.slice(0, 300)}`
    assert.ok(response.status < 500, label)
    if (response.status >= 400 && method !== 'HEAD') {
      const answer = JSON.parse(text) as {
        code?: number
        error: { code: keyof typeof errorTable; message: string; request_id: string }
      }
      const entry = errorTable[answer.error.code]
      assert.ok(entry, label)
      assert.equal(response.status, entry.status, label)
      if (route.path.startsWith('/api/')) assert.equal(answer.code, entry.consoleCode, label)
      assert.ok(answer.error.request_id, label)
      assert.doesNotMatch(text, /\bat .*\.ts:|select |insert into|PostgresError|node_modules/i, label)
      codes.set(answer.error.code, (codes.get(answer.error.code) ?? 0) + 1)
    } else codes.set(String(response.status), (codes.get(String(response.status)) ?? 0) + 1)
  }
  const worker = async (): Promise<void> => {
    while (sent < REQUESTS) {
      sent++
      await one()
    }
  }
  // Fewer than the least of Florin's pools holds: on a machine that is too busy, more would rightly be told to wait.
  await Promise.all(Array.from({ length: 4 }, worker))
  t.diagnostic(
    `seed ${SEED}, ${routes.length} routes: ${[...codes]
      .sort((a, b) => b[1] - a[1])
      .map(([code, n]) => `${code} ${n}`)
      .join(', ')}`,
  )
  assert.ok(codes.size >= 12, 'the requests reached many different refusals')
  assert.equal((await fetch(`${florin.url}/readyz`)).status, 200)
  assert.doesNotMatch(florin.output(), /"level":(50|60)/, 'nothing was logged as an error')
})

test('bytes that are no request, cut requests and slow requests never hang or harm', async () => {
  const { port } = new URL(florin.url)
  const send = (bytes: string | Buffer): Promise<string> =>
    new Promise((resolve) => {
      let text = ''
      const socket = connect(Number(port), '127.0.0.1', () => socket.end(bytes))
      socket.setTimeout(120_000, () => {
        text = 'hung'
        socket.destroy()
      })
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk
      })
      socket.on('close', () => resolve(text)).on('error', () => undefined)
    })
  const host = 'Host: localhost\r\n'
  const cases: [string, string | Buffer, RegExp][] = [
    ['noise', Buffer.from(Array.from({ length: 500 }, (_, n) => (n * 37) % 256)), /^HTTP\/1\.1 400|^$/],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400/],
    [
      'two lengths',
      `POST /v1/orders HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
      /^HTTP\/1\.1 400/,
    ],
    [
      'length and chunks',
      `POST /v1/orders HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      /^HTTP\/1\.1 400/,
    ],
    [
      'a bad chunk',
      `POST /v1/orders HTTP/1.1\r\n${host}X-API-Key: ${shop.apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      /^HTTP\/1\.1 400/,
    ],
    [
      'a body that ends early',
      `POST /v1/orders HTTP/1.1\r\n${host}X-API-Key: ${shop.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"`,
      /^$|^HTTP\/1\.1 400/,
    ],
    ['huge headers', `GET /healthz HTTP/1.1\r\n${host}X: ${'a'.repeat(40_000)}\r\n\r\n`, /^HTTP\/1\.1 431/],
    ['a bad path', `GET /%zz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, /^HTTP\/1\.1 400/],
    ['an odd method', `BREW /v1/orders HTTP/1.1\r\n${host}\r\n`, /^HTTP\/1\.1 400/],
  ]
  for (const [name, bytes, expected] of cases) assert.match(await send(bytes), expected, name)
  assert.equal((await fetch(`${florin.url}/healthz`)).status, 200)
})
