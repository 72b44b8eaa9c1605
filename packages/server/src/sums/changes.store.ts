// SQL of what a commit changes in the sums of statistics. The statement that changes an order, or ends deliveries, writes rows here, so
// that no commit waits for the sum of another. A job adds the rows up (reports/stats/sums).
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { Money } from '@florin/protocol'

export interface CountedOrder {
  merchantNo: number
  livemode: boolean
  status: string
  amountUsdMicros: bigint
  money: Money
  /** null for an order in dollars. */
  fx: unknown
  createdAt: Date
  settledAt: Date | null
}

const columns = 'merchant_no, livemode, at, kind, currency, exponent, n, micros, minor'

const sumsOf = (db: Db, o: CountedOrder): Query<Row[]> => {
  const minor = o.fx === null ? '0' : o.money.minor.toString()
  return db`order_sums_of(${o.status}::text, ${o.createdAt}::timestamptz, ${o.settledAt}::timestamptz,
    ${o.amountUsdMicros.toString()}::bigint, ${minor}::bigint)`
}

const currencyOf = (db: Db, o: CountedOrder): Query<Row[]> =>
  db`${o.money.currency}::text, ${o.fx === null ? 2 : o.money.exponent}::smallint`

/** For the statement that writes a new order. */
export const countNew = (db: Db, o: CountedOrder, condition = db``): Query<Row[]> => db`
  insert into order_sum_changes (${db.unsafe(columns)})
  select ${o.merchantNo}::int, ${o.livemode}::boolean, at, kind, ${currencyOf(db, o)}, n, micros, minor
  from ${sumsOf(db, o)} ${condition}`

/** @returns the statement that goes with a changed order, where the change shows in a sum. */
export function countChange(tx: Tx, before: CountedOrder, after: CountedOrder): Query<Row[]>[] {
  const isSame = before.status === after.status && before.settledAt?.getTime() === after.settledAt?.getTime()
  if (isSame) return []
  return [
    tx`
      insert into order_sum_changes (${tx.unsafe(columns)})
      select ${after.merchantNo}::int, ${after.livemode}::boolean, at, kind, ${currencyOf(tx, after)},
        sum(sign * n), sum(sign * micros), sum(sign * minor)
      from (
        select 1 as sign, * from ${sumsOf(tx, after)}
        union all
        select -1, * from ${sumsOf(tx, before)}
      ) change
      group by at, kind having sum(sign) <> 0`,
  ]
}

/**
 * For the statement that ends deliveries, or deletes ended ones.
 * @param from a part of that statement with `merchant_no`, `livemode`, `created_at` and `status`.
 */
export const countDeliveries = (db: Db, from: string, sign: 1 | -1): Query<Row[]> => db`
  insert into order_sum_changes (${db.unsafe(columns)})
  select merchant_no, livemode, date_trunc('hour', created_at, 'UTC'), 'd' || status, 'USD', 2, ${sign}::int * count(*), 0, 0
  from ${db.unsafe(from)} where status in ('succeeded', 'dead') group by 1, 2, 3, 4`

/** Takes changes away that are added up in the same statement. */
export const takeChanges = (db: Db, limit: number): Query<Row[]> => db`
  delete from order_sum_changes where ctid = any(array(select ctid from order_sum_changes limit ${limit}::int))
  returning *`

/** Those that are not added up yet. */
export const changesOf = (db: Db, a: { merchantNo: number; livemode: boolean }): Query<Row[]> => db`
  (select * from order_sum_changes where merchant_no = ${a.merchantNo}::int and livemode = ${a.livemode}::boolean)`
