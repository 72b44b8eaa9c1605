// SQL that keeps the sums of orders and deliveries: added up from what commits left, and compared with the orders.
import { tryLock } from '@florin/platform/db/locks/advisory-locks'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { firstIdAt } from '@florin/platform/ids'
import { webhookKinds } from '@florin/protocol'
import { sumsOfDay } from '../../../orders/figures.store.ts'
import { changesOf, takeChanges } from '../../../sums/changes.store.ts'

const key = 'merchant_no, livemode, width, at, kind, currency, exponent'

/** One process at a time changes sums; another one leaves them to it. */
async function alone(sql: Sql, work: (tx: Tx) => Promise<number>): Promise<number> {
  return withTx(sql, async (tx) => ((await tryLock(tx, 'order sums')) ? work(tx) : 0))
}

/** Adds up what commits left. @returns how many changes. */
export const foldChanges = (sql: Sql, limit: number): Promise<number> =>
  alone(sql, async (tx) => {
    const rows = await tx<{ n: number }[]>`
      with gone as (
        ${takeChanges(tx, limit)}
      ), added as (
        insert into order_sums (${tx.unsafe(key)}, n, micros, minor)
        select merchant_no, livemode, width, date_trunc(width, at, 'UTC'), kind, currency, exponent, sum(n), sum(micros), sum(minor)
        from gone, (values ('hour'), ('day')) widths (width) group by 1, 2, 3, 4, 5, 6, 7
        on conflict (${tx.unsafe(key)}) do update set n = order_sums.n + excluded.n,
          micros = order_sums.micros + excluded.micros, minor = order_sums.minor + excluded.minor
      )
      select count(*)::int as n from gone`
    return rows[0]?.n ?? 0
  })

/** By the hour that they were made in; short scans of the list's own index. */
const endedDeliveries = (db: Sql | Tx, a: { merchantNo: number; livemode?: boolean; from?: Date; until?: Date }) => db`
  select livemode, date_trunc('hour', created_at, 'UTC') as at, 'd' || status as kind, count(*) as n from delivery_summaries
  where merchant_no = ${a.merchantNo}::int and livemode = any(${a.livemode === undefined ? [true, false] : [a.livemode]})
    and status in ('succeeded', 'dead') and event = any(${[...webhookKinds]})
    and id >= ${a.from === undefined ? '' : firstIdAt('dlv', a.from)} and id < ${a.until === undefined ? 'e' : firstIdAt('dlv', a.until)}
  group by 1, 2, 3`

export interface Summed {
  merchantNo: number
  livemode: boolean
  day: Date
}

/** Days that have sums, in the order of their key, after `after`. */
export function listSummedDays(sql: Sql, after: Summed | null, limit: number): Promise<Summed[]> {
  return sql<Summed[]>`
    select distinct merchant_no as "merchantNo", livemode, at as day from order_sums
    where width = 'day' and ${
      after === null
        ? sql`true`
        : sql`(merchant_no, livemode, at) > (${after.merchantNo}::int, ${after.livemode}, ${after.day})`
    }
    order by 1, 2, 3 limit ${limit}::int`
}

/**
 * Compares the sums of a merchant's day with its orders, and puts right what differs. All of it is of one moment.
 * @returns how many sums differed.
 */
export const repairDay = (sql: Sql, a: Summed): Promise<number> =>
  alone(sql, async (tx) => {
    const until = new Date(a.day.getTime() + 24 * 60 * 60 * 1000)
    const rows = await tx`
      with truth as (
        ${sumsOfDay(tx, { merchantNo: a.merchantNo, livemode: a.livemode, from: a.day, until })}
        union all
        select at, kind, 'USD', 2, n, 0, 0 from (
          ${endedDeliveries(tx, { ...a, from: a.day, until })}) ended
        union all
        select at, kind, currency, exponent, -n, -micros, -minor from ${changesOf(tx, a)} changes
        where at >= ${a.day} and at < ${until}
      ), differing as (
        select width, date_trunc(width, at, 'UTC') as at, kind, currency, exponent,
          sum(n) filter (where is_true) as n, sum(micros) filter (where is_true) as micros, sum(minor) filter (where is_true) as minor
        from (
          select true as is_true, width, at, kind, currency, exponent, n, micros, minor from truth, (values ('hour'), ('day')) widths (width)
          union all
          select false, width, at, kind, currency, exponent, n, micros, minor from order_sums
          where merchant_no = ${a.merchantNo}::int and livemode = ${a.livemode} and width in ('hour', 'day') and at >= ${a.day} and at < ${until}
        ) both_sides
        group by 1, 2, 3, 4, 5
        having (coalesce(sum(n) filter (where is_true), 0), coalesce(sum(micros) filter (where is_true), 0), coalesce(sum(minor) filter (where is_true), 0))
          <> (coalesce(sum(n) filter (where not is_true), 0), coalesce(sum(micros) filter (where not is_true), 0), coalesce(sum(minor) filter (where not is_true), 0))
      )
      insert into order_sums (${tx.unsafe(key)}, n, micros, minor)
      select ${a.merchantNo}::int, ${a.livemode}, width, at, kind, currency, exponent, coalesce(n, 0), coalesce(micros, 0), coalesce(minor, 0)
      from differing
      on conflict (${tx.unsafe(key)}) do update set n = excluded.n, micros = excluded.micros, minor = excluded.minor
      returning 1`
    return rows.length
  })
