import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt } from '@florin/platform/ids'
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type StatsMetric,
  type StatsSeries,
  type StatsSummary,
  statsMetrics,
} from '@florin/protocol'
import { type TestConsole, testConsole } from '../../../test/console.ts'
import { explained, vacuumed } from '../../../test/plans.ts'
import { expireDue } from '../../orders/expire.ts'
import { simulate } from '../../orders/simulate.ts'
import { getOrder } from '../../orders/store.ts'
import { countDeliveries } from '../../sums/changes.store.ts'
import type { Range } from './range.ts'
import { seriesOf, summarize } from './stats.ts'
import { foldChanges, listSummedDays, repairDay } from './sums/store.ts'

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

const endDeliveriesOf = (at: TestConsole, status: 'dead' | 'succeeded') => at.deps.sql`
  with ended as (
    update deliveries set status = ${status} where event = 'order.success' returning merchant_no, livemode, created_at, status
  ) ${countDeliveries(at.deps.sql, 'ended', 1)}`

test('the summary counts orders by when they were made and settlements by when they were', async (t) => {
  const at = await testConsole(t)
  const stranger = await at.another()
  const start = await aShopsWeek(at)
  await stranger.order({ amount_usd: 999 })
  await endDeliveriesOf(at, 'dead')
  const [late] = await at.deps.sql<
    { at: Date }[]
  >`select next_attempt_at as at from deliveries where status = 'pending'`
  const { data } = await at.get<StatsSummary>('stats/summary?livemode=false')
  assert.deepEqual(data, {
    from: new Date(at.clock.now().getTime() - 30 * DAY_MS).toISOString(),
    to: at.clock.now().toISOString(),
    orders_total: 3 + 1,
    orders_by_status: { pending: 1, processing: 0, success: 2, failed: 0, refunded: 0, expired: 1 },
    volume_usd: 42.500001,
    settled_usd: 15.000001,
    left_chain_usd: 0,
    left_chain_orders: 0,
    by_currency: [{ currency: 'USD', orders: 4, volume: '42.500001', settled: '15.000001' }],
    display: null,
    success_rate: 0.6667,
    time_to_pay_p50_s: 330,
    time_to_pay_p95_s: 573,
    deliveries_by_status: { pending: 1, retrying: 0, succeeded: 0, dead: 1 },
    deliveries_late: 1,
    deliveries_late_since: late?.at.toISOString(),
    webhook_success_rate: 0,
    attention_open: 0,
  })
  const firstDay = `from=${start.toISOString()}&to=${new Date(start.getTime() + DAY_MS).toISOString()}`
  const day = (await at.get<StatsSummary>(`stats/summary?livemode=false&${firstDay}`)).data
  assert.deepEqual(
    [day.orders_total, day.volume_usd, day.settled_usd, day.success_rate],
    [2, 30.500001, 10.000001, 0.5],
  )
  // What the chain takes back goes on as a success, and the sum of it is told beside.
  await at.deps.sql`
    update settlements set left_at = now() where order_no = (select order_no from orders where amount_usd_micros = 5000000)`
  const { settled_usd, left_chain_usd, left_chain_orders } = (
    await at.get<StatsSummary>('stats/summary?livemode=false')
  ).data
  assert.deepEqual([settled_usd, left_chain_usd, left_chain_orders], [15.000001, 5, 1])
  assert.equal((await at.get<StatsSummary>(`stats/summary?livemode=false&${firstDay}`)).data.left_chain_orders, 0)
  const live = (await at.get<StatsSummary>('stats/summary?livemode=true')).data
  assert.deepEqual([live.orders_total, live.success_rate, live.time_to_pay_p50_s], [0, null, null])
})

