// Native coins leave no log: addresses that may be paid in them are looked at themselves.
import type { PublicClient } from 'viem'
import type { VaultSet } from '../address/vaults.ts'
import type { ForwarderContext } from '../context.ts'
import { readBalances } from '../node/balances.ts'
import { type BlockHead, readHead } from '../node/blocks.ts'
import type { ChainRpc } from '../node/rpc.ts'
import { readSenders } from '../node/senders.ts'
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
  return hot.map((vault, n) => ({ vault, balance: balances[n] ?? 0n, sender: null }))
}

type Parts = Pick<ForwarderContext, 'sql' | 'log'>

/** Those of one block with their senders, as a quorum of providers has them. Without a quorum nobody is named. */
export async function withSenders(
  { chain, client }: ChainRpc,
  parts: Parts,
  a: { looks: readonly NativeLook[]; block: BlockHead },
): Promise<NativeLook[]> {
  const grown = await grownOf(parts, chain.id, a.looks, a.block.height)
  if (grown.size === 0) return [...a.looks]
  try {
    const senders = await readSenders(client, a.block.hash, grown)
    return a.looks.map((look) => ({ ...look, sender: senders.get(look.vault.vault) ?? null }))
  } catch (error) {
    parts.log.warn(
      { err: error, chain: chain.id, height: String(a.block.height) },
      'senders of coins could not be read',
    )
    return [...a.looks]
  }
}

/** Addresses that hold more than is known of them. */
async function grownOf(
  { sql }: Parts,
  chain: string,
  looks: readonly NativeLook[],
  height: bigint,
): Promise<ReadonlySet<string>> {
  const vaults = looks.filter((look) => look.balance > 0n).map((look) => look.vault.vault)
  if (vaults.length === 0) return new Set()
  const expected = await expectedBalances(sql, { chain, token: null, vaults, height })
  const isGrown = ({ vault, balance }: NativeLook): boolean => balance > (expected.get(vault.vault) ?? 0n)
  return new Set(looks.filter(isGrown).map((look) => look.vault.vault))
}

/** After a range of blocks: a payment that was in time must not be late because nobody looked. */
export async function whenTheyCame(
  { chain, client }: ChainRpc,
  parts: Parts,
  a: { looks: readonly NativeLook[]; from: Cursor; to: BlockHead },
): Promise<NativeLook[]> {
  const { looks, from, to } = a
  const grown = await grownOf(parts, chain.id, looks, to.height)
  const timed: NativeLook[] = []
  for (const look of looks) {
    timed.push(grown.has(look.vault.vault) ? { ...look, seenAt: (await cameBy(look)) ?? to.time } : look)
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
