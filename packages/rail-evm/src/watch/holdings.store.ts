// SQL for comparing balances with the books: whose address is which, what is in motion, what came since a block.
import type { Db } from '@florin/platform/db/tx'
import { hasFacts } from '@florin/rail-kit/facts.store'
import type { Address } from 'viem'
import { isByBalance } from './watch.store.ts'

export interface LegVault {
  legRef: string
  chain: string
  vault: Address
}

export function listVaultsOfLegs(db: Db, legRefs: readonly string[]): Promise<LegVault[]> {
  return db<LegVault[]>`
    select leg_ref as "legRef", chain, vault from forwarder_vaults where leg_ref = any(${legRefs as string[]})`
}

/**
 * Addresses whose books and balance cannot be compared at a block: something left them that their order has not booked
 * yet, or has booked from a later block; or their order has facts to take; or what came is one provider's word so far.
 */
export async function listVaultsInMotion(
  db: Db,
  a: { chain: string; vaults: readonly string[]; height: bigint },
): Promise<Set<string>> {
  const vaults = a.vaults as string[]
  const rows = await db<{ vault: string }[]>`
    select vault from forwarder_factory_logs
    where chain = ${a.chain} and vault = any(${vaults}) and event in ('Settled', 'Refunded')
      and (relayed is distinct from state or state = 'seen' or (state = 'final' and height > ${a.height.toString()}))
    union
    select vault from forwarder_observations
    where chain = ${a.chain} and vault = any(${vaults}) and state = 'seen' and not agreed
    union
    select v.vault from forwarder_vaults v
    where v.vault = any(${vaults}) and ${hasFacts(db, 'v.order_ref')}`
  return new Set(rows.map((row) => row.vault))
}

export interface Arrival {
  vault: string
  /** null: the native coin. */
  token: string | null
  /** By the token's logs: after the block. */
  logged: bigint
  /** By balances at higher blocks: perhaps at the block already, or before. */
  undated: bigint
}

/** What orders have booked from blocks above a height, which the balance there does not show or shows already. */
export async function listArrivalsAbove(
  db: Db,
  a: { chain: string; vaults: readonly string[]; height: bigint },
): Promise<Arrival[]> {
  const rows = await db<{ vault: string; token: string | null; logged: string; undated: string }[]>`
    select vault, token, coalesce(sum(amount) filter (where not ${isByBalance(db)}), 0)::text as logged,
      coalesce(sum(amount) filter (where ${isByBalance(db)}), 0)::text as undated
    from forwarder_observations
    where chain = ${a.chain} and vault = any(${a.vaults as string[]}) and state <> 'orphaned'
      and height > ${a.height.toString()}
    group by vault, token`
  return rows.map((row) => ({ ...row, logged: BigInt(row.logged), undated: BigInt(row.undated) }))
}
