// What was asked for is one figure wherever it is told: in thirty currencies of every number of digits, a few of them in short.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { tongueOf } from '@florin/platform/mail/payer-words/index'
import { parseDecimal } from '@florin/platform/money'
import {
  type Checkout,
  formatMoney,
  formatUnits,
  minorText,
  moneyText,
  type Order,
  type StatsSeries,
  type StatsSummary,
  type WebhookEvent,
} from '@florin/protocol'
import { sized } from '../../../../scripts/sizes.ts'
import { testConsole } from '../../test/console.ts'
import { readCsv } from '../../test/csv.ts'
import { anApiKey } from '../../test/factories.ts'
import { noBrand } from '../brand/brand.ts'
import { getOrder } from '../orders/store.ts'
import { receiptMail } from '../orders/tell/order-mail-words.ts'
import { gatherJob } from './gather.ts'

const asked = {
  ...{ JPY: '1000', KRW: '25000', VND: '90001', CLP: '9990', ISK: '1', UGX: '50000', XOF: '655957' },
  ...{ KWD: '1.234', BHD: '0.001', TND: '99.999', IQD: '1310.250', JOD: '7.090', OMR: '0.385', AED: '36.73' },
  ...{ EUR: '49.90', GBP: '0.01', CHF: '12.34', HUF: '1234.50', IDR: '16712.01', COP: '3778.99', TRY: '42.37' },
  ...{ PLN: '99.99', CZK: '1.10', BRL: '5.33', INR: '88.61', ZAR: '17.20', EGP: '47.31', NGN: '1447.80' },
  ...{ ARS: '1421.50', CAD: '999999.99' },
}

const aboutMail = {
  ...{ baseUrl: 'https://pay.shop.example', brand: noBrand('https://pay.shop.example'), isPayers: true },
  tongue: tongueOf(null),
  off: { label: 'No more', url: 'https://pay.shop.example/mail/stop/x' },
}

/** ⌈minor × 10^6 ÷ (10^exponent × rate)⌉, in whole numbers alone and by no code of ours. */
function dueOf({ amount_minor: minor, exponent, fx }: Order): bigint {
  const [whole = '', fraction = ''] = (fx?.rate ?? '').split('.')
  const top = BigInt(minor) * 10n ** BigInt(6 + fraction.length)
  const bottom = 10n ** BigInt(exponent) * BigInt(whole + fraction)
  return top / bottom + (top % bottom === 0n ? 0n : 1n)
}

async function aShop(t: TestContext) {
  const at = await testConsole(t)
  const job = gatherJob(at.deps)
  t.after(() => job.end?.())
  await job.run(new AbortController().signal)
  const { apiKey } = await anApiKey(at.deps, at.merchant)
  const call = async <T>(method: 'GET' | 'POST', url: string, payload?: object): Promise<T> => {
    const headers = { 'x-api-key': apiKey }
    const answer = await at.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    assert.ok(answer.statusCode < 300, `${url}: ${answer.body}`)
    return answer.json() as T
  }
  return { at, call }
}

