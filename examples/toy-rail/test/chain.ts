// The toy chain: one process, in memory, over HTTP. Blocks are instant; a test decides when a transfer is final or leaves the chain.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AssetRef } from '@florin/rail-kit/interface/asset'

export interface Transfer {
  id: string
  from: string | null
  asset: AssetRef
  outputs: { to: string; amount: string }[]
}

interface Entry extends Transfer {
  state: 'mined' | 'final' | 'gone'
  minedAs: number
}

export class ToyChain {
  url = ''
  readonly #entries = new Map<string, Entry>()
  readonly #events: object[] = []
  readonly #blocked = new Set<string>()
  readonly #now: () => Date
  #server = createServer()
  #count = 0

  constructor(now: () => Date) {
    this.#now = now
  }

  async start(): Promise<this> {
    this.#server.on('request', async (request, response) => {
      const url = new URL(request.url ?? '', 'http://chain')
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString()
      const answer = this.#answer(url, body)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #answer({ pathname, searchParams }: URL, body: string): unknown {
    if (pathname === '/events') return this.#events.slice(Number(searchParams.get('after')))
    if (pathname !== '/transfers') return this.balancesOf(pathname.split('/')[2] ?? '')
    this.send(JSON.parse(body) as Transfer)
    return {}
  }

  #tell(kind: string, { state: _, minedAs, ...transfer }: Entry): void {
    const n = this.#events.length + 1
    this.#events.push({ n, kind, at: this.#now().toISOString(), transfer, ...(kind === 'mined' ? {} : { minedAs }) })
  }

  /** Takes each id once, unless a reorg took it away. */
  send(transfer: Transfer): void {
    if ((this.#entries.get(transfer.id)?.state ?? 'gone') !== 'gone') return
    const entry: Entry = { ...transfer, state: 'mined', minedAs: this.#events.length + 1 }
    if (transfer.outputs.some(({ to }) => this.#blocked.has(to))) {
      this.#tell('refused', entry)
      return
    }
    this.#entries.set(transfer.id, entry)
    this.#tell('mined', entry)
  }

  pay(to: string, amount: bigint, asset: AssetRef): void {
    this.send({ id: `payment ${++this.#count}`, from: null, asset, outputs: [{ to, amount: String(amount) }] })
  }

  finalize(): void {
    for (const entry of this.#entries.values()) {
      if (entry.state !== 'mined') continue
      entry.state = 'final'
      this.#tell('final', entry)
    }
  }

  /** The newest of these transfers leaves, or all of them. @returns what left. */
  reorg(isWanted: (transfer: Transfer) => boolean, howMany: 'newest' | 'all'): Transfer[] {
    const there = [...this.#entries.values()].filter((one) => one.state !== 'gone' && isWanted(one))
    const leaving = howMany === 'all' ? there : there.slice(-1)
    for (const entry of leaving) {
      entry.state = 'gone'
      this.#tell('gone', entry)
    }
    return leaving
  }

  block(to: string, isBlocked: boolean): void {
    if (isBlocked) this.#blocked.add(to)
    else this.#blocked.delete(to)
  }

  /** Changes a balance without an event: what a real chain never does, and a comparison has to find. */
  deal(to: string, amount: bigint, asset: AssetRef): void {
    const had = this.balancesOf(to).balances.find((one) => one.chain === asset.chain && one.contract === asset.contract)
    const more = amount - BigInt(had?.amount ?? 0)
    const id = `deal ${++this.#count}`
    this.#entries.set(id, {
      ...{ id, from: null, asset, outputs: [{ to, amount: String(more) }] },
      ...{ state: 'final', minedAs: 0 },
    })
  }

  balancesOf(address: string): {
    balances: { chain: string; contract: string | null; amount: string }[]
    isFinal: boolean
  } {
    const sums = new Map<string, { chain: string; contract: string | null; amount: bigint }>()
    let isFinal = true
    for (const { from, asset, outputs, state } of this.#entries.values()) {
      if (state === 'gone' || (from !== address && outputs.every(({ to }) => to !== address))) continue
      if (state === 'mined') isFinal = false
      const { chain, contract } = asset
      const sum = sums.get(`${chain} ${contract}`) ?? { chain, contract, amount: 0n }
      for (const { to, amount } of outputs) {
        if (to === address) sum.amount += BigInt(amount)
        if (from === address) sum.amount -= BigInt(amount)
      }
      sums.set(`${chain} ${contract}`, sum)
    }
    return { balances: [...sums.values()].map((one) => ({ ...one, amount: String(one.amount) })), isFinal }
  }
}
