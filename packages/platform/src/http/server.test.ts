import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { BODY_MAX_BYTES } from '@florin/protocol'
import { pino } from 'pino'
import { testApp } from '../../../server/test/harness.ts'
import { machineClock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { usualRequestsPerMinute } from '../limits/limits.ts'
import { parseJson } from './json.ts'
import { clientOf, makeServer } from './server.ts'

test('a client is an IPv4 address or the /64 of an IPv6 address', () => {
  assert.equal(clientOf('203.0.113.9'), '203.0.113.9')
  assert.equal(clientOf('::ffff:203.0.113.9'), '203.0.113.9')
  assert.equal(clientOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(clientOf('2001:0db8:0001:0002::1'), clientOf('2001:db8:1:2:ffff::'))
  assert.equal(clientOf('::1'), '0:0:0:0::/64')
  // IPv4 in IPv6, in each spelling: not one client for all of IPv4.
  for (const ip of ['::ffff:cb00:7109', '0:0:0:0:0:FFFF:203.0.113.9', '64:ff9b::203.0.113.9'])
    assert.equal(clientOf(ip), '203.0.113.9', ip)
})

test('bodies are parsed from raw bytes: bad UTF-8, NUL and lone surrogates are refused, deep nesting is not a crash', () => {
  const parse = (text: string): unknown => parseJson(Buffer.from(text))
  assert.deepEqual(parse('{"a":"\\u00e9"}'), { a: 'é' })
  assert.throws(() => parseJson(Buffer.from([0x22, 0xff, 0x22])), /UTF-8/)
  assert.throws(() => parse('"\\u0000"'), /UTF-8/)
  assert.throws(() => parse('{"\\ud800":1}'), /UTF-8/)
  assert.deepEqual(parse('"\\ud83d\\ude00"'), '😀')
  assert.doesNotThrow(() => parse(`${'['.repeat(20_000)}"\\ud83d\\ude00"${']'.repeat(20_000)}`))
  assert.throws(
    () => parse('{"secret":"hunter2"'),
    (error: Error) => !error.message.includes('hunter2'),
  )
  assert.throws(() => parseJson(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')])), /JSON/)
})

test('content types, encodings and sizes that are not taken say so', async (t) => {
  const { app } = await testApp(t)
  const post = (headers: Record<string, string>, payload: string | Buffer) =>
    app.inject({ method: 'POST', url: '/api/v1/auth/code', headers, payload })
  const json = 'application/json'
  for (const [headers, payload, status, code] of [
    [{ 'content-type': 'text/plain' }, '{}', 415, 'unsupported_media_type'],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 'email=a', 415, 'unsupported_media_type'],
    [{ 'content-type': `${json}; charset=latin1` }, '{}', 415, 'unsupported_media_type'],
    [{ 'content-type': json, 'content-encoding': 'gzip' }, '{}', 415, 'unsupported_media_type'],
    [{ 'content-type': json }, `{"email":"${'x'.repeat(70_000)}"}`, 413, 'body_too_large'],
    [{ 'content-type': json }, '', 422, 'missing_field'],
  ] as const) {
    const answer = await post(headers, payload)
    assert.deepEqual([answer.statusCode, answer.json().error.code], [status, code], JSON.stringify(headers))
    assert.ok(answer.json().code > 0, 'the console envelope of a failure is never 0')
  }
})

test('bytes that are not HTTP get an answer in our shape and the connection is closed', async (t) => {
  const { app } = await testApp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(address.port, '127.0.0.1', () => socket.end('NOT HTTP AT ALL\r\n\r\n'))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
  assert.match(answer, /"code":"malformed_request"/)
})

test('every answer carries the security headers and a request id', async (t) => {
  const { app } = await testApp(t)
  for (const url of ['/healthz', '/nowhere', '/v1/orders', '/api/v1/boss/merchant', '/%', '/v1/orders/%00']) {
    const { headers, statusCode } = await app.inject(url)
    assert.ok(statusCode < 500, url)
    assert.equal(headers['x-content-type-options'], 'nosniff', url)
    assert.match(String(headers['content-security-policy']), /default-src 'none'/, url)
    assert.match(String(headers['x-request-id']), /^req_/, url)
    assert.equal(headers.link, statusCode >= 400 ? '</docs>; rel="help"' : undefined, url)
  }
})

test('a connection that never carried a request does not hold up a server that stops', async (t) => {
  const { app } = await testApp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const accepted = new Promise((resolve) => app.server.once('connection', resolve))
  const socket = connect(address.port, '127.0.0.1')
  socket.on('error', () => undefined)
  await accepted
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await app.close()
  await closed
})

const PER_MINUTE = usualRequestsPerMinute.address

test('each answer says how many requests are left, and a refusal how long to wait', async (t) => {
  const app = await makeServer({
    ...{ log: pino({ level: 'silent' }), clock: machineClock, trustProxy: [], rateLimits: true },
    ...{ isHttps: false, isLoopbackInstall: false },
  })
  t.after(() => app.close())
  // As the guards of keys and tokens, which come later.
  app.addHook('onRequest', async (request) => {
    if (request.url === '/guarded') throw new AppError('invalid_api_key')
  })
  app.get('/here', async () => ({ ok: true }))
  app.get('/named/:name', async () => ({ ok: true }))
  app.post('/there', async () => ({ ok: true }))
  const first = await app.inject('/here')
  const { 'ratelimit-limit': limit, 'ratelimit-remaining': left, 'ratelimit-reset': reset } = first.headers
  assert.deepEqual([Number(limit), Number(left)], [PER_MINUTE, PER_MINUTE - 1])
  assert.ok(Number(reset) > 0 && Number(reset) <= 60)
  const page = await readFile(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
  const example = /^```http limited\n(.*?)^```/ms.exec(page)?.[1]
  assert.equal(example, `RateLimit-Limit: ${limit}\nRateLimit-Remaining: ${left}\nRateLimit-Reset: 60\n`)
  assert.equal(first.headers['retry-after'], undefined)
  for (const [url, status] of [
    ['/guarded', 401],
    ['/nowhere', 404],
    ['/here?%00', 400],
    // What the framework itself refuses, before it looks for a route.
    ['/%ff', 400],
    [`/named/${'x'.repeat(400)}`, 400],
  ] as const) {
    const { statusCode, headers } = await app.inject(url)
    assert.deepEqual([statusCode, Number(headers['ratelimit-limit'])], [status, PER_MINUTE], url)
  }
  const json = { 'content-type': 'application/json' }
  for (const [headers, payload, status] of [
    [{ 'content-type': 'text/plain' }, 'text', 415],
    [json, '{', 400],
    [json, `"${'x'.repeat(BODY_MAX_BYTES)}"`, 413],
  ] as const) {
    const answer = await app.inject({ method: 'POST', url: '/there', headers, payload })
    assert.deepEqual([answer.statusCode, Number(answer.headers['ratelimit-limit'])], [status, PER_MINUTE])
  }
  for (let n = 9; n < PER_MINUTE; n++) await app.inject('/here')
  const unread = await app.inject('/%ff')
  assert.deepEqual([unread.statusCode, unread.json().error.code], [429, 'rate_limited'], 'it is counted as others are')
  const refused = await app.inject('/here')
  assert.deepEqual([refused.statusCode, refused.json().error.code], [429, 'rate_limited'])
  assert.equal(refused.headers['ratelimit-remaining'], '0')
  assert.ok(Number(refused.headers['retry-after']) > 0)
})

test('a client that takes nothing of its answer is cut off, and one that waits for its answer is not', async (t) => {
  const { deps } = await testApp(t)
  const app = await makeServer({
    ...{
      log: deps.log,
      clock: machineClock,
      trustProxy: [],
      rateLimits: false,
      isHttps: false,
      isLoopbackInstall: true,
    },
    unreadMs: 50,
  })
  t.after(() => app.close())
  app.get('/large', async () => 'x'.repeat(30_000_000))
  app.get('/slow', async (_request, reply) => {
    await new Promise((passed) => reply.raw.once('timeout', passed))
    return 'made'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const ended = new Promise((settle) => app.server.once('connection', (socket) => socket.once('close', settle)))
  const unread = connect(port, '127.0.0.1').on('error', () => undefined)
  t.after(() => unread.destroy())
  unread.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await ended
  const answer = await fetch(`http://127.0.0.1:${port}/slow`)
  assert.equal(await answer.text(), 'made')
})
