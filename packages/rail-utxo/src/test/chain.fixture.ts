// A chain in memory for tests that must run without a node: blocks with real headers, work and merkle roots, a mempool
// with replacement, and reorgs. It is served as a node's JSON-RPC and as a block host; the system tests hold the same
// promises against a real node.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { merkleRootOf, readHeader, readTransaction, sha256d, shown } from '../chain/block.ts'
import { type Network, networkOf } from '../chain/networks.ts'
import { workFault } from '../chain/work.ts'

export interface Output {
  script: string
  amount: bigint
}

export interface Outpoint {
  txid: string
  vout: number
  /** Public, of an address of the oldest type: what spends from there shows it. */
  key?: string
}

interface Block {
  hash: string
  raw: Buffer
  height: number
  transactions: Buffer[]
}

const GENESIS_TIME_S = 1_296_688_602

export class TestChain {
  readonly now: () => Date
  readonly network: Network
  readonly blocks: Block[] = []
  readonly byHash = new Map<string, Block>()
  readonly pool = new Map<string, Buffer>()
  /** By the node's clock, in whole seconds, when a transaction entered the mempool; a test may set another time. */
  readonly enteredS = new Map<string, number>()
  readonly servers: Server[] = []
  /** What the node no longer keeps. */
  readonly pruned = new Set<string>()
  /** Calls that only some nodes know; without an entry they are refused as unknown. */
  readonly answers = new Map<string, (params: unknown[]) => unknown>()
  /** What it says of itself; which blocks it refuses is in `pruned`. */
  pruneHeight: number | null = null
  isDown = false
  calls = 0

  constructor(now: () => Date, network = networkOf('btc', 'regtest') as Network) {
    this.now = now
    this.network = network
    this.mine()
  }

  get tip(): Block {
    return this.blocks.at(-1) as Block
  }

  /** A transaction that spends outpoints of nobody known, unless they are given. */
  static transaction(outputs: readonly Output[], inputs: readonly Outpoint[] = [TestChain.outpoint()]): Buffer {
    const parts = [u32(2), size(inputs.length)]
    for (const { txid, vout, key } of inputs) {
      // A signature that nobody checks here, then the key.
      const unlock = key === undefined ? '' : `47${'30'.repeat(71)}21${key}`
      const bytes = Buffer.from(unlock, 'hex')
      parts.push(Buffer.from(txid, 'hex').reverse(), u32(vout), size(bytes.length), bytes, u32(0xfffffffd))
    }
    parts.push(size(outputs.length))
    for (const { script, amount } of outputs) {
      const bytes = Buffer.from(script, 'hex')
      const value = Buffer.alloc(8)
      value.writeBigUInt64LE(amount)
      parts.push(value, size(bytes.length), bytes)
    }
    return Buffer.concat([...parts, u32(0)])
  }

  static outpoint(): Outpoint {
    return { txid: randomBytes(32).toString('hex'), vout: 0 }
  }

  /** Into the mempool; what spends the same there is replaced. @returns its id. */
  send(raw: Buffer): string {
    const { txid, inputs } = readTransaction(raw)
    for (const [id, other] of this.pool) {
      if (id !== txid && conflicts(inputs, other)) this.pool.delete(id)
    }
    this.enter(txid, raw)
    return txid
  }

  /** As nodes tell of an output; null: there is none, or it is spent. */
  private unspent([txid, vout, withPool]: unknown[]): { value: string } | null {
    const mined = this.blocks.flatMap((block) => block.transactions)
    const all = [...mined, ...(withPool === true ? this.pool.values() : [])].map(readTransaction)
    const output = all.find((one) => one.txid === txid)?.outputs[Number(vout)]
    const isSpent = all.some(({ inputs }) => inputs.some((one) => one.txid === txid && one.vout === vout))
    return output === undefined || isSpent ? null : { value: (Number(output.amount) / 1e8).toFixed(8) }
  }

  private enter(txid: string, raw: Buffer): void {
    this.pool.set(txid, raw)
    this.enteredS.set(txid, Math.floor(this.now().getTime() / 1000))
  }

