// A chain's node for the watcher's benchmark, on a thread of its own so that its work is not counted: every block has the
// same number of token transfers, each to another watched address. Answers are made before they are asked for.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

interface Plan {
  factory: string
  token: string
  transfers: number
  blocks: number
  /** Watched addresses; block n pays those from n × transfers on. */
  vaults: number
}

interface Call {
  id: number
  method: string
  params?: readonly unknown[]
}

const plan = workerData as Plan
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (n: number): string => n.toString(16).padStart(64, '0')
const hash = (kind: string, n: number): string => `0x${kind}${n.toString(16).padStart(62, '0')}`
const hex = (n: number): string => `0x${n.toString(16)}`
/** The same as in the benchmark: a vault's address is its number. */
const vaultAt = (n: number): string => n.toString(16).padStart(64, '0')

let head = 1

function logsOf(height: number): string {
  const logs = Array.from({ length: plan.transfers }, (_, n) => ({
    address: plan.token,
    topics: [TRANSFER, `0x${word(7_000_000 + n)}`, `0x${vaultAt(1 + ((height * plan.transfers + n) % plan.vaults))}`],
    data: `0x${word(50_000_000 + n)}`,
    blockNumber: hex(height),
    blockHash: hash('bb', height),
    blockTimestamp: hex(1_700_000_000 + height),
    transactionHash: hash('aa', height * 1_000 + n),
    transactionIndex: hex(n),
    logIndex: hex(n),
    removed: false,
  }))
  return JSON.stringify(logs)
}

const heights = new Map(Array.from({ length: plan.blocks + 2 }, (_, n) => [hash('bb', n), n]))
const answers = new Map(Array.from({ length: plan.blocks + 2 }, (_, n) => [n, logsOf(n)]))

function answer({ method, params: [first] = [] }: Call): string {
  if (method === 'eth_getBlockByNumber') {
    const n = first === 'latest' ? head : Number(first)
    if (n > head) return 'null'
    const [own, parent] = [hash('bb', n), hash('bb', Math.max(0, n - 1))]
    return JSON.stringify({ number: hex(n), hash: own, parentHash: parent, timestamp: hex(1_700_000_000 + n) })
  }
  if (method === 'eth_chainId') return JSON.stringify(hex(31_337))
  if (method !== 'eth_getLogs') throw new Error(`the benchmark's node does not know ${method}`)
  const { address, blockHash } = first as { address: unknown; blockHash: string }
  if (address === plan.factory) return '[]'
  return answers.get(heights.get(blockHash) ?? -1) ?? '[]'
}

const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  const call = JSON.parse(text) as Call
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(`{"jsonrpc":"2.0","id":${call.id},"result":${answer(call)}}`)
})
server.listen(0, '127.0.0.1', () =>
  parentPort?.postMessage({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, logs: answers.get(1) }),
)
parentPort?.on('message', (height: number) => {
  head = height
  parentPort?.postMessage('mined')
})
