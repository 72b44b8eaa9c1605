// SQL of the search over other chains' addresses: the next batch, and the progress.
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'
import type { Address } from 'viem'
import type { WatchedVault } from '../node/match.ts'

export async function findWalk(sql: Sql, chain: string): Promise<string> {
  const [row] = await sql<{ after: string }[]>`select after from native_walks where chain = ${chain}`
  return row?.after ?? ''
}

/** @param after empty: the next batch is the first again. */
export async function saveWalk(tx: Tx, chain: string, after: string): Promise<void> {
  await tx`
    insert into native_walks (chain, after) values (${chain}, ${after})
    on conflict (chain) do update set after = excluded.after`
}

/**
 * Open addresses whose native balance on this chain is not read at every block: of other chains' legs, of its own legs
 * in tokens, and of its own native legs once they are closed. In the order of their references, and only those of the
 * same factory: no other could move anything there.
 */
export async function listVaultsToWalk(
  sql: Sql,
  a: { chain: string; livemode: boolean; factory: Address; after: string; now: Date; limit: number },
): Promise<WatchedVault[]> {
  return sql<WatchedVault[]>`
    select leg_ref as "legRef", order_ref as "orderRef", chain, vault, contract is null as "isNative", is_large as "isLarge",
      deadline, hot_until as "hotUntil", watch_until as "watchUntil"
    from forwarder_vaults
    where livemode = ${a.livemode} and state = 'open' and leg_ref > ${a.after} and factory = ${a.factory}
      and (chain <> ${a.chain} or contract is not null or hot_until < ${a.now})
    order by leg_ref limit ${a.limit}`
}