  /** A block of these transactions, else of the whole mempool; what conflicts with it leaves the mempool. */
  mine(transactions: readonly Buffer[] = [...this.pool.values()], timeS?: number, reward?: readonly Output[]): Block {
    const parent = this.blocks.at(-1)
    const height = this.blocks.length
    const coinbase = TestChain.transaction(reward ?? [{ script: '51', amount: 5_000_000_000n }], [
      { txid: randomBytes(32).toString('hex'), vout: 0xffffffff },
    ])
    const all = [coinbase, ...transactions]
    const time = timeS ?? (parent === undefined ? GENESIS_TIME_S : Math.floor(this.now().getTime() / 1000))
    const raw = assemble(this.network, { parent: parent?.hash ?? '00'.repeat(32), time, transactions: all })
    const block = { hash: readHeader(raw).hash, raw, height, transactions: all }
    this.blocks.push(block)
    this.byHash.set(block.hash, block)
    for (const one of transactions) {
      const { txid, inputs } = readTransaction(one)
      this.pool.delete(txid)
      for (const [id, other] of this.pool) if (conflicts(inputs, other)) this.pool.delete(id)
    }
    return block
  }

  /** A block whose reward goes there. */
  mineTo(reward: readonly Output[]): Block {
    return this.mine([], undefined, reward)
  }

  /** The newest blocks leave the chain; their payments are in the mempool again unless they are dropped. */
  leave(depth: number, a: { toPool: boolean }): Block[] {
    const gone = this.blocks.splice(this.blocks.length - depth, depth)
    for (const block of gone) {
      for (const raw of block.transactions.slice(1)) if (a.toPool) this.send(raw)
    }
    return gone
  }

