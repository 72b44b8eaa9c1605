// SQL of exports that a worker writes. A piece and how far the export has come are one commit, fenced by the claim: of two
// workers that wrote the same piece one commits, and a killed one leaves nothing half done.
import type { Sql } from '../../platform/db/pool.ts'
import type { Db, Tx } from '../../platform/db/tx.ts'

export type ExportQuery = Readonly<Record<string, unknown>>

export interface ExportFile {
  id: string
  livemode: boolean
  status: 'writing' | 'done' | 'failed'
  rows: bigint
  bytes: bigint
  pieces: number
  createdAt: Date
  expiresAt: Date
}

export interface ClaimedExport {
  id: string
  claim: string
  merchantId: string
  merchantNo: number
  livemode: boolean
  query: ExportQuery
  after: string | null
  pieces: number
  tries: number
}

const shown = (sql: Db) =>
  sql`id, livemode, status, row_count as rows, byte_count as bytes, pieces, created_at as "createdAt", expires_at as "expiresAt"`

/** @returns null: as many are kept already. Two at one moment may be one more. */
export async function insertExport(
  sql: Tx,
  a: {
    id: string
    merchantId: string
    livemode: boolean
    query: ExportQuery
    now: Date
    expiresAt: Date
    most: number
  },
): Promise<ExportFile | null> {
  const [row] = await sql<ExportFile[]>`
    insert into order_exports (id, merchant_id, livemode, query, status, touched_at, created_at, expires_at)
    select ${a.id}, ${a.merchantId}, ${a.livemode}, ${sql.json(a.query)}::json, 'writing', ${a.now}, ${a.now}, ${a.expiresAt}
    where (select count(*) from order_exports where merchant_id = ${a.merchantId}) < ${a.most}::int
    returning ${shown(sql)}`
  return row ?? null
}

export async function listExports(sql: Sql, a: { merchantId: string; livemode: boolean }): Promise<ExportFile[]> {
  return sql<ExportFile[]>`
    select ${shown(sql)} from order_exports where merchant_id = ${a.merchantId} and livemode = ${a.livemode}
    order by id desc limit 100`
}

export async function findExport(sql: Sql, a: { merchantId: string; id: string }): Promise<ExportFile | null> {
  const [row] = await sql<ExportFile[]>`
    select ${shown(sql)} from order_exports where merchant_id = ${a.merchantId} and id = ${a.id}`
  return row ?? null
}

export async function deleteExport(sql: Sql, a: { merchantId: string; id: string }): Promise<boolean> {
  const rows = await sql`delete from order_exports where merchant_id = ${a.merchantId} and id = ${a.id} returning id`
  return rows.length > 0
}

export async function findPiece(sql: Sql, a: { id: string; n: number }): Promise<Uint8Array | null> {
  const [row] = await sql<{ body: Uint8Array }[]>`
    select body from order_export_pieces where export_id = ${a.id} and n = ${a.n}::int`
  return row?.body ?? null
}

/** The one that waited longest, so that a large one holds up nobody's small one. */
export async function claimExport(
  sql: Sql,
  a: { claim: string; now: Date; until: Date },
): Promise<ClaimedExport | null> {
  const [row] = await sql<ClaimedExport[]>`
    update order_exports e set claim = ${a.claim}, claimed_until = ${a.until}, touched_at = ${a.now}, tries = e.tries + 1
    from merchants m
    where m.id = e.merchant_id and e.id = (
      select id from order_exports where status = 'writing' and (claimed_until is null or claimed_until < ${a.now})
      order by touched_at limit 1 for update skip locked)
    returning e.id, e.claim, m.id as "merchantId", m.no as "merchantNo", e.livemode, e.query, e.goes_on_after as after, e.pieces, e.tries`
  return row ?? null
}

/** @returns false: it was claimed anew meanwhile, or deleted, and the piece is nobody's. */
export async function addPiece(
  sql: Sql,
  { id, claim, pieces }: ClaimedExport,
  a: { body: Uint8Array; rows: number; after: string | null; isLast: boolean; now: Date },
): Promise<boolean> {
  const rows = await sql`
    with held as (
      update order_exports set row_count = row_count + ${a.rows}::int, byte_count = byte_count + ${a.body.length}::int,
        pieces = pieces + 1, goes_on_after = ${a.after}, tries = 0, claim = null, claimed_until = null, touched_at = ${a.now},
        status = case when ${a.isLast} then 'done' else status end, done_at = case when ${a.isLast} then ${a.now} end
      where id = ${id} and claim = ${claim} and status = 'writing'
      returning id
    )
    insert into order_export_pieces (export_id, n, body) select id, ${pieces}::int, ${a.body} from held returning n`
  return rows.length > 0
}

export async function giveUp(sql: Sql, { id, claim }: ClaimedExport): Promise<void> {
  await sql`update order_exports set status = 'failed', claim = null where id = ${id} and claim = ${claim}`
}

/** One at a time: its pieces go with it. */
export async function deleteExpired(sql: Sql, now: Date): Promise<number> {
  const rows = await sql`
    delete from order_exports where id = (select id from order_exports where expires_at <= ${now} order by expires_at limit 1)
    returning id`
  return rows.length
}
