// Transfers that a merchant makes from an own wallet, verified on the chain: what two providers of different operators say,
// in a block that is final by the chain's rule; asset, recipient and amount compared.
import { payUri } from '@florin/chains'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import {
  BEFORE_IT_WAS_ASKED,
  CLOCKS_APART_MS,
  type OutsideSeen,
  type OutsideTransfer,
  type OutsideTransfers,
  type OutsideVerdict,
} from '@florin/rail-kit/interface/outside'
import { TRANSFER, topicOf } from '@florin/rail-kit/transfer-log'
import { encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import type { ForwarderLink } from './context.ts'
import { readHead } from './node/blocks.ts'
import { finalHeights, readFinalized } from './node/finality.ts'
import { matchTransfers, type RawLog } from './node/match.ts'
import { noQuorumIn } from './node/quorum.ts'
import type { ChainRpc } from './node/rpc.ts'

/** Blocks that one search covers. */
const SEARCHED_AT_ONCE = 500n
/** A search whose beginning nobody could tell looks this far back. */
const SEARCHED_BACK = 50n

export function outsideTransfers(links: ReadonlyMap<string, ForwarderLink>): OutsideTransfers {
  const find = ({ livemode, asset }: { livemode: boolean; asset: AssetRef }): Known | null => {
    const link = links.get(asset.chain)
    if (link === undefined || (link.rpc.chain.mode === 'live') !== livemode) return null
    const token = link.rpc.chain.tokens.find((one) => one.asset === asset.asset)
    if (token !== undefined) return { link, token: token.contract.toLowerCase(), decimals: token.decimals }
    return asset.asset === link.rpc.chain.nativeAsset ? { link, token: null, decimals: 18 } : null
  }
  const get = (a: { livemode: boolean; asset: AssetRef }): Known => {
    const known = find(a)
    if (known === null) throw new Error(`${a.asset.asset} on ${a.asset.chain} is not on this rail`)
    return known
  }
  return {
    sees: (a) => find(a) !== null,
    request(a) {
      const { link, token, decimals } = get(a)
      const { chainId } = link.rpc.chain
      const to = getAddress(a.to)
      const asset = { asset: a.asset.asset, contract: token === null ? null : getAddress(token), decimals }
      const uri = payUri({ chain: a.asset.chain, asset, address: to, amount: a.amount, evmChainId: chainId })
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, a.amount] })
      const transaction =
        token === null
          ? { chainId, to, data: '0x', value: a.amount }
          : { chainId, to: getAddress(token), data, value: 0n }
      return { uri, transaction }
    },
    async begin(a) {
      const { link } = get(a)
      // Nobody who may ask is kept from it by a provider that is away.
      const newest = await link.rpc.head().catch(() => null)
      return newest === null ? null : newest.height + 1n
    },
    async look(a) {
      const { link, token } = get(a)
      await link.verified()
      try {
        return await lookAt(link.rpc, token, a)
      } catch (error) {
        if (noQuorumIn(error) !== null) return { kind: 'waiting' }
        throw error
      }
    },
    async search(a) {
      const { link, token } = get(a)
      await link.verified()
      return searchFor(link.rpc, token, a)
    },
  }
}

interface Known {
  link: ForwarderLink
  /** null: the native coin. */
  token: string | null
  decimals: number
}

const keyOf = (chain: string, txHash: string, place: number | 'value'): string => `${chain}:${txHash}:${place}`

async function finalHeight({ chain, client, head }: ChainRpc): Promise<bigint> {
  const [newest, tagged] = await Promise.all([head(), readFinalized(client, chain)])
  return finalHeights(chain, { head: newest.height, tagged: tagged?.height ?? null }).normal
}

interface Receipt {
  blockNumber: string
  blockHash: string
  status: string
  logs: readonly RawLog[]
}

async function lookAt(
  rpc: ChainRpc,
  token: string | null,
  a: OutsideTransfer & { txHash: string },
): Promise<OutsideVerdict> {
  const txHash = a.txHash.toLowerCase() as Hex
  const receipt = (await rpc.client.request({
    ...{ method: 'eth_getTransactionReceipt', params: [txHash] },
  } as never)) as Receipt | null
  if (receipt === null) return { kind: 'waiting' }
  const height = BigInt(receipt.blockNumber)
  if (height > (await finalHeight(rpc))) return { kind: 'waiting' }
  const block = await readHead(rpc.client, height)
  if (block === null || block.hash !== receipt.blockHash.toLowerCase()) return { kind: 'waiting' }
  if (receipt.status !== '0x1') return { kind: 'other', why: 'The transaction failed on the chain: it moved nothing.' }
  if (block.time < a.notBefore) return { kind: 'other', why: 'The transaction is older than the order.' }
  if (a.asked != null && height < a.asked.fromHeight) return { kind: 'other', why: BEFORE_IT_WAS_ASKED }
  const { asset, chain } = a.asset
  const { transfers, others } =
    token === null ? await nativeIn(rpc, a, txHash) : tokenIn(receipt.logs, token, a, chain, txHash)
  const madeBy = new Date(block.time.getTime() + CLOCKS_APART_MS.usual)
  if (transfers.length > 0) return { kind: 'found', transfers: transfers.map((one) => ({ ...one, madeBy })) }
  return {
    kind: 'other',
    why:
      others.length === 0
        ? `The transaction moves no ${asset} to ${a.to}.`
        : `The transaction moves ${others.join(' and ')} smallest units of ${asset} to ${a.to}, not ${a.amount}.`,
  }
}

