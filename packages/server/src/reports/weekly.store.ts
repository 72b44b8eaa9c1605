// The SQL of weekly summaries.
import type { Tx } from '../platform/db/tx.ts'

export interface WeekOf {
  merchantId: string
  email: string
}

/**
 * Merchants with a live order of the week that nobody wrote to about it; written down as written to. Several workers each
 * take others: the key lets a merchant in once.
 */
export function claimWeek(tx: Tx, a: { week: string; from: Date; to: Date; limit: number }): Promise<WeekOf[]> {
  return tx<WeekOf[]>`
    with due as (
      insert into weekly_mails (merchant_id, week)
      select m.id, ${a.week}::date from merchants m
      where m.closed_at is null
        and not exists (select from weekly_mails w where w.merchant_id = m.id and w.week = ${a.week}::date)
        and exists (select from orders o where o.merchant_id = m.id and o.livemode
                    and o.created_at >= ${a.from} and o.created_at < ${a.to})
      order by m.id limit ${a.limit}
      on conflict do nothing
      returning merchant_id
    )
    select m.id as "merchantId", m.email from due join merchants m on m.id = due.merchant_id`
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
  const [counts] = await tx<Omit<WeekFigures, 'settled'>[]>`
    select
      (select count(*)::int from orders where merchant_id = ${a.merchantId} and livemode and created_at >= ${a.from}
         and created_at < ${a.to}) as made,
      (select count(*)::int from orders where merchant_id = ${a.merchantId} and livemode and settled_at >= ${a.from}
         and settled_at < ${a.to}) as paid,
      (select count(*)::int from orders where merchant_id = ${a.merchantId} and livemode and status = 'refunded'
         and created_at >= ${a.from} and created_at < ${a.to}) as refunded,
      (select count(*)::int from attention where merchant_id = ${a.merchantId} and livemode and resolved_at is null) as open,
      (select count(*)::int from merchants m join deliveries d on d.merchant_no = m.no
         where m.id = ${a.merchantId} and d.livemode and d.status = 'dead' and d.id >= ${a.firstDelivery}) as dead`
  const settled = await tx<{ currency: string; orders: number; minor: string; exponent: number }[]>`
    select currency, count(*)::int as orders,
      coalesce(exponent, 6)::int as exponent, sum(coalesce(amount_minor, amount_usd_micros))::text as minor
    from orders where merchant_id = ${a.merchantId} and livemode and settled_at >= ${a.from} and settled_at < ${a.to}
    group by currency, coalesce(exponent, 6) order by 2 desc, 1 limit 40`
  return {
    ...(counts ?? { made: 0, paid: 0, refunded: 0, open: 0, dead: 0 }),
    settled: settled.map((row) => ({ ...row, minor: BigInt(row.minor) })),
  }
}
