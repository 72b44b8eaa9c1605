// Searches for native coins where they do not belong: on a wrong chain, since an order's address is the same on every
// chain, and on the right one where a token was asked for. Coins leave no log, so addresses are read batch by batch,
// round after round. Findings are treated like the chain's own coins: seen in a block, confirmed by depth, removed by a
// reorg.
import { claimLease, holdLease, type Lease, LeaseLost, releaseLease } from '@florin/platform/db/lease'
import { withTx } from '@florin/platform/db/tx'
import type { Job } from '@florin/platform/worker/job'
import { MINUTE_MS } from '@florin/protocol'
import type { ForwarderContext, ForwarderLink } from '../context.ts'
import { readBalances } from '../node/balances.ts'
import type { BlockHead } from '../node/blocks.ts'
import type { WatchedVault } from '../node/match.ts'
import { findBlock, findCursor, lockCursor } from './cursors.store.ts'
import { AGREED, bookBalances } from './record.ts'
import { findWalk, listVaultsToWalk, saveWalk } from './wrong-chain.store.ts'

/** Addresses per batch: eight calls to the node. A full round over 100,000 takes 17 batches. */
const PART = 6_000
const EVERY_MS = MINUTE_MS
const WALK_LEASE_MS = 2 * MINUTE_MS
/** A watcher further behind reads blocks whose balances nodes no longer keep; the search waits for it. */
const BEHIND_MAX = 50n

interface WrongChainDeposit {
  vault: WatchedVault
  balance: bigint
}

/** One batch a minute, beside the watcher: reading other chains' addresses never delays a chain's own orders. */
export function wrongChainJob(link: ForwarderLink, parts: ForwarderContext, holder: string, part = PART): Job {
  const { chain } = link.rpc
  let lease: Lease | null = null
  let turn = 0
  return {
    name: `strays-${chain.id}`,
    everyMs: EVERY_MS,
    async run() {
      const name = `wrongChainDeposits ${chain.id}`
      lease = await claimLease(parts.sql, { name, holder, now: parts.clock.now(), leaseMs: WALK_LEASE_MS })
      if (lease === null) return 0
      await link.verified()
      await walkPart(link, parts, lease, { limit: part, turn: turn++ }).catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error
      })
      // Always: the pace is one batch per run, however much it found.
      return 0
    },
    async end() {
      if (lease !== null) await releaseLease(parts.sql, lease, parts.clock.now())
    },
  }
}

async function walkPart(
  link: ForwarderLink,
  parts: ForwarderContext,
  lease: Lease,
  { limit, turn }: { limit: number; turn: number },
): Promise<void> {
  const { chain, client } = link.rpc
  // Another one each time: what one leaves out the next one tells.
  const readers = link.rpc.readers()
  const reader = readers[turn % Math.max(1, readers.length)]
  const cursor = await findCursor(parts.sql, chain.id, 'seen')
  const block = cursor === null ? null : await findBlock(parts.sql, chain.id, cursor.height)
  if (block === null || reader === undefined || (await client.getBlockNumber()) - block.height > BEHIND_MAX) return
  const after = await findWalk(parts.sql, chain.id)
  const livemode = chain.mode === 'live'
  const wanted = { chain: chain.id, livemode, factory: chain.factory, after, now: parts.clock.now(), limit }
  const vaults = await listVaultsToWalk(parts.sql, wanted)
  const addresses = vaults.map((vault) => vault.vault)
  const balances = await readBalances(reader.client, addresses, block.hash)
  const told = vaults.filter((_, n) => (balances[n] ?? 0n) > 0n)
  const agreed = await readBalances(
    client,
    told.map((vault) => vault.vault),
    block.hash,
  )
  const found = told
    .map((vault, n): WrongChainDeposit => ({ vault, balance: agreed[n] ?? 0n }))
    .filter((one) => one.balance > 0n)
  // Less than a full batch: it was the last one of this round.
  const next = vaults.length < limit ? '' : (vaults.at(-1)?.legRef ?? '')
  await keep(link, parts, lease, { block, found, next })
}

async function keep(
  { rpc: { chain } }: ForwarderLink,
  parts: ForwarderContext,
  lease: Lease,
  a: { block: BlockHead; found: readonly WrongChainDeposit[]; next: string },
): Promise<void> {
  const { block, found } = a
  const now = parts.clock.now()
  const news = await withTx(parts.sql, async (tx) => {
    await holdLease(tx, lease, { now, leaseMs: WALK_LEASE_MS })
    // Locked, so that a reorg is either known here or removes what is written now.
    const credit = await lockCursor(tx, chain.id, 'credit')
    // The block has left the chain meanwhile: the same batch is read again.
    if (credit === null || (await findBlock(tx, chain.id, block.height))?.hash !== block.hash) return 0
    await saveWalk(tx, chain.id, a.next)
    if (found.length === 0) return 0
    const looks = found.map((one) => ({ ...one, token: null, block, sender: null, ...AGREED }))
    // Where the first scan is already at the depth that counts, the second has passed this block.
    const { booked } = await bookBalances(tx, chain, { looks, foundBy: 'first', credit: credit.height, now })
    return booked
  })
  if (news === 0) return
  parts.log.info({ chain: chain.id, found: news }, 'native coins found on addresses that asked for something else')
  parts.wake.facts.fire()
}
