// Which nodes look at addresses of swaps: those of this rail's settings, and those that other rails have for the same chains.
import { SECOND_MS } from '@florin/protocol'
import { type AskNode, nodeAt } from '../node/ask.ts'
import type { IntentsSettings, ProofNode } from '../settings/config.ts'
import { evmLook } from './evm.ts'
import type { Look } from './look.ts'
import type { SightNode } from './sight.ts'

/** For one call: what is late is asked of the next node. */
const CALL_MS = 10 * SECOND_MS

/** @returns none where the list of swaps tells of every deposit. */
export function sightNodes(
  settings: Pick<IntentsSettings, 'nodes' | 'sight' | 'feed' | 'timeoutMs'>,
  others: readonly ProofNode[],
): SightNode[] {
  if (!settings.sight || settings.feed !== null) return []
  const timeoutMs = Math.min(settings.timeoutMs, CALL_MS)
  const found: SightNode[] = []
  for (const { chain, kind, url } of unique([...settings.nodes, ...others])) {
    const look = lookOf(kind, chain, (stop) => nodeAt(url, { timeoutMs, stop }))
    if (look === null) continue
    // Its address often holds a key: only the host is shown.
    const { host } = new URL(url)
    const before = found.filter((one) => one.chain === chain && one.name.startsWith(host)).length
    found.push({ chain, name: before === 0 ? host : `${host} (${before + 1})`, look })
  }
  return found
}

function lookOf(kind: ProofNode['kind'], chain: string, node: (stop: AbortSignal) => AskNode): Look | null {
  return kind === 'evm' ? evmLook(node, chain) : null
}

const unique = (nodes: readonly ProofNode[]): ProofNode[] => [
  ...new Map(nodes.map((node) => [`${node.chain} ${node.url}`, node])).values(),
]
