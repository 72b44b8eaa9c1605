// Native coins leave no log: addresses that may be paid in them are looked at themselves.
import type { PublicClient } from 'viem'
import type { VaultSet } from '../address/vaults.ts'
import type { ForwarderContext } from '../context.ts'
import { readBalances } from '../node/balances.ts'
import { type BlockHead, readHead, readSenders } from '../node/blocks.ts'
import type { ChainRpc } from '../node/rpc.ts'
import type { Cursor } from './cursors.store.ts'
import type { NativeLook } from './record.ts'
import { expectedBalances } from './watch.store.ts'

/** What one provider says of a block. */
export async function scanCoins(
  asked: PublicClient,
  a: { chain: string; vaults: VaultSet; block: BlockHead; now: Date },
): Promise<NativeLook[]> {
  const hot = a.vaults.listHotNative(a.chain, a.now)
  if (hot.length === 0) return []
  const addresses = hot.map((vault) => vault.vault)
  const balances = await readBalances(asked, addresses, a.block.hash)
  const paid = new Set<string>(addresses.filter((_, n) => (balances[n] ?? 0n) > 0n))
  const senders = paid.size === 0 ? null : await readSenders(asked, a.block.hash, paid)
  return hot.map((vault, n) => ({
    ...{ vault, balance: balances[n] ?? 0n },
    sender: senders?.get(vault.vault) ?? null,
  }))
}

/** After a range of blocks: a payment that was in time must not be late because nobody looked. */
export async function whenTheyCame(
  { chain, client }: ChainRpc,
  parts: Pick<ForwarderContext, 'sql' | 'log'>,
  a: { looks: readonly NativeLook[]; from: Cursor; to: BlockHead },
): Promise<NativeLook[]> {
  const { looks, from, to } = a
  const paid = looks.filter((look) => look.balance > 0n).map((look) => look.vault.vault)
  if (paid.length === 0) return [...looks]
  const expected = await expectedBalances(parts.sql, {
    ...{ chain: chain.id, token: null, vaults: paid, height: to.height },
  })
  const timed: NativeLook[] = []
  for (const look of looks) {
    const isNew = look.balance > (expected.get(look.vault.vault) ?? 0n)
    timed.push(isNew ? { ...look, seenAt: (await cameBy(look)) ?? to.time } : look)
  }
  return timed

  /** null: nodes do not keep balances that old. */
  async function cameBy({ vault, balance }: NativeLook): Promise<Date | null> {
    try {
      let [before, by] = [from.height, to.height]
      while (by - before > 1n) {
        const middle = (before + by) / 2n
        if ((await client.getBalance({ address: vault.vault, blockNumber: middle })) >= balance) by = middle
        else before = middle
      }
      return (await readHead(client, by))?.time ?? null
    } catch (error) {
      parts.log.warn({ err: error, chain: chain.id, order_ref: vault.orderRef }, 'when coins came could not be read')
      return null
    }
  }
}
