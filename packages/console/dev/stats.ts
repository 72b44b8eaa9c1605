// Invented statistics, computed from the invented orders, so that plots and lists agree.
import type { StatsMetric, StatsSeries, StatsSummary } from '@florin/protocol'
import { deliveryStatuses, orderStatuses, statsBuckets, statsMetrics } from '@florin/protocol'
import type { StoredOrder } from './orders.ts'
import type { World } from './state.ts'

const HOUR = 3_600_000
/** The playground's merchants read euros. */
const EURO = 0.8712
const sizes = { hour: HOUR, day: 24 * HOUR, week: 168 * HOUR, month: 720 * HOUR } as const
const ended = new Set(['success', 'failed', 'refunded', 'expired'])

interface Asked {
  live: boolean
  from: string
  to: string
}

const inRange = <T extends { created_at: string; livemode: boolean }>(rows: T[], { live, from, to }: Asked): T[] =>
  rows.filter((row) => row.livemode === live && row.created_at >= from && row.created_at < to)
const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0)
const seconds = (order: StoredOrder) =>
  (Date.parse(order.settled_at ?? order.created_at) - Date.parse(order.created_at)) / 1000

function quantile(values: number[], q: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? null
}

export function summary(world: World, asked: Asked): StatsSummary {
  const orders = inRange(world.orders, asked)
  const deliveries = inRange(world.deliveries, asked)
  const settled = orders.filter((order) => order.status === 'success')
  const over = orders.filter((order) => ended.has(order.status))
  const done = deliveries.filter((each) => each.status === 'succeeded' || each.status === 'dead')
  const counts = <S extends string>(names: readonly S[], rows: { status: S }[]) =>
    Object.fromEntries(names.map((name) => [name, rows.filter((row) => row.status === name).length])) as Record<
      S,
      number
    >
  return {
    from: asked.from,
    to: asked.to,
    orders_total: orders.length,
    orders_by_status: counts(orderStatuses, orders),
    volume_usd: sum(orders.map((order) => order.amount_usd)),
    settled_usd: sum(settled.map((order) => order.amount_usd)),
    left_chain_usd: 0,
    left_chain_orders: 0,
    by_currency: [],
    display: {
      ...{ currency: 'EUR', is_estimate: true, rate: String(EURO), observed_at: asked.to },
      volume: (sum(orders.map((order) => order.amount_usd)) * EURO).toFixed(2),
      settled: (sum(settled.map((order) => order.amount_usd)) * EURO).toFixed(2),
    },
    success_rate: over.length === 0 ? null : settled.length / over.length,
    time_to_pay_p50_s: quantile(settled.map(seconds), 0.5),
    time_to_pay_p95_s: quantile(settled.map(seconds), 0.95),
    deliveries_by_status: counts(deliveryStatuses, deliveries),
    deliveries_late: 0,
    deliveries_late_since: null,
    webhook_success_rate:
      done.length === 0 ? null : done.filter((each) => each.status === 'succeeded').length / done.length,
    attention_open: world.attention.filter((item) => item.resolved_at === null && item.livemode === asked.live).length,
  }
}

export function series(world: World, asked: Asked, query: URLSearchParams): StatsSeries {
  const metric = statsMetrics.find((each) => each === query.get('metric')) ?? 'volume'
  const bucket = statsBuckets.find((each) => each === query.get('bucket')) ?? 'day'
  const isEuro = query.get('in') === 'display' && (metric === 'volume' || metric === 'settled')
  const points = []
  for (let at = Date.parse(asked.from); at < Date.parse(asked.to); at += sizes[bucket]) {
    const own = { live: asked.live, from: new Date(at).toISOString(), to: new Date(at + sizes[bucket]).toISOString() }
    const value = metricOf(summary(world, own), metric)
    points.push({ at: own.from, value: value !== null && isEuro ? Number((value * EURO).toFixed(2)) : value })
  }
  return { metric, bucket, time_zone: world.merchant.time_zone ?? 'UTC', currency: isEuro ? 'EUR' : 'USD', points }
}

function metricOf(of: StatsSummary, metric: StatsMetric): number | null {
  switch (metric) {
    case 'volume':
      return of.volume_usd
    case 'settled':
      return of.settled_usd
    case 'orders':
      return of.orders_total
    case 'success_rate':
      return of.success_rate
    case 'time_to_pay':
      return of.time_to_pay_p50_s
    case 'webhook_success':
      return of.webhook_success_rate
  }
}
