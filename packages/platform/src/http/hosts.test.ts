// Promises about the client: by which name it asks, through which proxy, and whether it is still connected for the
// answer.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { buildApp } from '../../../server/src/app.ts'
import { capturedLog } from '../../../server/test/captured-log.ts'
import { testDeps } from '../../../server/test/harness.ts'
import { machineClock } from '../clock.ts'
import { makeServer } from './server.ts'

test('a loopback install answers to loopback names alone, and names the cure', async (t) => {
  const { deps } = await testDeps(t)
  const app = await buildApp(deps)
  t.after(() => app.close())
  const statusFor = async (host: string) => (await app.inject({ url: '/healthz', headers: { host } })).statusCode
  for (const host of ['localhost:3000', '127.0.0.1', '127.0.0.1:80', '[::1]:3000', 'shop.localhost'])
    assert.equal(await statusFor(host), 200, host)
  for (const host of ['evil.example', 'localhost.evil.example', '10.0.0.7:3000', '127.0.0.1.nip.io'])
    assert.equal(await statusFor(host), 421, host)
  const refused = await app.inject({ url: '/v1/orders', headers: { host: 'evil.example', 'x-api-key': 'x' } })
  assert.match(refused.json().error.message, /BASE_URL/)

  const outside = await buildApp({ ...deps, config: { ...deps.config, isLoopbackInstall: false } })
  t.after(() => outside.close())
  assert.equal((await outside.inject({ url: '/healthz', headers: { host: '10.0.0.7' } })).statusCode, 200)
})

test('X-Forwarded-For from a peer that nobody named is said aloud, once; from a named one not at all', async (t) => {
  const { deps } = await testDeps(t)
  for (const [trustProxy, times] of [
    [[], 1],
    [['127.0.0.1'], 0],
  ] as const) {
    const captured = capturedLog()
    const app = await buildApp({ ...deps, log: captured.log, config: { ...deps.config, trustProxy } })
    t.after(() => app.close())
    for (let n = 0; n < 3; n++) {
      const headers = { 'x-forwarded-for': '203.0.113.5' }
      assert.equal((await app.inject({ url: '/healthz', headers })).statusCode, 200)
    }
    assert.equal(captured.text().split('does not name').length - 1, times)
  }
})

test('X-Forwarded-For: ports and mapped forms → one client an address; what is no address → the proxy', async (t) => {
  const captured = capturedLog()
  const app = await makeServer({
    ...{ log: captured.log, clock: machineClock, trustProxy: ['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48'] },
    ...{ rateLimits: false, isHttps: false, isLoopbackInstall: false },
  })
  t.after(() => app.close())
  app.get('/ip', async (request) => request.ip)
  const ipOf = async (forwarded: string | string[], remoteAddress = '127.0.0.1') =>
    (await app.inject({ url: '/ip', remoteAddress, headers: { 'x-forwarded-for': forwarded } })).payload
  for (const [forwarded, ip] of [
    ['203.0.113.5', '203.0.113.5'],
    ['203.0.113.5:4711', '203.0.113.5'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:0DB8::0001', '2001:db8::1'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::ffff:cb00:7105', '203.0.113.5'],
    ['[::ffff:203.0.113.5]:4711', '203.0.113.5'],
    // Proxies of the operator are passed over, with ports and mapped too.
    ['198.51.100.1, 203.0.113.5:99, 10.1.2.3:80, ::ffff:10.0.0.9', '203.0.113.5'],
    ['203.0.113.5, [2001:db8:ffff::7]:80', '203.0.113.5'],
    // A client writes anything before what the proxy adds.
    ['unknown, 203.0.113.5', '203.0.113.5'],
    [['10.0.0.1', '203.0.113.5:1'], '203.0.113.5'],
  ] as const)
    assert.equal(await ipOf(typeof forwarded === 'string' ? forwarded : [...forwarded]), ip, String(forwarded))
  const warnings = () =>
    captured
      .text()
      .split('\n')
      .filter((line) => line.includes('"level":"warn"'))
  assert.deepEqual(warnings(), [], 'nothing is wrong so far')
  for (const [forwarded, ip] of [
    ['unknown', '127.0.0.1'],
    ['203.0.113.5, unknown', '127.0.0.1'],
    ['203.0.113.5, ', '127.0.0.1'],
    ['203.0.113.5:http', '127.0.0.1'],
    ['203.0.113.5:123456', '127.0.0.1'],
    ['[203.0.113.5]:80', '127.0.0.1'],
    ['203.0.113.5.6', '127.0.0.1'],
    ['203.0.113.5, _hidden, 10.0.0.1', '10.0.0.1'],
  ] as const)
    assert.equal(await ipOf(forwarded), ip, forwarded)
  assert.equal(warnings().length, 1)
  assert.match(warnings()[0] ?? '', /proxy 127\.0\.0\.1 has an entry that is no address/)
  // The peer of a socket that takes both families.
  assert.equal(await ipOf('203.0.113.5:1', '::ffff:10.0.0.1'), '203.0.113.5')
  assert.equal(await ipOf('203.0.113.5:1', '198.51.100.9'), '198.51.100.9')
  assert.match(warnings()[1] ?? '', /198\.51\.100\.9, which TRUST_PROXY does not name/)
  const bad = { url: '/%zz', headers: { 'x-forwarded-for': '203.0.113.5:7' } }
  assert.equal((await app.inject(bad)).statusCode, 400)
})

test('a client that goes away in the middle of its request is no error of ours', async (t) => {
  const { deps } = await testDeps(t)
  const captured = capturedLog()
  const app = await buildApp({ ...deps, log: captured.log })
  t.after(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const arrived = once(app.server, 'request')
  const socket = connect(address.port, '127.0.0.1')
  socket.write(
    'POST /api/v1/auth/code HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"email',
  )
  const [request] = await arrived
  const closed = new Promise((resolve) => request.once('error', () => undefined).once('close', resolve))
  socket.resetAndDestroy()
  await closed
  await app.close()
  const lines = captured
    .text()
    .split('\n')
    .filter((line) => line !== '')
  assert.ok(
    lines.some((line) => line.includes('malformed_request')),
    'the request was seen to end',
  )
  assert.deepEqual(
    lines.filter((line) => ['warn', 'error'].includes((JSON.parse(line) as { level: string }).level)),
    [],
  )
})

test('a secret that was pasted into the place of a name is not said back', async (t) => {
  const { deps } = await testDeps(t)
  const app = await buildApp(deps)
  t.after(() => app.close())
  for (const name of [
    `florin_live_${'a'.repeat(38)}`,
    `whsec_${'b'.repeat(32)}`,
    'word word word word',
    'x'.repeat(80),
  ]) {
    const payload = { email: 'ann@shop.example', [name]: 1 }
    const answer = await app.inject({ method: 'POST', url: '/api/v1/auth/code', payload })
    assert.equal(answer.json().error.code, 'unknown_field')
    assert.ok(!answer.body.includes(name), answer.body)
  }
})
