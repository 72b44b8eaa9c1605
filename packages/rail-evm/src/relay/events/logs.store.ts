// SQL between the watcher's factory logs and the orders: which logs changed since their order was notified.
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'
import type { StoredRoute } from '../../address/stored-route.ts'
import type { FactoryEvent } from '../../node/factory-logs.ts'

export interface FactoryLog {
  key: string
  chain: string
  event: FactoryEvent
  vault: string | null
  txHash: string
  height: bigint
  args: Readonly<Record<string, string>>
  /** null: it was written by an older release. */
  blockTime: Date | null
  state: 'seen' | 'final' | 'orphaned'
  /** The state its order was last notified of. */
  relayed: FactoryLog['state'] | null
}

/**
 * Removed logs come first, newest before oldest: what a reorg moved is undone, step by step, before it appears again.
 * What one provider alone says failed, was announced or struck out is not acted on; of a settlement it is only shown.
 */
export async function listLogsToRelay(sql: Sql, chain: string, limit: number): Promise<FactoryLog[]> {
  return sql<FactoryLog[]>`
    select key, chain, event, vault, tx_hash as "txHash", height, args, state, relayed,
      block_time as "blockTime"
    from forwarder_factory_logs where chain = ${chain} and relayed is distinct from state
      and (agreed or event in ('Settled', 'Refunded') or state = 'orphaned')
    order by state = 'orphaned' desc, case when state = 'orphaned' then -height else height end,
      case when state = 'orphaned' then -log_index else log_index end
    limit ${limit}`
}

/** @returns false when another process reported it, or the watcher changed it since it was read. */
export async function markRelayed(tx: Tx, log: FactoryLog): Promise<boolean> {
  const rows = await tx`
    update forwarder_factory_logs set relayed = ${log.state}
    where key = ${log.key} and state = ${log.state} and relayed is not distinct from ${log.relayed} returning key`
  return rows.length === 1
}

export interface Announcement {
  vault: string
  txHash: string
}

/** The newest announcement of this number that the chain shows. */
export async function findAnnouncement(tx: Tx, chain: string, id: string): Promise<Announcement | null> {
  const [row] = await tx<Announcement[]>`
    select vault, tx_hash as "txHash" from forwarder_factory_logs
    where chain = ${chain} and event = 'RefundProposed' and args->>'id' = ${id} and state <> 'orphaned'
    order by height desc, log_index desc limit 1`
  return row ?? null
}

/** Whether a refund as this one was announced on the chain before then. */
export async function wasAnnounced(tx: Tx, log: FactoryLog, before: Date): Promise<boolean> {
  const { token = '', to = '', amount = '' } = log.args
  const rows = await tx`
    select 1 from forwarder_factory_logs
    where chain = ${log.chain} and vault = ${log.vault} and event = 'RefundProposed' and state <> 'orphaned'
      and lower(args->>'token') = ${token.toLowerCase()} and lower(args->>'to') = ${to.toLowerCase()}
      and args->>'amount' = ${amount} and block_time < ${before} limit 1`
  return rows.length > 0
}

/** Failed pushes of a token from an address that their order was told of. */
export function listPushesOfVault(
  tx: Tx,
  a: { chain: string; vault: string; token: string },
): Promise<{ txHash: string }[]> {
  return tx`
    select tx_hash as "txHash" from forwarder_factory_logs
    where chain = ${a.chain} and vault = ${a.vault} and event = 'PushFailed' and args->>'token' = ${a.token}
      and state = 'final' and relayed = 'final'
    order by height desc, log_index desc limit 100`
}

/** A leg as its deposit address was bound. Addresses in lower case. */
export interface BoundLeg {
  legRef: string
  orderRef: string
  chain: string
  factory: string
  /** null: the native coin. */
  token: string | null
  route: StoredRoute
}

/** Whose deposit address this is; null: none of this install. */
export async function findLegOfVault(tx: Tx, vault: string): Promise<BoundLeg | null> {
  const [row] = await tx<BoundLeg[]>`
    select leg_ref as "legRef", order_ref as "orderRef", chain, lower(factory) as factory, lower(contract) as token, route
    from forwarder_vaults where vault = ${vault} limit 1`
  return row ?? null
}
