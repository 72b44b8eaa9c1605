// Requests by the document and against it: for every call good ones and spoilt ones. None is answered with a 5xx, none is left hanging,
// every call is reached past its validation, and no answer is outside a closed copy of its schema. The cases are drawn from a seeded
// generator, so a failure can be drawn again.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { sized } from '../scripts/sizes.ts'
import { type Described, describedBy, type Operation } from './document.ts'
import { type Florin, startFlorin } from './florin.ts'
import { call, type Inbox, type Merchant, signUp, startInbox } from './merchant.ts'

const REQUESTS = sized({ short: 120, full: 20_000, soak: 1_000_000 })
const SEED = 20_261_121
/** A good request that is refused may have met a bad moment: another one follows. */
const TRIES = 12

let florin: Florin
let inbox: Inbox
let shop: Merchant
/** Whose account may be closed on the way. */
let victim: Merchant
/** Whose sessions end, by the call that ends them. */
const enders = new Map<string, Merchant>()
let described: Described
/** Ids and tokens that answers have shown, by what they begin with. */
const seen = new Map<string, string[]>()

before(async () => {
  inbox = await startInbox()
  florin = await startFlorin({ SMTP_URL: inbox.smtpUrl, OPERATOR_EMAILS: 'fuzz@shop.example' })
  shop = await signUp(florin.url, inbox, 'fuzz@shop.example')
  victim = await signUp(florin.url, inbox, 'victim@shop.example')
  for (const id of ending) enders.set(id, await signUp(florin.url, inbox, `${id.toLowerCase()}@shop.example`))
  described = await describedBy(florin.url, pick, known)
  const key = await call<{ data: { api_key: string } }>(`${florin.url}/api/v1/boss/appkeys`, 'POST', {
    headers: shop.console,
    body: { name: 'all', scopes: ['orders:read', 'orders:write', 'webhooks:read', 'webhooks:write', 'refunds:write'] },
  })
  shop.key['x-api-key'] = key.body.data.api_key
})

