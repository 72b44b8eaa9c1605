// What the relay asks a node: the chain tip, balances, whether a call would succeed, and to broadcast a transaction. A
// revert is an answer here, not an error; only a node that does not answer throws.
import { decodeFailure, type Failure } from '@florin/contracts'
import { firstLine } from '@florin/rail-kit/first-line'
import { type Address, BaseError, erc20Abi, type Hex, type PublicClient } from 'viem'
import { finalHeights, readFinalized } from '../node/finality.ts'
import type { ForwarderChain } from '../settings/config.ts'
import { readSendAnswer, type SendAnswer } from './answers.ts'
import { hexOf } from './calls.ts'

export interface Head {
  height: bigint
  time: Date
  baseFee: bigint
  /** What all transactions of a block may use together. */
  gasLimit: bigint
  /** Up to here nothing leaves the chain any more, by its strictest rule. */
  final: bigint
}

export async function readHead(client: PublicClient, chain: ForwarderChain): Promise<Head> {
  const [block, finalized] = await Promise.all([
    client.getBlock({ blockTag: 'latest', includeTransactions: false }),
    readFinalized(client, chain),
  ])
  const { normal, large } = finalHeights(chain, { head: block.number, tagged: finalized?.height ?? null })
  return {
    ...{ height: block.number, time: new Date(Number(block.timestamp) * 1000), baseFee: block.baseFeePerGas ?? 0n },
    gasLimit: block.gasLimit,
    final: normal < large ? normal : large,
  }
}

export interface Call {
  from: string
  to: string
  data: Hex
}

export type CallOutcome = { ok: true; data: Hex } | { ok: false; failure: Failure }

/** Simulates a call on the newest block. */
export async function simulate(client: PublicClient, call: Call): Promise<CallOutcome> {
  try {
    const params = [{ from: hexOf(call.from), to: hexOf(call.to), data: call.data }, 'latest'] as const
    return { ok: true, data: await client.request({ method: 'eth_call', params: [...params] }) }
  } catch (error) {
    return { ok: false, failure: failureOf(error) }
  }
}

/** Adds a fifth: state changes between the estimate and the block. Unused gas is not paid. */
export async function estimateGas(client: PublicClient, call: Call): Promise<bigint> {
  const used = await client.estimateGas({ account: hexOf(call.from), to: hexOf(call.to), data: call.data })
  return used + used / 5n
}

/** An address's balance at a height or now, whichever is lower: confirmed, and not spent since. */
export async function confirmedBalance(
  client: PublicClient,
  a: { vault: string; token: string | null; height: bigint },
): Promise<bigint> {
  const read = (blockNumber: bigint | null): Promise<bigint> => {
    const at = blockNumber === null ? { blockTag: 'latest' as const } : { blockNumber }
    const vault: Address = hexOf(a.vault)
    if (a.token === null) return client.getBalance({ address: vault, ...at })
    return client.readContract({
      address: hexOf(a.token),
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [vault],
      ...at,
    })
  }
  const [then, now] = await Promise.all([read(a.height), read(null)])
  return then < now ? then : now
}

export async function sendRaw(client: PublicClient, raw: string): Promise<{ answer: SendAnswer; message: string }> {
  try {
    await client.request({ method: 'eth_sendRawTransaction', params: [hexOf(raw)] })
    return { answer: 'accepted', message: '' }
  } catch (error) {
    const message = detailsOf(error)
    return { answer: readSendAnswer(message), message }
  }
}

/** A failure as it is shown to people: the Solidity name, and the token's own message where it gave one. */
const WORDS_MAX = 300

export function describeFailure(failure: Failure): string {
  // A receiver's contract chooses its words, and they go into rows, mails and terminals.
  const words = failure.words?.replace(/\p{C}+/gu, ' ').slice(0, WORDS_MAX) ?? null
  return words === null ? failure.error : `${failure.error}: ${words}`
}

function failureOf(error: unknown): Failure {
  if (error instanceof BaseError) {
    const source = error.walk((cause) => revertDataOf(cause) !== null)
    const data = source === null ? null : revertDataOf(source)
    if (data !== null) return decodeFailure(data)
    if (/revert/i.test(error.message)) return { error: 'Reverted', args: [], words: detailsOf(error) }
  }
  throw error
}

function revertDataOf(cause: unknown): Hex | null {
  if (typeof cause !== 'object' || cause === null || !('data' in cause)) return null
  const data = cause.data
  const text = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return typeof text === 'string' && /^0x[0-9a-f]*$/i.test(text) ? hexOf(text) : null
}

/** The node's own message: viem puts it behind its own. */
function detailsOf(error: unknown): string {
  return error instanceof BaseError && error.details !== '' ? error.details.slice(0, 200) : firstLine(error)
}
