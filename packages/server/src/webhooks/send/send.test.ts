import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { anAuthority } from '../../../test/certificate.ts'
import { dnsServer } from '../../../test/dns-server.ts'
import * as r from '../../../test/receiver.ts'
import { type Connections, makeConnections } from './connections.ts'
import { makePolicy, type TargetSettings } from './policy.ts'
import { makeResolver } from './resolve.ts'
import { type Outcome, send } from './send.ts'
import { makeDialler } from './target.ts'

/** Long enough for every receiver that answers at once, also on a busy machine. */
const TIMEOUT_MS = 3_000
const development = { webhookAllow: [], webhookAllowPrivate: true, webhookOwnAddresses: [] }

function connectionsOf(
  t: TestContext,
  a: { settings?: TargetSettings; dns?: string; ca?: string; idleMax?: number } = {},
): Connections {
  const resolver = makeResolver(a.dns === undefined ? undefined : [a.dns])
  const policy = makePolicy(a.settings ?? development)
  const connections = makeConnections(
    makeDialler({ resolver, policy, own: { includes: async () => false }, ...(a.ca ? { ca: a.ca } : {}) }),
    a.idleMax ?? 64,
  )
  t.after(() => connections.close())
  return connections
}

const post = (connections: Connections, url: string, timeoutMs = TIMEOUT_MS): Promise<Outcome> =>
  send(
    connections,
    { url, body: Buffer.from('{"a":1}'), headers: ['Content-Type', 'application/json', 'X-Service-Attempt', '1'] },
    timeoutMs,
  )

test('the bytes arrive as they are, with the headers given and no encoding asked for', async (t) => {
  const receiver = await r.receiver(t)
  const outcome = await post(connectionsOf(t), `${receiver.url}?a=b`)
  assert.equal(outcome.error, null)
  assert.equal(outcome.httpStatus, 200)
  assert.equal(outcome.excerpt, 'ok')
  const [request] = receiver.requests
  assert.equal(request?.method, 'POST')
  assert.equal(request?.path, '/hook?a=b')
  assert.equal(request?.body.toString(), '{"a":1}')
  assert.deepEqual(request?.headers, {
    ...{ host: `127.0.0.1:${receiver.port}`, connection: 'keep-alive', 'content-length': '7' },
    ...{ 'content-type': 'application/json', 'x-service-attempt': '1' },
  })
})

test('any 2xx is a success and nothing else is; a redirect is not followed', async (t) => {
  const forbidden = await r.receiver(t)
  const receiver = await r.receiver(t)
  const connections = connectionsOf(t)
  const cases: [r.Answer, number, string | null][] = [
    ...[200, 201, 202, 204, 299].map((code): [r.Answer, number, null] => [r.status(code), code, null]),
    ...[400, 401, 404, 410, 429, 500, 503].map((code): [r.Answer, number, string] => [
      r.status(code, 'no'),
      code,
      `http_${code}`,
    ]),
    ...[300, 301, 304].map((code): [r.Answer, number, string] => [r.status(code), code, 'redirect_refused']),
    [r.redirect(forbidden.url), 307, 'redirect_refused'],
  ]
  for (const [answer, status, error] of cases) {
    receiver.answer(answer)
    const outcome = await post(connections, receiver.url)
    assert.equal(outcome.httpStatus, status)
    assert.equal(outcome.error, error)
  }
  assert.equal(forbidden.accepted, 0)
  assert.equal(receiver.accepted, 1, 'one connection served them all')
})

test('hostile receivers come to an end, with the right word, and leave no connection behind', async (t) => {
  const cases: [string, r.Answer, string | null][] = [
    ['takes it and hangs', r.hang, 'timeout_headers'],
    ['drips headers', r.dripHeaders, 'timeout_headers'],
    ['endless 1xx', r.endless1xx, 'timeout_headers'],
    ['drips a body', r.dripBody, null],
    ['declared body bomb', r.bodyBomb(true), null],
    ['chunked body bomb', r.bodyBomb(false), null],
    ['gzip bomb', r.gzipBomb(gzipSync(Buffer.alloc(50 << 20))), null],
    ['header flood', r.headerFlood, 'protocol_error'],
    ['chunk garbage', r.chunkGarbage, null],
    ['speaks SMTP', r.notHttp, 'protocol_error'],
    ['resets', r.reset, 'connect_reset'],
    ['closes its half', r.halfClose, 'connect_reset'],
    ['switches protocols unasked', r.status(101), 'protocol_error'],
    ['100 without being asked', r.status(100), 'protocol_error'],
  ]
  const connections = connectionsOf(t)
  await Promise.all(
    cases.map(async ([name, answer, error]) => {
      const receiver = await r.receiver(t, {}, answer)
      // Those that drip and those that hang would go on for ever.
      const outcome = await post(connections, receiver.url)
      assert.equal(outcome.error, error, name)
      assert.ok((outcome.excerpt?.length ?? 0) <= 1024, name)
      assert.equal(receiver.requests.length, 1, `${name}: sent once`)
    }),
  )
  assert.equal(connections.idle(), 0)
})