after(async () => {
  // Undefined where it did not start; what else runs must end all the same.
  await florin?.close()
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

/** What means something under these names; elsewhere what the schema says is enough. */
const known: Readonly<Record<string, readonly unknown[]>> = {
  amount_usd: ['12.50', 20, '0.01'],
  currency: ['USD', 'EUR', 'JPY'],
  default_currency: ['USD', 'EUR'],
  display_currency: ['USD', 'EUR'],
  chain: ['base', 'eth', 'btc'],
  settle_chain: ['base'],
  default_settle_chain: ['base'],
  pay_chain: ['base'],
  asset: ['USDC'],
  settle_asset: ['USDC'],
  pay_asset: ['USDC'],
  address: ['0x52908400098527886E0F7030069857D2E4169EE7'],
  refund_address: ['0x8617E340B3D01FA5F11F306F4090FD50E238070D'],
  url: ['http://127.0.0.1:9/webhooks'],
  webhook_url: ['http://127.0.0.1:9/webhooks'],
  success_url: ['https://shop.example/thanks'],
  cancel_url: ['https://shop.example/'],
  support_url: ['https://shop.example/help'],
  email: ['someone@shop.example'],
  payer_email: ['payer@shop.example'],
  support_email: ['help@shop.example'],
  accent: ['#1d5fd6'],
  title: ['Poster'],
  metadata: [{ cart: '7' }, {}],
  due_date: ['2090-01-31'],
  ends_at: ['2090-01-31T00:00:00Z'],
  expires_at: ['2090-01-31T00:00:00Z', null],
  from: ['2026-01-01T00:00:00Z'],
  to: ['2026-01-31T00:00:00Z'],
  created_from: ['2026-01-01'],
  created_to: ['2090-01-01T00:00:00Z'],
  quantity: ['2', 1],
  unit_price: ['10.00'],
  percent: ['20'],
  tax: [null, { label: 'VAT', percent: '20' }],
  number: [null],
  amount: ['10'],
  amount_min: [null],
  amount_max: [null],
  quantity_max: [1],
  stock: [null, 5],
  tx_hash: [`0x${'5e'.repeat(32)}`],
  code: ['000000'],
  token: ['x'.repeat(43)],
  nonce: ['n'.repeat(20)],
  cursor: [undefined],
  after: [undefined],
  guardian: ['0x52908400098527886E0F7030069857D2E4169EE7'],
  confirmations: [null],
  script_type: [null],
  wallet_address: [null],
  proof: [undefined],
  allow_over: [true],
  grace_seconds: [86_400],
}

/** These end a session, or count wrong guesses against one: each has a merchant of its own. */
const ending = ['consoleSignOut', 'consoleEndSessions', 'consoleEndSession', 'consoleConfirm']
/** These stay open by design. */
const streams = /^(stream|consoleStream)/

const one = (prefix: string): string => pick(seen.get(prefix) ?? [`${prefix}_${'0'.repeat(26)}`])

/** Which ids a call means, by the noun before them. */
const prefixes: Readonly<Record<string, string>> = {
  ...{ orders: 'ord', payment_links: 'plk', invoices: 'inv', deliveries: 'dlv', replays: 'rpl', sessions: 'ses' },
  ...{ appkeys: 'key', merchants: 'mer', merchant_refunds: 'mrf', webhook_endpoints: 'whe', attention: 'att' },
}

function pathOf(operation: Operation, spoilt: boolean): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_all, name: string) => {
    if (spoilt) return encodeURIComponent(String(pick(words)))
    if (name === 'token') return pick(seen.get('token') ?? ['x'])
    if (name === 'chain') return 'base'
    if (name === 'action') return pick(['dismiss', 'refund', 'retry', 'refund-to'])
    if (name === 'order_no') return one('ord')
    const noun = operation.path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? ''
    const own = prefixes[noun]
    return own !== undefined && seen.has(own) ? one(own) : one(pick([...seen.keys()].filter((key) => key !== 'token')))
  })
}

const words = nasty.filter(
  (entry): entry is string => typeof entry === 'string' && entry.isWellFormed() && entry !== '' && entry.length < 400,
)

interface Case {
  target: string
  method: string
  headers: Headers
  body: Uint8Array | null
}

/** @param spoils how many parts of a good request are replaced by something hostile. */
function draw(operation: Operation, spoils: number): Case {
  const headers = new Headers()
  const who = enders.get(operation.operationId) ?? shop
  if (operation.path.startsWith('/v1')) headers.set('x-api-key', who.key['x-api-key'])
  else if (operation.path.startsWith('/api/')) headers.set('authorization', `Bearer ${who.token}`)
  const query = new Map<string, unknown>()
  for (const { name, in: place, required, schema } of operation.parameters) {
    if (place === 'query' && (required === true || random() < 0.3)) query.set(name, described.valid(schema, name))
    if (name === 'Idempotency-Key' && random() < 0.2) headers.set(name, pick(['k1', 'k2', crypto.randomUUID()]))
  }
  let value = operation.body === null ? null : (described.valid(operation.body, '') as Record<string, unknown>)
  if (value !== null) value = mended(operation, value)
  let path = pathOf(operation, false)
  let method = operation.method
  let bytes: Uint8Array | null = null
  let type = 'application/json'
  for (let n = 0; n < spoils; n++) {
    const kind = random()
    if (kind < 0.5 && value !== null) {
      const field = pick([...Object.keys(value), 'nonsense', '__proto__'])
      value = { ...value, [field]: pick(nasty) }
      if (random() < 0.2) delete value[field]
    } else if (kind < 0.6) query.set(pick([...query.keys(), 'limit', 'cursor', 'nope', 'metadata[x]']), pick(words))
    else if (kind < 0.7) path = pathOf(operation, true)
    else if (kind < 0.8) bytes = Buffer.from(pick(broken))
    else if (kind < 0.86) type = pick(['text/plain', 'application/json; charset=latin1', 'nonsense', ''])
    else if (kind < 0.92)
      headers.set(pick(['authorization', 'x-api-key']), pick(['', 'Bearer', 'Basic x', victim.token, 'x'.repeat(4000)]))
    else if (kind < 0.96) headers.set('idempotency-key', pick(['', 'x'.repeat(300), 'é']))
    // Ending all sessions would end that of the whole test.
    else if (!/sessions|logout/.test(path)) method = pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
  }
  const texts = [...query].flatMap(([name, given]) =>
    (Array.isArray(given) ? given : [given]).flatMap((each) =>
      each === undefined || typeof each === 'object'
        ? []
        : [`${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`],
    ),
  )
  if (operation.isBinary) bytes ??= Buffer.from('no picture')
  if (method !== 'GET' && (bytes !== null || value !== null)) {
    if (operation.isBinary && type === 'application/json') type = 'image/png'
    if (type !== '') headers.set('content-type', type)
  }
  const body = method === 'GET' ? null : (bytes ?? (value === null ? null : Buffer.from(JSON.stringify(value))))
  return { target: texts.length === 0 ? path : `${path}?${texts.join('&')}`, method, headers, body }
}

