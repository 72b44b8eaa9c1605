// SQL of replays: a time range that a merchant wants sent again, and the progress of the job.
import type { Db, Tx } from '@florin/platform/db/tx'
import { type DeliveryRow, deliveryColumns, type Owner, prefixesOf } from './store.ts'

export interface ReplayRow {
  id: string
  merchantNo: number
  /** null: both modes */
  livemode: boolean | null
  status: 'dead' | 'succeeded'
  fromAt: Date
  toAt: Date
  /** The last delivery that was processed; before the first one, an id below all of the range. */
  lastSeen: string
  total: number
  resent: number
  skipped: number
  state: 'running' | 'done'
  createdAt: Date
  finishedAt: Date | null
}

const columns = (db: Db) => db`
  id, merchant_no as "merchantNo", livemode, status, from_at as "fromAt", to_at as "toAt", last_seen as "lastSeen", total,
  resent, skipped, state, created_at as "createdAt", finished_at as "finishedAt"`

export interface Range {
  owner: Owner
  status: 'dead' | 'succeeded'
  /** Ids are sortable by time: a time range is a range of ids. */
  above: string
  until: string
  limit: number
}

/**
 * Oldest first; one scan of deliveries_listed for each mode and event, sorted as `listDeliveries` says. Before PostgreSQL 18 no scan
 * by this order stops at an id, so each takes as many deliveries as are asked for, and those past the range are left out. What was
 * itself sent again is left out: else each replay of a range would double the next one.
 */
export function listRange(db: Db, a: Range): Promise<DeliveryRow[]> {
  const { modes, events } = prefixesOf({ ...a.owner, status: a.status, event: null })
  return db<DeliveryRow[]>`
    select d.* from unnest(${modes}::text[]) m(livemode), unnest(${events}::text[]) e(event)
    cross join lateral (
      select ${deliveryColumns(db)} from deliveries d
      where d.merchant_no = ${a.owner.merchantNo} and d.livemode = m.livemode::boolean and d.status = ${a.status}
        and (d.event, d.id) > (e.event, ${a.above}) and d.event <= e.event
        and d.resent_from is null
      order by d.event, d.id limit ${a.limit}
    ) d
    where d.id < ${a.until} order by d.id limit ${a.limit}`
}

/** Counts what `listRange` lists, up to the limit. */
export async function countRange(db: Db, a: Range): Promise<number> {
  const { modes, events } = prefixesOf({ ...a.owner, status: a.status, event: null })
  const [row] = await db<{ n: number }[]>`
    select least(count(*), ${a.limit})::int as n
    from unnest(${modes}::text[]) m(livemode), unnest(${events}::text[]) e(event)
    cross join lateral (
      select 1 from deliveries d
      where d.merchant_no = ${a.owner.merchantNo} and d.livemode = m.livemode::boolean and d.status = ${a.status}
        and d.event = e.event and d.id > ${a.above} and d.id < ${a.until}
        and d.resent_from is null
      limit ${a.limit}
    ) d`
  return row?.n ?? 0
}

export async function isReplaying(tx: Tx, merchantNo: number): Promise<boolean> {
  const [row] = await tx`select 1 from delivery_replays where merchant_no = ${merchantNo} and state = 'running' limit 1`
  return row !== undefined
}

export async function insertReplay(tx: Tx, row: Omit<ReplayRow, 'resent' | 'skipped' | 'finishedAt'>): Promise<void> {
  await tx`
    insert into delivery_replays (id, merchant_no, livemode, status, from_at, to_at, last_seen, total, state, created_at)
    values (${row.id}, ${row.merchantNo}, ${row.livemode}, ${row.status}, ${row.fromAt}, ${row.toAt}, ${row.lastSeen},
            ${row.total}, ${row.state}, ${row.createdAt})`
}

export async function findReplay(db: Db, id: string, merchantNo: number): Promise<ReplayRow | null> {
  const [row] = await db<ReplayRow[]>`
    select ${columns(db)} from delivery_replays where id = ${id} and merchant_no = ${merchantNo}`
  return row ?? null
}

/** The oldest running replay that no other worker holds. */
export async function lockRunningReplay(tx: Tx): Promise<ReplayRow | null> {
  const [row] = await tx<ReplayRow[]>`
    select ${columns(tx)} from delivery_replays where state = 'running'
    order by created_at limit 1 for update skip locked`
  return row ?? null
}

export function saveProgress(tx: Tx, row: ReplayRow): Promise<unknown> {
  return tx`
    update delivery_replays set last_seen = ${row.lastSeen}, resent = ${row.resent}, skipped = ${row.skipped},
                                state = ${row.state}, finished_at = ${row.finishedAt}
    where id = ${row.id}`
}
