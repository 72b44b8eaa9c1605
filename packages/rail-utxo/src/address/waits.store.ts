// SQL of who waits for a transfer to an address that no order has, and of when such transfers were first announced.
import type { Db, Tx } from '@florin/platform/db/tx'

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

/** Refunds after the settlement that merchants have asked for at these addresses and not paid. */
export async function listAwaitedOwn(
  db: Db,
  a: { chain: string; addresses: readonly string[] },
): Promise<{ merchantId: string; address: string; amount: bigint }[]> {
  const rows = await db<{ merchantId: string; address: string; amount: string }[]>`
    select o.merchant_id as "merchantId", r.address, r.amount::text as amount
    from merchant_refunds r join order_summaries o on o.order_no = r.order_no
    where r.status = 'requested' and r.chain = ${a.chain} and r.address = any(${a.addresses as string[]}::text[]) limit 10000`
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

/** Of these coins (`txid:vout`) those that paid orders: whose, and where. */
export async function listPaidCoins(
  db: Db,
  a: { chain: string; coins: readonly string[] },
): Promise<{ merchantId: string; script: string }[]> {
  const txids = a.coins.map((coin) => coin.split(':')[0] ?? '')
  const vouts = a.coins.map((coin) => Number(coin.split(':')[1] ?? -1))
  return db<{ merchantId: string; script: string }[]>`
    select distinct n.merchant_id as "merchantId", o.script
    from unnest(${txids}::text[], ${vouts}::bigint[]) as c(txid, vout)
    join utxo_outputs o on o.chain = ${a.chain} and o.txid = c.txid and o.vout = c.vout
    join order_summaries n on n.order_ref = o.order_ref limit 1000`
}

/** Of these transactions those that pay an order; what comes out of Litecoin's extension block is many people's at once. */
export async function listPaying(db: Db, chain: string, txids: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ txid: string }[]>`
    select distinct txid from utxo_outputs
    where chain = ${chain} and txid = any(${txids as string[]}::text[]) and kind <> 'peg_out'`
  return new Set(rows.map((row) => row.txid))
}
