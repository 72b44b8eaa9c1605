// SQL that reads the sums of orders and deliveries: figures and steps by bucket, with what is not added up yet.
import type { Sql } from '@florin/platform/db/pool'
import { firstIdAt } from '@florin/platform/ids'
import { orderStatuses, webhookKinds } from '@florin/protocol'
import { changesOf } from '../../../sums/changes.store.ts'
import type { Range } from '../range.ts'

export interface Figure {
  /** From 1: the number of starts at or before it. */
  bucket: number
  kind: string
  currency: string
  exponent: number
  n: number
  micros: string
  minor: string
}

type Span = Range

export interface Spans {
  /** Read as orders. */
  orders: readonly Span[]
  hours: readonly Span[]
  days: readonly Span[]
}

/** Of which kinds figures are wanted: the fewer, the less is added up. All but the times to pay are money's. */
export type Kinds = 'money' | 'made' | 'settled' | 'deliveries'

/** Steps are many and have no money, so they are read by themselves. */
type Part = Kinds | 'times'

const ofKinds: Readonly<Record<Part, string>> = {
  money: `kind < 't'`,
  made: `kind in (${orderStatuses.map((status) => `'${status}'`).join(', ')})`,
  settled: `kind = 'settled'`,
  times: `kind >= 't'`,
  deliveries: `kind like 'd%'`,
}

/** Money and times have an index each, which a range is read from alone; the names of steps come after all others. */
const halfOf = (part: Part): { is: string; columns: string } =>
  part === 'times'
    ? { is: `kind >= 't'`, columns: `at, kind, 'USD', 2, n, 0, 0` }
    : { is: `kind < 't'`, columns: 'at, kind, currency, exponent, n, micros, minor' }

interface FiguresAsked {
  merchantId: string
  merchantNo: number
  livemode: boolean
  spans: Spans
  starts: readonly Date[]
}

/** What happened in the spans, by bucket: all of one statement, so an order is in it once. */
export function listFigures(sql: Sql, a: FiguresAsked & { kinds: Kinds }): Promise<Figure[]> {
  return sql<Figure[]>`
    select bucket, kind, currency, exponent, n::int, micros::text, minor::text from (${figuresOf(sql, a, a.kinds)}) figures`
}

export interface Step {
  kind: string
  n: number
}

/** How many orders were paid within each step, in all spans together. Those of days are added up as they are read. */
export function listAllSteps(sql: Sql, a: FiguresAsked): Promise<Step[]> {
  const summed = widthsOf(a).map(
    (one) => sql`
      union all select kind, sum(n::int) from ${stepsIn(sql, a, one)} group by kind`,
  )
  return sql<Step[]>`
    select kind, sum(n)::int as n from (
      select kind, n from (${figuresOf(sql, a, 'times', { isSummed: false })}) others
      ${summed.reduce((all, one) => sql`${all} ${one}`, sql``)}
    ) steps group by kind having sum(n) <> 0`
}

interface OfWidth {
  width: 'hour' | 'day'
  spans: readonly Span[]
}

const widthsOf = ({ spans }: FiguresAsked): OfWidth[] =>
  [
    { width: 'hour' as const, spans: spans.hours },
    { width: 'day' as const, spans: spans.days },
  ].filter((one) => one.spans.length > 0)

/** The days of a zone may be hundreds of spans: one scan of the index for each, and one statement. */
const spansAs = (sql: Sql, spans: readonly Span[]) => sql`
  unnest(${spans.map(({ from }) => from)}::timestamptz[], ${spans.map(({ to }) => to)}::timestamptz[]) as span (since, until)`

const sumsIn = (sql: Sql, a: Pick<FiguresAsked, 'merchantNo' | 'livemode'>, { width, spans }: OfWidth) => sql`
  ${spansAs(sql, spans)} join order_sums s
    on s.merchant_no = ${a.merchantNo}::int and s.livemode = ${a.livemode} and s.width = ${width} and s.at >= span.since and s.at < span.until`

const stepsIn = (sql: Sql, a: FiguresAsked, of: OfWidth) => sql`${sumsIn(sql, a, of)} and ${sql.unsafe(ofKinds.times)}`

export interface JoinedSteps {
  bucket: number
  /** Such as `t63t64`. One may come more than once. */
  kinds: string
  /** How many orders were paid within each, in the same order: four bytes each, the highest first. */
  counts: Uint8Array
}

/**
 * By bucket, how many orders were paid within each step. Told as rows, or added up by bucket and step before, they would take
 * three times as long; as one text of both a third longer.
 */
