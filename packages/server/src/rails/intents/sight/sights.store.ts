// SQL of what nodes see: how far each was read, the addresses that are looked at, and what was seen there.
import type { Sql } from '../../../platform/db/pool.ts'
import type { Db, Tx } from '../../../platform/db/tx.ts'
import type { OpenPlace, Seen } from './look.ts'

export interface SightRow {
  chain: string
  node: string
  cursor: bigint | null
  /** When the last look that saw everything began. */
  lookedAt: Date | null
  awaySince: Date | null
  note: string | null
}

export async function listSights(sql: Sql): Promise<SightRow[]> {
  return sql<SightRow[]>`
    select chain, node, cursor, looked_at as "lookedAt", away_since as "awaySince", note from intents_sights`
}

export async function findCursor(sql: Sql, a: { chain: string; node: string }): Promise<bigint | null> {
  const [row] = await sql<{ cursor: bigint | null }[]>`
    select cursor from intents_sights where chain = ${a.chain} and node = ${a.node}`
  return row?.cursor ?? null
}

const OPEN_MOST = 50_000

/** Whose deposit is waited for, by the index of those that wait. One that was announced is asked about all the time anyhow. */
const isOpen = (db: Db, a: { chain: string; from: Date }) => db`
  pay ->> 'chain' = ${a.chain} and returns_from > ${a.from} and stage = 'waiting' and due_at is not null
    and status = 'PENDING_DEPOSIT'`

export async function listOpen(sql: Sql, a: { chain: string; from: Date }): Promise<OpenPlace[]> {
  return sql<OpenPlace[]>`
    select ref, address, json_build_object('contract', pay -> 'contract') as asset from intents_legs
    where ${isOpen(sql, a)} order by returns_from desc limit ${OPEN_MOST}`
}

export async function hasOpen(sql: Sql, a: { chain: string; from: Date }): Promise<boolean> {
  const rows = await sql`select 1 from intents_legs where ${isOpen(sql, a)} limit 1`
  return rows.length > 0
}

/** A look that was made. @param a.lookedAt null: it did not see everything. */
export async function saveLook(
  tx: Tx,
  a: { chain: string; node: string; cursor: bigint | null; lookedAt: Date | null; note: string | null; now: Date },
): Promise<void> {
  const awaySince = a.lookedAt === null ? a.now : null
  await tx`
    insert into intents_sights (chain, node, cursor, looked_at, away_since, note)
    values (${a.chain}, ${a.node}, ${a.cursor?.toString() ?? null}, ${a.lookedAt}, ${awaySince}, ${a.note})
    on conflict (chain, node) do update set cursor = excluded.cursor,
      looked_at = coalesce(excluded.looked_at, intents_sights.looked_at), note = excluded.note,
      away_since = case when ${a.lookedAt === null} then coalesce(intents_sights.away_since, excluded.away_since) end`
}

/** It could not be asked: what it was asked last stands. */
export async function saveAway(tx: Tx, a: { chain: string; node: string; note: string; now: Date }): Promise<void> {
  await tx`
    insert into intents_sights (chain, node, away_since, note) values (${a.chain}, ${a.node}, ${a.now}, ${a.note})
    on conflict (chain, node) do update set away_since = coalesce(intents_sights.away_since, excluded.away_since),
      note = excluded.note`
}

/** Nothing waits on this chain: no node is asked, and what comes next needs no older blocks. */
export async function saveNothing(tx: Tx, a: { chain: string; node: string; now: Date }): Promise<void> {
  await tx`
    insert into intents_sights (chain, node, looked_at) values (${a.chain}, ${a.node}, ${a.now})
    on conflict (chain, node) do update set cursor = null, looked_at = excluded.looked_at`
}

/**
 * Each is a reason to ask once, and a swap has only so many. What a payer named waits first; a hash that the provider was told
 * is not told again.
 * @returns of how many swaps something new was seen
 */
export async function saveSeen(tx: Tx, a: { seen: readonly Seen[]; now: Date; max: number }): Promise<number> {
  if (a.seen.length === 0) return 0
  const rows = await tx`
    update intents_legs l set seen = l.seen || s.keys, seen_at = ${a.now}, seen_due_at = ${a.now},
      hint = case when l.hint is null and not s.hash = any(l.hinted) then s.hash else l.hint end
    from (
      select t.ref, (array_agg(distinct t.key))[1:${a.max}::int] as keys, (array_agg(t.hash))[1] as hash
      from unnest(${a.seen.map((one) => one.ref)}::text[], ${a.seen.map((one) => one.key)}::text[],
        ${a.seen.map((one) => one.txHash)}::text[]) as t (ref, key, hash)
      join intents_legs o on o.ref = t.ref and not t.key = any(o.seen)
      group by t.ref
    ) s
    where l.ref = s.ref and l.stage = 'waiting' and l.status = 'PENDING_DEPOSIT' and l.due_at is not null
      and cardinality(l.seen) < ${a.max}
    returning 1`
  return rows.length
}

/** Chains of which more is seen than is asked about. @param a.before what was to be asked about by then waits too long */
export async function listCrowded(sql: Sql, a: { before: Date }): Promise<string[]> {
  const rows = await sql<{ chain: string }[]>`
    select distinct s.chain from intents_sights s
    where exists (select 1 from intents_legs l where l.pay ->> 'chain' = s.chain and l.seen_due_at < ${a.before})`
  return rows.map((row) => row.chain)
}
