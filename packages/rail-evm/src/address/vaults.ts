// The watched addresses in memory, brought up to date from the database. A vault is stored before its address is
// shown, so a refresh begun after a block was seen knows every address that the block can have paid.
import type { Sql } from '@florin/platform/db/pool'
import type { WatchedVault } from '../node/match.ts'
import { listVaultsSince } from './vaults.store.ts'

export interface VaultSet {
  readonly byAddress: ReadonlyMap<string, WatchedVault>
  refresh(now: Date): Promise<void>
  /** Vaults of a chain whose native balance is read at every block. */
  listHotNative(chain: string, now: Date): WatchedVault[]
}

const FORGET_EVERY_MS = 3_600_000

/** All vaults of a mode, including those of other chains: money sent on the wrong chain is seen too. */
export function makeVaultSet(sql: Sql, livemode: boolean): VaultSet {
  const byAddress = new Map<string, WatchedVault>()
  const native = new Map<string, WatchedVault>()
  let since: string | null = null
  let forgottenAt = 0
  return {
    byAddress,
    async refresh(now) {
      const { vaults, next } = await listVaultsSince(sql, { livemode, since })
      since = next
      for (const vault of vaults) {
        byAddress.set(vault.vault, vault)
        if (vault.isNative) native.set(vault.vault, vault)
      }
      if (now.getTime() - forgottenAt < FORGET_EVERY_MS) return
      forgottenAt = now.getTime()
      for (const [address, vault] of byAddress) if (vault.watchUntil < now) byAddress.delete(address)
      for (const [address, vault] of native) if (vault.hotUntil < now) native.delete(address)
    },
    listHotNative: (chain, now) =>
      [...native.values()].filter((vault) => vault.chain === chain && vault.hotUntil >= now),
  }
}
