// Which nodes look at addresses of swaps: those of this rail's settings, and those that other rails have for the same chains.
import { SECOND_MS } from '@florin/protocol'
import type { BlockOutputs } from '../../interface/blocks.ts'
import { type AskNode, nodeAt } from '../node/ask.ts'
import type { IntentsSettings, ProofNode } from '../settings/config.ts'
import { blocksLook } from './blocks.ts'
import { evmLook } from './evm.ts'
import type { Look } from './look.ts'
import type { SightNode } from './sight.ts'
import { solanaLook } from './solana.ts'

/** For one call: what is late is asked of the next node. */
const CALL_MS = 10 * SECOND_MS

/**
 * @param others nodes that other rails have, and @param blocks those of them that tell blocks whole
 * @returns none where the list of swaps tells of every deposit.
 */
export function sightNodes(
  settings: Pick<IntentsSettings, 'nodes' | 'sight' | 'feed' | 'timeoutMs'>,
  { others, blocks }: { others: readonly ProofNode[]; blocks: readonly BlockOutputs[] },
): SightNode[] {
  if (!settings.sight || settings.feed !== null) return []
  const timeoutMs = Math.min(settings.timeoutMs, CALL_MS)
  const found: SightNode[] = []
  const add = (chain: string, host: string, look: Look): void => {
    const before = found.filter((one) => one.chain === chain && one.name.startsWith(host)).length
    found.push({ chain, name: before === 0 ? host : `${host} (${before + 1})`, look })
  }
  for (const { chain, kind, url } of unique([...settings.nodes, ...others])) {
    const node = (stop: AbortSignal): AskNode => nodeAt(url, { timeoutMs, stop })
    // Its address often holds a key: only the host is shown.
    const { host } = new URL(url)
    if (kind === 'evm') add(chain, host, evmLook(node, chain))
    if (kind === 'solana') add(chain, host, solanaLook(node))
  }
  for (const source of blocks) add(source.chain, source.name, blocksLook(source))
  return found
}

const unique = (nodes: readonly ProofNode[]): ProofNode[] => [
  ...new Map(nodes.map((node) => [`${node.chain} ${node.url}`, node])).values(),
]
