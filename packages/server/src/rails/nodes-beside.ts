// Which nodes see deposits of swaps beside those that the rail of swaps has for EVM chains and Solana: those of the rails that
// watch the same chains themselves, and whoever tells blocks of Bitcoin and Litecoin whole.
import { SECOND_MS } from '@florin/protocol'
import type { ForwarderChain } from './forwarder/settings/config.ts'
import type { IntentsContext } from './intents/context.ts'
import type { IntentsSettings } from './intents/settings/config.ts'
import { outputsAt, outputsOf } from './utxo/outputs.ts'
import type { UtxoChain } from './utxo/settings/config.ts'

/** For a whole block of some megabytes. */
const BLOCK_MS = 10 * SECOND_MS

export function nodesBeside(
  { mode, nodes, timeoutMs }: IntentsSettings,
  { chains, coins }: { chains: readonly ForwarderChain[]; coins: readonly UtxoChain[] },
): Pick<IntentsContext, 'otherNodes' | 'blocks'> {
  const withinMs = Math.min(timeoutMs, BLOCK_MS)
  const own = coins.filter((coin) => coin.mode === mode)
  const known = new Set(own.flatMap((coin) => coin.hosts.map(({ url }) => url)))
  const hosts = nodes.filter(({ kind, url }) => kind === 'esplora' && !known.has(url))
  return {
    otherNodes: chains
      .filter((chain) => chain.mode === mode)
      .flatMap(({ id, rpc }) => rpc.map(({ url }) => ({ chain: id, kind: 'evm' as const, url }))),
    blocks: [
      ...hosts.map(({ chain, url }) => outputsAt(chain, { name: new URL(url).host, url }, withinMs)),
      ...own.flatMap((coin) => outputsOf(coin, withinMs)),
    ],
  }
}
