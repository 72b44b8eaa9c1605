// What the client sends for webhook endpoints and refunds from an own wallet, to a server that only listens.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { Florin } from '../src/index.ts'

test('endpoints and refunds of the merchant are called as the service takes them', async (t) => {
  const seen: string[] = []
  const keyed: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
    seen.push(`${request.method} ${request.url} ${body}`.trim())
    if ('idempotency-key' in request.headers) keyed.push(request.url ?? '')
    response
      .setHeader('content-type', 'application/json')
      .end('{"id":"whe_1","data":[],"has_more":false,"next_cursor":null}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  const florin = new Florin({ apiKey: `florin_test_${'x'.repeat(38)}`, baseUrl: `http://127.0.0.1:${port}` })
  const endpoints = florin.webhookEndpoints
  await endpoints.create({ url: 'https://shop.example/hook', events: ['order.updated.refund_sent'] })
  await endpoints.list({ limit: 2 }).page()
  await endpoints.get('whe_1')
  await endpoints.update('whe_1', { enabled: false })
  await endpoints.rotateSecret('whe_1', { overlap_seconds: 60 })
  await endpoints.test('whe_1', { event: 'order.expired' })
  await endpoints.delete('whe_1')
  await florin.orders.createMerchantRefund('ord_1', { amount: 5n })
  await florin.orders.merchantRefunds('ord_1').page()
  await florin.orders.merchantRefund('ord_1', 'mrf_1')
  await florin.orders.cancelMerchantRefund('ord_1', 'mrf_1')
  await florin.orders.nameRefundTransaction('ord_1', 'mrf_1', '0xab')
  assert.throws(() => endpoints.get('../orders'), TypeError)
  assert.deepEqual(seen, [
    'POST /v1/webhook_endpoints {"url":"https://shop.example/hook","events":["order.updated.refund_sent"]}',
    'GET /v1/webhook_endpoints?limit=2',
    'GET /v1/webhook_endpoints/whe_1',
    'PATCH /v1/webhook_endpoints/whe_1 {"enabled":false}',
    'POST /v1/webhook_endpoints/whe_1/secret/rotate {"overlap_seconds":60}',
    'POST /v1/webhook_endpoints/whe_1/test {"event":"order.expired"}',
    'DELETE /v1/webhook_endpoints/whe_1',
    'POST /v1/orders/ord_1/merchant_refunds {"amount":"5"}',
    'GET /v1/orders/ord_1/merchant_refunds',
    'GET /v1/orders/ord_1/merchant_refunds/mrf_1',
    'POST /v1/orders/ord_1/merchant_refunds/mrf_1/cancel {}',
    'POST /v1/orders/ord_1/merchant_refunds/mrf_1/transaction {"tx_hash":"0xab"}',
  ])
  assert.deepEqual(keyed, ['/v1/webhook_endpoints', '/v1/orders/ord_1/merchant_refunds'])
})
