// The SQL of "what changed since": timelines by the position of their rows, deliveries and attention, which change in
// place, by the transaction that changed them last.
import type { Sql } from '@florin/platform/db/pool'

export interface ChangeRow {
  kind: 'order' | 'delivery' | 'attention'
  merchantId: string
  livemode: boolean
  orderNo: string | null
  /** Which row it is and by which transaction or at which position: reported once. */
  rowId: string
  mark: bigint
}

/** How far everything was seen: timelines by position, rows that change in place by transaction. */
export interface Seen {
  position: bigint
  /** Every transaction below it has ended. */
  xmin: bigint
}

export interface Changes {
  seen: Seen
  /** Above every transaction that has begun: a higher one comes from another cluster, before a restore. */
  xmax: bigint
  rows: ChangeRow[]
}

/** No position exists before the first event. */
const position = (sql: Sql) => sql`coalesce((select last_position from event_sequence), 0)`

export async function seenNow(sql: Sql): Promise<Seen> {
  const [row] = await sql<Seen[]>`
    select ${position(sql)} as position, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin`
  return row ?? { position: 0n, xmin: 0n }
}

/**
 * What became visible of these merchants since then, at most `limit` rows per kind, and everything of attention. One
 * statement, hence one snapshot: nothing commits between the rows and the progress read with them.
 * @param a.notBefore order_events is partitioned by time; a row is written within a day of its time.
 */
export async function listChanges(
  sql: Sql,
  a: { merchantIds: readonly string[]; since: Seen; notBefore: Date; limit: number },
): Promise<Changes> {
  const from = `${a.since.xmin}`
  const rows = await sql<(ChangeRow & Seen & { xmax: bigint })[]>`
    with who as (select id, no from merchants where id = any(${a.merchantIds as string[]}))
    select ${position(sql)} as position, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax, changed.kind, changed.merchant_id as "merchantId",
      changed.livemode, changed.order_no as "orderNo", changed.id as "rowId", changed.mark
    from (select 1) as always left join (
      (select 'order' as kind, e.merchant_id, e.livemode, e.order_no, e.id, e.position as mark
       from who cross join (values (true), (false)) as mode (livemode)
       join order_events e on e.merchant_id = who.id and e.livemode = mode.livemode
       where e.position > ${`${a.since.position}`}::bigint and e.created_at >= ${a.notBefore} limit ${a.limit})
      union all
      (select 'delivery', who.id, d.livemode, d.order_no, d.id, d.xid::text::bigint
       from who join deliveries d on d.merchant_no = who.no
       where d.xid >= ${from}::text::xid8 and d.xid < pg_snapshot_xmax(pg_current_snapshot()) limit ${a.limit})
      union all
      (select 'attention', merchant_id, livemode, order_no, id, xid::text::bigint
       from attention
       where xid >= ${from}::text::xid8 and xid < pg_snapshot_xmax(pg_current_snapshot()) limit ${a.limit})
    ) as changed on true`
  const [row] = rows
  // Without a change there is one row that carries only the progress.
  return {
    seen: row === undefined ? a.since : { position: row.position, xmin: row.xmin },
    xmax: row?.xmax ?? a.since.xmin,
    rows: rows.filter(({ rowId }) => rowId !== null),
  }
}

/** Which of these sessions still open the console, with the email of their merchant, by which operators are known. */
export function listOpenSessions(
  sql: Sql,
  ids: readonly string[],
  now: Date,
): Promise<{ id: string; email: string }[]> {
  return sql<{ id: string; email: string }[]>`
    select s.id, m.email from sessions s join merchants m on m.id = s.merchant_id
    where s.id = any(${ids as string[]}) and s.revoked_at is null and s.expires_at > ${now}
      and m.suspended_at is null and m.closed_at is null`
}

/** Whether the session that asked still opens the console, for the same email. */
export async function isSessionOpen(
  sql: Sql,
  asker: { sessionId: string; email: string },
  now: Date,
): Promise<boolean> {
  const open = await listOpenSessions(sql, [asker.sessionId], now)
  return open.some(({ email }) => email === asker.email)
}
