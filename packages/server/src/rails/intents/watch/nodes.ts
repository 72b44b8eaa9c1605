// What a public node says that a transaction paid to an address: EVM chains, Solana, and hosts with Esplora's interface. Each
// is believed only as a second voice beside the provider's own.
import type { AssetRef } from '../../interface/asset.ts'
import { TRANSFER } from '../../transfer-log.ts'
import { type AskNode, isObject, type Json, listOf, nodeAt, rpc } from '../node/ask.ts'
import type { ProofNode } from '../settings/config.ts'

/**
 * Blocks, the transaction's own included, from which on a payout counts, as for payments on these chains
 * (docs/rails.md). Chains that finalize by themselves say so.
 */
const depths: Readonly<Record<string, number>> = { eth: 4, base: 5, op: 5, bsc: 15, pol: 128, avax: 1, btc: 2, ltc: 6 }
const DEPTH = 20

/**
 * The sum in smallest units; `unseen`: not in a block yet, or in one that is not deep enough; `too_old`: in one from before the swap was made, so it pays for
 * something else; `cannot_say`: this node shows no such transfers.
 */
export type Transfers = (a: {
  asset: AssetRef
  txHash: string
  to: string
  notBefore: Date
}) => Promise<bigint | 'unseen' | 'too_old' | 'cannot_say'>

/** Of a block, in seconds. @returns null: it is late enough */
function outOfTime(seconds: unknown, notBefore: Date): 'unseen' | 'too_old' | null {
  const s = typeof seconds === 'string' && /^0x[0-9a-f]{1,12}$/i.test(seconds) ? Number(seconds) : seconds
  if (typeof s !== 'number' || !Number.isFinite(s)) return 'unseen'
  return s * 1000 < notBefore.getTime() ? 'too_old' : null
}
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n)

/** What the address has more after it: what it sent itself, or on, it did not get. */
const kept = (grew: bigint): bigint => (grew > 0n ? grew : 0n)

export function transfersOf(node: ProofNode, timeoutMs: number): Transfers {
  const ask = nodeAt(node.url, { timeoutMs })
  switch (node.kind) {
    case 'evm':
      return evm(ask, depths[node.chain] ?? DEPTH)
    case 'solana':
      return solana(ask)
    case 'esplora':
      return esplora(ask, depths[node.chain] ?? DEPTH)
  }
}

function evm(ask: AskNode, depth: number): Transfers {
  return async ({ asset, txHash, to, notBefore }) => {
    if (!/^0x[0-9a-f]{64}$/i.test(txHash)) return 'unseen'
    // Coins may come from inside a contract, which a receipt does not show.
    if (asset.contract === null) return 'cannot_say'
    const receipt = await rpc(ask, 'eth_getTransactionReceipt', [txHash])
    if (!isObject(receipt)) return 'unseen'
    if (receipt.status !== '0x1') return 0n
    const [block, head] = [
      await rpc(ask, 'eth_getBlockByNumber', [receipt.blockNumber, false]),
      await rpc(ask, 'eth_getBlockByNumber', ['latest', false]),
    ]
    if (!isDeep(isObject(head) ? head.number : null, receipt.blockNumber, depth)) return 'unseen'
    const out = outOfTime(isObject(block) ? block.timestamp : null, notBefore)
    if (out !== null) return out
    const own = to.slice(-40).toLowerCase()
    const moved = listOf(receipt.logs).map((log) => {
      const topics = Array.isArray(log.topics) ? log.topics.map(String) : []
      if (String(log.address).toLowerCase() !== asset.contract?.toLowerCase() || topics[0] !== TRANSFER) return 0n
      const [from, into] = topics.slice(1).map((topic) => topic.slice(-40).toLowerCase() === own)
      const data = String(log.data)
      const amount = /^0x[0-9a-f]{1,64}$/i.test(data) ? BigInt(data) : 0n
      return (into === true ? amount : 0n) - (from === true ? amount : 0n)
    })
    return kept(sum(moved))
  }
}

const heightOf = (height: unknown): number =>
  typeof height === 'string' && /^0x[0-9a-f]{1,12}$/i.test(height) ? Number(height) : Number.NaN

/** @param head and @param at as the node writes them; what is no number is not deep. */
const isDeep = (head: unknown, at: unknown, depth: number): boolean => heightOf(head) - heightOf(at) + 1 >= depth

function solana(ask: AskNode): Transfers {
  return async ({ asset, txHash, to, notBefore }) => {
    const options = { commitment: 'finalized', encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }
    const transaction = await rpc(ask, 'getTransaction', [txHash, options])
    if (!isObject(transaction)) return 'unseen'
    const out = outOfTime(transaction.blockTime, notBefore)
    if (out !== null) return out
    const meta = isObject(transaction.meta) ? transaction.meta : {}
    if (meta.err !== null && meta.err !== undefined) return 0n
    return asset.contract === null ? lamports(transaction, meta, to) : tokens(meta, asset.contract, to)
  }
}

function lamports(transaction: Json, meta: Json, to: string): bigint {
  const inner = isObject(transaction.transaction) ? transaction.transaction : {}
  const message = isObject(inner.message) ? inner.message : {}
  const keys = Array.isArray(message.accountKeys) ? message.accountKeys : []
  const at = keys.findIndex((key) => (isObject(key) ? key.pubkey : key) === to)
  const of = (list: unknown): bigint => (Array.isArray(list) && Number.isSafeInteger(list[at]) ? BigInt(list[at]) : 0n)
  const grew = at === -1 ? 0n : of(meta.postBalances) - of(meta.preBalances)
  return kept(grew)
}

function tokens(meta: Json, mint: string, owner: string): bigint {
  const held = (list: unknown): bigint =>
    sum(
      listOf(list)
        .filter((row) => row.mint === mint && row.owner === owner)
        .map((row) => {
          const amount = isObject(row.uiTokenAmount) ? String(row.uiTokenAmount.amount) : ''
          return /^\d{1,40}$/.test(amount) ? BigInt(amount) : 0n
        }),
    )
  const grew = held(meta.postTokenBalances) - held(meta.preTokenBalances)
  return kept(grew)
}

function esplora(ask: AskNode, depth: number): Transfers {
  return async ({ txHash, to, notBefore }) => {
    if (!/^[0-9a-f]{64}$/i.test(txHash)) return 'unseen'
    const transaction = await ask(`/tx/${txHash.toLowerCase()}`)
    if (!isObject(transaction) || !isObject(transaction.status) || transaction.status.confirmed !== true)
      return 'unseen'
    const head = await ask('/blocks/tip/height')
    if (typeof head !== 'number' || !(head - Number(transaction.status.block_height) + 1 >= depth)) return 'unseen'
    const out = outOfTime(transaction.status.block_time, notBefore)
    if (out !== null) return out
    const ownIn = (outputs: readonly Json[]): bigint =>
      sum(
        outputs
          .filter((output) => output.scriptpubkey_address === to)
          .map(({ value }) => (Number.isSafeInteger(value) ? BigInt(value as number) : 0n)),
      )
    const spent = listOf(transaction.vin).flatMap(({ prevout }) => (isObject(prevout) ? [prevout] : []))
    return kept(ownIn(listOf(transaction.vout)) - ownIn(spent))
  }
}