  /** Serves it as a node does. */
  async node(t: Pick<TestContext, 'after'>): Promise<string> {
    return this.serve(t, async (request, response) => {
      if (request.headers.authorization === undefined) return void response.writeHead(401).end()
      const body = JSON.parse(await textOf(request)) as Call | Call[]
      const reply = Array.isArray(body) ? body.map((call) => this.answer(call)) : this.answer(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    })
  }

  /** Serves it as a block host does. */
  async host(t: Pick<TestContext, 'after'>, lie: (path: string, honest: Reply) => Reply = (_, reply) => reply) {
    return this.serve(t, async (request, response) => {
      const path = request.url ?? ''
      const { status, body } = lie(path, this.hosted(path))
      response.writeHead(status).end(body)
    })
  }

  hosted(path: string): Reply {
    const [, first, second, third] = path.split('/')
    const found = (body: string | Buffer | undefined): Reply =>
      body === undefined ? { status: 404, body: 'Block not found' } : { status: 200, body }
    if (path === '/blocks/tip/height') return found(String(this.tip.height))
    if (first === 'block-height') return found(this.blocks[Number(second)]?.hash)
    const block = this.byHash.get(second ?? '')
    if (third === 'header') return found(block?.raw.subarray(0, 80).toString('hex'))
    if (third === 'raw') return found(block?.raw)
    return { status: 404, body: 'no such path' }
  }

  private async serve(
    t: Pick<TestContext, 'after'>,
    handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  ): Promise<string> {
    const server = createServer((request, response) => {
      this.calls++
      if (this.isDown) return void request.socket.destroy()
      handle(request, response).catch(() => response.writeHead(500).end())
    })
    this.servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  private answer({ id, method, params }: Call): unknown {
    const result = (value: unknown): unknown => ({ id, result: value, error: null })
    const refused = (code: number, message: string): unknown => ({ id, result: null, error: { code, message } })
    const block = this.byHash.get(String(params[0]))
    switch (method) {
      case 'getblockchaininfo':
        return result({
          ...{ blocks: this.tip.height, bestblockhash: this.tip.hash, initialblockdownload: false },
          ...(this.pruneHeight === null ? { pruned: false } : { pruned: true, pruneheight: this.pruneHeight }),
        })
      case 'getblockhash': {
        if (params[0] === 0) return result(this.network.genesis)
        const hash = this.blocks[Number(params[0])]?.hash
        return hash === undefined ? refused(-8, 'Block height out of range') : result(hash)
      }
      case 'getblockheader':
        return block === undefined ? refused(-5, 'Block not found') : result(block.raw.subarray(0, 80).toString('hex'))
      case 'getblock':
        if (block === undefined) return refused(-5, 'Block not found')
        if (this.pruned.has(block.hash)) return refused(-1, 'Block not available (pruned data)')
        return result(block.raw.toString('hex'))
      case 'getrawmempool':
        return result([...this.pool.keys()])
      case 'getmempoolentry': {
        const raw = this.pool.get(String(params[0]))
        if (raw === undefined) return refused(-5, 'Transaction not in mempool')
        const time = this.enteredS.get(String(params[0]))
        return result({ vsize: raw.length, time, fees: { base: 0.00001 }, ancestorcount: 1 })
      }
      case 'getrawtransaction': {
        const mined = this.byHash.get(String(params[2]))?.transactions.find((one) => txidOf(one) === params[0])
        const raw = mined ?? this.pool.get(String(params[0]))
        return raw === undefined ? refused(-5, 'No such mempool transaction') : result(raw.toString('hex'))
      }
      case 'gettxout': {
        const answer = this.answers.get(method)
        return result(answer === undefined ? this.unspent(params) : answer(params))
      }
      case 'sendrawtransaction': {
        const raw = Buffer.from(String(params[0]), 'hex')
        const { txid, inputs } = readTransaction(raw)
        if (this.pool.has(txid)) return refused(-27, 'txn-already-in-mempool')
        for (const other of this.pool.values())
          if (conflicts(inputs, other)) return refused(-26, 'txn-mempool-conflict')
        const mined = this.blocks.flatMap((one) => one.transactions.slice(1))
        if (mined.some((one) => conflicts(inputs, one))) return refused(-25, 'bad-txns-inputs-missingorspent')
        this.enter(txid, raw)
        return result(txid)
      }
      default: {
        const answer = this.answers.get(method)
        return answer === undefined ? refused(-32601, 'Method not found') : result(answer(params))
      }
    }
  }
}

export interface Reply {
  status: number
  body: string | Buffer
}

interface Call {
  id: number
  method: string
  params: unknown[]
}

/** Mined: its header carries the work that it claims. */
export function assemble(
  network: Network,
  a: { parent: string; time: number; transactions: readonly Buffer[]; bits?: number },
): Buffer {
  return assembleWith(
    network,
    a,
    a.transactions.map((raw) => ({ raw, stripped: raw })),
  )
}

/** The same of transactions with witnesses, which are no part of what their ids are made of. */
export function assembleWith(
  network: Network,
  a: { parent: string; time: number; bits?: number },
  transactions: readonly { raw: Buffer; stripped: Buffer }[],
): Buffer {
  const root = merkleRootOf(Buffer.concat(transactions.map(({ stripped }) => sha256d(stripped))))
  const bits = a.bits ?? network.work.limitBits
  const body = Buffer.concat([size(transactions.length), ...transactions.map(({ raw }) => raw)])
  for (let nonce = 0; ; nonce++) {
    const parts = [u32(0x20000000), Buffer.from(a.parent, 'hex').reverse(), root, u32(a.time), u32(bits), u32(nonce)]
    const raw = Buffer.concat(parts)
    if (a.bits !== undefined || workFault(readHeader(raw), network.work) === null) return Buffer.concat([raw, body])
  }
}

export const txidOf = (raw: Buffer): string => shown(sha256d(raw))

function conflicts(inputs: readonly Outpoint[], other: Buffer): boolean {
  const theirs = readTransaction(other).inputs
  return inputs.some((a) => theirs.some((b) => a.txid === b.txid && a.vout === b.vout))
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function size(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value])
  const bytes = Buffer.alloc(3, 0xfd)
  bytes.writeUInt16LE(value, 1)
  return bytes
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