/** Rules between fields, which no schema says. */
function mended(operation: Operation, value: Record<string, unknown>): Record<string, unknown> {
  const { ...to } = value
  if (/Create(Test)?Order$|^createOrder$/.test(operation.operationId)) {
    if (random() < 0.5) Object.assign(to, { amount: '12', currency: 'EUR', amount_usd: undefined })
    else Object.assign(to, { amount_usd: '12.50', amount: undefined, currency: undefined })
    if (to.pay_asset !== undefined || to.refund_address !== undefined) to.pay_chain = 'base'
  }
  if (/simulate/i.test(operation.operationId)) to.amount = undefined
  if (/CreateMerchantRefund$|^createMerchantRefund$/.test(operation.operationId))
    Object.assign(to, { address: undefined, amount: '1' })
  if (/Link$/.test(operation.operationId)) to.stock = undefined
  // Only one with a payer can be mailed.
  if (/CreateInvoice$|^createInvoice$/.test(operation.operationId)) to.payer_email = 'payer@shop.example'
  return to
}

const broken: readonly (string | Uint8Array)[] = [
  ...['{', '{"a":', '[[[', '"', 'nul', '{"a":1}}', "{'a':1}", '{"a":1e9999}', '{"a":"\\ud800"}', '{"\\u0000":1}'],
  ...[
    `{"title":"${'x'.repeat(70_000)}"}`,
    '['.repeat(30_000),
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  ],
]

const validation = new Set([
  ...[
    'validation_failed',
    'unknown_field',
    'missing_field',
    'malformed_json',
    'malformed_encoding',
    'malformed_request',
  ],
  ...['malformed_url', 'malformed_cursor', 'malformed_idempotency_key', 'unsupported_media_type', 'body_too_large'],
  ...['invalid_api_key', 'invalid_token', 'scope_missing', 'operator_required', 'confirmation_required'],
])

function harvest(text: string): void {
  const keep = (kind: string, value: string): void => {
    const list = seen.get(kind) ?? []
    if (!list.includes(value)) seen.set(kind, [...list.slice(-20), value])
  }
  for (const [id, kind = ''] of text.matchAll(/\b([a-z]{3})_[0-9a-z]{26}\b/g)) if (!own.has(id)) keep(kind, id)
  for (const [, token = ''] of text.matchAll(/\/pay\/([A-Za-z0-9]{20,})/g)) keep('token', token)
}
/** The merchant and the keys that the whole test goes by. */
const own = new Set<string>()

const counts = new Map<string, number>()
/** Answers outside the document, each with the first request that got it. */
const outside = new Map<string, string>()

