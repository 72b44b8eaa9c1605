// The recheck before an order expires or money is returned: reads the balance itself, at a confirmed block. It finds
// what every provider left out, and coins that arrived without a log.
import { withTx } from '@florin/platform/db/tx'
import { oldHead } from '@florin/rail-kit/old-head'
import type { Address } from 'viem'
import { listVaultsOfOrder, type OrderVault } from '../address/vaults.store.ts'
import type { ForwarderContext, ForwarderLink } from '../context.ts'
import type { BlockHead } from '../node/blocks.ts'
import { depthOf } from '../node/finality.ts'
import { noQuorumIn } from '../node/quorum.ts'
import { readBalanceOf } from '../tokens/each.ts'
import { newestBlockBy } from './coins.ts'
import { findBlock, findCursor, isOnBranch, lockCursor } from './cursors.store.ts'
import { AGREED, bookBalances } from './record.ts'
import { hasClaims } from './witness.store.ts'

/** The watcher is further behind than this: an order must not expire on what it does not know yet. */
const BEHIND_MAX = 20n

/**
 * @param a.isEverywhere on the other chains with the same factory too.
 * @throws Error when a chain cannot be checked now; the order then waits. Everywhere: when all that can be was.
 */
export async function recheck(
  links: ReadonlyMap<string, ForwarderLink>,
  parts: ForwarderContext,
  a: { orderRef: string; isEverywhere: boolean },
): Promise<void> {
  const failures: unknown[] = []
  for (const vault of await listVaultsOfOrder(parts.sql, a.orderRef)) {
    // A chain that was removed from the settings can never be checked again.
    const home = links.get(vault.chain)
    const others = a.isEverywhere ? [...links.values()].filter((link) => link !== home && hasItToo(link, vault)) : []
    for (const link of home === undefined ? others : [home, ...others]) {
      try {
        await scanVault(link, parts, vault)
      } catch (error) {
        if (!a.isEverywhere) throw error
        failures.push(error)
      }
    }
  }
  if (failures.length > 0) throw failures[0]
}

const hasItToo = ({ rpc: { chain } }: ForwarderLink, vault: OrderVault): boolean =>
  chain.factory === vault.factory && (chain.mode === 'live') === vault.livemode

async function scanVault(link: ForwarderLink, parts: ForwarderContext, vault: OrderVault): Promise<void> {
  const { chain } = link.rpc
  const [head, seen, credit] = await Promise.all([
    link.rpc.head(),
    findCursor(parts.sql, chain.id, 'seen'),
    findCursor(parts.sql, chain.id, 'credit'),
  ])
  if (seen === null || credit === null) throw new Error(`${chain.id} is not watched yet`)
  const old = oldHead(chain, head, parts.clock.now())
  if (old !== null) throw new Error(`${chain.id}: ${old}`)
  if (await hasClaims(parts.sql, { chain: chain.id, orderRef: vault.orderRef, height: credit.height })) {
    throw new Error(waitsForAnother(chain.id))
  }
  if (head.height - seen.height > BEHIND_MAX + BigInt(depthOf(chain, vault.isLarge))) {
    throw new Error(`the watcher of ${chain.id} is ${head.height - seen.height} blocks behind`)
  }
  const now = await findBlock(parts.sql, chain.id, credit.height)
  // What was there by the deadline is on time, however late it is found.
  const then = await newestBlockBy(link.rpc, parts, { time: vault.deadline, upTo: credit, from: credit })
  const tokens: (Address | null)[] = [...[...chain.tokens, ...chain.otherTokens].map((token) => token.contract), null]
  if (then !== null && then.height !== now?.height) {
    // A node keeps old balances only for a while; without them the newest one has to do.
    await lookAt(link, parts, { vault, block: then, tokens }).catch((error: unknown) => {
      if (noQuorumIn(error)?.isContradiction === true) throw error
      parts.log.warn({ err: error, chain: chain.id }, 'a historical balance could not be read')
    })
  }
  if (now === null) throw new Error(`the watcher of ${chain.id} is still reading`)
  await lookAt(link, parts, { vault, block: now, tokens })
}

const waitsForAnother = (chain: string): string =>
  `a payment on ${chain} waits for a second provider to report the same`

async function lookAt(
  { rpc }: ForwarderLink,
  parts: ForwarderContext,
  a: { vault: OrderVault; block: BlockHead; tokens: readonly (Address | null)[] },
): Promise<void> {
  const { vault, block } = a
  const { chain } = rpc
  const balances = await Promise.all(
    a.tokens.map(async (token) => ({
      token,
      balance: await readBalanceOf(rpc, parts, { address: vault.vault, token, blockHash: block.hash }),
    })),
  )
  const looks = balances.flatMap(({ token, balance }) =>
    balance === null || balance === 0n ? [] : [{ vault, token, balance, block, sender: null, ...AGREED }],
  )
  if (looks.length === 0) return
  const now = parts.clock.now()
  const { booked, isUnsure } = await withTx(parts.sql, async (tx) => {
    // Locked, so that what the watcher is writing now is either known here or comes after.
    const credit = await lockCursor(tx, chain.id, 'credit')
    const isOurs = await isOnBranch(tx, { chain: chain.id, block, maxReorg: chain.maxReorg })
    if (credit === null || !isOurs) return { booked: 0, isUnsure: false }
    return bookBalances(tx, chain, { looks, foundBy: 'balance', credit: credit.height, now })
  })
  if (booked > 0) {
    const found = { chain: chain.id, order_ref: vault.orderRef, found: booked }
    parts.log.warn(found, 'a balance shows deposits that no log reported')
    parts.wake.facts.fire()
  }
  if (isUnsure) throw new Error(waitsForAnother(chain.id))
}
