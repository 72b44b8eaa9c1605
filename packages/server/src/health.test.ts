import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, testDeps } from '../test/harness.ts'
import { buildApp } from './app.ts'

test('a running service is healthy and ready, and says so with a request id', async (t) => {
  const { app } = await testApp(t)
  const healthy = await app.inject('/healthz')
  assert.equal(healthy.statusCode, 200)
  assert.match(String(healthy.headers['x-request-id']), /^req_/)
  const ready = await app.inject('/readyz')
  assert.deepEqual(ready.json(), { status: 'ready', checks: { database: 'ok' }, notes: [] })
})

test('what needs a look is noted and makes nobody turn away', async (t) => {
  const { deps } = await testDeps(t)
  const app = await buildApp(deps, { checks: {}, notes: () => ['a secret cannot be opened'] })
  t.after(() => app.close())
  const ready = await app.inject('/readyz')
  assert.equal(ready.statusCode, 200)
  assert.deepEqual(ready.json().notes, ['a secret cannot be opened'])
})

test('an unknown address is 404 and a wrong method 405, both in our shape', async (t) => {
  const { app } = await testApp(t)
  const missing = await app.inject('/nowhere')
  assert.equal(missing.statusCode, 404)
  assert.equal(missing.json().error.code, 'not_found')
  const wrong = await app.inject({ method: 'POST', url: '/healthz' })
  assert.equal(wrong.statusCode, 405)
  assert.equal(wrong.headers.allow, 'GET, HEAD')
})

test('the OpenAPI document is served', async (t) => {
  const { app } = await testApp(t)
  assert.equal((await app.inject('/openapi.json')).json().openapi, '3.1.0')
})
