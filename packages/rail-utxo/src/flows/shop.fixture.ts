// A shop over HTTP on a real litecoind, for the whole flows: its receiver verifies each webhook, and its books are the node's.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import { makePartitions } from '@florin/platform/db/partitions'
import type { App } from '@florin/platform/http/server'
import type { Order } from '@florin/protocol'
import { SIGNATURE_HEADER, verify } from '@florin/protocol/signature'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { accountAddresses } from '../../../server/src/addresses/accounts/assign.ts'
import { buildApp } from '../../../server/src/app.ts'
import type { Deps } from '../../../server/src/deps.ts'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { partitionedTables } from '../../../server/src/partitions.ts'
import { webhookJobs } from '../../../server/src/webhooks/jobs.ts'
import { needsDebian } from '../../../server/test/debian.ts'
import {
  aMerchant,
  anApiKey,
  aReceivingAccount,
  type TestApiKey,
  type TestMerchant,
} from '../../../server/test/factories.ts'
import { testDeps } from '../../../server/test/harness.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { type Receiver, startReceiver } from '../../../server/test/receiver.ts'
import { networkOf } from '../chain/networks.ts'
import { type Litecoind, startLitecoind } from '../test/litecoind.fixture.ts'
import { ACCOUNT, chainOver, type Process, startProcess } from '../test/world.fixture.ts'

/** $50 at $100. */
export const DUE = 50_000_000n
export const own = HDKey.fromMasterSeed(randomBytes(32), { public: 0x043587cf, private: 0x04358394 })
export const wifOf = (key: Uint8Array | null): string =>
  createBase58check(sha256).encode(new Uint8Array([0xef, ...(key ?? []), 0x01]))
export const regtest = networkOf('ltc', 'regtest') ?? assert.fail('regtest is known')
export const main = networkOf('ltc', 'main') ?? assert.fail('the main network is known')

export interface Shop {
  node: Litecoind
  deps: Deps
  app: App
  clock: { now(): Date; advance(ms: number): void }
  process: Process
  merchant: TestMerchant
  key: TestApiKey
  hooks: Receiver
  order(body?: object): Promise<Order>
  read(order: Order): Promise<Order>
  /** Reads the chain, and does all that follows. */
  work(): Promise<void>
  /** Later, for the service and the node. */
  advance(ms: number): Promise<void>
  /** Webhooks of an order so far, each with a signature that holds. */
  eventsOf(order: Order): Promise<string[]>
}

const ends: (() => Promise<void>)[] = []

/** Once a file: a node of its own, and a shop on it. @returns the shop, once the tests run */
export function aShop(): () => Shop {
  let shop: Shop | null = null
  before(async () => {
    await needsDebian('litecoind')
    const node = await startLitecoind({ mweb: false })
    ends.push(() => node.stop())
    shop = await aShopOn(node)
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return () => shop ?? assert.fail('the shop is there once the tests run')
}

/** Ends with the file. */
export const endsWithFile = (end: () => Promise<void>): void => void ends.push(end)

export const fingerprintOf = (key: HDKey): string => key.fingerprint.toString(16).padStart(8, '0')

export async function aShopOn(node: Litecoind, text = ACCOUNT): Promise<Shop> {
  const t = { name: 'flows', after: (end: () => Promise<void>) => void ends.push(async () => end()) }
  const { deps: parts, clock } = await testDeps(t as never)
  const chain = chainOver({ node: node.url }, { confirmations: [{ blocks: 2 }], prices: priceOf('100') }, 'ltc')
  const process = startProcess(parts, [chain], accountAddresses(parts.sql))
  const { deps } = process
  const app = await buildApp(deps)
  ends.push(async () => void (await app.close()))
  const hooks = await startReceiver({})
  ends.push(() => hooks.close())
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant)
  const account = { chain: 'ltc', text, network: 'regtest' as const, walletLimit: 1_000 }
  await aReceivingAccount(deps, merchant, account)
  const jobs = webhookJobs(deps)
  const { signal } = new AbortController()
  const setTime = (): Promise<unknown> => node.rpc.call('setmocktime', Math.floor(clock.now().getTime() / 1000))
  await setTime()
  await node.mine(1)
  await process.look()
  const made: Shop = {
    ...{ node, deps, app, clock, process, key, hooks, merchant },
    async order(body = {}) {
      const payload = {
        ...{ amount_usd: 50, pay_chain: 'ltc', pay_asset: 'LTC', settle_chain: 'ltc', settle_asset: 'LTC' },
        ...{ webhook_url: hooks.url, ...body },
      }
      const reply = await app.inject({ method: 'POST', url: '/v1/orders', headers: key.headers, payload })
      assert.equal(reply.statusCode, 201, reply.payload)
      return reply.json() as Order
    },
    async read({ order_no }) {
      const reply = await app.inject({ method: 'GET', url: `/v1/orders/${order_no}`, headers: key.headers })
      assert.equal(reply.statusCode, 200)
      return reply.json() as Order
    },
    async work() {
      await process.look()
      for (let round = 0; round < 20; round++) {
        if ((await settleDue(deps)) + (await expireDue(deps)) === 0) return
      }
    },
    async advance(ms) {
      clock.advance(ms)
      await makePartitions(deps.sql, partitionedTables, clock.now())
      await setTime()
    },
    async eventsOf({ order_no }) {
      for (let round = 0; round < 200; round++) {
        for (const job of jobs) if (/^(deliver|promote)/.test(job.name)) await job.run(signal)
        const [open] = await deps.sql<{ n: bigint }[]>`
          select count(*) as n from deliveries where status not in ('succeeded', 'dead')`
        if (open?.n === 0n) break
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      const events = new Map<string, string>()
      for (const { body, headers } of hooks.requests) {
        const header = headers[SIGNATURE_HEADER.toLowerCase()] ?? ''
        const now = Math.floor(clock.now().getTime() / 1000)
        const secrets = [key.webhookSecret]
        // Older ones were signed when they were sent.
        const verdict = verify({ header, body, secrets, now, toleranceSeconds: 100 * 24 * 3600 })
        assert.ok(verdict.ok, JSON.stringify(verdict))
        const event = JSON.parse(body.toString()) as { id: string; event: string; order: Order }
        if (event.order.order_no !== order_no) continue
        assert.ok(!events.has(event.id), 'an event that was taken is not sent again')
        events.set(event.id, event.event)
      }
      return [...events.values()]
    },
  }
  return made
}

export const priceOf = (usd: string) => ({ sources: [{ kind: 'fixed', usd }], spreadBps: 0 })
export const addressIn = (order: Order): string => order.pay?.address ?? ''
export const state = (order: Order): string[] => [order.status, order.status_detail]

/** What the node has of the order's address is what the books say came in. */
export async function booksEqualTheNode({ node }: Shop, order: Order): Promise<void> {
  const scan = await node.rpc.call<{ unspents: { amount: number }[] }>('scantxoutset', 'start', [
    `addr(${addressIn(order)})`,
  ])
  const there = scan.unspents.reduce((sum, one) => sum + BigInt(Math.round(one.amount * 1e8)), 0n)
  const received = order.balance?.reduce((sum, line) => sum + BigInt(line.received), 0n) ?? 0n
  assert.equal(received, there)
}

/** In every flow: the receiver heard each change once, signed, and the books are what the node has. */
export async function proven(at: Shop, order: Order, events: readonly string[]): Promise<void> {
  assert.deepEqual(await at.eventsOf(order), events)
  await booksEqualTheNode(at, await at.read(order))
}
