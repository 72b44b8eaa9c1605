// The SQL of "what changed since": timelines by the position of their rows, deliveries and attention, which change in
// place, by the transaction that changed them last.
import type { Sql } from '@florin/platform/db/pool'
import { attentionChanges } from '../attention/store.ts'
import { eventChanges, lastPosition } from '../webhooks/events.store.ts'

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

export async function seenNow(sql: Sql): Promise<Seen> {
  const [row] = await sql<Seen[]>`
    select ${lastPosition(sql)} as position, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin`
  return row ?? { position: 0n, xmin: 0n }
}

/**
 * What became visible of these merchants since then, at most `limit` rows per kind, and everything of attention. One
 * statement, hence one snapshot: nothing commits between the rows and the progress read with them.
 */
export async function listChanges(
  sql: Sql,
  a: { merchantIds: readonly string[]; since: Seen; notBefore: Date; limit: number },
): Promise<Changes> {
  const from = `${a.since.xmin}`
  const rows = await sql<(ChangeRow & Seen & { xmax: bigint })[]>`
    with who as (select id, no from merchant_accounts where id = any(${a.merchantIds as string[]}))
    select ${lastPosition(sql)} as position, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax, changed.kind, changed.merchant_id as "merchantId",
      changed.livemode, changed.order_no as "orderNo", changed.id as "rowId", changed.mark
    from (select 1) as always left join (
      (${eventChanges(sql, { position: a.since.position, notBefore: a.notBefore, limit: a.limit })})
      union all
      (select 'delivery', who.id, d.livemode, d.order_no, d.id, d.xid::text::bigint
       from who join delivery_summaries d on d.merchant_no = who.no
       where d.xid >= ${from}::text::xid8 and d.xid < pg_snapshot_xmax(pg_current_snapshot()) limit ${a.limit})
      union all
      (${attentionChanges(sql, { since: from, limit: a.limit })})
    ) as changed on true`
  const [row] = rows
  // Without a change there is one row that carries only the progress.
  return {
    seen: row === undefined ? a.since : { position: row.position, xmin: row.xmin },
    xmax: row?.xmax ?? a.since.xmin,
    rows: rows.filter(({ rowId }) => rowId !== null),
  }
}
