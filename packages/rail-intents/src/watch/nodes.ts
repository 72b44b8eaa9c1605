// What a public node says that a transaction paid to an address, transfer by transfer: EVM chains, Solana, and hosts with
// Esplora's interface. Each is believed only as a second voice beside the provider's own.
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { TRANSFER } from '@florin/rail-kit/transfer-log'
import { type AskNode, isObject, type Json, listOf, NodeAway, nodeAt, rpc } from '../node/ask.ts'
import type { ProofNode } from '../settings/config.ts'

/**
 * Blocks, the transaction's own included, from which on a payout counts, as for payments on these chains
 * (docs/rails.md). Chains that finalize by themselves say so.
 */
const depths: Readonly<Record<string, number>> = { eth: 4, base: 5, op: 5, bsc: 15, pol: 128, avax: 1, btc: 2, ltc: 6 }
const DEPTH = 20

/** One log, one output or one change of a balance, as they are named where rails here read the chain themselves. */
export interface Moved {
  key: string
  /** Smallest units. */
  amount: bigint
  /** Lower case; null: the chain names no sender. */
  from: string | null
}

/** `kept`: what the address has more after the transaction. What it sent itself, or on, it did not get. */
export interface Brought {
  transfers: Moved[]
  kept: bigint
}

/**
 * `unseen`: not in a block yet, or in one that is not deep enough; `too_old`: in one from before the swap was made, so it pays for
 * something else; `cannot_say`: this node shows no such transfers.
 */
export type Transfers = (a: {
  asset: AssetRef
  txHash: string
  to: string
  notBefore: Date
}) => Promise<Brought | 'unseen' | 'too_old' | 'cannot_say'>

const NOTHING: Brought = { transfers: [], kept: 0n }

/** Of a block, in seconds. @returns null: it is late enough */
function outOfTime(seconds: unknown, notBefore: Date): 'unseen' | 'too_old' | null {
  const s = typeof seconds === 'string' && /^0x[0-9a-f]{1,12}$/i.test(seconds) ? Number(seconds) : seconds
  if (typeof s !== 'number' || !Number.isFinite(s)) return 'unseen'
  return s * 1000 < notBefore.getTime() ? 'too_old' : null
}
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n)
const sumOf = (moved: readonly { amount: bigint }[]): bigint => sum(moved.map(({ amount }) => amount))

const keyOf = (asset: AssetRef, txHash: string, place: string | number): string => `${asset.chain}:${txHash}:${place}`

export function transfersOf(node: ProofNode, timeoutMs: number): Transfers {
  const ask = nodeAt(node.url, timeoutMs)
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
    checkIsOf(txHash.toLowerCase(), String(receipt.transactionHash).toLowerCase())
    if (receipt.status !== '0x1') return NOTHING
    const [block, head] = [
      await rpc(ask, 'eth_getBlockByNumber', [receipt.blockNumber, false]),
      await rpc(ask, 'eth_getBlockByNumber', ['latest', false]),
    ]
    if (!isDeep(isObject(head) ? head.number : null, receipt.blockNumber, depth)) return 'unseen'
    const out = outOfTime(isObject(block) ? block.timestamp : null, notBefore)
    if (out !== null) return out
    const own = to.slice(-40).toLowerCase()
    const logs = listOf(receipt.logs).flatMap((log, n) => {
      const topics = Array.isArray(log.topics) ? log.topics.map(String) : []
      if (String(log.address).toLowerCase() !== asset.contract?.toLowerCase() || topics[0] !== TRANSFER) return []
      const [from = '', into = ''] = topics.slice(1).map((topic) => topic.slice(-40).toLowerCase())
      const data = String(log.data)
      const amount = /^0x[0-9a-f]{1,64}$/i.test(data) ? BigInt(data) : 0n
      const index = heightOf(log.logIndex)
      const key = keyOf(asset, txHash.toLowerCase(), Number.isNaN(index) ? n : index)
      return [{ key, amount, from: `0x${from}`, isIn: into === own, isOut: from === own }]
    })
    const [came, left] = [logs.filter((log) => log.isIn), logs.filter((log) => log.isOut)]
    return {
      transfers: came.map(({ key, amount, from }) => ({ key, amount, from })),
      kept: sumOf(came) - sumOf(left),
    }
  }
}

