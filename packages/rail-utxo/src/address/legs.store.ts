// SQL of legs and of the scripts that are looked for. A leg's row and its script are committed before its address is
// shown, so whatever block is read afterwards is searched for it.
import { committedSince } from '@florin/platform/db/committed-since'
import type { Sql } from '@florin/platform/db/pool'
import type { Db } from '@florin/platform/db/tx'
import type { OpenedLeg } from '@florin/rail-kit/interface/leg'
import { readOpened } from '@florin/rail-kit/opened'

export interface NewLeg {
  ref: string
  orderRef: string
  chain: string
  livemode: boolean
  script: string
  account: string | null
  index: bigint | null
  asset: string
  depth: number
  opened: OpenedLeg
  deadline: Date
  lateAfter: Date
  watchUntil: Date
  createdAt: Date
}

/** Stores the answer, or returns the one that was stored for this reference before. */
export async function insertLeg(sql: Db, a: NewLeg): Promise<OpenedLeg> {
  const opened = JSON.stringify(a.opened, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  // The script is written anew also where it is known: a longer watch is seen by the readers.
  await sql`
    with watched as (
      insert into utxo_scripts (chain, script, watch_until) values (${a.chain}, ${a.script}, ${a.watchUntil})
      on conflict (chain, script) do update
        set watch_until = greatest(utxo_scripts.watch_until, excluded.watch_until), xid = excluded.xid
    )
    insert into utxo_legs (ref, order_ref, chain, livemode, script, address, account, index, asset, amount_due, opened,
      depth, deadline, late_after, created_at)
    values (${a.ref}, ${a.orderRef}, ${a.chain}, ${a.livemode}, ${a.script}, ${a.opened.address}, ${a.account},
      ${a.index === null ? null : a.index.toString()}, ${a.asset}, ${a.opened.amountDue.toString()},
      ${opened}::text::json, ${a.depth}, ${a.deadline}, ${a.lateAfter}, ${a.createdAt})
    on conflict (ref) do nothing`
  return (await findOpened(sql, a.ref)) ?? a.opened
}

/** Legs that are still looked for, by reference, after `after`; at most 500. */
export async function listWatched(db: Db, after: string): Promise<{ leg: NewLeg; merchantId: string }[]> {
  const rows = await db<(Omit<NewLeg, 'opened'> & { opened: unknown; merchantId: string })[]>`
    select l.ref, l.order_ref as "orderRef", l.chain, l.livemode, l.script, l.account, l.index, l.asset, l.depth, l.opened,
      l.deadline, l.late_after as "lateAfter", s.watch_until as "watchUntil", l.created_at as "createdAt",
      o.merchant_id as "merchantId"
    from utxo_legs l join utxo_scripts s on s.chain = l.chain and s.script = l.script
    join order_summaries o on o.order_ref = l.order_ref
    where l.ref > ${after} order by l.ref limit 500`
  return rows.map(({ merchantId, ...leg }) => ({ leg: { ...leg, opened: readOpened(leg.opened) }, merchantId }))
}

export async function findOpened(sql: Db, ref: string): Promise<OpenedLeg | null> {
  const [row] = await sql<{ opened: unknown }[]>`select opened from utxo_legs where ref = ${ref}`
  return row === undefined ? null : readOpened(row.opened)
}

export async function listKnownRefs(db: Db, refs: readonly string[]): Promise<Set<string>> {
  if (refs.length === 0) return new Set()
  const rows = await db<{ ref: string }[]>`select ref from utxo_legs where ref = any(${refs as string[]}::text[])`
  return new Set(rows.map((row) => row.ref))
}

/** Another order was shown this address, also one that this database has lost. */
export async function isGiven(db: Db, a: { chain: string; script: string; orderRef: string }): Promise<boolean> {
  const rows = await db`
    select 1 from utxo_legs where chain = ${a.chain} and script = ${a.script} and order_ref <> ${a.orderRef} limit 1`
  return rows.length > 0
}

/** The newest deadline of an order's legs that is over, by chain. */
export async function listLapsed(sql: Sql, orderRef: string, now: Date): Promise<ReadonlyMap<string, Date>> {
  const rows = await sql<{ chain: string; deadline: Date }[]>`
    select chain, max(deadline) as deadline from utxo_legs
    where order_ref = ${orderRef} and deadline <= ${now} group by chain`
  return new Map(rows.map((row) => [row.chain, row.deadline]))
}

/** What other orders asked for that were given this address before. */
export async function listAmountsOfOthers(
  sql: Sql,
  a: { chain: string; script: string; orderRef: string },
): Promise<ReadonlySet<bigint>> {
  const rows = await sql<{ amount: string }[]>`
    select distinct amount_due::text as amount from utxo_legs
    where chain = ${a.chain} and script = ${a.script} and order_ref <> ${a.orderRef} limit 10000`
  return new Set(rows.map(({ amount }) => BigInt(amount)))
}

/**
 * Scripts of a chain that were committed since `since`, which the last call gave; all without it. No row is missed
 * whatever order transactions commit in: `next` is the oldest transaction still running now.
 */
export async function listScriptsSince(
  db: Db,
  a: { chain: string; since: string | null },
): Promise<{ scripts: { script: string; watchUntil: Date }[]; next: string }> {
  const { since, next } = await committedSince(db, a.since)
  const scripts = await db<{ script: string; watchUntil: Date }[]>`
    select script, watch_until as "watchUntil" from utxo_scripts
    where chain = ${a.chain} and xid >= ${since}::text::xid8`
  return { scripts, next }
}

/** @returns how many are looked for no longer. */
export async function forgetScripts(sql: Sql, now: Date): Promise<number> {
  const gone = await sql`
    delete from utxo_scripts where (chain, script) in (
      select chain, script from utxo_scripts where watch_until < ${now} limit 1000)
    returning 1`
  return gone.length
}