test('order, webhook, checkout, page, export and statistics tell one figure, in thirty currencies', async (t) => {
  const { at, call } = await aShop(t)
  assert.equal(Object.keys(asked).length, 30)
  const tried = Object.entries(asked).filter((_, n) => n % sized({ short: 4, full: 1 }) === 0)
  const made = new Map<string, Order>()
  for (const [currency, amount] of tried) {
    const body = { amount, currency, pay_chain: 'base', webhook_url: 'https://shop.example/hook' }
    const order = await call<Order>('POST', '/v1/orders', body)
    for (const action of ['pay', 'settle']) await call('POST', `/v1/test/orders/${order.order_no}/simulate`, { action })
    made.set(order.order_no, order)
    assert.deepEqual([order.amount, order.currency], [amount, currency])
    // The leg asks for the dollars of the frozen rate, to the smallest unit of a coin of six decimals, and that settles.
    const due = dueOf(order)
    assert.deepEqual([order.pay?.amount_due, Math.round(order.amount_usd * 1e6)], [String(due), Number(due)], currency)
    const settled = await call<Order>('GET', `/v1/orders/${order.order_no}`)
    assert.deepEqual([settled.amount_out, settled.pay?.amount_received], [String(due), String(due)], currency)
    const receipt = receiptMail(await getOrder(at.deps.sql, order.order_no), aboutMail)
    assert.equal(receipt.subject, `[test] Receipt: ${amount} ${currency} to the shop`)
    assert.match(receipt.text, new RegExp(`^Amount: +${amount.replace('.', '\\.')} ${currency}$`, 'm'))
    assert.match(
      receipt.text,
      new RegExp(`^Paid with: +${formatUnits(String(due), 6).replace('.', '\\.')}0* USDC on Base$`, 'm'),
    )
  }
  // The dollars move no more: another rate is known by now.
  await at.deps.sql`update fx_rates set rate = '17.5'`
  const told = (order: Pick<Order, 'amount' | 'currency' | 'exponent' | 'amount_usd' | 'fx'>) => ({
    ...{ amount: order.amount, currency: order.currency, exponent: order.exponent },
    ...{ amount_usd: order.amount_usd, fx: order.fx },
  })
  const bodies = await at.deps.sql<{ body: Uint8Array; orderNo: string }[]>`
    select body, order_no as "orderNo" from order_events where event = 'order.success'`
  assert.equal(bodies.length, tried.length)
  for (const { body, orderNo } of bodies) {
    const { order } = JSON.parse(Buffer.from(body).toString('utf8')) as WebhookEvent
    const first = made.get(orderNo)
    assert.ok(first)
    assert.deepEqual([told(order), order.amount_minor], [told(first), first.amount_minor])
    assert.equal(order.status, 'success')
  }
  for (const order of made.values()) {
    const token = order.checkout_url.split('/').at(-1)
    const checkout = (await at.app.inject({ url: `/checkout/${token}` })).json() as Checkout
    assert.deepEqual(told(checkout), told(order))
    const page = (await at.app.inject({ url: `/pay/${token}`, headers: { accept: 'text/html' } })).body
    assert.ok(
      page.includes(`<span class="total">${moneyText(order.amount, order.currency, 'en')}</span>`),
      order.currency,
    )
    assert.equal(moneyText(order.amount, order.currency, 'en'), formatMoney(order.amount, order.currency, 'en'))
  }
  const file = await at.app.inject({
    url: '/api/v1/boss/orders/export?format=csv&livemode=false',
    headers: at.merchant.headers,
  })
  const [head = [], ...rows] = readCsv(file.rawPayload.toString('utf8'))
  const cell = (row: readonly string[], name: string): string => row[head.indexOf(name)] ?? ''
  assert.equal(rows.length, tried.length)
  for (const row of rows) {
    const order = made.get(cell(row, 'order_no'))
    assert.deepEqual(
      [cell(row, 'amount'), cell(row, 'currency'), cell(row, 'fx_rate'), Number(cell(row, 'amount_usd'))],
      [order?.amount, order?.currency, order?.fx?.rate, order?.amount_usd],
    )
  }
  at.clock.advance(1_000)
  const { data } = await at.get<StatsSummary>('stats/summary?livemode=false')
  assert.deepEqual(
    Object.fromEntries(data.by_currency.map((row) => [row.currency, [row.orders, row.volume, row.settled]])),
    Object.fromEntries(tried.map(([currency, amount]) => [currency, [1, amount, amount]])),
  )
  assert.equal(data.display, null, 'dollars are told as dollars')

  // In the currency that the merchant reads: what was asked for in it is exact, the rest at the rate of now, rounded down.
  const [currency = '', amount = ''] = tried[0] ?? []
  await at.deps.sql`
    insert into price_settings (merchant_id, display_currency, updated_at)
    values (${at.merchant.id}, ${currency}, ${at.clock.now()})`
  const rest = [...made.values()].filter((order) => order.currency !== currency)
  const exponent = made.values().next().value?.exponent ?? 0
  const dollars = rest.reduce((sum, order) => sum + BigInt(Math.round(order.amount_usd * 1e6)), 0n)
  const minor = parseDecimal(amount, exponent) ?? 0n
  const all = minorText(minor + (dollars * 175n * 10n ** BigInt(exponent)) / 10_000_000n, exponent)
  const { display } = (await at.get<StatsSummary>('stats/summary?livemode=false')).data
  assert.deepEqual(
    [display?.currency, display?.volume, display?.settled, display?.is_estimate, display?.rate],
    [currency, all, all, true, '17.5'],
  )
  const series = (path: string) => at.get<StatsSeries>(`stats/series?livemode=false&bucket=day&${path}`)
  for (const metric of ['volume', 'settled']) {
    const { data: shown } = await series(`metric=${metric}&in=display`)
    assert.deepEqual(
      [shown.currency, shown.points.reduce((sum, one) => sum + (one.value ?? 0), 0)],
      [currency, Number(all)],
    )
    assert.equal((await series(`metric=${metric}`)).data.currency, 'USD')
  }
})

test('a merchant chooses currencies, and what is none is refused by its field', async (t) => {
  const { at } = await aShop(t)
  const call = async (method: 'GET' | 'PATCH', payload?: object) => {
    const answer = await at.app.inject({
      ...{ method, url: '/api/v1/boss/currencies', headers: at.merchant.headers },
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const change = { display_currency: 'EUR', spread_bps: 50 }
  assert.equal((await call('PATCH', change)).status, 200)
  assert.equal((await call('PATCH', { default_currency: 'KWD' })).status, 200)
  const { data } = (await call('GET')).body
  assert.deepEqual(data.settings, { ...change, default_currency: 'KWD' })
  assert.equal(data.is_on, true)
  const euro = data.currencies.find((one: { code: string }) => one.code === 'EUR')
  assert.deepEqual([euro.digits, euro.rate], [2, '0.8712'])
  for (const [body, param] of [
    [{ default_currency: 'BGN' }, 'default_currency'],
    [{ display_currency: 'XAU' }, 'display_currency'],
    [{ spread_bps: 1_001 }, 'spread_bps'],
    [{ x: 1 }, 'x'],
  ] as const) {
    const refused = await call('PATCH', body)
    assert.deepEqual(
      [refused.status, refused.body.error?.param ?? refused.body.param],
      [422, param],
      JSON.stringify(body),
    )
  }
})
