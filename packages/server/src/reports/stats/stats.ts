// Turns sums into the figures and series that the console plots. Micro-dollars become dollars here.
import { unreachable } from '@florin/platform/assert'
import type { Sql } from '@florin/platform/db/pool'
import { usdNumber } from '@florin/platform/money'
import {
  type CurrencySum,
  deliveryStatuses,
  dollarMoney,
  minorText,
  orderStatuses,
  type StatsBucket,
  type StatsMetric,
  type StatsSeries,
  type StatsSummary,
} from '@florin/protocol'
import { countOpenOf } from '../../attention/store.ts'
import { sumLeft } from '../../orders/figures.store.ts'
import { findSettings } from '../../prices/store.ts'
import { readLateOf } from '../../webhooks/late.store.ts'
import { type Display, displayText, findDisplay, inDisplay } from './display.ts'
import { bucketStarts } from './range.ts'
import { type Asked, countUnderWay, type OtherSums, settledByBucket, sumSettled } from './store.ts'
import type { Kinds, Step } from './sums/figures.store.ts'
import {
  byBucket,
  countOf,
  deliveredOf,
  type Figure,
  madeOf,
  microsOf,
  othersOf,
  readFigures,
  readMiddleTimes,
  readSteps,
  secondsOf,
  settledOf,
} from './sums/figures.ts'

/** Up to so many orders a time to pay is taken from the orders themselves, exactly; above, from counts of steps of 4 %. */
const EXACT_MAX = 2_000

/** Final statuses of an order. */
const ended = ['success', 'failed', 'refunded', 'expired'] as const

export async function summarize(sql: Sql, a: Asked, now: Date): Promise<StatsSummary> {
  // Half of the work is the times to pay, whose statement runs beside the others: no sum is of both.
  const [figures, steps, underWay, late, attentionOpen, left, first, display] = await Promise.all([
    readFigures(sql, a, [a.from]),
    readSteps(sql, a),
    countUnderWay(sql, a),
    readLateOf(sql, { ...a, now }),
    countOpenOf(sql, a),
    sumLeft(sql, a),
    findSettings(sql, a.merchantId).then((settings) => settings.displayCurrency),
    findDisplay(sql, a.merchantId),
  ])
  const [made, done] = [madeOf(figures), settledOf(figures)]
  const orders = made.map((one) => ({ status: one.kind, orders: one.n, micros: one.micros }))
  const settled = { micros: String(microsOf(done)), ...(await timesOf(sql, a, countOf(done), steps)) }
  const [others, othersSettled] = [othersOf(made), othersOf(done)]
  const byStatus = counts(orderStatuses, (status) => countOf(made.filter((one) => one.kind === status)))
  const byDelivery = counts(deliveryStatuses, (status) =>
    status === 'pending' || status === 'retrying' ? underWay[status] : countOf(deliveredOf(figures, status)),
  )
  return {
    from: a.from.toISOString(),
    to: a.to.toISOString(),
    orders_total: orders.reduce((total, row) => total + row.orders, 0),
    orders_by_status: byStatus,
    volume_usd: usdNumber(orders.reduce((total, row) => total + BigInt(row.micros), 0n)),
    settled_usd: usdNumber(BigInt(settled.micros)),
    left_chain_usd: usdNumber(BigInt(left.micros)),
    left_chain_orders: left.orders,
    by_currency: sumsOf({ orders, settled, others, othersSettled, display: first }),
    display: display === null ? null : shownSums(display, { orders, settled, others, othersSettled }),
    success_rate: rate(
      byStatus.success,
      ended.reduce((total, status) => total + byStatus[status], 0),
    ),
    time_to_pay_p50_s: seconds(settled.p50),
    time_to_pay_p95_s: seconds(settled.p95),
    deliveries_by_status: byDelivery,
    deliveries_late: late.count,
    deliveries_late_since: late.since?.toISOString() ?? null,
    webhook_success_rate: rate(byDelivery.succeeded, byDelivery.succeeded + byDelivery.dead + late.count),
    attention_open: attentionOpen,
  }
}

async function timesOf(
  sql: Sql,
  a: Asked,
  settled: number,
  steps: readonly Step[],
): Promise<{ p50: number | null; p95: number | null }> {
  if (settled <= EXACT_MAX) return sumSettled(sql, a)
  return { p50: secondsOf(steps, 0.5), p95: secondsOf(steps, 0.95) }
}

/** What orders said, by currency: dollars are what is left of all when the others are taken away. */
function sumsOf(a: {
  orders: readonly { orders: number; micros: string }[]
  settled: { micros: string }
  others: readonly OtherSums[]
  othersSettled: readonly OtherSums[]
  display: string
}): CurrencySum[] {
  const total = <T>(rows: readonly T[], of: (row: T) => bigint): bigint => rows.reduce((sum, row) => sum + of(row), 0n)
  const count = (rows: readonly { orders: number }[]): number => rows.reduce((sum, row) => sum + row.orders, 0)
  const micros = (row: { micros: string }): bigint => BigInt(row.micros)
  const text = (usdMicros: bigint): string => {
    const { minor, exponent } = dollarMoney(usdMicros)
    return minorText(minor, exponent)
  }
  const inDollars = total(a.orders, micros) - total(a.others, micros)
  const dollars = {
    currency: 'USD',
    orders: count(a.orders) - count(a.others),
    volume: text(inDollars),
    settled: text(BigInt(a.settled.micros) - total(a.othersSettled, micros)),
    worth: inDollars,
  }
  const codes = [...new Set([...a.others, ...a.othersSettled].map((row) => row.currency))]
  const rest = codes.map((currency) => {
    const made = a.others.filter((row) => row.currency === currency)
    const done = a.othersSettled.filter((row) => row.currency === currency)
    // A currency whose digits changed has rows of both: they are added in the finer one.
    const exponent = Math.max(...[...made, ...done].map((row) => row.exponent))
    const sum = (rows: readonly OtherSums[]): string =>
      minorText(
        total(rows, (row) => BigInt(row.minor) * 10n ** BigInt(exponent - row.exponent)),
        exponent,
      )
    return { currency, orders: count(made), volume: sum(made), settled: sum(done), worth: total(made, micros) }
  })
  return [dollars, ...rest]
    .filter((row) => row.orders > 0 || !/^[0.]+$/.test(row.settled))
    .sort((x, y) => Number(y.currency === a.display) - Number(x.currency === a.display) || (x.worth < y.worth ? 1 : -1))
    .map(({ currency, orders, volume, settled }) => ({ currency, orders, volume, settled }))
}

