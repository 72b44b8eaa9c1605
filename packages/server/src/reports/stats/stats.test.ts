import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS, type StatsMetric, type StatsSeries, type StatsSummary } from '@florin/protocol'
import { type TestConsole, testConsole } from '../../../test/console.ts'
import { explained, vacuumed } from '../../../test/plans.ts'
import { expireDue } from '../../orders/expire.ts'
import { simulate } from '../../orders/simulate.ts'
import { getOrder } from '../../orders/store.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { seriesOf, summarize } from './stats.ts'

/** Moves the clock to the next midnight, so that days are whole. */
function toMidnight(at: TestConsole): Date {
  const next = new Date(Math.ceil(at.clock.now().getTime() / DAY_MS) * DAY_MS)
  at.clock.advance(next.getTime() - at.clock.now().getTime())
  return next
}

async function settle(at: TestConsole, orderNo: string): Promise<void> {
  const order = await getOrder(at.deps.sql, orderNo)
  await simulate(at.deps, order, 'pay', null)
  await simulate(at.deps, await getOrder(at.deps.sql, orderNo), 'settle', null)
}

/** Two days of a shop: on the first one order settles after 60 s and one expires, on the third one after 10 minutes. */
async function aShopsWeek(at: TestConsole): Promise<Date> {
  const start = toMidnight(at)
  at.clock.advance(HOUR_MS)
  const first = await at.order({ amount_usd: 10.000001, webhook_url: 'https://shop.example/hook' })
  await at.order({ amount_usd: 20.5 })
  at.clock.advance(MINUTE_MS)
  await settle(at, first.orderNo)
  at.clock.advance(HOUR_MS)
  await expireDue(at.deps)
  at.clock.advance(2 * DAY_MS)
  const late = await at.order({ amount_usd: 5 })
  await at.order({ amount_usd: 7 })
  at.clock.advance(10 * MINUTE_MS)
  await settle(at, late.orderNo)
  at.clock.advance(1000)
  return start
}

test('the summary counts orders by when they were made and settlements by when they were', async (t) => {
  const at = await testConsole(t)
  const stranger = await at.another()
  const start = await aShopsWeek(at)
  await stranger.order({ amount_usd: 999 })
  await at.deps.sql`update deliveries set status = 'dead' where event = 'order.success'`
  const { data } = await at.get<StatsSummary>('stats/summary?livemode=false')
  assert.deepEqual(data, {
    from: new Date(at.clock.now().getTime() - 30 * DAY_MS).toISOString(),
    to: at.clock.now().toISOString(),
    orders_total: 3 + 1,
    orders_by_status: { pending: 1, processing: 0, success: 2, failed: 0, refunded: 0, expired: 1 },
    volume_usd: 42.500001,
    settled_usd: 15.000001,
    by_currency: [{ currency: 'USD', orders: 4, volume: '42.500001', settled: '15.000001' }],
    display: null,
    success_rate: 0.6667,
    time_to_pay_p50_s: 330,
    time_to_pay_p95_s: 573,
    deliveries_by_status: { pending: 1, retrying: 0, succeeded: 0, dead: 1 },
    webhook_success_rate: 0,
    attention_open: 0,
  })
  const firstDay = `from=${start.toISOString()}&to=${new Date(start.getTime() + DAY_MS).toISOString()}`
  const day = (await at.get<StatsSummary>(`stats/summary?livemode=false&${firstDay}`)).data
  assert.deepEqual(
    [day.orders_total, day.volume_usd, day.settled_usd, day.success_rate],
    [2, 30.500001, 10.000001, 0.5],
  )
  const live = (await at.get<StatsSummary>('stats/summary?livemode=true')).data
  assert.deepEqual([live.orders_total, live.success_rate, live.time_to_pay_p50_s], [0, null, null])
})

test('a series has a point for every bucket, the empty ones too', async (t) => {
  const at = await testConsole(t)
  const start = await aShopsWeek(at)
  await at.deps.sql`update deliveries set status = 'succeeded' where event = 'order.success'`
  const range = `from=${start.toISOString()}&to=${new Date(start.getTime() + 4 * DAY_MS).toISOString()}`
  const values = async (metric: StatsMetric, bucket = 'day'): Promise<(number | null)[]> => {
    const { data } = await at.get<StatsSeries>(`stats/series?livemode=false&metric=${metric}&bucket=${bucket}&${range}`)
    assert.deepEqual([data.metric, data.bucket], [metric, bucket])
    assert.equal(data.points[0]?.at, bucket === 'day' ? start.toISOString() : data.points[0]?.at)
    return data.points.map((point) => point.value)
  }
  assert.deepEqual(await values('volume'), [30.500001, 0, 12, 0])
  assert.deepEqual(await values('orders'), [2, 0, 2, 0])
  assert.deepEqual(await values('settled'), [10.000001, 0, 5, 0])
  assert.deepEqual(await values('success_rate'), [0.5, null, 1, null])
  assert.deepEqual(await values('time_to_pay'), [60, null, 600, null])
  assert.deepEqual(await values('webhook_success'), [1, null, null, null])
  const hours = await values('orders', 'hour')
  assert.deepEqual(
    [hours.length, hours.slice(0, 3), hours.reduce<number>((a, b) => a + (b ?? 0), 0)],
    [96, [0, 2, 0], 4],
  )
  for (const bucket of ['week', 'month']) {
    const sum = (await values('volume', bucket)).reduce<number>((total, value) => total + (value ?? 0), 0)
    assert.equal(Math.round(sum * 1e6), 42_500_001)
  }
})

