// When a block is final: by the node's own tag, by depth, or by whichever comes first. Pure but for the one question to
// the node. The `safe` tag is not used: what providers mean by it has changed and stays unclear.
import type { PublicClient } from 'viem'
import type { ForwarderChain } from '../settings/config.ts'
import type { FinalityRule } from '../settings/defaults.ts'
import { type BlockHead, readHead } from './blocks.ts'

/** Heights up to which everything is final, for an order of each size; below zero: none yet. */
export interface FinalHeights {
  normal: bigint
  large: bigint
}

const NOTHING = -1n

function finalHeight(rule: FinalityRule, head: bigint, tagged: bigint | null): bigint {
  const byDepth = rule.depth === null ? NOTHING : head - BigInt(rule.depth - 1)
  const byTag = rule.tag === null || tagged === null ? NOTHING : tagged
  return byDepth > byTag ? byDepth : byTag
}

/** @param a.tagged the node's finalized height, or null where it is not known. */
export function finalHeights(
  chain: Pick<ForwarderChain, 'finality' | 'large'>,
  a: { head: bigint; tagged: bigint | null },
): FinalHeights {
  const normal = finalHeight(chain.finality, a.head, a.tagged)
  return { normal, large: chain.large === null ? normal : finalHeight(chain.large.finality, a.head, a.tagged) }
}

export const usesTag = ({ finality, large }: Pick<ForwarderChain, 'finality' | 'large'>): boolean =>
  finality.tag !== null || (large !== null && large.finality.tag !== null)

/**
 * The newest block that the node calls final; null where the chain's rule does not ask for it, or the node has none.
 */
export async function readFinalized(client: PublicClient, chain: ForwarderChain): Promise<BlockHead | null> {
  return usesTag(chain) ? readHead(client, 'finalized') : null
}

export const isLargeOrder = (chain: ForwarderChain, amountUsdMicros: bigint): boolean =>
  chain.large !== null && amountUsdMicros >= chain.large.fromMicros

/** How deep a payment must be to count. */
export const depthOf = (chain: ForwarderChain, isLarge: boolean): number =>
  isLarge && chain.large !== null ? chain.large.settle : chain.confirmations.settle

/** How much deeper than others a large order's payment must be. */
export const extraDepth = (chain: ForwarderChain): bigint => BigInt(depthOf(chain, true) - depthOf(chain, false))