/** All of it in the display currency. */
function shownSums(
  display: Display,
  a: {
    orders: readonly { micros: string }[]
    settled: { micros: string }
    others: readonly OtherSums[]
    othersSettled: readonly OtherSums[]
  },
): StatsSummary['display'] {
  const { currency, rate, observedAt } = display
  const own = (rows: readonly OtherSums[]): OtherSums[] => rows.filter((row) => row.currency === currency)
  const made = { micros: a.orders.reduce((sum, row) => sum + BigInt(row.micros), 0n), own: own(a.others) }
  const done = { micros: BigInt(a.settled.micros), own: own(a.othersSettled) }
  const isRest = (part: typeof made): boolean =>
    part.own.reduce((sum, row) => sum + BigInt(row.micros), 0n) !== part.micros
  return {
    ...{ currency, volume: displayText(display, made), settled: displayText(display, done) },
    ...{ is_estimate: isRest(made) || isRest(done), rate, observed_at: observedAt.toISOString() },
  }
}

/**
 * One point per bucket; an empty bucket is 0 for sums and null for rates and times.
 * @param of.zone whose days, weeks and months the buckets are.
 * @param of.isDisplay sums of money in the display currency, where a rate of it is known.
 */
export async function seriesOf(
  sql: Sql,
  a: Asked,
  metric: StatsMetric,
  bucket: StatsBucket,
  { zone = 'UTC', isDisplay = false }: { zone?: string; isDisplay?: boolean } = {},
): Promise<StatsSeries> {
  const starts = bucketStarts(a, bucket, zone)
  const display =
    isDisplay && (metric === 'volume' || metric === 'settled') ? await findDisplay(sql, a.merchantId) : null
  const { values, empty } =
    display === null
      ? await valuesOf(sql, a, metric, starts, bucket === 'hour')
      : await shownValues(sql, a, metric, starts, bucket === 'hour', display)
  const points = starts.map((start, n) => ({ at: start.toISOString(), value: values.get(n + 1) ?? empty }))
  return { metric, bucket, time_zone: zone, currency: display?.currency ?? 'USD', points }
}

async function shownValues(
  sql: Sql,
  a: Asked,
  metric: StatsMetric,
  starts: readonly Date[],
  isByHour: boolean,
  display: Display,
): Promise<Values> {
  const kinds = metric === 'volume' ? 'made' : 'settled'
  const figures = await readFigures(sql, a, starts, { kinds, isByHour })
  const buckets = byBucket(metric === 'volume' ? madeOf(figures) : settledOf(figures))
  const values = [...buckets].map(([bucket, all]): [number, number] => {
    const own = othersOf(all).filter((one) => one.currency === display.currency)
    // A plot is drawn of it; the sums are text.
    return [bucket, Number(minorText(inDisplay(display, { micros: microsOf(all), own }), display.exponent))]
  })
  return { values: new Map(values), empty: 0 }
}

interface Values {
  /** By the number of the bucket, from 1. */
  values: Map<number, number | null>
  empty: 0 | null
}

async function valuesOf(
  sql: Sql,
  a: Asked,
  metric: StatsMetric,
  starts: readonly Date[],
  isByHour: boolean,
): Promise<Values> {
  const read = (kinds: Kinds): Promise<Figure[]> => readFigures(sql, a, starts, { kinds, isByHour })
  const of = (rows: readonly Figure[], figureOf: (all: readonly Figure[]) => number | null) =>
    new Map([...byBucket(rows)].map(([bucket, all]) => [bucket, figureOf(all)]))
  switch (metric) {
    case 'volume':
      return { values: of(await read('made'), (all) => usdNumber(microsOf(all))), empty: 0 }
    case 'orders':
      return { values: of(await read('made'), countOf), empty: 0 }
    case 'success_rate': {
      const isEnded = (one: Figure): boolean => ended.some((status) => status === one.kind)
      const share = (all: readonly Figure[]) =>
        rate(countOf(all.filter((one) => one.kind === 'success')), countOf(all.filter(isEnded)))
      return { values: of(await read('made'), share), empty: null }
    }
    case 'settled':
      return { values: of(await read('settled'), (all) => usdNumber(microsOf(all))), empty: 0 }
    case 'time_to_pay': {
      const middle = await readMiddleTimes(sql, a, starts, isByHour)
      if (middle.reduce((sum, { n }) => sum + n, 0) > EXACT_MAX)
        return { values: new Map(middle.map((row) => [row.bucket, seconds(row.seconds)])), empty: null }
      const rows = await settledByBucket(sql, a, starts)
      return { values: new Map(rows.map((row) => [row.bucket, seconds(row.p50)])), empty: null }
    }
    case 'webhook_success': {
      const share = (all: readonly Figure[]) => rate(countOf(deliveredOf(all, 'succeeded')), countOf(all))
      return { values: of(await read('deliveries'), share), empty: null }
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
