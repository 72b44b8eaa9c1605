// The SQL of "what changed since": rows that say which transaction changed them last, read by the index on it.
import type { Sql } from '../platform/db/pool.ts'

export interface ChangeRow {
  kind: 'order' | 'delivery' | 'attention'
  merchantId: string
  livemode: boolean
  orderNo: string | null
  /** Which row it is and by which transaction: told once. */
  rowId: string
  xid: string
}

export interface Changes {
  /** Every transaction below this has ended and was seen: the next look begins here. */
  xmin: string
  rows: ChangeRow[]
}

export async function currentXmin(sql: Sql): Promise<string> {
  const [row] = await sql<{ xmin: string }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`
  return row?.xmin ?? '0'
}

/**
 * What became visible of these merchants by transaction `from` or a later one, at most `limit` rows a kind, and of
 * attention everything. One statement, hence one snapshot: nothing commits between the rows and `xmin`.
 * @param a.notBefore order_events is partitioned by time; a row is written within a day of its time.
 */
export async function listChanges(
  sql: Sql,
  a: { merchantIds: readonly string[]; from: string; notBefore: Date; limit: number },
): Promise<Changes> {
  const rows = await sql<(ChangeRow & { xmin: string })[]>`
    with who as (select id, no from merchants where id = any(${a.merchantIds as string[]}))
    select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, changed.kind, changed.merchant_id as "merchantId",
      changed.livemode, changed.order_no as "orderNo", changed.id as "rowId", changed.xid::text as xid
    from (select 1) as always left join (
      (select 'order' as kind, e.merchant_id, e.livemode, e.order_no, e.id, e.xid
       from who cross join (values (true), (false)) as mode (livemode)
       join order_events e on e.merchant_id = who.id and e.livemode = mode.livemode
       where e.xid >= ${a.from}::xid8 and e.created_at >= ${a.notBefore} limit ${a.limit})
      union all
      (select 'delivery', who.id, d.livemode, d.order_no, d.id, d.xid
       from who join deliveries d on d.merchant_no = who.no
       where d.xid >= ${a.from}::xid8 limit ${a.limit})
      union all
      (select 'attention', merchant_id, livemode, order_no, id, xid
       from attention where xid >= ${a.from}::xid8 limit ${a.limit})
    ) as changed on true`
  // Without a change there is one row that has the snapshot alone.
  return { xmin: rows[0]?.xmin ?? a.from, rows: rows.filter((row) => row.rowId !== null) }
}

/** Which of these sessions still are. */
export async function listLiveSessions(sql: Sql, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sessions where id = any(${ids as string[]}) and revoked_at is null and expires_at > ${now}`
  return rows.map((row) => row.id)
}
