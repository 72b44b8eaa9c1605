// SQL of statistics. Sums are integer micro-dollars; each statement is an index-only scan (a test checks EXPLAIN), so
// its cost is that of the range requested.
import type { Sql } from '@florin/platform/db/pool'
import { firstIdAt } from '@florin/platform/ids'
import type { Range } from './range.ts'

export interface Asked extends Range {
  merchantId: string
  merchantNo: number
  livemode: boolean
}

export interface Settled {
  /** Seconds from creation to settlement; null where nothing settled. */
  p50: number | null
  p95: number | null
}

/** Of orders settled in the range, whenever they were created. */
export async function sumSettled(sql: Sql, a: Asked): Promise<Settled> {
  const [row] = await sql<Settled[]>`
    select percentile_cont(0.5) within group (order by extract(epoch from settled_at - created_at)::float8) as p50,
      percentile_cont(0.95) within group (order by extract(epoch from settled_at - created_at)::float8) as p95
    from order_summaries
    where merchant_id = ${a.merchantId} and livemode = ${a.livemode} and settled_at >= ${a.from} and settled_at < ${a.to}`
  return row ?? { p50: null, p95: null }
}

export interface OtherSums {
  currency: string
  exponent: number
  orders: number
  minor: string
  /** What it was in dollars, to be taken from the sum of all. */
  micros: string
}

/** Those that have not ended, whatever their event: they are few beside all, so two ranges of the list's own index. */
export async function countUnderWay(sql: Sql, a: Asked): Promise<{ pending: number; retrying: number }> {
  const [row] = await sql<{ pending: number; retrying: number }[]>`
    select (count(*) filter (where status = 'pending'))::int as pending, (count(*) filter (where status = 'retrying'))::int as retrying
    from delivery_summaries
    where merchant_no = ${a.merchantNo} and livemode = ${a.livemode} and status in ('pending', 'retrying')
      and id >= ${firstIdAt('dlv', a.from)} and id < ${firstIdAt('dlv', a.to)}`
  return row ?? { pending: 0, retrying: 0 }
}

export function settledByBucket(
  sql: Sql,
  a: Asked,
  starts: readonly Date[],
): Promise<{ bucket: number; p50: number }[]> {
  return sql<{ bucket: number; p50: number }[]>`
    select width_bucket(settled_at, ${starts}::timestamptz[]) as bucket,
      percentile_cont(0.5) within group (order by extract(epoch from settled_at - created_at)::float8) as p50
    from order_summaries
    where merchant_id = ${a.merchantId} and livemode = ${a.livemode} and settled_at >= ${a.from} and settled_at < ${a.to}
    group by bucket`
}