/** @returns whether the call was reached past its validation. */
async function send(operation: Operation, { target, method, headers, body }: Case): Promise<boolean> {
  const response = await fetch(florin.url + target, {
    ...{ method, headers, redirect: 'manual', signal: AbortSignal.timeout(120_000) },
    ...(body === null ? {} : { body: new Uint8Array(body) }),
  })
  const text = await response.text()
  const label = `${operation.operationId}: ${method} ${target.slice(0, 200)} ${body === null ? '' : Buffer.from(body).toString().slice(0, 400)} → ${response.status} ${text.slice(0, 600)}`
  assert.ok(response.status < 500 || response.headers.has('retry-after'), label)
  assert.notEqual(response.status, 500, label)
  assert.ok(response.headers.get('x-request-id'), label)
  assert.doesNotMatch(text, /\bat .*\.ts:|select |insert into|PostgresError|node_modules/i, label)
  const type = response.headers.get('content-type') ?? ''
  const code = response.status < 400 ? '' : ((JSON.parse(text) as { error?: { code: string } }).error?.code ?? '')
  counts.set(code || String(response.status), (counts.get(code || String(response.status)) ?? 0) + 1)
  // Another path or method than the call's own has answers of its own.
  const isOwn = method === operation.method && !['not_found', 'method_not_allowed', 'uri_too_long'].includes(code)
  const verdict = isOwn
    ? described.judge(operation, { status: response.status, type, text, headers: response.headers })
    : null
  if (verdict !== null) outside.set(`${operation.operationId}: ${verdict}`, label)
  if (response.status < 300) harvest(text)
  return isOwn && !validation.has(code)
}

test(`${REQUESTS} requests by the document get answers by the document`, async (t) => {
  const merchant = await call<{ data: { id: string } }>(`${florin.url}/api/v1/boss/merchant`, 'GET', {
    headers: shop.console,
  })
  const keys = await call<{ data: { data: { id: string }[] } }>(`${florin.url}/api/v1/boss/appkeys`, 'GET', {
    headers: shop.console,
  })
  for (const id of [merchant.body.data.id, ...keys.body.data.data.map((key) => key.id)]) own.add(id)
  const operations = described.operations.filter(({ operationId }) => !streams.test(operationId))
  assert.ok(operations.length >= 130, `only ${operations.length} calls are documented`)

  // What makes things comes first, so that there is something to read and change.
  const making = [...operations].sort(
    (a, b) => Number(/reate/.test(b.operationId)) - Number(/reate/.test(a.operationId)),
  )
  const unreached: string[] = []
  let sent = 0
  for (const operation of making) {
    let isReached = false
    for (let n = 0; n < TRIES && !isReached; n++, sent++) isReached = await send(operation, draw(operation, 0))
    if (!isReached) unreached.push(operation.operationId)
  }

  const worker = async (): Promise<void> => {
    while (sent < REQUESTS) {
      const operation = operations[sent++ % operations.length]
      if (operation !== undefined) await send(operation, draw(operation, pick([0, 1, 1, 1, 2, 3])))
    }
  }
  // Fewer than the least of Florin's pools holds: on a machine that is too busy, more would rightly be told to wait.
  await Promise.all(Array.from({ length: 4 }, worker))
  t.diagnostic(
    `seed ${SEED}, ${operations.length} calls: ${[...counts]
      .sort((a, b) => b[1] - a[1])
      .map(([code, n]) => `${code} ${n}`)
      .join(', ')}`,
  )
  assert.deepEqual(
    [...outside].map(([verdict, request]) => `${verdict} <- ${request}`),
    [],
    'answers outside the document',
  )
  assert.deepEqual(unreached, [], 'calls that no good request reached')
  assert.ok(counts.size >= 12, 'the requests reached many different refusals')
  assert.equal((await fetch(`${florin.url}/readyz`)).status, 200)
  // What waited too long for a connection, as everything does on a machine that is busy enough, is tried again and no fault.
  const errors = florin
    .output()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line) && !/"(ACQUIRE|CONNECT)_TIMEOUT"/.test(line))
  assert.deepEqual(errors, [], 'nothing was logged as an error')
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