/** One transaction under several names would prove several payouts. @throws NodeAway */
function checkIsOf(asked: string, told: unknown): void {
  if (told !== asked) throw new NodeAway('it answered about another transaction')
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
    const inner = isObject(transaction.transaction) ? transaction.transaction : {}
    checkIsOf(txHash, Array.isArray(inner.signatures) ? inner.signatures[0] : null)
    const out = outOfTime(transaction.blockTime, notBefore)
    if (out !== null) return out
    const meta = isObject(transaction.meta) ? transaction.meta : {}
    if (meta.err !== null && meta.err !== undefined) return NOTHING
    const message = isObject(inner.message) ? inner.message : {}
    const names = Array.isArray(message.accountKeys) ? message.accountKeys : []
    const keys = names.map((name) => String(isObject(name) ? name.pubkey : name))
    const { accounts, grew } =
      asset.contract === null ? lamports(keys, meta, to) : tokens(keys, meta, asset.contract, to)
    const told = [
      ...listOf(message.instructions),
      ...listOf(meta.innerInstructions).flatMap((one) => listOf(one.instructions)),
    ]
    const sent = told.flatMap((instruction) => amountInto(accounts, instruction))
    // What the instructions do not explain is one change of the balance.
    const amounts = sum(sent) === grew ? sent : [grew]
    const isOne = amounts.length === 1
    return {
      kept: grew,
      transfers: amounts.map((amount, n) => ({
        key: keyOf(asset, txHash, isOne ? to : `${to}:${n}`),
        amount,
        from: null,
      })),
    }
  }
}

/** What an address has of a coin, where, and by how much it grew. */
interface Held {
  accounts: ReadonlySet<string>
  grew: bigint
}

function lamports(keys: readonly string[], meta: Json, to: string): Held {
  const at = keys.indexOf(to)
  const of = (list: unknown): bigint => (Array.isArray(list) && Number.isSafeInteger(list[at]) ? BigInt(list[at]) : 0n)
  return { accounts: new Set([to]), grew: at === -1 ? 0n : of(meta.postBalances) - of(meta.preBalances) }
}

function tokens(keys: readonly string[], meta: Json, mint: string, owner: string): Held {
  const own = (list: unknown): Json[] => listOf(list).filter((row) => row.mint === mint && row.owner === owner)
  const held = (list: unknown): bigint =>
    sum(own(list).map(({ uiTokenAmount }) => digits(isObject(uiTokenAmount) ? uiTokenAmount.amount : null)))
  return {
    accounts: new Set(own(meta.postTokenBalances).map((row) => keys[Number(row.accountIndex)] ?? '')),
    grew: held(meta.postTokenBalances) - held(meta.preTokenBalances),
  }
}

/** Of a transfer of coins or tokens, as nodes tell those that they know. */
function amountInto(accounts: ReadonlySet<string>, { parsed }: Json): bigint[] {
  const { type, info } = isObject(parsed) ? parsed : {}
  if (!/^transfer/i.test(String(type)) || !isObject(info) || !accounts.has(String(info.destination))) return []
  const { lamports: coins, amount, tokenAmount } = info
  if (Number.isSafeInteger(coins)) return [BigInt(coins as number)]
  return [digits(isObject(tokenAmount) ? tokenAmount.amount : amount)]
}

const digits = (value: unknown): bigint => (/^\d{1,40}$/.test(String(value)) ? BigInt(String(value)) : 0n)

function esplora(ask: AskNode, depth: number): Transfers {
  return async ({ asset, txHash, to, notBefore }) => {
    if (!/^[0-9a-f]{64}$/i.test(txHash)) return 'unseen'
    const transaction = await ask(`/tx/${txHash.toLowerCase()}`)
    if (!isObject(transaction) || !isObject(transaction.status) || transaction.status.confirmed !== true)
      return 'unseen'
    checkIsOf(txHash.toLowerCase(), transaction.txid)
    const head = await ask('/blocks/tip/height')
    if (typeof head !== 'number' || !(head - Number(transaction.status.block_height) + 1 >= depth)) return 'unseen'
    const out = outOfTime(transaction.status.block_time, notBefore)
    if (out !== null) return out
    const own = (outputs: readonly Json[]): Moved[] =>
      outputs.flatMap(({ scriptpubkey_address: address, value }, n) =>
        address === to && Number.isSafeInteger(value)
          ? [{ key: keyOf(asset, txHash.toLowerCase(), n), amount: BigInt(value as number), from: null }]
          : [],
      )
    const spent = listOf(transaction.vin).flatMap(({ prevout }) => (isObject(prevout) ? [prevout] : []))
    const transfers = own(listOf(transaction.vout))
    return { transfers, kept: sumOf(transfers) - sumOf(own(spent)) }
  }
}
