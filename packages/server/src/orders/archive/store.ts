// SQL of the archive: which orders can go, what a line of them is, moving them out and back. The database renders the
// lines, so what is written is exactly what PostgreSQL reads back.
import type { Sql } from '../../platform/db/pool.ts'
import { type Db, type Tx, withTx } from '../../platform/db/tx.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { type ArchivedState, packState } from '../packed.ts'
import { childColumns } from '../rows.store.ts'
import { type Line, parseLine } from './line.ts'
import { copiedTables, emptiedTables, movedTables } from './tables.ts'

const list = (rows: string): string => `'[' || coalesce((${rows}), '') || ']'`

const rowsOf = ({ name, key }: { name: string; key: string }): string =>
  `'"${name}":' || ${list(`select string_agg(row_to_json(t)::text, ',' order by ${key}) from ${name} t where t.order_no = o.order_no`)}`

const openedOf = ({ name, key }: { name: string; key: string }): string =>
  `'"${name}":' || ${list(`select string_agg(json_build_object('${key}', t.${key}, 'opened', t.opened)::text, ',' order by t.${key})
     from ${name} t where t.order_ref = o.order_ref`)}`

const joined = (parts: readonly string[]): string => parts.join(` || ',' || `)

const coreOf = `
  '{"order":' || (to_jsonb(o) - 'packed')::text || ',"moved":{' || ${joined(movedTables.map(rowsOf))}
  || '},"emptied":{' || ${joined(emptiedTables.map(openedOf))} || '}}'`
const copiedOf = `'{' || ${joined(copiedTables.map(rowsOf))} || '}'`
const hashOf = (core: string): string => `encode(sha256(convert_to(${core}, 'UTF8')), 'hex')`

/** Closed for good since `before`, and nothing of it is open anywhere. Statistics tell of settlements that left the chain by their rows. */
const mayGo = (db: Db, { before, now }: { before: Date; now: Date }) => db`
  o.status in ('success', 'refunded', 'expired') and o.look_at is null and greatest(o.updated_at, o.expires_at) < ${before}
  and (o.kept_until is null or o.kept_until < ${now}) and not exists (select from archived_orders a where a.order_no = o.order_no)
  and not exists (select from reconciliations r where r.order_no = o.order_no)
  and not exists (select from rail_facts f where f.order_ref = o.order_ref)
  and not exists (select from payments p where p.order_no = o.order_no and p.status in ('unconfirmed', 'detected'))
  and not exists (select from settlements s where s.order_no = o.order_no and (s.status in ('wanted', 'broadcast') or s.left_at is not null))
  and not exists (select from refunds r where r.order_no = o.order_no and r.status in ('waiting', 'proposed', 'sending'))
  and not exists (select from merchant_refunds m where m.order_no = o.order_no and m.status = 'requested')
  and not exists (select from order_looks l where l.order_no = o.order_no and l.looked_at is null)
  and not exists (select from order_mails m where m.order_no = o.order_no and m.done_at is null)
  and not exists (select from attention i where i.order_no = o.order_no and i.resolved_at is null)
  and not exists (select from book_differences d where d.order_no = o.order_no and d.resolved_at is null)
  and not exists (select from deliveries d where d.order_no = o.order_no and d.status in ('pending', 'retrying'))`

export interface Rendered {
  orderNo: string
  sha256: string
  core: string
  copied: string
}

/** How many numbers a step looks at, archived or not: most of a large table's are. */
const LOOKED_AT = 20_000

/**
 * The next orders that are not archived, by number: an order number is older than whatever happened to its order.
 * @returns `reached`: behind which number to go on; null: there are no more.
 */
export async function listCandidates(
  sql: Sql,
  a: { after: string; before: Date; limit: number },
): Promise<{ numbers: string[]; reached: string | null }> {
  const [row] = await sql<{ numbers: string[]; looked: number; last: string | null }[]>`
    with looked as materialized (
      select order_no from orders where order_no > ${a.after} and order_no < ${firstIdAt('ord', a.before)}
      order by order_no limit ${LOOKED_AT}
    ), hot as materialized (
      select order_no from looked where not exists (select from archived_orders r where r.order_no = looked.order_no)
      order by order_no limit ${a.limit}
    )
    select array(select order_no from hot order by order_no) as numbers, (select count(*)::int from looked) as looked,
      (select max(order_no) from looked) as last`
  const { numbers = [], looked = 0, last = null } = row ?? {}
  if (numbers.length >= a.limit) return { numbers, reached: numbers.at(-1) ?? null }
  return { numbers, reached: looked < LOOKED_AT ? null : last }
}

