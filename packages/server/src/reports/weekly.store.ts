// The SQL of weekly summaries.
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'
import { countOpenOf } from '../attention/store.ts'

export interface WeekOf {
  merchantId: string
  email: string
  zone: string | null
}

/** The time zones of all merchants; null: none was set. */
export async function listZones(sql: Sql): Promise<(string | null)[]> {
  const rows = await sql<{ zone: string | null }[]>`select distinct time_zone as zone from merchant_accounts`
  return rows.map(({ zone }) => zone)
}

/**
 * Merchants with a live order of the last week of their zone that nobody wrote to about it; written down as written to. Several workers
 * each take others: the key lets a merchant in once.
 */
export function claimWeeks(
  tx: Tx,
  { weeks, limit }: { weeks: readonly { name: string | null; week: string; from: Date; to: Date }[]; limit: number },
): Promise<WeekOf[]> {
  return tx<WeekOf[]>`
    with weeks as (
      select * from unnest(${weeks.map(({ name }) => name)}::text[], ${weeks.map(({ week }) => week)}::text[]::date[],
        ${weeks.map(({ from }) => from)}::timestamptz[], ${weeks.map(({ to }) => to)}::timestamptz[]) as w (zone, week, since, until)
    ), due as (
      insert into weekly_mails (merchant_id, week)
      select m.id, w.week from merchant_accounts m join weeks w on w.zone is not distinct from m.time_zone
      where m.closed_at is null
        and not exists (select from weekly_mails sent where sent.merchant_id = m.id and sent.week = w.week)
        and exists (select from order_summaries o where o.merchant_id = m.id and o.livemode
                    and o.created_at >= w.since and o.created_at < w.until)
      order by m.id limit ${limit}
      on conflict do nothing
      returning merchant_id
    )
    select m.id as "merchantId", m.email, m.time_zone as zone from due join merchant_accounts m on m.id = due.merchant_id`
}

export interface WeekFigures {
  made: number
  paid: number
  refunded: number
  open: number
  dead: number
  /** Settled, by the currency that was asked. */
  settled: { currency: string; orders: number; minor: bigint; exponent: number }[]
}

export async function readWeek(
  tx: Tx,
  a: { merchantId: string; from: Date; to: Date; firstDelivery: string },
): Promise<WeekFigures> {
  const [counts] = await tx<Omit<WeekFigures, 'settled' | 'open'>[]>`
    select
      (select count(*)::int from order_summaries where merchant_id = ${a.merchantId} and livemode and created_at >= ${a.from}
         and created_at < ${a.to}) as made,
      (select count(*)::int from order_summaries where merchant_id = ${a.merchantId} and livemode and settled_at >= ${a.from}
         and settled_at < ${a.to}) as paid,
      (select count(*)::int from order_summaries where merchant_id = ${a.merchantId} and livemode and status = 'refunded'
         and created_at >= ${a.from} and created_at < ${a.to}) as refunded,
      (select count(*)::int from merchant_accounts m join delivery_summaries d on d.merchant_no = m.no
         where m.id = ${a.merchantId} and d.livemode and d.status = 'dead' and d.id >= ${a.firstDelivery}) as dead`
  const settled = await tx<{ currency: string; orders: number; minor: string; exponent: number }[]>`
    select currency, count(*)::int as orders,
      coalesce(exponent, 6)::int as exponent, sum(coalesce(amount_minor, amount_usd_micros))::text as minor
    from order_summaries where merchant_id = ${a.merchantId} and livemode and settled_at >= ${a.from} and settled_at < ${a.to}
    group by currency, coalesce(exponent, 6) order by 2 desc, 1 limit 40`
  return {
    ...(counts ?? { made: 0, paid: 0, refunded: 0, dead: 0 }),
    open: await countOpenOf(tx, { merchantId: a.merchantId, livemode: true }),
    settled: settled.map((row) => ({ ...row, minor: BigInt(row.minor) })),
  }
}
