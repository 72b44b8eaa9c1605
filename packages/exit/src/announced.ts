// Refunds that were announced on the chain: where no refund address is bound, the operator announces one a day before, and
// for six days after that anybody may carry it out. What was announced stands in logs alone, so those are looked through.

import { saltOf } from '@florin/contracts/route'
import { DAY_MS } from '@florin/protocol'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { encodeCall } from './abi.ts'
import type { Announced } from './calls.ts'
import { type Block, blockOf, LookFault, type Provider, quantity } from './look.ts'
import { bytesOf, type Exit, type Hex, hexOf } from './proof.ts'

/** `REFUND_EXPIRY` and `REFUND_DELAY` of the factory, in seconds. */
const EXPIRY = (7 * DAY_MS) / 1000
const DELAY = DAY_MS / 1000
const TOPIC = hexOf(
  keccak_256(new TextEncoder().encode('RefundProposed(bytes32,address,bytes32,address,address,uint256,uint40)')),
)

/** Nodes differ in how many blocks they look through at once: less after a refusal, more after some answers. */
const STEP = 5_000n
const STEP_MAX = 50_000n
const CALLS_MAX = 3_000
const VAULTS_A_CALL = 100

export interface ScanQuestion {
  factory: Hex
  vaults: readonly Hex[]
  /** The newest block to look at. */
  block: Block
  /** @param done of all blocks, in percent. */
  onProgress?(done: number): void
}

/** The announcement as its log has it; whether it still stands is another question. */
export type Found = Pick<Announced, 'token' | 'to' | 'units'> & { vault: Hex }

/**
 * Announcements of the last seven days; older ones can be carried out no more.
 * @throws LookFault where the node looks through too few blocks at once, or refuses altogether.
 */
export async function findAnnounced(provider: Provider, question: ScanQuestion): Promise<Found[]> {
  const found: Found[] = []
  const first = await firstBlockSince(provider, question.block, question.block.time - EXPIRY)
  for (let at = 0; at < question.vaults.length; at += VAULTS_A_CALL) {
    const vaults = question.vaults.slice(at, at + VAULTS_A_CALL)
    found.push(...(await scan(provider, { ...question, vaults }, first)))
  }
  return found
}

async function scan(provider: Provider, question: ScanQuestion, first: bigint): Promise<Found[]> {
  const { factory, vaults, block, onProgress } = question
  const topics = [TOPIC, null, vaults.map((vault) => `0x${vault.slice(2).padStart(64, '0')}`)]
  const found: Found[] = []
  let step = STEP
  let from = first
  for (let calls = 0; from <= block.number; calls++) {
    if (calls >= CALLS_MAX)
      throw new LookFault(`The node looks through no more than ${step} blocks at once: ask another one.`)
    const to = from + step - 1n < block.number ? from + step - 1n : block.number
    const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }
    let logs: unknown
    try {
      logs = await provider.request({ method: 'eth_getLogs', params: [{ address: factory, topics, ...range }] })
    } catch (error) {
      if (step === 1n) throw error
      step = step / 4n > 0n ? step / 4n : 1n
      continue
    }
    if (!Array.isArray(logs)) throw new LookFault('The node answered something that is no list of logs.')
    found.push(...logs.flatMap((log: unknown) => readLog(log, vaults) ?? []))
    onProgress?.(Math.floor(Number(((to - first + 1n) * 100n) / (block.number - first + 1n))))
    from = to + 1n
    step = step * 2n < STEP_MAX ? step * 2n : STEP_MAX
  }
  return found
}

/** null: not what was asked for. */
function readLog(log: unknown, vaults: readonly Hex[]): Found | null {
  const { topics, data } = (typeof log === 'object' && log !== null ? log : {}) as { topics?: unknown; data?: unknown }
  if (!Array.isArray(topics) || typeof data !== 'string' || !/^0x[0-9a-f]{256}$/i.test(data)) return null
  const vault = addressIn(String(topics[2]).slice(2))
  if (topics[0] !== TOPIC || !vaults.includes(vault)) return null
  const [token = '', to = '', units = ''] = data.slice(2).match(/.{64}/g) ?? []
  return { vault, token: addressIn(token), to: addressIn(to), units: BigInt(`0x${units}`) }
}

const addressIn = (word: string): Hex => `0x${word.slice(-40).toLowerCase()}`

/** The first block that is not older than a time: by halves, so that any chain takes some thirty questions. */
async function firstBlockSince(provider: Provider, newest: Block, time: number): Promise<bigint> {
  let [low, high] = [0n, newest.number]
  while (low < high) {
    const middle = (low + high) / 2n
    if ((await blockOf(provider, middle)).time < time) low = middle + 1n
    else high = middle
  }
  return low
}

/** Those of a vault that the contract still knows, each once, with their time. */
export async function standing(
  provider: Provider,
  exit: Exit,
  { found, block }: { found: readonly Found[]; block: Block },
): Promise<Announced[]> {
  const own = new Map(found.flatMap((one) => (one.vault === exit.vault ? [[proposalId(exit, one), one] as const] : [])))
  const at = `0x${block.number.toString(16)}`
  const known = await Promise.all(
    [...own].map(async ([id, { token, to, units }]): Promise<Announced[]> => {
      const call = { to: exit.factory, data: encodeCall('refundEta', BigInt(id)) }
      const opensAt = Number(quantity(await provider.request({ method: 'eth_call', params: [call, at] })))
      const closesAt = opensAt - DELAY + EXPIRY
      return opensAt === 0 || block.time > closesAt ? [] : [{ token, to, units, opensAt, closesAt }]
    }),
  )
  return known.flat()
}

/** As `PayFactory.proposalId`. */
function proposalId({ route }: Exit, { token, to, units }: Found): Hex {
  const words = [token.slice(2), to.slice(2), units.toString(16)].map((word) => word.padStart(64, '0'))
  return hexOf(keccak_256(bytesOf(`${saltOf(route)}${words.join('')}`)))
}
