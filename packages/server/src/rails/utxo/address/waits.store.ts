// SQL of who waits for a transfer to an address that no order has, and of when such transfers were first announced.
import type { Db, Tx } from '../../../platform/db/tx.ts'

/** A refund is looked for on the chain for this many days: a merchant may take his time. */
export const WATCH_DAYS = 400

/** From now on blocks and mempool are searched for it. @returns the first block that is not known yet; null: none is. */
export async function watchPayee(
  db: Db,
  a: { chain: string; script: string; watchUntil: Date },
): Promise<bigint | null> {
  const [row] = await db<{ next: bigint }[]>`
    with watched as (
      insert into utxo_scripts (chain, script, watch_until) values (${a.chain}, ${a.script}, ${a.watchUntil})
      on conflict (chain, script) do update
        set watch_until = greatest(utxo_scripts.watch_until, excluded.watch_until), xid = excluded.xid
    )
    select greatest(height, head) + 1 as next from utxo_cursors where chain = ${a.chain}`
  return row?.next ?? null
}

/** Until the commit nobody else begins to wait for a transfer to this address. */
export function lockPayee(tx: Tx, a: { chain: string; address: string }): Promise<unknown> {
  return tx`select pg_advisory_xact_lock(5, hashtext(${`${a.chain} ${a.address}`}))`
}

/** Amounts that requests of this rail wait for there, of other merchants. */
export async function listAwaitedAmounts(
  db: Db,
  a: { chain: string; script: string; notOf: string },
): Promise<bigint[]> {
  const rows = await db<{ amount: string }[]>`
    select (r.amount + r.extra)::text as amount from utxo_refunds r join orders o on o.order_ref = r.order_ref
    where r.chain = ${a.chain} and r.script = ${a.script} and r.state = 'asked' and o.merchant_id <> ${a.notOf}
    limit 10000`
  return rows.map(({ amount }) => BigInt(amount))
}

/** The same of refunds after the settlement; with `notOf` null of everybody. */
export async function listAwaitedOwn(
  db: Db,
  a: { chain: string; addresses: readonly string[]; notOf: string | null },
): Promise<{ address: string; amount: bigint }[]> {
  const rows = await db<{ address: string; amount: string }[]>`
    select r.address, r.amount::text as amount from merchant_refunds r join orders o on o.order_no = r.order_no
    where r.status = 'requested' and r.chain = ${a.chain} and r.address = any(${a.addresses as string[]}::text[])
      and o.merchant_id is distinct from ${a.notOf} limit 10000`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** The first word stays: what is announced again was there before. */
export async function noteAnnounced(
  tx: Tx,
  chain: string,
  rows: readonly { txid: string; firstSeen: Date }[],
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into utxo_announced (chain, txid, first_seen)
    select distinct on (txid) ${chain}, txid, at
    from unnest(${rows.map((row) => row.txid)}::text[], ${rows.map((row) => row.firstSeen)}::timestamptz[]) as t(txid, at)
    order by txid, at
    on conflict do nothing`
}

export async function listFirstSeen(db: Db, chain: string, txids: readonly string[]): Promise<Map<string, Date>> {
  const rows = await db<{ txid: string; firstSeen: Date }[]>`
    select txid, first_seen as "firstSeen" from utxo_announced
    where chain = ${chain} and txid = any(${txids as string[]}::text[])`
  return new Map(rows.map((row) => [row.txid, row.firstSeen]))
}

/** Beyond that nothing is waited for. */
export async function forgetAnnounced(db: Db, before: Date): Promise<void> {
  await db`
    delete from utxo_announced where (chain, txid) in (
      select chain, txid from utxo_announced where first_seen < ${before} limit 1000)`
}
