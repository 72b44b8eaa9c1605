// A secret that was pasted into the wrong place is not said back, whatever place that is; and a reader who goes away in
// the middle of an answer is no error of ours.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { capturedLog } from '../test/captured-log.ts'
import { eventually } from '../test/deliveries.ts'
import { aMerchant, anApiKey, aReceivingAddress } from '../test/factories.ts'
import { testApp, testDeps } from '../test/harness.ts'
import { aCaller, anOrder } from '../test/orders.ts'
import { buildApp } from './app.ts'

test('no answer says a secret back, wherever it was put', async (t) => {
  const { app, deps } = await testApp(t)
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant)
  await aReceivingAddress(deps, merchant)
  const order = { amount_usd: 5 }
  for (const secret of [key.apiKey, key.webhookSecret, merchant.token]) {
    const bodies: object[] = [
      ...['amount_usd', 'pay_chain', 'pay_asset', 'settle_chain', 'settle_asset', 'refund_address', 'external_id'].map(
        (field) => ({ ...order, [field]: field === 'external_id' ? [secret] : secret }),
      ),
      ...['webhook_url', 'success_url', 'late_policy', 'expires_in', 'metadata'].map((field) => ({
        ...order,
        [field]: secret,
      })),
      { ...order, [secret]: 1 },
      { ...order, metadata: { [secret]: 1 } },
      { ...order, metadata: { [secret]: 'x'.repeat(5_000) } },
      { ...order, metadata: { [`${secret}${'x'.repeat(200)}`]: 'x' } },
      { ...order, metadata: { a: { [secret]: 1 } } },
    ]
    const urls = [
      'orders/',
      'orders?cursor=',
      'orders?limit=',
      'orders?status=',
      'orders?created_from=',
      'events?after=',
    ]
    const asked = [
      ...bodies.map((payload) => ({ method: 'POST' as const, url: '/v1/orders', headers: key.headers, payload })),
      ...[...urls, 'orders?', 'deliveries/', 'deliveries?status=', 'deliveries?cursor=', ''].map((url) => ({
        method: 'GET' as const,
        url: `/v1/${url}${secret}`,
        headers: key.headers,
      })),
      ...['orders?livemode=', 'appkeys/', 'sessions/', 'orders?livemode=false&created_to=', 'stats/series?bucket='].map(
        (url) => ({ method: 'GET' as const, url: `/api/v1/boss/${url}${secret}`, headers: merchant.headers }),
      ),
      ...[`/checkout/${secret}`, `/pay/${secret}`].map((url) => ({ method: 'GET' as const, url })),
      ...['idempotency-key', 'content-type'].map((name) => ({
        ...{ method: 'POST' as const, url: '/v1/orders', payload: JSON.stringify({ amount_usd: -1 }) },
        headers: { 'content-type': 'application/json', ...key.headers, [name]: secret.repeat(9) },
      })),
      {
        ...{ method: 'PUT' as const, url: '/api/v1/boss/addresses', headers: merchant.headers },
        payload: { chain: secret, address: secret },
      },
      { method: 'POST' as const, url: '/api/v1/login', payload: { email: secret, code: secret } },
    ]
    for (const request of asked) {
      const answer = await app.inject(request)
      const where = `${request.method} ${request.url} ${JSON.stringify('payload' in request ? request.payload : '')}`
      if (answer.statusCode < 300) continue
      assert.ok(answer.statusCode < 500, `${where}: ${answer.payload}`)
      const said = answer.payload + JSON.stringify(answer.headers)
      assert.ok(!said.includes(secret) && !said.includes(secret.slice(0, 24)), `${where}: ${said}`)
    }
  }
})

test('readers of streams and exports who go away leave nothing in the log', async (t) => {
  const { deps: usual } = await testDeps(t)
  const captured = capturedLog()
  const deps = { ...usual, log: captured.log }
  const app = await buildApp(deps)
  t.after(() => app.close())
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant)
  const { checkoutToken } = await anOrder(deps, await aCaller(deps))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  await deps.sql`
    insert into orders
    select copy.* from orders o, generate_series(1, 3000) g, lateral jsonb_populate_record(o, jsonb_build_object(
      'order_no', 'ord_' || lpad(g::text, 26, '0'), 'order_ref', 'copy' || g, 'checkout_token', 'copy' || g,
      'merchant_id', ${merchant.id}::text, 'api_key_id', ${key.id}::text, 'idempotency_key', null,
      'pay_leg_id', null, 'metadata', jsonb_build_object('a', repeat('x', 2000)))) as copy`
  const paths: [path: string, headers: object][] = [
    ['/v1/events/stream', key.headers],
    ['/api/v1/boss/stream', merchant.headers],
    [`/checkout/${checkoutToken}/stream`, {}],
    ['/api/v1/boss/orders/export?format=csv&livemode=false', merchant.headers],
  ]
  for (const [path, headers] of paths) {
    const request = get({ port, host: '127.0.0.1', path, headers: { ...headers }, agent: false })
    request.on('error', () => undefined)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    assert.equal(response.statusCode, 200, path)
    response.on('error', () => undefined)
    await once(response, 'data')
    request.destroy()
    await eventually(
      async () => {
        await deps.sql`select 1`
        return new Promise<number>((resolve) => app.server.getConnections((_, open) => resolve(open)))
      },
      (open) => open === 0,
    )
  }
  await deps.sql`select 1`
  const loud = captured
    .text()
    .split('\n')
    .filter((line) => line !== '' && ['warn', 'error', 'fatal'].includes(JSON.parse(line).level))
  assert.deepEqual(loud, [])
})
