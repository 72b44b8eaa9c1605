// The six plots of the overview, each a metric of the statistics over the same range.
import { type StatsMetric, type StatsSummary, zoneOr } from '@florin/protocol'
import { useLive } from '../mode.ts'
import { asked, count, duration, money, moneyShort, percent, relative, usd, usdShort } from '../ui/format.ts'
import { Plot } from '../ui/plot/plot.tsx'
import { ErrorNote } from '../ui/state.tsx'
import classes from './overview.module.css'
import { useSeries } from './queries.ts'
import { bucketLabel, type Range } from './range.ts'

interface Spec {
  metric: StatsMetric
  title: string
  kind: 'bars' | 'line'
  total: (summary: StatsSummary) => string
  /** A sum of money: told in the currency of the series. */
  isMoney?: true
  note?: (summary: StatsSummary) => string | null
  format: (value: number) => string
  formatTick?: (value: number) => string
  tickUnit?: number
  max?: number
  empty: string
}

const SUMS_SHOWN = 4

/** The same in the currencies that were asked for: exact, and only where there is another one than dollars. */
function sums({ by_currency: rows }: StatsSummary, what: 'volume' | 'settled'): string | null {
  if (rows.every((row) => row.currency === 'USD')) return null
  const shown = rows
    .filter((row) => !/^[0.]+$/.test(row[what]))
    .slice(0, SUMS_SHOWN)
    .map((row) => asked({ amount: row[what], currency: row.currency }))
  return rows.length > SUMS_SHOWN ? `${shown.join(' + ')} + …` : shown.join(' + ')
}

/** What the chain took back of what settled; null: nothing. */
const leftText = (summary: StatsSummary): string | null =>
  summary.left_chain_orders === 0
    ? null
    : `${usd(summary.left_chain_usd)} of it left the chain again (${summary.left_chain_orders === 1 ? 'one order' : `${summary.left_chain_orders} orders`})`

/** In the display currency, where one was chosen and a rate of it is known. */
function totalOf({ display, ...summary }: StatsSummary, what: 'volume' | 'settled'): string {
  if (display === null) return usd(what === 'volume' ? summary.volume_usd : summary.settled_usd)
  return `${display.is_estimate ? '≈ ' : ''}${asked({ amount: display[what], currency: display.currency })}`
}

const specs: readonly Spec[] = [
  {
    metric: 'volume',
    title: 'Volume',
    kind: 'bars',
    total: (summary) => totalOf(summary, 'volume'),
    isMoney: true,
    note: (summary) => sums(summary, 'volume'),
    format: usd,
    formatTick: usdShort,
    empty: 'No orders in this range.',
  },
  {
    metric: 'settled',
    title: 'Settled',
    kind: 'bars',
    total: (summary) => totalOf(summary, 'settled'),
    isMoney: true,
    note: (summary) =>
      [leftText(summary), sums(summary, 'settled')].filter((part) => part !== null).join(' · ') || null,
    format: usd,
    formatTick: usdShort,
    empty: 'Nothing settled in this range.',
  },
  {
    metric: 'orders',
    title: 'Orders',
    kind: 'bars',
    total: (summary) => count(summary.orders_total),
    format: count,
    empty: 'No orders in this range.',
  },
  {
    metric: 'success_rate',
    title: 'Success rate',
    kind: 'line',
    total: (summary) => (summary.success_rate === null ? '–' : percent(summary.success_rate)),
    format: percent,
    max: 1,
    empty: 'No order came to its end in this range.',
  },
  {
    metric: 'time_to_pay',
    title: 'Time to pay',
    kind: 'line',
    total: (summary) => (summary.time_to_pay_p50_s === null ? '–' : duration(summary.time_to_pay_p50_s)),
    note: (summary) =>
      summary.time_to_pay_p95_s === null ? null : `median; 95% within ${duration(summary.time_to_pay_p95_s)}`,
    format: duration,
    formatTick: (seconds) => (seconds < 60 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 6) / 10} min`),
    tickUnit: 60,
    empty: 'Nothing settled in this range.',
  },
  {
    metric: 'webhook_success',
    title: 'Webhooks delivered',
    kind: 'line',
    total: (summary) => (summary.webhook_success_rate === null ? '–' : percent(summary.webhook_success_rate)),
    note: ({ deliveries_by_status: { dead, retrying }, deliveries_late: late, deliveries_late_since: since }) =>
      `${late === 0 || since === null ? '' : `${count(late)} late, the oldest due ${relative(since, Date.now())} · `}${count(dead)} dead · ${count(retrying)} retrying`,
    format: percent,
    max: 1,
    empty: 'No webhook came to its end in this range.',
  },
]

export function Plots({ range, summary }: { range: Range; summary: StatsSummary | undefined }) {
  return (
    <div className={classes.plots}>
      {specs.map((spec) => (
        <MetricPlot key={spec.metric} spec={spec} range={range} summary={summary} />
      ))}
    </div>
  )
}

function MetricPlot({ spec, range, summary }: { spec: Spec; range: Range; summary: StatsSummary | undefined }) {
  const live = useLive()
  const series = useSeries(spec.metric, range)
  // Server and browser may know different zones: the labels follow the zone that cut the buckets.
  const zone = zoneOr(series.data?.time_zone)
  if (series.isError && series.data === undefined) {
    return <ErrorNote error={series.error} onRetry={() => void series.refetch()} />
  }
  const points = series.data?.points.map((point) => ({
    ...point,
    label: bucketLabel(point.at, series.data.bucket, zone),
  }))
  const { metric: _, total, note, empty, isMoney, ...rest } = spec
  const currency = series.data?.currency ?? 'USD'
  const inCurrency = {
    format: (value: number) => money(value, currency),
    formatTick: (value: number) => moneyShort(value, currency),
  }
  const plot = isMoney === true && currency !== 'USD' ? { ...rest, ...inCurrency } : rest
  return (
    <Plot
      {...plot}
      points={points}
      total={summary === undefined ? '–' : total(summary)}
      note={summary === undefined ? null : (note?.(summary) ?? null)}
      empty={live ? empty : `${empty} Make a test order to see one.`}
      isStale={series.isPlaceholderData}
    />
  )
}
