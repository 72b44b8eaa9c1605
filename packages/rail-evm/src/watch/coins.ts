// Native coins leave no log: addresses that may be paid in them are looked at themselves.
import type { PublicClient } from 'viem'
import type { VaultSet } from '../address/vaults.ts'
import type { ForwarderContext } from '../context.ts'
import { readBalance, readBalances } from '../node/balances.ts'
import { type BlockHead, readHead } from '../node/blocks.ts'
import type { WatchedVault } from '../node/match.ts'
import { noQuorumIn } from '../node/quorum.ts'
import type { ChainRpc } from '../node/rpc.ts'
import { readSenders } from '../node/senders.ts'
import { type Cursor, findBlockAfter, findBlockBefore } from './cursors.store.ts'
import { AGREED, type BalanceLook, type NativeLook } from './record.ts'
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

/** What one provider hid for some blocks is found after that many at the latest. */
const LOOKED_AGAIN = 50n

/**
 * Coins that are new where a deadline has passed: what was there by then. Money that came after it, a stranger's wei too,
 * makes nothing of that late.
 */
export async function inTimeOf(
  rpc: ChainRpc,
  parts: Parts,
  a: { looks: readonly NativeLook[]; from: Cursor; block: BlockHead },
): Promise<BalanceLook[]> {
  const overdue = a.looks.filter(({ vault }) => vault.deadline < a.block.time)
  const grown = await grownOf(parts, rpc.chain.id, overdue, a.block.height)
  const inTime: BalanceLook[] = []
  for (const { vault } of overdue) {
    if (!grown.has(vault.vault)) continue
    const block = await newestBlockBy(rpc, parts, { time: vault.deadline, upTo: a.block, from: a.from })
    if (block === null || block.height + LOOKED_AGAIN < a.from.height) continue
    const balance = await oldBalanceOf(rpc, parts, vault, block)
    if (balance !== null) inTime.push({ ...{ vault, balance, block, token: null, sender: null }, ...AGREED })
  }
  return inTime.toSorted((one, other) => Number(one.block.height - other.block.height))
}

/** null: nodes do not keep balances that old. @throws NoQuorum where providers contradict each other. */
async function oldBalanceOf(
  { chain, client }: ChainRpc,
  parts: Parts,
  { vault }: WatchedVault,
  block: BlockHead,
): Promise<bigint | null> {
  try {
    return await readBalance(client, { address: vault, token: null, blockHash: block.hash })
  } catch (error) {
    if (noQuorumIn(error)?.isContradiction === true) throw error
    parts.log.warn({ err: error, chain: chain.id }, 'a historical balance could not be read')
    return null
  }
}

/** The newest block that is not younger than a time, also where blocks were read as a range and not kept; null: none is known. */
export async function newestBlockBy(
  { chain, client }: ChainRpc,
  { sql }: Pick<Parts, 'sql'>,
  a: { time: Date; upTo: Pick<BlockHead, 'height'>; from: Pick<Cursor, 'startHeight'> },
): Promise<BlockHead | null> {
  const { time } = a
  let found = await findBlockBefore(sql, { chain: chain.id, time, height: a.upTo.height })
  const next = await findBlockAfter(sql, { chain: chain.id, height: found?.height ?? -1n })
  let low = found?.height ?? a.from.startHeight - 1n
  let high = next === null || next.height > a.upTo.height ? a.upTo.height + 1n : next.height
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const head = await readHead(client, middle)
    if (head === null) return null
    if (head.time > time) high = middle
    else [low, found] = [middle, head]
  }
  return found
}
