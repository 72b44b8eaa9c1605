// A real node for one test file: raw RPC over a kept connection, contract calls from the node's unlocked accounts,
// decoded reverts. The node ends with the file, also when the run is interrupted.
import { Agent, request } from 'node:http'
import {
  type Abi,
  type Address,
  concatHex,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  type Log,
  prepareEncodeFunctionData,
} from 'viem'
import { type AnvilOptions, startAnvil } from '../script/anvil.ts'
import { decodeFailure } from '../src/index.ts'
import { build, Tracer } from './trace.ts'

export interface Contract {
  address: Address
  abi: Abi
}

export interface Receipt {
  ok: boolean
  gasUsed: number
  /** Unix seconds of the block. */
  at: number
  hash: Hex
  logs: Log[]
  contractAddress: Address | null
}

export interface Sending {
  from: Address
  value?: bigint
  gas?: number
}

const GAS = 8_000_000

// Leaving runs the exit hook that ends the node.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

export class Chain {
  readonly url: string
  readonly accounts: readonly Address[]
  readonly #stop: () => Promise<void>
  readonly #agent: Agent
  readonly #tracer = build ? new Tracer((method, params) => this.rpc(method, params)) : null
  #gasPrice: Hex | undefined
  #id = 0

  private constructor(url: string, agent: Agent, accounts: readonly Address[], stop: () => Promise<void>) {
    this.url = url
    this.accounts = accounts
    this.#agent = agent
    this.#stop = stop
  }

  static async start(options: AnvilOptions = {}): Promise<Chain> {
    const tracing = build ? ['--steps-tracing', '--disable-code-size-limit'] : []
    const anvil = await startAnvil({ ...options, args: [...tracing, ...(options.args ?? [])] })
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    const bare = new Chain(anvil.url, agent, [], anvil.stop)
    return new Chain(anvil.url, agent, await bare.rpc<Address[]>('eth_accounts'), async () => {
      agent.destroy()
      await anvil.stop()
    })
  }

  /**
   * A node on which gas is free and every address may send, so that only contracts move native coins. Its clock is its own:
   * one second a block, whatever ours says.
   */
  static async startFree(options: AnvilOptions = {}): Promise<Chain> {
    const free = [
      '--block-base-fee-per-gas',
      '0',
      '--gas-price',
      '0',
      '--disable-min-priority-fee',
      '--auto-impersonate',
    ]
    const chain = await Chain.start({ ...options, args: [...free, ...(options.args ?? [])] })
    chain.#gasPrice = '0x0'
    await chain.rpc('anvil_setBlockTimestampInterval', [1])
    return chain
  }

  stop(): Promise<void> {
    this.#tracer?.write()
    return this.#stop()
  }

  /** The account at a position; the node has ten. */
  account(index: number): Address {
    const account = this.accounts[index]
    if (!account) throw new Error(`the node has no account ${index}`)
    return account
  }

