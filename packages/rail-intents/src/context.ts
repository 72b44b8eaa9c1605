// The dependencies of this rail's parts: a subset of the process's, and the seam to what merchants chose.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { Log } from '@florin/platform/worker/job'
import type { Wake } from '@florin/platform/worker/wake'
import type { OutsideSeen, OutsideTransfers } from '@florin/rail-kit/interface/outside'
import type { OwnerOf } from '@florin/rail-kit/interface/owner'

export interface IntentsContext {
  sql: Sql
  clock: Clock
  log: Log
  wake: { facts: Wake }
  /** Whether this merchant takes payouts on this chain on the provider's word alone, of legs that are opened now. */
  takesUnproven(a: { merchantId: string; livemode: boolean; chain: string }): Promise<boolean>
  /** Whose an address is that the provider names: none that is somebody's is shown to payers. */
  ownerOf: OwnerOf
  /** Chains that rails here read themselves: what they see proves a payout. */
  witnesses: readonly OutsideTransfers[]
  /** The keys of those that Florin sent itself, or that count as a merchant's refund: they pay out no swap. */
  listCounted(db: Db, transfers: readonly OutsideSeen[]): Promise<ReadonlySet<string>>
  /** Until the commit nobody else makes a transfer of this chain count. */
  lockTransfers(tx: Tx, chain: string): Promise<unknown>
}
