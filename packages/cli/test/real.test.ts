// Promises: the commands do against the real service what they do against the stand-in: orders are made and driven to each event.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Order } from '@florin/protocol'
import { aMerchant, anApiKey } from '../../server/test/factories.ts'
import { testApp } from '../../server/test/harness.ts'
import { aPlace, type Place } from './program.ts'

/** A merchant with a test key and a receiving address on a service that listens. */
async function aShop(t: TestContext): Promise<Place> {
  const { app, deps } = await testApp(t)
  const merchant = await aMerchant(deps)
  const { apiKey } = await anApiKey(deps, merchant)
  const chosen = await app.inject({
    method: 'PUT',
    url: '/api/v1/boss/addresses',
    headers: merchant.headers,
    payload: { chain: 'base', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
  })
  assert.equal(chosen.statusCode, 200, chosen.body)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const place = await aPlace(t, `http://127.0.0.1:${port}`)
  const start: Place['start'] = (args, environment) => place.start(args, { FLORIN_API_KEY: apiKey, ...environment })
  return { ...place, start, run: (args, environment) => start(args, environment).ended }
}

test('an order is made, listed, shown with its timeline and canceled', async (t) => {
  const shop = await aShop(t)
  const made = await shop.run(['orders', 'create', '--amount', '12.50', '--external-id', 'A-1', '--json'])
  assert.equal(made.code, 0, made.stderr)
  const { order_no: orderNo }: Order = JSON.parse(made.stdout)
  const listed = await shop.run(['orders', 'list', '--from', '1h', '--external-id', 'A-1', '--status', 'pending'])
  assert.match(listed.stdout, new RegExp(`${orderNo} +pending +awaiting_payment +\\$12\\.5 +A-1$`))
  const canceled = await shop.run(['orders', 'cancel', orderNo])
  assert.equal(canceled.code, 0, canceled.stderr)
  const shown = await shop.run(['orders', 'get', orderNo])
  assert.match(shown.stdout, /^status +expired, canceled \(version 2\)$/m)
  assert.match(shown.stdout, /timeline\n(.*\n)* {2}\S+ +v2 +expired +canceled +order\.expired$/)
})

for (const event of ['processing', 'success', 'failed', 'refunded', 'expired']) {
  test(`trigger ${event} leads a real test order there`, async (t) => {
    const shop = await aShop(t)
    const ran = await shop.run(['trigger', event, '--amount', '20', '--json'])
    assert.equal(ran.code, 0, ran.stderr)
    const { order } = JSON.parse(ran.stdout) as { order: Order }
    assert.deepEqual([order.status, order.amount_usd, order.livemode], [event, 20, false])
  })
}

test('an expired order is paid late and succeeds; what cannot be is said in the words of the service', async (t) => {
  const shop = await aShop(t)
  const { order } = JSON.parse((await shop.run(['trigger', 'expired', '--json'])).stdout) as { order: Order }
  const late = await shop.run(['trigger', 'success', '--order', order.order_no])
  // The payer was never shown an address, so nothing can have been paid late.
  assert.equal(late.code, 1)
  assert.match(
    late.stderr,
    /"pay_late" does not apply: the payer was never shown an address\. \(simulation_not_applicable/,
  )
})
