// Asks one provider whether it knows a transaction in a block as another told it.
import type { Hex } from 'viem'
import { readHead } from './blocks.ts'
import { essenceOf } from './essence.ts'
import type { RawLog } from './match.ts'
import type { Reader } from './rpc.ts'

export interface LogClaim {
  txHash: string
  height: bigint
  blockHash: string
  /** Whether these logs, of its transaction, contain what was told. */
  isIn(logs: readonly RawLog[]): boolean
}

/**
 * null: it does not say, or does not have the block. Else what it has instead: two who deny, each with something else,
 * say as little as two who never answered.
 */
export type Opinion = 'agrees' | { has: string } | null

/** What a provider has that knows the block and nothing of the transaction, which may only be late. */
export const NOTHING = 'nothing'

interface Receipt {
  transactionHash: string
  blockHash: string
  status: string
  logs: readonly RawLog[]
}

/** From so many transactions of a block on, all its receipts are asked for at once. */
const MANY = 8

/** One call a transaction, or one a block with many; however many payments a transaction made. */
export async function opinionsOf<C extends LogClaim>(reader: Reader, claims: readonly C[]): Promise<Map<C, Opinion>> {
  const opinions = new Map<C, Opinion>()
  for (const [blockHash, ofBlock] of Map.groupBy(claims, (claim) => claim.blockHash)) {
    const hashes = new Set(ofBlock.map((claim) => claim.txHash))
    const receipts = await readReceipts(reader, blockHash, hashes)
    let hasBlock: Promise<boolean> | null = null
    for (const claim of ofBlock) {
      const receipt = receipts.get(claim.txHash)
      if (receipt === undefined) opinions.set(claim, null)
      else if (receipt === null || receipt.blockHash.toLowerCase() !== blockHash) {
        // Only who has the block can say that something is not in it.
        hasBlock ??= has(reader, claim)
        opinions.set(claim, (await hasBlock) ? { has: receipt?.blockHash ?? NOTHING } : null)
      } else {
        const isAsTold = receipt.status === '0x1' && isShown(claim, receipt)
        opinions.set(claim, isAsTold ? 'agrees' : { has: essenceOf('eth_getTransactionReceipt', receipt) })
      }
    }
  }
  return opinions
}

/** A log that cannot be read is not the one that was told. */
function isShown(claim: LogClaim, receipt: Receipt): boolean {
  try {
    return claim.isIn(receipt.logs)
  } catch {
    return false
  }
}

async function has({ client }: Reader, { height, blockHash }: LogClaim): Promise<boolean> {
  return (await readHead(client, height).catch(() => null))?.hash === blockHash
}

/** undefined: it does not say. */
async function readReceipts(
  reader: Reader,
  blockHash: string,
  hashes: ReadonlySet<string>,
): Promise<Map<string, Receipt | null | undefined>> {
  const found = new Map<string, Receipt | null | undefined>()
  if (hashes.size >= MANY) {
    const all = await readAll(reader, blockHash)
    if (all !== null) {
      const byHash = new Map(all.map((receipt) => [receipt.transactionHash.toLowerCase(), receipt]))
      for (const hash of hashes) found.set(hash, byHash.get(hash) ?? null)
      return found
    }
  }
  const wanted = [...hashes]
  while (wanted.length > 0) {
    const some = wanted.splice(0, MANY)
    const receipts = await Promise.all(some.map((hash) => readOne(reader, hash)))
    for (const [n, hash] of some.entries()) found.set(hash, receipts[n])
  }
  return found
}

/** null: this provider has no such call, or its answer is too long. */
async function readAll({ client }: Reader, blockHash: string): Promise<Receipt[] | null> {
  const call = { method: 'eth_getBlockReceipts', params: [blockHash] }
  const answer = (await client.request(call as never).catch(() => null)) as unknown
  return Array.isArray(answer) && answer.every(isReceipt) ? answer : null
}

async function readOne({ client }: Reader, hash: string): Promise<Receipt | null | undefined> {
  const call = { method: 'eth_getTransactionReceipt', params: [hash as Hex] } as const
  const answer: unknown = await client.request({ ...call, params: [...call.params] }).catch(() => undefined)
  return answer === null || isReceipt(answer) ? answer : undefined
}

function isReceipt(value: unknown): value is Receipt {
  if (typeof value !== 'object' || value === null) return false
  const { transactionHash, blockHash, status, logs } = value as Record<string, unknown>
  return [transactionHash, blockHash, status].every((part) => typeof part === 'string') && Array.isArray(logs)
}
