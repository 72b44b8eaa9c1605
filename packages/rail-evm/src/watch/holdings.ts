// What lies on deposit addresses at the newest final block that was read here, for the comparison with the books. One
// call to the nodes reads hundreds of addresses and assets.
import { withTx } from '@florin/platform/db/tx'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { Holding, HoldingQuestion } from '@florin/rail-kit/interface/moves'
import { type Address, getAddress } from 'viem'
import type { ForwarderContext, ForwarderLink } from '../context.ts'
import type { BlockHead } from '../node/blocks.ts'
import { finalHeights, readFinalized } from '../node/finality.ts'
import type { ForwarderChain } from '../settings/config.ts'
import { readPairsOfEach } from '../tokens/each.ts'
import { findBlock, findCursor } from './cursors.store.ts'
import { type LegVault, listArrivalsAbove, listVaultsInMotion, listVaultsOfLegs } from './holdings.store.ts'
import { expectedBalances } from './watch.store.ts'

interface Line extends LegVault {
  asset: AssetRef
  token: Address | null
}

/** @throws whatever the client throws where a chain cannot be read. */
export async function readHoldings(
  links: ReadonlyMap<string, ForwarderLink>,
  parts: ForwarderContext,
  legs: readonly HoldingQuestion[],
): Promise<Holding[]> {
  const asked = new Map(legs.map((leg) => [leg.legRef, leg.assets]))
  const vaults = await listVaultsOfLegs(parts.sql, [...asked.keys()])
  const holdings: Holding[] = []
  for (const [chain, link] of links) {
    const lines = vaults.flatMap((vault): Line[] => {
      const own = vault.chain === chain ? assetsOf(link.rpc.chain) : []
      const booked = (asked.get(vault.legRef) ?? []).filter((asset) => asset.chain === chain)
      return unique([...own, ...booked]).map((asset) => ({ ...vault, asset, token: tokenOf(asset) }))
    })
    if (lines.length > 0) holdings.push(...(await readLines(link, parts, lines)))
  }
  return holdings
}

async function readLines(link: ForwarderLink, parts: ForwarderContext, lines: readonly Line[]): Promise<Holding[]> {
  const { chain } = link.rpc
  const block = await finalBlock(link, parts)
  // Far behind, blocks are not kept one by one: the comparison waits until the watcher has caught up.
  if (block === null) return []
  const pairs = lines.map(({ vault, token }) => ({ address: vault, token }))
  const balances = await readPairsOfEach(link.rpc, parts, pairs, block.hash)
  const at = { chain: chain.id, vaults: [...new Set(lines.map((line) => line.vault))], height: block.height }
  const { moving, arrivals, known } = await withTx(parts.sql, async (tx) => {
    const stays = (await findBlock(tx, chain.id, block.height))?.hash === block.hash
    const moving = stays ? await listVaultsInMotion(tx, at) : new Set(at.vaults)
    const arrivals = await listArrivalsAbove(tx, at)
    const known = new Map<string, bigint>()
    for (const [token, some] of Map.groupBy(arrivals, (one) => one.token)) {
      const vaults = some.filter(({ undated }) => undated > 0n).map(({ vault }) => vault)
      if (vaults.length === 0) continue
      const expected = await expectedBalances(tx, { ...at, token: token as Address | null, vaults })
      for (const vault of vaults) known.set(`${vault} ${token}`, expected.get(vault) ?? 0n)
    }
    return { moving, arrivals, known }
  })
  const since = new Map(arrivals.map((arrival) => [`${arrival.vault} ${arrival.token}`, arrival]))
  return lines.flatMap(({ legRef, vault, asset, token }, n): Holding[] => {
    const balance = balances[n] ?? null
    if (balance === null || moving.has(vault)) return []
    const key = `${vault} ${token}`
    const { logged = 0n, undated = 0n } = since.get(key) ?? {}
    const amount = balance + logged + notYetIn(balance, { known: known.get(key) ?? 0n, undated })
    return [{ legRef, asset, amount, height: block.height }]
  })
}

/** How much of what higher blocks showed had not arrived at this one: as much as its balance lacks. */
function notYetIn(balance: bigint, { known, undated }: { known: bigint; undated: bigint }): bigint {
  const missing = known + undated - balance
  if (missing <= 0n) return 0n
  return missing < undated ? missing : undated
}

/** By the rule of ordinary orders: what is large and not final yet is in motion. Nodes keep old balances only for a while. */
async function finalBlock({ rpc }: ForwarderLink, { sql }: ForwarderContext): Promise<BlockHead | null> {
  const cursor = await findCursor(sql, rpc.chain.id, 'seen')
  if (cursor === null) return null
  const tagged = await readFinalized(rpc.client, rpc.chain)
  const { normal } = finalHeights(rpc.chain, { head: cursor.height, tagged: tagged?.height ?? null })
  return findBlock(sql, rpc.chain.id, normal < cursor.height ? normal : cursor.height)
}

const assetsOf = (chain: ForwarderChain): AssetRef[] => [
  ...[...chain.tokens, ...chain.otherTokens].map(({ asset, contract, decimals }) => ({
    ...{ chain: chain.id, asset, decimals },
    contract: getAddress(contract),
  })),
  { chain: chain.id, asset: chain.nativeAsset, contract: null, decimals: 18 },
]

const tokenOf = ({ contract }: AssetRef): Address | null =>
  contract === null ? null : (contract.toLowerCase() as Address)

const unique = (assets: readonly AssetRef[]): AssetRef[] => [
  ...new Map(assets.map((asset) => [tokenOf(asset), asset])).values(),
]
