// SQL of orders for figures: those that are under way, what waits for a rail, settlements that left the chain, and the sums of a day.
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db, Tx } from '@florin/platform/db/tx'

export interface OpenOrders {
  status: 'pending' | 'processing'
  livemode: boolean
  age: string
  count: number
}

/** By how long ago they were made. */
export function countOpenOrders(db: Db, a: { now: Date; max: number }): Promise<OpenOrders[]> {
  return db<OpenOrders[]>`
    select status, livemode, case when age < interval '10 minutes' then 'under_10m' when age < interval '1 hour' then 'under_1h'
        when age < interval '1 day' then 'under_1d' else 'over_1d' end as age, count(*)::int as count
    from (
      (select status, livemode, ${a.now}::timestamptz - created_at as age from orders
        where status = 'processing' order by created_at limit ${a.max})
      union all
      (select status, livemode, ${a.now}::timestamptz - created_at from orders
        where look_at is not null and status = 'pending' order by look_at limit ${a.max})
    ) open group by 1, 2, 3 order by 1, 2, 3`
}

/** Settlements and refunds that wait to be handed over, and that are under way: how many, and since when. */
export const moveQueues = (db: Db, max: number): Query<Row[]> => db`
  select 'hand_overs' as queue, count(*)::int as count, min(hand_over_at) as since from (
    (select hand_over_at from settlements where handed_over_at is null and status = 'wanted' order by hand_over_at limit ${max})
    union all
    (select hand_over_at from refunds where handed_over_at is null and status = 'sending' order by hand_over_at limit ${max})) q
  union all
  select 'settlements', count(*)::int, min(created_at) from (
    select created_at from settlements where status in ('wanted', 'broadcast') and hold is null limit ${max}) q
  union all
  select 'refunds', count(*)::int, min(created_at) from (
    select created_at from refunds where status in ('sending', 'proposed') limit ${max}) q`

/** Of orders settled in the range those whose settlement left the chain: few of all, so they lead. */
export async function sumLeft(
  db: Db,
  a: { merchantId: string; livemode: boolean; from: Date; to: Date },
): Promise<{ orders: number; micros: string }> {
  const [row] = await db<{ orders: number; micros: string }[]>`
    select count(*)::int as orders, coalesce(sum(o.amount_usd_micros), 0)::text as micros
    from (select distinct order_no from settlements where left_at is not null) s join orders o using (order_no)
    where o.merchant_id = ${a.merchantId} and o.livemode = ${a.livemode} and o.status = 'success'
      and o.settled_at >= ${a.from} and o.settled_at < ${a.to}`
  return row ?? { orders: 0, micros: '0' }
}

/** What the orders of a merchant's day add up to, as a part of a statement: those made and those settled in it. */
export const sumsOfDay = (
  tx: Tx,
  a: { merchantNo: number; livemode: boolean; from: Date; until: Date },
): Query<Row[]> => {
  const own = tx`o.merchant_id = (select id from merchant_accounts where no = ${a.merchantNo}::int) and o.livemode = ${a.livemode}`
  return tx`
    select s.at, s.kind, o.currency, coalesce(o.exponent, 2)::smallint as exponent, s.n::bigint, s.micros::numeric, s.minor::numeric
    from (select distinct on (order_no) * from (
        select o.* from orders o where ${own} and o.created_at >= ${a.from} and o.created_at < ${a.until}
        union all
        select o.* from orders o where ${own} and o.settled_at >= ${a.from} and o.settled_at < ${a.until}) orders_then) o,
      order_sums_of(o.status, o.created_at, o.settled_at, o.amount_usd_micros, o.amount_minor) s
    where s.at >= ${a.from} and s.at < ${a.until}`
}
