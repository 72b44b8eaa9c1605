// What of an answer two providers must have in common. Pure. Providers add fields of their own, write hexadecimal in
// either case and word a revert differently; what decides about money is the same everywhere.
import type { RawLog } from './match.ts'

type Json = Readonly<Record<string, unknown>>

const pick = (from: Json, names: readonly string[]): unknown[] => names.map((name) => from[name] ?? null)

const HEADER = ['number', 'hash', 'parentHash', 'timestamp', 'baseFeePerGas']

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Equal texts mean equal answers. */
export function essenceOf(method: string, answer: unknown): string {
  return JSON.stringify(partsOf(method, answer)).toLowerCase()
}

function partsOf(method: string, answer: unknown): unknown {
  if (method === 'eth_getLogs') return Array.isArray(answer) ? logsOf(answer) : answer
  if (!isObject(answer)) return answer
  switch (method) {
    case 'eth_getBlockByNumber':
      return pick(answer, HEADER)
    case 'eth_getBlockByHash':
      return [...pick(answer, HEADER), transactionsOf(answer.transactions)]
    case 'eth_getTransactionReceipt':
      return [
        ...pick(answer, ['transactionHash', 'blockHash', 'blockNumber', 'status', 'from', 'to']),
        Array.isArray(answer.logs) ? logsOf(answer.logs) : null,
      ]
    default:
      return answer
  }
}

/** Only whole transactions can be invented: the block's hash covers their hashes. */
const transactionsOf = (transactions: unknown): unknown =>
  Array.isArray(transactions)
    ? transactions.map((one) => (isObject(one) ? pick(one, ['hash', 'from', 'to', 'value']) : one))
    : null

function logsOf(logs: readonly unknown[]): unknown[] {
  const order = (log: Json): number => Number(log.blockNumber) * 1e6 + Number(log.logIndex)
  return logs
    .filter(isObject)
    .toSorted((a, b) => order(a) - order(b))
    .map((log) =>
      pick(log, ['address', 'topics', 'data', 'blockHash', 'transactionHash', 'logIndex'] satisfies (keyof RawLog)[]),
    )
}