test('a body of any size costs no memory', async (t) => {
  const receiver = await r.receiver(t, {}, r.bodyBomb(false))
  const connections = connectionsOf(t)
  const before = process.memoryUsage().rss
  for (let i = 0; i < 40; i++) assert.equal((await post(connections, receiver.url)).error, null)
  const grownMb = (process.memoryUsage().rss - before) / 2 ** 20
  assert.ok(grownMb < 50, `${grownMb} MB`)
})

test('a connection that the receiver closed between two requests costs no attempt', async (t) => {
  const receiver = await r.receiver(t, {}, r.closesNext())
  const connections = connectionsOf(t)
  for (let i = 0; i < 4; i++) assert.equal((await post(connections, receiver.url)).error, null)
  assert.ok(receiver.accepted > 1)

  // Once and not for ever: a receiver that closes on every request fails.
  receiver.answer((socket) => void socket.destroy())
  const requests = receiver.requests.length
  assert.equal((await post(connections, receiver.url)).error, 'connect_reset')
  assert.equal(receiver.requests.length - requests, 2, 'the old connection and one new one')
  assert.equal((await post(connections, receiver.url)).error, 'connect_reset')
  assert.equal(receiver.requests.length - requests, 3, 'on a new connection there is no second try')
})

test('once one byte of an answer has come the request was taken, and is not made again by itself', async (t) => {
  const receiver = await r.receiver(t)
  const connections = connectionsOf(t)
  assert.equal((await post(connections, receiver.url)).error, null)
  receiver.answer((socket) => void socket.end('HTTP/1.1 20'))
  assert.equal((await post(connections, receiver.url)).error, 'connect_reset')
  assert.deepEqual([receiver.requests.length, receiver.accepted], [2, 1])
})

test('a receiver that says close is given a new connection each time', async (t) => {
  const receiver = await r.receiver(
    t,
    {},
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  )
  const connections = connectionsOf(t)
  for (let i = 0; i < 3; i++) assert.equal((await post(connections, receiver.url)).error, null)
  assert.equal(receiver.accepted, 3)
  assert.equal(receiver.requests.length, 3)
})

test('connections kept idle are bounded', async (t) => {
  const receivers = await Promise.all(Array.from({ length: 6 }, () => r.receiver(t)))
  const connections = connectionsOf(t, { idleMax: 4 })
  await Promise.all(receivers.flatMap(({ url }) => [post(connections, url), post(connections, url)]))
  assert.equal(connections.idle(), 4)
})

test('faults below HTTP have their own words', async (t) => {
  const dns = await dnsServer(t, (name) => {
    if (name === 'gone.example') return 'nxdomain'
    if (name === 'broken.example') return 'servfail'
    return name === 'empty.example' ? { addresses: [] } : 'silent'
  })
  const connections = connectionsOf(t, { dns: dns.address })
  const closed = await r.startReceiver()
  await closed.close()
  const outcomes = await Promise.all(
    [
      'http://gone.example/',
      'http://broken.example/',
      'http://empty.example/',
      'http://silent.example/',
      closed.url,
    ].map((url) => post(connections, url)),
  )
  assert.deepEqual(
    outcomes.map((outcome) => outcome.error),
    ['dns_not_found', 'dns_failed', 'dns_not_found', 'timeout_dns', 'connect_refused'],
  )
  assert.ok(outcomes.every((outcome) => outcome.latencyMs < TIMEOUT_MS + 300 && outcome.httpStatus === null))
})

test('TLS is verified: a good certificate is taken, every bad one refused', async (t) => {
  const authority = anAuthority()
  const stranger = anAuthority()
  const dns = await dnsServer(t, () => ({ addresses: ['127.0.0.1'] }))
  const connections = connectionsOf(t, { dns: dns.address, ca: authority.cert })
  const past = { from: new Date(Date.now() - 9e9), to: new Date(Date.now() - 1e9) }
  const cases: [string, object, string | null][] = [
    ['good', authority.issue(['shop.example']), null],
    ['expired', authority.issue(['shop.example'], past), 'tls_cert'],
    ['of another name', authority.issue(['other.example']), 'tls_cert'],
    ['of an unknown authority', stranger.issue(['shop.example']), 'tls_cert'],
    ['self-signed', stranger, 'tls_cert'],
    [
      'TLS 1.1 only',
      {
        ...authority.issue(['shop.example']),
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      },
      'tls_handshake',
    ],
  ]
  for (const [name, tls, error] of cases) {
    const receiver = await r.receiver(t, { tls })
    const outcome = await post(connections, `https://shop.example:${receiver.port}/hook`, 2_000)
    assert.equal(outcome.error, error, `${name}: ${outcome.detail}`)
    assert.equal(receiver.requests.length, error === null ? 1 : 0, name)
  }
  const plain = await r.receiver(t)
  assert.equal((await post(connections, `https://shop.example:${plain.port}/`, 2_000)).error, 'timeout_tls')
})