  rpc<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params }, (_, value) =>
      typeof value === 'bigint' ? `0x${value.toString(16)}` : value,
    )
    return new Promise((resolve, reject) => {
      const post = request(this.url, {
        method: 'POST',
        agent: this.#agent,
        headers: { 'content-type': 'application/json' },
      })
      post.on('error', reject)
      post.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => {
          const answer: { result: T; error?: { message: string; data?: Hex } } = JSON.parse(text)
          if (answer.error) reject(Object.assign(new Error(`${method}: ${answer.error.message}`), answer.error))
          else resolve(answer.result)
        })
      })
      post.end(body)
    })
  }

  async transact(transaction: {
    from: Address
    to?: Address
    data?: Hex
    value?: bigint
    gas?: number
  }): Promise<Receipt> {
    const hash = await this.rpc<Hex>('eth_sendTransaction', [
      withHexGas({ gas: GAS, gasPrice: this.#gasPrice, ...transaction }),
    ])
    const raw = await this.#receipt(hash)
    await this.#tracer?.transaction(hash, transaction.data, raw.contractAddress, Number(raw.gasUsed))
    return {
      ok: raw.status === '0x1',
      gasUsed: Number(raw.gasUsed),
      at: Number(raw.blockTimestamp),
      hash,
      logs: raw.logs,
      contractAddress: raw.contractAddress,
    }
  }

  /** The node mines at once, but may answer the hash a moment before. */
  async #receipt(hash: Hex): Promise<RawReceipt> {
    for (const deadline = Date.now() + 120_000; ; ) {
      const receipt = await this.rpc<RawReceipt | null>('eth_getTransactionReceipt', [hash])
      if (receipt) return receipt
      if (Date.now() > deadline) throw new Error(`${hash} was not mined`)
    }
  }

  /** Sends and leaves it to the caller what a revert means. */
  send(contract: Contract, functionName: string, args: readonly unknown[], sending: Sending): Promise<Receipt> {
    return this.transact({ ...sending, to: contract.address, data: encode(contract, functionName, args) })
  }

  /** Sends what must succeed. */
  async do(contract: Contract, functionName: string, args: readonly unknown[], sending: Sending): Promise<Receipt> {
    const receipt = await this.send(contract, functionName, args, sending)
    if (receipt.ok) return receipt
    throw new Error(`${functionName} reverted: ${await this.revert(contract, functionName, args, sending)}`)
  }

  /** Simulates: null when the call goes through, else the name of the error, with the token's words where it gave some. */
  async revert(
    contract: Contract,
    functionName: string,
    args: readonly unknown[],
    sending: Sending,
  ): Promise<string | null> {
    const call = { gas: GAS, ...sending, to: contract.address, data: encode(contract, functionName, args) }
    await this.#tracer?.call(withHexGas(call))
    try {
      await this.rpc('eth_call', [withHexGas(call), 'latest'])
      return null
    } catch (error) {
      const data = error instanceof Error && 'data' in error ? String(error.data) : '0x'
      const failure = decodeFailure(`0x${data.slice(2)}`)
      return failure.words ? `${failure.error}: ${failure.words}` : failure.error
    }
  }

  async read<T>(contract: Contract, functionName: string, args: readonly unknown[] = []): Promise<T> {
    const call = { to: contract.address, data: encode(contract, functionName, args) }
    await this.#tracer?.call(call)
    const data = await this.rpc<Hex>('eth_call', [call, 'latest'])
    return decodeFunctionResult({ abi: contract.abi, functionName, data }) as T
  }

  async deploy(abi: Abi, bytecode: Hex, args: readonly unknown[] = [], value = 0n): Promise<Contract> {
    const data = args.length > 0 ? encodeDeployData({ abi, bytecode, args }) : concatHex([bytecode])
    const receipt = await this.transact({ from: this.account(0), data, value })
    if (!receipt.ok || !receipt.contractAddress) throw new Error('the deployment failed')
    return { address: receipt.contractAddress, abi }
  }

  async now(): Promise<number> {
    const block = await this.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])
    return Number(block.timestamp)
  }

  /** Mines one block at a time of our choosing, so that what follows is at most a few seconds later. */
  async warpTo(at: number): Promise<void> {
    await this.rpc('evm_setNextBlockTimestamp', [at])
    await this.rpc('evm_mine')
  }

  async warpBy(seconds: number): Promise<void> {
    await this.warpTo((await this.now()) + seconds)
  }

  balance(address: Address): Promise<bigint> {
    return this.rpc<Hex>('eth_getBalance', [address, 'latest']).then(BigInt)
  }

  code(address: Address): Promise<Hex> {
    return this.rpc<Hex>('eth_getCode', [address, 'latest'])
  }
}

interface RawReceipt {
  status: Hex
  gasUsed: Hex
  blockTimestamp: Hex | number
  logs: Log[]
  contractAddress: Address | null
}

function withHexGas<T extends { gas: number }>(transaction: T) {
  return { ...transaction, gas: `0x${transaction.gas.toString(16)}` }
}

// Hashing a signature costs more than the call itself, so each is hashed once.
const prepared = new WeakMap<Abi, Map<string, { abi: Abi; functionName: Hex }>>()

function encode({ abi }: Contract, functionName: string, args: readonly unknown[]): Hex {
  const known = prepared.get(abi) ?? new Map<string, { abi: Abi; functionName: Hex }>()
  prepared.set(abi, known)
  const call = known.get(functionName) ?? prepareEncodeFunctionData({ abi, functionName })
  known.set(functionName, call)
  return encodeFunctionData({ ...call, args })
}
