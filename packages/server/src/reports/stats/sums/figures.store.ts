// SQL that reads the sums of orders and deliveries: figures and steps by bucket, with what is not added up yet.
import { orderStatuses, webhookKinds } from '@florin/protocol'
import type { Sql } from '../../../platform/db/pool.ts'
import { firstIdAt } from '../../../platform/ids.ts'

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

export interface Spans {
  /** Read as orders. */
  orders: readonly { from: Date; to: Date }[]
  hours: readonly { from: Date; to: Date }[]
  days: readonly { from: Date; to: Date }[]
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
  const summed = summedSpans(a).map(
    (span) => sql`
      union all select kind, sum(n::int) from order_sums where ${stepsIn(sql, a, span)} group by kind`,
  )
  return sql<Step[]>`
    select kind, sum(n)::int as n from (
      select kind, n from (${figuresOf(sql, a, 'times', { isSummed: false })}) others
      ${summed.reduce((all, one) => sql`${all} ${one}`, sql``)}
    ) steps group by kind having sum(n) <> 0`
}

type SummedSpan = { width: 'hour' | 'day'; from: Date; to: Date }

const summedSpans = ({ spans }: FiguresAsked): SummedSpan[] => [
  ...spans.hours.map((span) => ({ width: 'hour' as const, ...span })),
  ...spans.days.map((span) => ({ width: 'day' as const, ...span })),
]

const stepsIn = (sql: Sql, a: FiguresAsked, { width, from, to }: SummedSpan) => sql`
  merchant_no = ${a.merchantNo}::int and livemode = ${a.livemode} and width = ${width} and at >= ${from} and at < ${to}
    and ${sql.unsafe(ofKinds.times)}`

export interface PackedSteps {
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
export function listSteps(sql: Sql, a: FiguresAsked): Promise<PackedSteps[]> {
  const packed = sql`string_agg(kind, '') as kinds, string_agg(int4send(n::int), '') as counts`
  // Rows come from the index by their time, so that a day is put together as it is read.
  const summed = summedSpans(a).map(
    (span) => sql`
      union all select width_bucket(at, ${a.starts}::timestamptz[]), kinds, counts from (
        select at, ${packed} from order_sums where ${stepsIn(sql, a, span)} group by at) sums`,
  )
  return sql<PackedSteps[]>`
    select bucket, string_agg(kinds, '') as kinds, string_agg(counts, '') as counts from (
      select bucket, ${packed} from (${figuresOf(sql, a, 'times', { isSummed: false })}) others group by 1
      ${summed.reduce((all, one) => sql`${all} ${one}`, sql``)}
    ) parts group by 1 order by 1`
}

/** @param of.isSummed with what the sums hold of the spans, beside orders and what was not added up yet. */
function figuresOf(sql: Sql, { spans, starts, ...a }: FiguresAsked, part: Part, of = { isSummed: true }) {
  const wanted = sql`${sql.unsafe(ofKinds[part])}`
  const half = halfOf(part)
  // Nothing in the spans is before the first start.
  const bucket = starts.length === 1 ? sql`1` : sql`width_bucket(at, ${starts}::timestamptz[])`
  const inSpans = (column: string, of: readonly { from: Date; to: Date }[]) =>
    of.reduce(
      (all, { from, to }) => sql`${all} or (${sql.unsafe(column)} >= ${from} and ${sql.unsafe(column)} < ${to})`,
      sql`false`,
    )
  const sums = (width: 'hour' | 'day', of: readonly { from: Date; to: Date }[]) =>
    of.map(
      ({ from, to }) => sql`
        union all select ${sql.unsafe(half.columns)} from order_sums
        where merchant_no = ${a.merchantNo}::int and livemode = ${a.livemode} and width = ${width} and at >= ${from} and at < ${to}
          and ${sql.unsafe(half.is)}`,
    )
  const own = sql`merchant_id = ${a.merchantId} and livemode = ${a.livemode}`
  const has = (...one: Part[]): boolean => one.includes(part)
  const orders = spans.orders.flatMap(({ from, to }) => [
    has('money', 'made') &&
      sql`
      union all select created_at, status, currency, coalesce(exponent, 2), 1, amount_usd_micros, coalesce(amount_minor, 0) from orders
      where ${own} and created_at >= ${from} and created_at < ${to}`,
    has('money', 'settled') &&
      sql`
      union all select settled_at, 'settled', currency, coalesce(exponent, 2), 1, amount_usd_micros, coalesce(amount_minor, 0) from orders
      where ${own} and settled_at >= ${from} and settled_at < ${to}`,
    has('times') &&
      sql`
      union all select settled_at, 't' || pay_time_step(created_at, settled_at), 'USD', 2, 1, 0, 0 from orders
      where ${own} and settled_at >= ${from} and settled_at < ${to}`,
    has('money', 'deliveries') &&
      sql`
      union all select created_at, 'd' || status, 'USD', 2, 1, 0, 0 from deliveries
      where merchant_no = ${a.merchantNo}::int and livemode = ${a.livemode} and status in ('succeeded', 'dead')
        and event = any(${[...webhookKinds]}) and id >= ${firstIdAt('dlv', from)} and id < ${firstIdAt('dlv', to)}`,
  ])
  const summed = of.isSummed ? [...sums('hour', spans.hours), ...sums('day', spans.days)] : []
  const parts = [...orders.filter((part) => part !== false), ...summed]
  const all = parts.reduce((sum, part) => sql`${sum} ${part}`, sql``)
  // Steps are many, and have no money.
  const money =
    part === 'times' ? sql`` : sql`, currency, exponent::int as exponent, sum(micros) as micros, sum(minor) as minor`
  const by = part === 'times' ? sql`1, 2` : sql`1, 2, currency, exponent`
  return sql`
    select ${bucket} as bucket, kind, sum(n::int) as n ${money}
    from (
      select at, kind, currency, exponent, n::bigint, micros::numeric, minor::numeric from order_sum_changes
      where merchant_no = ${a.merchantNo}::int and livemode = ${a.livemode} and (${inSpans('at', [...spans.hours, ...spans.days])})
      ${all}
    ) parts
    where ${wanted} group by ${by} having sum(n::int) <> 0`
}
