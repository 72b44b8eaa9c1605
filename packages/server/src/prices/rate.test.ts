// Orders in any currency over /v1: what they say, what is refused, and that one currency's trouble is its own.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE_MS, type Order } from '@florin/protocol'
import { aMerchant, anApiKey, aReceivingAddress } from '../../test/factories.ts'
import { type TestApp, testApp } from '../../test/harness.ts'
import { aRate } from './rates.fixture.ts'
import { saveSettings } from './store.ts'

type Body = Record<string, unknown>
interface Shop extends TestApp {
  merchantId: string
  create(body: Body): Promise<{
    status: number
    retryAfter: unknown
    order: Order
    error: { code: string; param: string; message: string }
  }>
}

async function aShop(t: TestContext, overrides: Parameters<typeof testApp>[1] = {}): Promise<Shop> {
  const made = await testApp(t, overrides)
  const merchant = await aMerchant(made.deps)
  const { apiKey } = await anApiKey(made.deps, merchant)
  await aReceivingAddress(made.deps, merchant)
  return {
    ...made,
    merchantId: merchant.id,
    async create(body) {
      const headers = { 'x-api-key': apiKey }
      const answer = await made.app.inject({ method: 'POST', url: '/v1/orders', headers, payload: body })
      const json = answer.json()
      return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], order: json, error: json.error }
    },
  }
}

test('an order keeps what was asked for, its dollars and its rate, frozen', async (t) => {
  const shop = await aShop(t)
  await aRate(shop.deps, 'EUR', '0.8712')
  const { status, order } = await shop.create({ amount: 49.9, currency: 'EUR', pay_chain: 'base' })
  assert.equal(status, 201)
  assert.deepEqual(
    [order.amount, order.currency, order.amount_minor, order.exponent, order.amount_usd],
    ['49.90', 'EUR', '4990', 2, 57.277319],
  )
  assert.equal(order.pay?.amount_due, '57277319')
  assert.deepEqual(
    [order.fx?.rate, order.fx?.reference_rate, order.fx?.sources.map((one) => one.id)],
    ['0.8712', '0.8712', ['ecb', 'coinbase']],
  )
  await aRate(shop.deps, 'EUR', '0.5')
  const { json } = await shop.app
    .inject({ method: 'GET', url: `/checkout/${order.checkout_url.split('/').at(-1)}` })
    .then((answer) => ({ json: answer.json() as Order }))
  assert.deepEqual([json.amount, json.currency, json.fx, json.amount_usd], ['49.90', 'EUR', order.fx, 57.277319])
})

test('dollars are dollars, whichever way they are said', async (t) => {
  const shop = await aShop(t)
  const said = await shop.create({ amount_usd: '49.9' })
  const other = await shop.create({ amount: '49.90', currency: 'USD' })
  for (const { status, order } of [said, other]) {
    assert.deepEqual([status, order.amount, order.amount_usd, order.fx], [201, '49.90', 49.9, null])
  }
  const fine = (await shop.create({ amount_usd: 0.123456 })).order
  assert.deepEqual([fine.amount, fine.amount_minor, fine.exponent], ['0.123456', '123456', 6])
})

test('bad input is refused by its field, with what would be right', async (t) => {
  const shop = await aShop(t)
  await aRate(shop.deps, 'JPY', '155.2')
  await aRate(shop.deps, 'VND', '25000')
  const refused = async (body: Body, code: string, param: string, message = /./): Promise<void> => {
    const { status, error } = await shop.create(body)
    assert.deepEqual([status, error.code, error.param], [422, code, param], JSON.stringify(body))
    assert.match(error.message, message)
  }
  await refused({}, 'missing_field', 'amount_usd', /amount_usd, or amount with currency/)
  await refused({ amount: 5 }, 'missing_field', 'currency')
  await refused({ currency: 'EUR' }, 'missing_field', 'amount')
  await refused({ amount_usd: 5, amount: 5, currency: 'EUR' }, 'validation_failed', 'amount', /not both/)
  await refused({ amount_usd: 5, currency: 'USD' }, 'validation_failed', 'currency', /not both/)
  await refused({ amount: '49,90', currency: 'EUR' }, 'invalid_amount', 'amount', /such as 499\.00/)
  await refused({ amount: 49.999, currency: 'EUR' }, 'invalid_amount', 'amount', /at most 2 decimals/)
  await refused({ amount: 49.9, currency: 'JPY' }, 'invalid_amount', 'amount', /no decimals, such as 499/)
  await refused({ amount: 0, currency: 'JPY' }, 'invalid_amount', 'amount')
  await refused({ amount: 155_200_001, currency: 'JPY' }, 'invalid_amount', 'amount', /more than 1000000 US dollars/)
  await refused({ amount: '1000000.01', currency: 'USD' }, 'invalid_amount', 'amount', /more than 1000000 US dollars/)
  await refused({ amount: '99999999999999', currency: 'USD' }, 'invalid_amount', 'amount', /more than 1000000/)
  await refused({ amount: 5, currency: 'eur' }, 'unknown_currency', 'currency', /capital letters: EUR/)
  await refused({ amount: 5, currency: 'XAU' }, 'unknown_currency', 'currency', /ISO 4217/)
  await refused({ amount: 5, currency: 'BGN' }, 'unknown_currency', 'currency', /ended on 2026-01-01.*EUR/)
  assert.equal((await shop.create({ amount: 90_000, currency: 'VND', expires_in: 86_400 })).status, 201)
  assert.equal((await shop.create({ amount: 155_200_000, currency: 'JPY' })).order.amount_usd, 1_000_000)
})

test('a rate past its bound sells nothing in its currency, and stops nobody else', async (t) => {
  const shop = await aShop(t)
  await aRate(shop.deps, 'EUR', '0.87')
  shop.clock.advance(5 * MINUTE_MS)
  await aRate(shop.deps, 'GBP', '0.76')
  shop.clock.advance(5 * MINUTE_MS)
  const late = await shop.create({ amount: 5, currency: 'EUR' })
  assert.deepEqual([late.status, late.error.code, late.error.param], [503, 'no_rate', 'currency'])
  assert.equal(late.retryAfter, '60')
  assert.equal((await shop.create({ amount: 5, currency: 'GBP' })).status, 201)
  assert.equal((await shop.create({ amount_usd: 5 })).status, 201)
})

test('a merchant’s own spread counts', async (t) => {
  const shop = await aShop(t)
  await aRate(shop.deps, 'EUR', '0.87')
  const settings = { defaultCurrency: 'EUR', displayCurrency: 'EUR', spreadBps: 300 }
  await saveSettings(shop.deps.sql, shop.merchantId, settings, shop.clock.now())
  const { order } = await shop.create({ amount: 87, currency: 'EUR' })
  assert.deepEqual([order.amount_usd, order.fx?.spread_bps, order.fx?.reference_rate], [103.000001, 300, '0.87'])
})

test('an install without sources sells in dollars and says why', async (t) => {
  const shop = await aShop(t, { fxSources: [] })
  await aRate(shop.deps, 'EUR', '0.87')
  const { status, error } = await shop.create({ amount: 5, currency: 'EUR' })
  assert.deepEqual([status, error.code], [422, 'currency_not_offered'])
  assert.match(error.message, /FX_SOURCES/)
  assert.equal((await shop.create({ amount: 5, currency: 'USD' })).status, 201)
})
