// A chain's node for the benchmark of floods, on a thread of its own so that its work stalls nobody: each message is a
// block with the transfers that it names.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

export interface MinedTransfer {
  /** An address as a number. */
  to: number
  amount: number
  /** Transfers of one number are of one transaction. */
  transaction: number
}

interface Call {
  id: number
  method: string
  params?: readonly unknown[]
}

const plan = workerData as { factory: string; token: string }
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (n: number): string => n.toString(16).padStart(64, '0')
const hash = (kind: string, n: number): string => `0x${kind}${n.toString(16).padStart(62, '0')}`
const hex = (n: number): string => `0x${n.toString(16)}`

/** By height, as text that is sent as it stands. */
const blocks: string[] = ['[]']

function mine(transfers: readonly MinedTransfer[]): void {
  const height = blocks.length
  const logs = transfers.map(({ to, amount, transaction }, n) => ({
    address: plan.token,
    topics: [TRANSFER, `0x${word(7_000_000 + n)}`, `0x${word(to)}`],
    data: `0x${word(amount)}`,
    blockNumber: hex(height),
    blockHash: hash('bb', height),
    transactionHash: hash('aa', height * 100_000 + transaction),
    transactionIndex: hex(transaction),
    logIndex: hex(n),
    removed: false,
  }))
  blocks.push(JSON.stringify(logs))
}

function answer({ method, params: [first] = [] }: Call): string {
  if (method === 'eth_getBlockByNumber') {
    const n = first === 'latest' ? blocks.length - 1 : Number(first)
    if (!(n < blocks.length)) return 'null'
    const [own, parent] = [hash('bb', n), hash('bb', Math.max(n - 1, 0))]
    return JSON.stringify({ number: hex(n), hash: own, parentHash: parent, timestamp: hex(1_700_000_000 + n) })
  }
  if (method === 'eth_chainId') return '"0x7a69"'
  if (method !== 'eth_getLogs') throw new Error(`the benchmark's node does not know ${method}`)
  const { address, blockHash } = first as { address: unknown; blockHash: string }
  return address === plan.factory ? '[]' : (blocks[Number(`0x${blockHash.slice(4)}`)] ?? '[]')
}

const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  const call = JSON.parse(text) as Call
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(`{"jsonrpc":"2.0","id":${call.id},"result":${answer(call)}}`)
})
server.listen(0, '127.0.0.1', () =>
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
parentPort?.on('message', (transfers: readonly MinedTransfer[]) => {
  mine(transfers)
  parentPort?.postMessage('mined')
})