export function listSteps(sql: Sql, a: FiguresAsked): Promise<JoinedSteps[]> {
  const joined = sql`string_agg(kind, '') as kinds, string_agg(int4send(n::int), '') as counts`
  // Rows come from the index by their time, so that a day is put together as it is read.
  const summed = widthsOf(a).map(
    (of) => sql`
      union all select width_bucket(at, ${a.starts}::timestamptz[]), kinds, counts from ${spansAs(sql, of.spans)}, lateral (
        select at, ${joined} from order_sums
        where merchant_no = ${a.merchantNo}::int and livemode = ${a.livemode} and width = ${of.width}
          and at >= span.since and at < span.until and ${sql.unsafe(ofKinds.times)} group by at) sums`,
  )
  return sql<JoinedSteps[]>`
    select bucket, string_agg(kinds, '') as kinds, string_agg(counts, '') as counts from (
      select bucket, ${joined} from (${figuresOf(sql, a, 'times', { isSummed: false })}) others group by 1
      ${summed.reduce((all, one) => sql`${all} ${one}`, sql``)}
    ) parts group by 1 order by 1`
}

/** @param of.isSummed with what the sums hold of the spans, beside orders and what was not added up yet. */
function figuresOf(sql: Sql, { spans, starts, ...a }: FiguresAsked, part: Part, of = { isSummed: true }) {
  const wanted = sql`${sql.unsafe(ofKinds[part])}`
  const half = halfOf(part)
  // Nothing in the spans is before the first start.
  const bucket = starts.length === 1 ? sql`1` : sql`width_bucket(at, ${starts}::timestamptz[])`
  const own = sql`o.merchant_id = ${a.merchantId} and o.livemode = ${a.livemode}`
  const has = (...one: Part[]): boolean => one.includes(part)
  const inSpan = (column: string) => sql`o.${sql.unsafe(column)} >= span.since and o.${sql.unsafe(column)} < span.until`
  const made = sql`${spansAs(sql, spans.orders)} join order_summaries o on ${own} and ${inSpan('created_at')}`
  const settled = sql`${spansAs(sql, spans.orders)} join order_summaries o on ${own} and ${inSpan('settled_at')}`
  const ids = (end: 'from' | 'to'): string[] => spans.orders.map((span) => firstIdAt('dlv', span[end]))
  const orders =
    spans.orders.length === 0
      ? []
      : [
          has('money', 'made') &&
            sql`
      union all select o.created_at, o.status, o.currency, coalesce(o.exponent, 2), 1, o.amount_usd_micros, coalesce(o.amount_minor, 0)
      from ${made}`,
          has('money', 'settled') &&
            sql`
      union all select o.settled_at, 'settled', o.currency, coalesce(o.exponent, 2), 1, o.amount_usd_micros, coalesce(o.amount_minor, 0)
      from ${settled}`,
          has('times') &&
            sql`
      union all select o.settled_at, 't' || pay_time_step(o.created_at, o.settled_at), 'USD', 2, 1, 0, 0 from ${settled}`,
          has('money', 'deliveries') &&
            sql`
      union all select d.created_at, 'd' || d.status, 'USD', 2, 1, 0, 0
      from unnest(${ids('from')}::text[], ${ids('to')}::text[]) as span (since, until) join delivery_summaries d
        on d.merchant_no = ${a.merchantNo}::int and d.livemode = ${a.livemode} and d.status in ('succeeded', 'dead')
        and d.event = any(${[...webhookKinds]}) and d.id >= span.since and d.id < span.until`,
        ]
  const summed = of.isSummed
    ? widthsOf({ ...a, spans, starts }).map(
        (one) => sql`
        union all select ${sql.unsafe(half.columns)} from ${sumsIn(sql, a, one)} and ${sql.unsafe(half.is)}`,
      )
    : []
  const parts = [...orders.filter((part) => part !== false), ...summed]
  const all = parts.reduce((sum, part) => sql`${sum} ${part}`, sql``)
  // Steps are many, and have no money.
  const money =
    part === 'times' ? sql`` : sql`, currency, exponent::int as exponent, sum(micros) as micros, sum(minor) as minor`
  const by = part === 'times' ? sql`1, 2` : sql`1, 2, currency, exponent`
  return sql`
    select ${bucket} as bucket, kind, sum(n::int) as n ${money}
    from (
      select at, kind, currency, exponent, n::bigint, micros::numeric, minor::numeric from ${changesOf(sql, a)} changes
      where exists (select from ${spansAs(sql, [...spans.hours, ...spans.days])} where at >= span.since and at < span.until)
      ${all}
    ) parts
    where ${wanted} group by ${by} having sum(n::int) <> 0`
}
