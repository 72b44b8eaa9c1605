import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Check, fault } from '@florin/platform/check'
import { testApp, testDeps } from '../test/harness.ts'
import { buildApp } from './app.ts'

test('a running service is healthy and ready, and says so with a request id', async (t) => {
  const { app } = await testApp(t)
  const healthy = await app.inject('/healthz')
  assert.equal(healthy.statusCode, 200)
  assert.match(String(healthy.headers['x-request-id']), /^req_/)
  const ready = await app.inject('/readyz')
  const database = { id: 'database', subject: null, status: 'ok', summary: 'The database takes writes.' }
  assert.deepEqual(ready.json(), { status: 'ready', checks: [{ ...database, remedy: null, since: null }] })
})

test('readyz: a required check fails → 503; another one fails → 200', async (t) => {
  const { deps } = await testDeps(t)
  const wrong = [fault('sealed_values', 'A secret cannot be opened.', 'Look.')]
  for (const [parts, status] of [
    [{ required: () => [], others: () => wrong }, 200],
    [{ required: () => wrong, others: () => [] }, 503],
  ] as const) {
    const app = await buildApp(deps, parts)
    t.after(() => app.close())
    const ready = await app.inject('/readyz')
    assert.equal(ready.statusCode, status)
    assert.deepEqual(
      ready.json().checks.map(({ id, status }: Check) => `${id} ${status}`),
      ['database ok', 'sealed_values fault'],
    )
  }
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
