// One provider in an attacker's hands. It knows which addresses are worth lying about, and changes its lie when told.
import { payFactoryAbi } from '@florin/contracts'
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  keccak256,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { RawLog } from '../node/match.ts'
import type { Call, Lie } from './lying-node.fixture.ts'

export const lieModes = [
  ...([
    'truth',
    'invents',
    'omits',
    'freezes',
    'goes back',
    'other branch',
    'other chain',
    'contradicts receipts',
  ] as const),
  ...(['slow', 'endless'] as const),
]
export type LieMode = (typeof lieModes)[number]

/** An address that was not paid, or whose money was not settled. */
export interface Victim {
  vault: Address
  /** What its address is bound to; anybody may read it. */
  ref: Hex
  token: Address
  merchant: Address
  amount: bigint
}

export interface Liar {
  lie: Lie
  mode: LieMode
  /** Whom it says payments came for, and settlements went out of. */
  victims: Victim[]
  factory: Address
}

const uint = { type: 'uint256' } as const
const BALANCE_OF = '0x70a08231'
/** Further than any reorg that is followed. */
const BACK = 40

/** @param factory in lower case. */
export function aLiar(factory: Address): Liar {
  const heights = new Map<string, string>()
  const invented = new Map<string, RawLog[]>()
  const saidOf = new Set<Victim>()
  let frozenAt: number | null = null

  /** Its own lies of a block; each victim is lied about in one block. */
  function inventIn(blockHash: string): RawLog[] {
    const known = [...invented.values()].flat().filter((log) => log.blockHash === blockHash)
    if (known.length > 0) return known
    const blockNumber = heights.get(blockHash)
    if (blockNumber === undefined) return []
    return liar.victims
      .filter((victim) => !saidOf.has(victim))
      .flatMap((victim, n) => {
        saidOf.add(victim)
        const transactionHash = keccak256(toHex(`${blockHash} ${victim.vault}`))
        const at = { blockHash, blockNumber, transactionHash }
        const logs = logsOf(victim, factory).map((log, i) => ({ ...log, ...at, logIndex: toHex(500 + n * 4 + i) }))
        invented.set(transactionHash, logs)
        return logs
      })
  }

  function invents({ method, params }: Call): ReturnType<Lie> {
    const [first] = params
    if (method === 'eth_getLogs') {
      const { blockHash, address } = first as { blockHash?: string; address: string | string[] }
      const wanted = [address].flat().map((one) => one.toLowerCase())
      const lies = blockHash === undefined ? [] : inventIn(blockHash).filter((log) => wanted.includes(log.address))
      return { edit: (logs) => [...(logs as RawLog[]), ...lies] }
    }
    const logs = method === 'eth_getTransactionReceipt' ? invented.get(String(first)) : undefined
    if (logs !== undefined) {
      const [{ blockHash, blockNumber, transactionHash } = { blockHash: '', blockNumber: '', transactionHash: '' }] =
        logs
      return {
        result: { ...{ blockHash, blockNumber, transactionHash, logs }, status: '0x1', from: zeroAddress, to: factory },
      }
    }
    if (method === 'eth_call') {
      const { to, data } = first as { to?: string; data: string }
      const victim = liar.victims.find((one) => data === `${BALANCE_OF}${one.vault.slice(2).padStart(64, '0')}`)
      if (victim !== undefined && to?.toLowerCase() === victim.token)
        return { result: encodeAbiParameters([uint], [victim.amount]) }
    }
    return null
  }

  function omits({ method, params }: Call): ReturnType<Lie> {
    if (method === 'eth_getLogs') return { result: [] }
    if (method === 'eth_getTransactionReceipt') return { result: null }
    if (method === 'eth_call' && String((params[0] as { data?: string }).data).startsWith(BALANCE_OF))
      return { result: zeroHash }
    // The balances of many addresses at once.
    if (method === 'eth_call' && (params[0] as { to?: string }).to === undefined)
      return { edit: (words) => `0x${'0'.repeat(String(words).length - 2)}` }
    return null
  }

  function standsAt(height: (tip: number) => number): (call: Call) => ReturnType<Lie> {
    return ({ method, params }) => {
      if (method === 'eth_blockNumber') return { edit: (tip) => toHex(height(Number(tip))) }
      if (method !== 'eth_getBlockByNumber') return null
      // Only the tip is hidden: asked by number the node still tells what it has.
      return params[0] === 'latest' ? { edit: (block) => elsewhere(block as Record<string, string>, height) } : null
    }
  }

  const blockByHeight = new Map<number, unknown>()
  function elsewhere(tip: Record<string, string>, height: (tip: number) => number): unknown {
    return blockByHeight.get(height(Number(tip.number))) ?? tip
  }

  function otherBranch({ method }: Call): ReturnType<Lie> {
    if (method !== 'eth_getBlockByNumber') return null
    return { edit: (block) => (block === null ? null : onBranch(block as { hash: Hex; number: Hex })) }
  }

  const lies: Readonly<Record<LieMode, (call: Call) => ReturnType<Lie>>> = {
    truth: () => null,
    invents,
    omits,
    freezes: standsAt((tip) => {
      frozenAt ??= tip
      return frozenAt
    }),
    'goes back': standsAt((tip) => tip - BACK),
    'other branch': otherBranch,
    'other chain': (call) => (call.method === 'eth_chainId' ? { result: '0x1' } : otherBranch(call)),
    'contradicts receipts': ({ method }) =>
      method === 'eth_getTransactionReceipt'
        ? { edit: (receipt) => (receipt === null ? null : { ...(receipt as object), status: '0x0', logs: [] }) }
        : null,
    slow: () => 'never',
    endless: ({ method }) => (method === 'eth_getLogs' ? { bytes: 30 * 2 ** 20, isTold: false } : null),
  }

  const liar: Liar = {
    ...{ mode: 'truth', victims: [], factory },
    lie(call) {
      const answer = lies[liar.mode](call)
      if (liar.mode !== 'freezes') frozenAt = null
      if (answer !== null || call.method !== 'eth_getBlockByNumber') return answer
      return {
        edit(block) {
          const { hash, number } = (block ?? {}) as { hash?: string; number?: string }
          if (hash !== undefined && number !== undefined) {
            heights.set(hash, number)
            blockByHeight.set(Number(number), block)
          }
          return block
        },
      }
    },
  }
  return liar
}

/** From a height on all its blocks are its own. */
function onBranch<T extends { hash: Hex; number: Hex }>(block: T): T {
  return { ...block, hash: keccak256(block.hash), parentHash: keccak256(keccak256(block.hash)) }
}

/** A payment to the address, and its settlement to the merchant. */
function logsOf(
  { vault, ref, token, merchant, amount }: Victim,
  factory: Address,
): Pick<RawLog, 'address' | 'topics' | 'data'>[] {
  const transfer = (from: Address, to: Address, units: bigint) => ({
    address: token,
    topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }) as string[],
    data: encodeAbiParameters([uint], [units]),
  })
  return [
    transfer(zeroAddress, vault, amount),
    {
      address: factory,
      topics: encodeEventTopics({
        abi: payFactoryAbi,
        eventName: 'Settled',
        args: { vault, ref, merchant },
      }) as string[],
      data: encodeAbiParameters([{ type: 'address' }, uint, uint], [token, amount, 0n]),
    },
    transfer(vault, merchant, amount),
  ]
}