/** Of these orders, those that may go, as they go. */
export function listClosed(sql: Sql, a: { numbers: readonly string[]; before: Date; now: Date }): Promise<Rendered[]> {
  if (a.numbers.length === 0) return Promise.resolve([])
  return withTx(sql, async (tx) => {
    const planned = byOrder(tx)
    const [rows] = await Promise.all([
      tx<Rendered[]>`
        select "orderNo", core, copied, ${tx.unsafe(hashOf('core'))} as sha256 from (
          select o.order_no as "orderNo", ${tx.unsafe(coreOf)} as core, ${tx.unsafe(copiedOf)} as copied
          from orders o where o.order_no = any(${a.numbers}::text[]) and ${mayGo(tx, a)}
        ) rendered order by "orderNo"`,
      planned,
    ])
    return rows
  })
}

/** A few hundred orders of millions: each asks its indexes, whatever the planner knows of tables that grew or were emptied. */
const byOrder = (tx: Tx): Promise<unknown> =>
  tx`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)`.execute()

/**
 * Moves orders out, each only if the file holds what the database holds now. Whatever changes an order waits for its lock
 * and then sees that it was archived.
 * @returns how many.
 */
export async function takeOut(
  tx: Tx,
  lines: readonly Pick<Line, 'orderNo' | 'sha256'>[],
  a: { fileId: string; before: Date; now: Date },
): Promise<number> {
  const numbers = lines.map((line) => line.orderNo)
  await byOrder(tx)
  // Statements after this one see what was committed before the locks were had; an order that is worked on stays.
  const locked = await tx<{ orderNo: string }[]>`
    select order_no as "orderNo" from orders where order_no = any(${numbers}::text[]) order by order_no
    for update skip locked`
  const rows = await tx<{ orderNo: string }[]>`
    select o.order_no as "orderNo" from orders o
    join unnest(${numbers}::text[], ${lines.map((line) => line.sha256)}::text[]) as line (order_no, sha256) using (order_no)
    where o.order_no = any(${locked.map((row) => row.orderNo)}::text[]) and ${mayGo(tx, a)}
      and line.sha256 = ${tx.unsafe(hashOf(coreOf))}`
  const taken = rows.map((row) => row.orderNo)
  if (taken.length === 0) return 0
  const states = await tx<(ArchivedState & { orderNo: string })[]>`
    select o.order_no as "orderNo", c.legs, c.payments, c.settlements, c.refunds
    from orders o cross join lateral (select ${tx.unsafe(childColumns)}) c where o.order_no = any(${taken}::text[])`
  const packed = states.map(({ orderNo: _, ...state }) => Buffer.from(packState(state)).toString('base64'))
  await tx`
    insert into archived_orders (order_no, file_id, archived_at, packed, places)
    select order_no, ${a.fileId}, ${a.now}, decode(packed, 'base64'), array(
      select place_key(address) from pay_legs l where l.order_no = s.order_no
      union select place_key(tx_hash) from payments p where p.order_no = s.order_no
      union select place_key(tx_hash) from folded_payments f where f.order_no = s.order_no)
    from unnest(${states.map((state) => state.orderNo)}::text[], ${packed}::text[]) as s (order_no, packed)`
  for (const { name } of emptiedTables) {
    await tx`
      update ${tx(name)} set opened = '{}' where order_ref in (
        select order_ref from orders where order_no = any(${taken}::text[]))`
  }
  for (const { name } of movedTables.toReversed()) {
    await tx`delete from ${tx(name)} where order_no = any(${taken}::text[])`
  }
  await tx`
    update orders o set packed = case when exists (select from merchant_refunds m where m.order_no = o.order_no) then null else ''::bytea end
    where order_no = any(${taken}::text[])`
  return taken.length
}

