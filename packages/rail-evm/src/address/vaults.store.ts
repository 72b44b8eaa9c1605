// SQL of deposit addresses. A row is written before its address is shown.
import type { JournalEntry } from '@florin/exit/journal'
import { committedSince } from '@florin/platform/db/committed-since'
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'
import type { OpenedLeg } from '@florin/rail-kit/interface/leg'
import { readOpened } from '@florin/rail-kit/opened'
import type { Address } from 'viem'
import type { WatchedVault } from '../node/match.ts'
import type { StoredRoute } from './stored-route.ts'

export interface NewVault {
  legRef: string
  orderRef: string
  merchantId: string
  chain: string
  livemode: boolean
  /** Lower case. */
  vault: Address
  factory: Address
  impl: Address
  route: StoredRoute
  asset: string
  /** Lower case; null for the native coin. */
  contract: Address | null
  decimals: number
  /** Set for amounts from which a chain's stricter rules apply. */
  isLarge: boolean
  opened: OpenedLeg
  deadline: Date
  hotUntil: Date
  watchUntil: Date
  createdAt: Date
}

/** Stores the answer, or returns the one that was stored for this reference before. */
export async function insertVault(sql: Sql, a: NewVault): Promise<OpenedLeg> {
  const opened = JSON.stringify(a.opened, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  await sql`
    insert into forwarder_vaults (leg_ref, order_ref, merchant_id, chain, livemode, vault, factory, impl, route, asset, contract,
      decimals, is_large, amount_due, opened, deadline, hot_until, watch_until, created_at)
    values (${a.legRef}, ${a.orderRef}, ${a.merchantId}, ${a.chain}, ${a.livemode}, ${a.vault}, ${a.factory}, ${a.impl},
      ${JSON.stringify(a.route)}::text::json, ${a.asset}, ${a.contract}, ${a.decimals}, ${a.isLarge},
      ${a.opened.amountDue.toString()}, ${opened}::text::json, ${a.deadline}, ${a.hotUntil}, ${a.watchUntil},
      ${a.createdAt})
    on conflict (leg_ref) do nothing`
  return (await findOpened(sql, a.legRef)) ?? a.opened
}

export async function findOpened(sql: Sql, legRef: string): Promise<OpenedLeg | null> {
  const [row] = await sql<{ opened: unknown }[]>`
    select opened from forwarder_vaults where leg_ref = ${legRef}`
  return row === undefined ? null : readOpened(row.opened)
}

/**
 * Vaults that were committed since `since`, which the last call gave; all that are open without it.
 * No row is missed whatever order transactions commit in: `next` is the oldest transaction still running now.
 */
export async function listVaultsSince(
  sql: Sql,
  a: { livemode: boolean; since: string | null },
): Promise<{ vaults: WatchedVault[]; next: string }> {
  const { since, next } = await committedSince(sql, a.since)
  const vaults = await sql<WatchedVault[]>`
    select leg_ref as "legRef", order_ref as "orderRef", chain, vault, contract is null as "isNative", is_large as "isLarge",
      deadline, hot_until as "hotUntil", watch_until as "watchUntil"
    from forwarder_vaults
    where livemode = ${a.livemode} and state = 'open' and xid >= ${since}::text::xid8`
  return { vaults, next }
}

/** What the journal holds of addresses that are still watched, by reference, after `after`; at most 500. */
export async function listJournalEntries(sql: Sql, after: string): Promise<JournalEntry[]> {
  const rows = await sql<(Omit<JournalEntry, 'at'> & { at: Date })[]>`
    select leg_ref, livemode, chain, asset, decimals, opened -> 'proof' as proof, created_at as at
    from forwarder_vaults where state = 'open' and leg_ref > ${after} order by leg_ref limit 500`
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** @returns how many are no longer watched. */
export async function closeVaults(sql: Sql, now: Date): Promise<number> {
  const closed = await sql`
    update forwarder_vaults set state = 'closed' where leg_ref in (
      select leg_ref from forwarder_vaults where state = 'open' and watch_until < ${now} limit 1000)
    returning 1`
  return closed.length
}

export interface OrderVault extends WatchedVault {
  factory: string
  livemode: boolean
}

export async function listVaultsOfOrder(sql: Sql, orderRef: string): Promise<OrderVault[]> {
  return sql<OrderVault[]>`
    select leg_ref as "legRef", order_ref as "orderRef", chain, vault, contract is null as "isNative", is_large as "isLarge",
      deadline, hot_until as "hotUntil", watch_until as "watchUntil", lower(factory) as factory,
      livemode
    from forwarder_vaults where order_ref = ${orderRef} order by leg_ref limit 100`
}

/** Whether a vault was opened. Until the commit no other transaction opens one. */
export async function hasShownVault(tx: Tx): Promise<boolean> {
  await tx`lock table forwarder_vaults in share row exclusive mode`
  return (await tx`select 1 from forwarder_vaults limit 1`).length > 0
}