test('bad questions are refused by name', async (t) => {
  const at = await testConsole(t)
  for (const [url, code, param] of [
    ['stats/summary', 'missing_field', 'livemode'],
    ['stats/summary?livemode=1', 'validation_failed', 'livemode'],
    ['stats/summary?livemode=true&from=2020-01-01', 'validation_failed', 'from'],
    ['stats/summary?livemode=true&metric=volume', 'unknown_field', 'metric'],
    ['stats/series?livemode=true&metric=volume', 'missing_field', 'bucket'],
    ['stats/series?livemode=true&metric=profit&bucket=day', 'validation_failed', 'metric'],
    ['stats/series?livemode=true&metric=volume&bucket=year', 'validation_failed', 'bucket'],
    [
      'stats/series?livemode=true&metric=volume&bucket=hour&from=2026-01-01&to=2026-06-01',
      'validation_failed',
      'bucket',
    ],
    ['stats/series?livemode=true&metric=volume&bucket=day&to=soon', 'validation_failed', 'to'],
  ] as const) {
    const { error } = await at.get(url)
    assert.deepEqual([error?.code, error?.param], [code, param], url)
  }
  for (const url of ['stats/summary?livemode=true', 'stats/series?livemode=true&metric=volume&bucket=day']) {
    assert.equal((await at.app.inject(`/api/v1/boss/${url}`)).statusCode, 401)
  }
})

test('statistics of a range are read from an index, whatever else the tables hold', async (t) => {
  const at = await testConsole(t)
  const { sql } = at.deps
  const { id, no } = at.merchant
  const order = await at.order()
  const end = at.clock.now()
  // A year of a shop with a thousand orders a month, beside ten other years.
  await sql`
    insert into orders (order_no, order_ref, merchant_id, merchant_no, api_key_id, livemode, status, status_detail,
      amount_usd_micros, fee_bps, settle_chain, settle_asset, settle_decimals, settle_address, rail, checkout_token,
      metadata, underpay_tolerance_bps, late_policy, version, created_at, updated_at, expires_at, settled_at,
      currency, amount_minor, exponent, fx)
    select 'ord_' || g, 'ref' || g, ${id}, ${no}, ${order.apiKeyId}, g % 10 = 0, 'success', 'paid', 5000000, 0, 'base', 'USDC',
      6, '0x', 'sandbox', 'tok' || g, '{}', 50, 'settle', 4, at, at, at, at + interval '1 minute',
      case when g % 4 = 0 then 'EUR' else 'USD' end, case when g % 4 = 0 then 436 end, case when g % 4 = 0 then 2 end,
      case when g % 4 = 0 then '{}'::json end
    from (select g, ${end}::timestamptz - g * interval '3 minutes' as at from generate_series(1, 20000) g) made`
  const anHourAgo = firstIdAt('dlv', new Date(end.getTime() - HOUR_MS)).slice(0, 14)
  await sql`
    insert into deliveries (id, event_id, event_created_at, event, order_no, merchant_no, api_key_id, livemode, url, status,
                            created_at)
    select ${anHourAgo} || lpad(g::text, 16, '0'), 'evt', ${end}, 'order.success', 'ord', ${no}::int + g % 5, 'key', g % 10 = 0,
      'https://x', 'dead',
      ${end} from generate_series(1, 20000) g`
  await vacuumed(sql, ['orders', 'deliveries'])
  const plans = await explained(t, at.databaseUrl)
  const asked = { merchantId: id, merchantNo: no, livemode: true, from: new Date(end.getTime() - DAY_MS), to: end }
  await summarize(plans.sql, asked)
  for (const metric of ['volume', 'settled', 'webhook_success'] as const)
    await seriesOf(plans.sql, asked, metric, 'hour')
  const taken = plans.taken()
  const of = (table: string): typeof taken => taken.filter((plan) => plan.text.includes(` on ${table}`))
  assert.equal(of('orders').length, 6)
  assert.equal(of('deliveries').length, 2)
  for (const plan of [...of('orders'), ...of('deliveries')]) {
    assert.match(
      plan.text,
      /Index Only Scan using (orders_by_creation|orders_by_settlement|orders_by_currency|orders_by_currency_settled|deliveries_listed)/,
    )
    assert.ok(plan.buffers < 150, `${plan.buffers} pages:\n${plan.text}`)
  }
})