/** Puts an order back as it was. Its lock is held. */
export async function putBack(tx: Tx, line: Line): Promise<void> {
  const { core } = parseLine(line)
  for (const { name } of movedTables) {
    const [first] = core.moved[name] ?? []
    if (first === undefined) continue
    // A column that a later release took away is left out, one that it added takes its default.
    const known = await tx<{ name: string }[]>`
      select attname as name from pg_attribute
      where attrelid = ${name}::text::regclass and attnum > 0 and not attisdropped and attname = any(${Object.keys(first)}::text[])`
    const columns = tx.unsafe(known.map((column) => `"${column.name}"`).join(', '))
    await tx`
      insert into ${tx(name)} (${columns})
      select ${columns} from json_populate_recordset(null::${tx(name)}, ${line.text}::text::json -> 'core' -> 'moved' -> ${name}::text)`
  }
  for (const { name, key } of emptiedTables) {
    if ((core.emptied[name] ?? []).length === 0) continue
    await tx`
      update ${tx(name)} t set opened = line.opened
      from json_populate_recordset(null::${tx(name)}, ${line.text}::text::json -> 'core' -> 'emptied' -> ${name}::text) line
      where t.${tx(key)} = line.${tx(key)}`
  }
  await tx`
    delete from archived_places where order_no = ${line.orderNo} and key in (
      select lower(address) from pay_legs where order_no = ${line.orderNo}
      union select lower(tx_hash) from payments where order_no = ${line.orderNo}
      union select lower(tx_hash) from folded_payments where order_no = ${line.orderNo})`
  await tx`delete from archived_orders where order_no = ${line.orderNo}`
  await tx`update orders set packed = null where order_no = ${line.orderNo}`
}

/** Until when processes of the release before may run; null: none does. */
export async function findUpgradeEnd(db: Db, now: Date): Promise<Date | null> {
  const [row] = await db<
    { until: Date }[]
  >`select until from packing_waits where until > ${now} order by 1 desc limit 1`
  return row?.until ?? null
}

export function keepHot(db: Db, numbers: readonly string[], until: Date): Promise<unknown> {
  return db`update orders set kept_until = ${until} where order_no = any(${numbers}::text[])`
}

export interface ArchiveFile {
  id: string
  name: string
  sha256: string
}

export interface ArchivedOrder extends ArchiveFile {
  orderNo: string
  archivedAt: Date
}

export async function findArchived(db: Db, orderNo: string): Promise<ArchivedOrder | null> {
  const [row] = await db<ArchivedOrder[]>`
    select a.order_no as "orderNo", a.archived_at as "archivedAt", f.id, f.name, f.sha256
    from archived_orders a join archive_files f on f.id = a.file_id where a.order_no = ${orderNo}`
  return row ?? null
}

/** The order's lock, for whoever puts it back. @returns false where it is not in this file any more. */
export async function lockArchived(tx: Tx, orderNo: string, fileId: string): Promise<boolean> {
  await tx`select 1 from orders where order_no = ${orderNo} for update`
  const rows = await tx`select 1 from archived_orders where order_no = ${orderNo} and file_id = ${fileId}`
  return rows.length === 1
}

export function insertFile(db: Db, file: ArchiveFile, now: Date): Promise<unknown> {
  return db`
    insert into archive_files (id, name, sha256, state, made_at)
    values (${file.id}, ${file.name}, ${file.sha256}, 'taking', ${now})`
}

export function listTaking(db: Db): Promise<ArchiveFile[]> {
  return db<ArchiveFile[]>`select id, name, sha256 from archive_files where state = 'taking' order by id`
}

export function endFile(db: Db, id: string, state: 'done' | 'gone'): Promise<unknown> {
  return db`update archive_files set state = ${state} where id = ${id}`
}

/** All that archived orders stand in: one that is not there is a loss. */
export async function listNeeded(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select name from archive_files f where state <> 'gone' and exists (select from archived_orders a where a.file_id = f.id) order by 1`
  return rows.map((row) => row.name)
}

/** Its orders stand in another file from now on. */
export function moveToFile(db: Db, from: string, to: string): Promise<unknown> {
  return db`update archived_orders set file_id = ${to} where file_id = ${from}`
}

/** @param id null: of any. */
export async function listArchivedOf(db: Db, id: string): Promise<string[]> {
  const rows = await db<
    { orderNo: string }[]
  >`select order_no as "orderNo" from archived_orders where file_id = ${id} order by 1`
  return rows.map((row) => row.orderNo)
}

export function findFileByName(db: Db, name: string): Promise<ArchiveFile[]> {
  return db<ArchiveFile[]>`select id, name, sha256 from archive_files where name = ${name} and state <> 'gone'`
}

export async function newestMigration(db: Db): Promise<number> {
  const [row] = await db<{ number: number }[]>`select max(number) as number from migrations`
  return row?.number ?? 0
}
