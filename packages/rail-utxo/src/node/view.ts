// What the rail asks of a chain: its tip, headers, whole blocks. A node of one's own is believed about which branch is
// the best; hosts are believed nothing.

import { type Header, readHeader } from '../chain/block.ts'
import type { Network } from '../chain/networks.ts'
import type { NodeSettings } from '../settings/config.ts'
import { HostFailed } from './http.ts'
import { NodeRefused, type NodeRpc, nodeRpc } from './rpc.ts'

export interface Tip {
  hash: string
  height: number
}

export interface BlockSource {
  readonly name: string
  /** Work and difficulty need no check of ours. */
  readonly isOwn: boolean
  tip(): Promise<Tip>
  /** null: there is no such block yet. */
  hashAt(height: number): Promise<string | null>
  header(hash: string): Promise<Header>
  /** As it was told: to be checked. @throws BlockPruned */
  block(hash: string): Promise<Buffer>
}

/** The node had the block and no longer keeps it. */
export class BlockPruned extends Error {}

/** Its genesis block is another chain's. */
export class WrongChain extends Error {}

export interface OwnNode extends BlockSource {
  readonly rpc: NodeRpc
}

const NOT_FOUND = -8
const MISC = -1

export function ownNode(node: NodeSettings, network: Network, a: { timeoutMs: number }): OwnNode {
  const rpc = nodeRpc(node, a)
  let checked = false

  /** @throws WrongChain */
  async function check(): Promise<void> {
    if (checked) return
    const genesis = await rpc.call<string>('getblockhash', 0)
    if (genesis !== network.genesis)
      throw new WrongChain(`${node.name}: it is on another network than ${network.chain} ${network.name}`)
    checked = true
  }

  return {
    rpc,
    name: node.name,
    isOwn: true,
    async tip() {
      await check()
      const info = await rpc.call<{ blocks: number; bestblockhash: string; initialblockdownload: boolean }>(
        'getblockchaininfo',
      )
      if (info.initialblockdownload && network.floorBits !== null)
        throw new HostFailed(`${node.name}: it is still downloading the chain (block ${info.blocks})`)
      return { hash: info.bestblockhash, height: info.blocks }
    },
    async hashAt(height) {
      try {
        return await rpc.call<string>('getblockhash', height)
      } catch (error) {
        if (error instanceof NodeRefused && error.code === NOT_FOUND) return null
        throw error
      }
    },
    header: async (hash) => readHeader(Buffer.from(await rpc.call<string>('getblockheader', hash, false), 'hex')),
    async block(hash) {
      try {
        return Buffer.from(await rpc.call<string>('getblock', hash, 0), 'hex')
      } catch (error) {
        if (error instanceof NodeRefused && error.code === MISC && /pruned/i.test(error.message))
          throw new BlockPruned(`${node.name}: it has pruned block ${hash}`)
        throw error
      }
    },
  }
}

/** Where a chain is read from. */
export interface Sources {
  node: OwnNode | null
  hosts: readonly BlockSource[]
}