const isAsked = (a: OutsideTransfer, amount: bigint): boolean => amount >= a.amount && amount <= (a.atMost ?? a.amount)

interface Matches {
  transfers: OutsideSeen[]
  /** Other amounts of the asset to the recipient. */
  others: string[]
}

function tokenIn(logs: readonly RawLog[], token: string, a: OutsideTransfer, chain: string, txHash: string): Matches {
  const to = a.to.toLowerCase()
  // Anybody can make a contract that logs transfers; only the token's own are money.
  const own = logs.filter((log) => log.address.toLowerCase() === token && log.transactionHash.toLowerCase() === txHash)
  const all = matchTransfers(own, new Map([[to, to]]))
  const wanted = all.filter((one) => isAsked(a, one.amount))
  return {
    transfers: (a.isKept === true ? wanted.slice(0, keptOf(own, { to, all, amount: a.amount })) : wanted).map(
      ({ amount, ...one }) => ({
        ...{ txHash: one.txHash, key: keyOf(chain, one.txHash, one.logIndex), amount, from: one.from },
      }),
    ),
    others: all.filter((one) => !isAsked(a, one.amount)).map((one) => String(one.amount)),
  }
}

/** How many of so large a transfer stay at the address after what the same transaction took from it. */
function keptOf(
  logs: readonly RawLog[],
  a: { to: string; all: readonly { amount: bigint }[]; amount: bigint },
): number {
  const left = logs
    .filter(({ topics: [name, from] }) => name === TRANSFER && from?.toLowerCase() === topicOf(a.to))
    .reduce((sum, { data }) => sum + BigInt(data), 0n)
  const came = a.all.reduce((sum, { amount }) => sum + amount, 0n)
  return came > left ? Number((came - left) / a.amount) : 0
}

async function nativeIn(rpc: ChainRpc, a: OutsideTransfer, txHash: Hex): Promise<Matches> {
  const transaction = (await rpc.client.request({
    ...{ method: 'eth_getTransactionByHash', params: [txHash] },
  } as never)) as { to: string | null; from: string; value: string } | null
  if (transaction === null || transaction.to?.toLowerCase() !== a.to.toLowerCase()) return { transfers: [], others: [] }
  const value = BigInt(transaction.value)
  const seen = {
    txHash,
    key: keyOf(a.asset.chain, txHash, 'value'),
    amount: value,
    from: transaction.from.toLowerCase(),
  }
  const isOwn = a.isKept === true && seen.from === a.to.toLowerCase()
  return isAsked(a, value) && !isOwn ? { transfers: [seen], others: [] } : { transfers: [], others: [String(value)] }
}

/** The native coin leaves no log to look for: its transaction has to be named. */
async function searchFor(
  rpc: ChainRpc,
  token: string | null,
  a: OutsideTransfer & { from: string; after: bigint | null },
): Promise<{ found: OutsideSeen[]; upTo: bigint | null }> {
  if (token === null) return { found: [], upTo: a.after }
  const last = await finalHeight(rpc)
  const back = last > SEARCHED_BACK ? last - SEARCHED_BACK : 0n
  const first = a.after === null ? (a.asked?.fromHeight ?? back) : a.after + 1n
  if (first > last) return { found: [], upTo: a.after }
  const upTo = last - first >= SEARCHED_AT_ONCE ? first + SEARCHED_AT_ONCE - 1n : last
  const hex = (height: bigint): string => `0x${height.toString(16)}`
  const topics = [TRANSFER, topicOf(a.from.toLowerCase()), topicOf(a.to.toLowerCase())]
  const logs = (await rpc.client.request({
    method: 'eth_getLogs',
    params: [{ address: token, topics, fromBlock: hex(first), toBlock: hex(upTo) }],
  } as never)) as RawLog[]
  const to = a.to.toLowerCase()
  const own = logs.filter((log) => log.address.toLowerCase() === token)
  const fitting = matchTransfers(own, new Map([[to, to]])).filter(
    (one) => isAsked(a, one.amount) && one.from === a.from.toLowerCase() && one.height >= first && one.height <= upTo,
  )
  const found = fitting.map((one) => ({
    ...{ txHash: one.txHash, key: keyOf(a.asset.chain, one.txHash, one.logIndex), amount: one.amount, from: one.from },
  }))
  return { found, upTo }
}
