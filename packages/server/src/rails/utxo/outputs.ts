// Whom blocks pay, for other rails: a source of this rail's, and its reading of blocks.
import type { BlockOutputs } from '../interface/blocks.ts'
import { readBlock } from './chain/block.ts'
import { networkOf } from './chain/networks.ts'
import { scriptOf } from './chain/script.ts'
import { blockHost } from './node/hosts.ts'
import { type BlockSource, ownNode } from './node/view.ts'
import type { HostSettings, UtxoChain } from './settings/config.ts'

/** Of a chain that is set up here: its node and hosts. */
export function outputsOf({ id, node, hosts, network }: UtxoChain, timeoutMs: number): BlockOutputs[] {
  const sources = [
    ...(node === null ? [] : [ownNode(node, network, { timeoutMs })]),
    ...hosts.map((host) => blockHost(host, { timeoutMs })),
  ]
  return sources.map((source) => outputsBy(id, source))
}

export const outputsAt = (chain: string, host: HostSettings, timeoutMs: number): BlockOutputs =>
  outputsBy(chain, blockHost(host, { timeoutMs }))

function outputsBy(chain: string, source: BlockSource): BlockOutputs {
  // Addresses are those of the main network, whatever the blocks are of: scripts are the same.
  const main = networkOf(chain, 'main')
  return {
    ...{ chain, name: source.name },
    tip: async () => (await source.tip()).height,
    hashAt: (height) => source.hashAt(height),
    async paid(hash, addresses) {
      if (main === null) return []
      const byScript = new Map(addresses.map((address) => [scriptOf(main, address), address]))
      byScript.delete(null)
      const raw = await source.block(hash)
      const found: { address: string; tx: number }[] = []
      const block = readBlock(raw, {
        input: () => undefined,
        output({ tx }, _amountAt, scriptAt, length) {
          // No address stands for a longer one.
          const address =
            length > SCRIPT_MAX ? undefined : byScript.get(raw.toString('hex', scriptAt, scriptAt + length))
          if (address !== undefined) found.push({ address, tx })
        },
      })
      return found.map(({ address, tx }) => ({ address, txHash: block.txids(tx) }))
    },
  }
}

const SCRIPT_MAX = 34
