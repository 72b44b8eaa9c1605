// The nodes that were named, by the chain that each says it serves. Two of one chain are read at the same block and have to
// agree before anything is believed.
import {
  type Block,
  blockOf,
  chainIdOf,
  differenceOf,
  type Exit,
  type Hex,
  look,
  type Provider,
  type Sight,
} from '@florin/exit'
import { rpcProvider } from '@florin/exit/rpc'
import { Failure, UsageFailure } from '../failure.ts'

export type Node = ReturnType<typeof rpcProvider>
export type Nodes = ReadonlyMap<number, readonly [Node, ...Node[]]>

export async function openNodes(urls: readonly string[]): Promise<Nodes> {
  if (urls.length === 0) {
    throw new UsageFailure('--rpc is missing: the URL of a node of the chain, such as --rpc https://rpc.example/base.')
  }
  const nodes = new Map<number, [Node, ...Node[]]>()
  for (const url of urls) {
    const node = rpcProvider(url)
    const chainId = await chainIdOf(node)
    const others = nodes.get(chainId)
    if (others === undefined) nodes.set(chainId, [node])
    else others.push(node)
  }
  return nodes
}

/** The newest block that all of them have. @throws Failure where they have another one at that height. */
export async function commonBlock(nodes: readonly [Node, ...Node[]]): Promise<Block> {
  const heads = await Promise.all(nodes.map((node) => blockOf(node)))
  const lowest = heads.reduce((low, head) => (head.number < low.number ? head : low))
  const blocks = await Promise.all(nodes.map((node) => blockOf(node, lowest.number)))
  if (blocks.some((block) => block.hash !== lowest.hash)) {
    throw new Failure(
      `${hostsOf(nodes)} do not agree on block ${lowest.number}. Try again in a minute; then ask another node.`,
    )
  }
  return lowest
}

/** What all of them see. @throws Failure where they do not agree. */
export async function lookTogether(
  nodes: readonly [Node, ...Node[]],
  exit: Exit,
  a: { tokens: readonly Hex[]; block: Block; fault?: string | null },
): Promise<Sight> {
  const [first, ...others] = await Promise.all(nodes.map((node: Provider) => look(node, exit, a)))
  if (first === undefined) throw new Error('there is no node')
  for (const other of others) {
    const difference = differenceOf(first, other)
    if (difference !== null) throw new Failure(`${difference} (${hostsOf(nodes)})`)
  }
  return first
}

const hostsOf = (nodes: readonly Node[]): string => nodes.map(({ host }) => host).join(' and ')