test('a series has a point for every bucket, the empty ones too', async (t) => {
  const at = await testConsole(t)
  const start = await aShopsWeek(at)
  await endDeliveriesOf(at, 'succeeded')
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

test('an order is paid within the same step whether its logarithm is told exactly or not', async (t) => {
  const { sql } = (await testConsole(t)).deps
  // Around every step, where a float may fall to the wrong side, and all over the first hour.
  const wrong = await sql`
    with times as (
      select interval '1 second' * (2 ^ (step / 16.0) - 1)::float8 + interval '1 microsecond' * off as took
      from generate_series(0, 400) step, generate_series(-2, 2) off
      union all
      select interval '1 second' * s - interval '1 microsecond' * s from generate_series(0, 3600) s
    )
    select took from times where pay_time_step('2026-03-01Z', '2026-03-01Z'::timestamptz + took)
      is distinct from floor(16 * log(2, 1 + greatest(0, extract(epoch from took)))::numeric)::int`
  assert.deepEqual(wrong, [])
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

test('statistics are what the orders say, before and after they are summed, and cost the days of the range', async (t) => {
  const at = await testConsole(t)
  const { sql } = at.deps
  const { id, no } = at.merchant
  const order = await at.order()
  const end = at.clock.now()
  // Thousands of orders over five months, a quarter of them in euros, one in eight not settled.
  await sql`
    insert into orders (order_no, order_ref, merchant_id, merchant_no, api_key_id, livemode, status, status_detail,
      amount_usd_micros, fee_bps, settle_chain, settle_asset, settle_decimals, settle_address, rail, checkout_token,
      metadata, underpay_tolerance_bps, late_policy, version, created_at, updated_at, expires_at, settled_at,
      currency, amount_minor, exponent, fx)
    select 'ord_' || lpad(g::text, 26, '0'), 'ref' || g, ${id}, ${no}, ${order.apiKeyId}, g % 10 = 0,
      case when g % 8 = 0 then 'pending' else 'success' end, 'paid', 5000000 + g, 0, 'base', 'USDC',
      6, '0x', 'sandbox', 'tok' || g, '{}', 50, 'settle', 4, at, at, at,
      case when g % 8 > 0 then at + (g % 900) * interval '1 second' end,
      case when g % 4 = 1 then 'EUR' else 'USD' end, case when g % 4 = 1 then 436 end, case when g % 4 = 1 then 2 end,
      case when g % 4 = 1 then '{}'::json end
    from (select g, ${end}::timestamptz - g * interval '50 minutes' as at from generate_series(1, 4400) g) made`
  await sql`
    insert into order_sum_changes (merchant_no, livemode, at, kind, currency, exponent, n, micros, minor)
    select merchant_no, livemode, s.at, s.kind, currency, coalesce(exponent, 2), s.n, s.micros, s.minor
    from orders o, order_sums_of(o.status, o.created_at, o.settled_at, o.amount_usd_micros, o.amount_minor) s
    where o.order_no <> ${order.orderNo}`
  // Some deliveries were made at every hour of it; most have ended.
  const made = Array.from({ length: 2_000 }, (_, n) => new Date(end.getTime() - n * 67 * MINUTE_MS))
  const deliveryIds = made.map((when, n) => firstIdAt('dlv', when).slice(0, -4) + String(n).padStart(4, '0'))
  await sql`
    insert into deliveries (id, event_id, event_created_at, event, order_no, merchant_no, api_key_id, livemode, url, status, created_at)
    select id, 'evt_' || right(id, 26), at, 'order.success', ${order.orderNo}, ${no}::int, ${order.apiKeyId}, n % 9 = 0, 'https://shop.example/',
      case when n % 7 = 0 then 'dead' when n % 50 = 1 then 'pending' when n % 50 = 2 then 'retrying' else 'succeeded' end, at
    from unnest(${deliveryIds}::text[], ${made}::timestamptz[]) with ordinality as each (id, at, n)`
  await sql`${countDeliveries(sql, 'deliveries', 1)}`
  const endDeliveries = (n: number) => sql`
    with ended as (
      update deliveries set status = 'dead' where id like ${`%${n}`} and status in ('pending', 'retrying')
      returning merchant_no, livemode, created_at, status
    ) ${countDeliveries(sql, 'ended', 1)}`
  const ranges: Range[] = [
    { from: new Date(end.getTime() - 90 * DAY_MS), to: end },
    { from: new Date(end.getTime() - 100 * DAY_MS - 1), to: new Date(end.getTime() - 40 * DAY_MS - 12_345) },
    { from: new Date(end.getTime() - 3 * HOUR_MS), to: new Date(end.getTime() - 2 * HOUR_MS + 1) },
    { from: new Date(end.getTime() - 30 * HOUR_MS), to: new Date(end.getTime() - 2 * HOUR_MS) },
  ]
  const answers = async (through = sql): Promise<unknown[]> => {
    const all: unknown[] = []
    for (const range of ranges) {
      const asked = { merchantId: id, merchantNo: no, livemode: false, ...range }
      all.push(await summarize(through, asked, asked.to))
      for (const metric of ['volume', 'orders', 'success_rate', 'settled', 'time_to_pay', 'webhook_success'] as const)
        for (const bucket of ['day', 'month'] as const) all.push(await seriesOf(through, asked, metric, bucket))
      // Days that begin within a day of the sums, within an hour of them, and where a clock was set.
      for (const zone of ['Asia/Tokyo', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'])
        for (const [metric, bucket] of [
          ['volume', 'day'],
          ['time_to_pay', 'week'],
          ['webhook_success', 'day'],
        ] as const)
          all.push(await seriesOf(through, asked, metric, bucket, { zone }))
    }
    const lastHours = { merchantId: id, merchantNo: no, livemode: false, ...(ranges.at(-1) as Range) }
    for (const zone of ['UTC', 'Asia/Kathmandu'])
      all.push(await seriesOf(through, lastHours, 'orders', 'hour', { zone }))
    return all
  }
  // The answers from sums that are made of the rows at once stand for what is right.
  const byOrders = async (): Promise<unknown[]> => {
    await sql`create table kept_sums as table order_sums`
    await sql`create table kept_changes as table order_sum_changes`
    await sql`truncate order_sums, order_sum_changes`
    await sql`
      insert into order_sums (merchant_no, livemode, width, at, kind, currency, exponent, n, micros, minor)
      select merchant_no, livemode, width, date_trunc(width, at, 'UTC'), kind, currency, exponent, sum(n), sum(micros), sum(minor)
      from (
        select o.merchant_no, o.livemode, s.at, s.kind, o.currency, coalesce(o.exponent, 2)::smallint as exponent, s.n, s.micros, s.minor
        from orders o, order_sums_of(o.status, o.created_at, o.settled_at, o.amount_usd_micros, o.amount_minor) s
        union all
        select merchant_no, livemode, created_at, 'd' || status, 'USD', 2::smallint, 1, 0, 0 from deliveries where status in ('succeeded', 'dead')
      ) rows, (values ('hour'), ('day')) widths (width) group by 1, 2, 3, 4, 5, 6, 7`
    const right = await answers()
    await sql`truncate order_sums, order_sum_changes`
    await sql`insert into order_sums table kept_sums`
    await sql`insert into order_sum_changes table kept_changes`
    await sql`drop table kept_sums, kept_changes`
    return right
  }
  const fold = async (): Promise<void> => {
    while ((await foldChanges(sql, 1_000)) > 0);
  }
  assert.deepEqual(await answers(), await byOrders(), 'from what the commits left')
  await endDeliveries(3)
  await sql`
    with gone as (
      delete from deliveries where id like '%77' returning merchant_no, livemode, created_at, status
    ) ${countDeliveries(sql, 'gone', -1)}`
  assert.deepEqual(await answers(), await byOrders(), 'from what deliveries left that ended, or are kept no longer')
  await fold()
  assert.equal((await sql`select from order_sum_changes limit 1`).length, 0)
  assert.deepEqual(await answers(), await byOrders(), 'from sums')

  // While orders change.
  await endDeliveries(4)
  const change = (n: number) => sql`
    with changed as (
      update orders set status = 'success', settled_at = created_at + interval '2 hours'
      where merchant_id = ${id} and status = 'pending' and order_no <> ${order.orderNo} and order_no like ${`%${n}`}
      returning *
    )
    insert into order_sum_changes (merchant_no, livemode, at, kind, currency, exponent, n, micros, minor)
    select merchant_no, livemode, s.at, s.kind, currency, coalesce(exponent, 2), sign * s.n, sign * s.micros, sign * s.minor
    from changed, lateral (
      select 1 as sign, * from order_sums_of(status, created_at, settled_at, amount_usd_micros, amount_minor)
      union all
      select -1, * from order_sums_of('pending', created_at, null, amount_usd_micros, amount_minor)
    ) s`
  await change(4)
  await fold()
  await endDeliveries(5)
  await change(8)
  await settle(at, order.orderNo)
  assert.deepEqual(await answers(), await byOrders(), 'from sums, and what was left since')
  await fold()
  assert.deepEqual(await answers(), await byOrders())

  // What is wrong is found, and put right to the unit.
  const right = await sql`select * from order_sums where n <> 0 order by 1, 2, 3, 4, 5, 6, 7`
  const [day] = await listSummedDays(sql, null, 1)
  const days = await listSummedDays(sql, null, 1_000)
  assert.ok(day !== undefined && days.length > 100)
  assert.equal(await repairDay(sql, day), 0)
  await sql`
    update order_sums set n = n + 1, micros = micros - 1 where (at, kind) in (
      select at, kind from order_sums where width = 'day' and kind in ('success', 'settled', 'ddead') order by at limit 3)`
  await sql`delete from order_sums where width = 'hour' and kind = 'success' and at < ${day.day} + interval '3 days'`
  let repaired = 0
  for (const each of days) repaired += await repairDay(sql, each)
  assert.ok(repaired > 2)
  assert.deepEqual(await sql`select * from order_sums where n <> 0 order by 1, 2, 3, 4, 5, 6, 7`, right)

  // How many dead rows lie between them depends on whoever else was busy while they were written.
  await sql.unsafe('vacuum full order_sums')
  await vacuumed(sql, ['orders', 'order_sums', 'order_sum_changes'])
  const plans = await explained(t, at.databaseUrl)
  const [asked] = ranges.map((range) => ({ merchantId: id, merchantNo: no, livemode: false, ...range }))
  assert.ok(asked)
  for (const metric of statsMetrics) {
    // A zone's day is read as hours, and where it begins within one, that hour as orders.
    for (const [zone, most] of [
      ['UTC', 200],
      ['Asia/Tokyo', 400],
      ['Asia/Kathmandu', 1_500],
    ] as const) {
      await seriesOf(plans.sql, asked, metric, 'day', { zone })
      const seen = plans.taken()
      const pages = seen.reduce((sum, plan) => sum + plan.buffers, 0)
      assert.ok(pages <= most, `${pages} pages for 90 days of ${metric} in ${zone}`)
      assert.doesNotMatch(seen.map(({ text }) => text).join(), /Seq Scan on (orders|order_sums|deliveries)/)
    }
  }
})
