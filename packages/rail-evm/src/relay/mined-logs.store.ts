// SQL of what the receipts of our own transactions show: whether their block is on the branch that is watched, and logs of
// the factory that the watcher was not told of.
import type { Tx } from '@florin/platform/db/tx'
import type { FactoryLog } from '../node/factory-logs.ts'

/**
 * Until the commit the watcher writes nothing of the chain.
 * @param a.deep a block so far below the newest one that was read is not kept by itself, and cannot leave any more.
 * @returns its time, null where it is not kept; or why it is not known to be on the branch.
 */
export async function lockBranch(
  tx: Tx,
  a: { chain: string; height: bigint; blockHash: string; deep: bigint },
): Promise<{ time: Date | null } | 'unwatched' | 'not_yet'> {
  const cursors = await tx<{ pass: string; height: bigint }[]>`
    select pass, height from chain_cursors where chain = ${a.chain} order by pass for update`
  const seen = cursors.find((row) => row.pass === 'seen')
  if (seen === undefined) return 'unwatched'
  const [block] = await tx<{ hash: string; time: Date }[]>`
    select hash, time from chain_blocks where chain = ${a.chain} and height = ${a.height.toString()}`
  if (block !== undefined) return block.hash === a.blockHash ? { time: block.time } : 'not_yet'
  return seen.height - a.height >= a.deep ? { time: null } : 'not_yet'
}

/**
 * What as many providers as the chain's quorum showed in a receipt. What one of them told as well is left to the witness;
 * what was refuted, or never told, is there from now on. @returns whether it was not.
 */
export async function insertMinedLog(tx: Tx, chain: string, log: FactoryLog, a: { time: Date | null; now: Date }) {
  const args = JSON.stringify(log.args)
  const place = `${chain}:${log.blockHash}:${log.logIndex}`
  const known = await tx<{ key: string; state: string; isSame: boolean }[]>`
    select key, state, event = ${log.event} and args::text = ${args} and tx_hash = ${log.txHash} as "isSame"
    from forwarder_factory_logs where key >= ${place} and key < ${`${place};`} and (key = ${place} or key like ${`${place}:%`})`
  const same = known.find((row) => row.isSame)
  if (same !== undefined) {
    const back = await tx`
      update forwarder_factory_logs set state = 'seen', agreed = true, disputed = null, ask_at = null
      where key = ${same.key} and state = 'orphaned' returning 1`
    return back.length > 0
  }
  const key = known.some((row) => row.key === place) ? `${place}:receipt` : place
  const made = await tx`
    insert into forwarder_factory_logs (key, chain, event, vault, tx_hash, log_index, height, block_hash, args, state,
      said_by, agreed, block_time, created_at)
    values (${key}, ${chain}, ${log.event}, ${log.vault}, ${log.txHash}, ${log.logIndex}, ${log.height.toString()},
      ${log.blockHash}, ${args}::text::json, 'seen', '', true, ${a.time}, ${a.now})
    on conflict do nothing returning 1`
  return made.length > 0
}
