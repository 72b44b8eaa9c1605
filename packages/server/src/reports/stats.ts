// Turns sums into the figures and series that the console plots. Micro-dollars become dollars here.
import {
  deliveryStatuses,
  orderStatuses,
  type StatsBucket,
  type StatsMetric,
  type StatsSeries,
  type StatsSummary,
} from '@florin/protocol'
import { unreachable } from '../platform/assert.ts'
import type { Sql } from '../platform/db/pool.ts'
import { usdNumber } from '../platform/money.ts'
import { bucketStarts } from './range.ts'
import {
  type Asked,
  countDeliveries,
  countOpenAttention,
  deliveriesByBucket,
  ordersByBucket,
  settledByBucket,
  sumOrdersByStatus,
  sumSettled,
} from './stats.store.ts'

/** Final statuses of an order. */
const ended = ['success', 'failed', 'refunded', 'expired'] as const

export async function summarize(sql: Sql, a: Asked): Promise<StatsSummary> {
  const [orders, settled, deliveries, attentionOpen] = await Promise.all([
    sumOrdersByStatus(sql, a),
    sumSettled(sql, a),
    countDeliveries(sql, a),
    countOpenAttention(sql, a),
  ])
  const byStatus = counts(orderStatuses, (status) => orders.find((row) => row.status === status)?.orders)
  const byDelivery = counts(deliveryStatuses, (status) => deliveries.find((row) => row.status === status)?.deliveries)
  return {
    from: a.from.toISOString(),
    to: a.to.toISOString(),
    orders_total: orders.reduce((total, row) => total + row.orders, 0),
    orders_by_status: byStatus,
    volume_usd: usdNumber(orders.reduce((total, row) => total + BigInt(row.micros), 0n)),
    settled_usd: usdNumber(BigInt(settled.micros)),
    success_rate: rate(
      byStatus.success,
      ended.reduce((total, status) => total + byStatus[status], 0),
    ),
    time_to_pay_p50_s: seconds(settled.p50),
    time_to_pay_p95_s: seconds(settled.p95),
    deliveries_by_status: byDelivery,
    webhook_success_rate: rate(byDelivery.succeeded, byDelivery.succeeded + byDelivery.dead),
    attention_open: attentionOpen,
  }
}

/** One point per bucket; an empty bucket is 0 for sums and null for rates and times. */
export async function seriesOf(sql: Sql, a: Asked, metric: StatsMetric, bucket: StatsBucket): Promise<StatsSeries> {
  const starts = bucketStarts(a, bucket)
  const { values, empty } = await valuesOf(sql, a, metric, starts)
  const points = starts.map((start, n) => ({ at: start.toISOString(), value: values.get(n + 1) ?? empty }))
  return { metric, bucket, points }
}

interface Values {
  /** By the number of the bucket, from 1. */
  values: Map<number, number | null>
  empty: 0 | null
}

async function valuesOf(sql: Sql, a: Asked, metric: StatsMetric, starts: readonly Date[]): Promise<Values> {
  const byBucket = <T extends { bucket: number }>(rows: readonly T[], figureOf: (row: T) => number | null) =>
    new Map(rows.map((row) => [row.bucket, figureOf(row)]))
  switch (metric) {
    case 'volume': {
      const rows = await ordersByBucket(sql, a, starts)
      return { values: byBucket(rows, (row) => usdNumber(BigInt(row.micros))), empty: 0 }
    }
    case 'orders':
      return { values: byBucket(await ordersByBucket(sql, a, starts), (row) => row.orders), empty: 0 }
    case 'success_rate': {
      const rows = await ordersByBucket(sql, a, starts)
      return { values: byBucket(rows, (row) => rate(row.succeeded, row.ended)), empty: null }
    }
    case 'settled': {
      const rows = await settledByBucket(sql, a, starts)
      return { values: byBucket(rows, (row) => usdNumber(BigInt(row.micros))), empty: 0 }
    }
    case 'time_to_pay':
      return { values: byBucket(await settledByBucket(sql, a, starts), (row) => seconds(row.p50)), empty: null }
    case 'webhook_success': {
      const rows = await deliveriesByBucket(sql, a, starts)
      return { values: byBucket(rows, (row) => rate(row.succeeded, row.ended)), empty: null }
    }
    default:
      return unreachable(metric)
  }
}

function counts<K extends string>(names: readonly K[], countOf: (name: K) => number | undefined): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, countOf(name) ?? 0])) as Record<K, number>
}

/** Four decimals are a hundredth of a percent. */
const rate = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

const seconds = (value: number | null): number | null => (value === null ? null : Math.round(value * 1000) / 1000)
