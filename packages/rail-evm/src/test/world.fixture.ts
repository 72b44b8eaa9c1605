// The world of the forwarder's tests: a real node with the contracts and two tokens, the rail over it as a process
// has it, and a payer who sends whatever a test wants.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Anvil, startAnvil, toAnvil } from '@florin/contracts/anvil'
import { anvilAccount, anvilKey } from '@florin/contracts/anvil-accounts'
import { deployFactory } from '@florin/contracts/deploy'
import { testUsdcAbi, testUsdcBytecode, testUsdtAbi, testUsdtBytecode } from '@florin/contracts/test-tokens'
import type { OrderState } from '@florin/order-model/state'
import { makePartitions } from '@florin/platform/db/partitions'
import type { Sql } from '@florin/platform/db/pool'
import { DAY_MS } from '@florin/protocol'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { readFact } from '@florin/rail-kit/report.store'
import { railsOf } from '@florin/rail-kit/sandbox/rail'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
} from 'viem'
import type { KeyCaller } from '../../../server/src/callers.ts'
import type { Deps } from '../../../server/src/deps.ts'
import type { parseInput } from '../../../server/src/orders/create/input.ts'
import { listEndedMoves } from '../../../server/src/orders/rail-outbox.store.ts'
import { partitionedTables } from '../../../server/src/partitions.ts'
import { type ProcessJournal, routeJournal } from '../../../server/src/recovery/journal.ts'
import type { Config } from '../../../server/src/settings.ts'
import { type Mailbox, testDeps } from '../../../server/test/harness.ts'
import { aCaller, anOrder } from '../../../server/test/orders.ts'
import { type Forwarder, forwarder } from '../index.ts'
import { type ForwarderChain, parseRailsConfig } from '../settings/config.ts'
import { receiptOf } from './receipt.fixture.ts'

export const lower = (address: string): Address => address.toLowerCase() as Address

export interface NodeOfTest {
  url: string
  factory: Address
  impl: Address
  collector: Address
  usdc: Address
  usdt: Address
}

const roles = { owner: anvilAccount(0), relayer: anvilAccount(1), refunder: anvilAccount(2), guardian: anvilAccount(3) }
const payer = anvilAccount(5)
/** Unlocked accounts of the node that nothing else sends from. */
export const payers: readonly Address[] = [6, 7, 8, 9].map((n) => anvilAccount(n).address)

export const { owner, relayer } = roles

/** What the journals of tests are sealed under. */
export const SEED = new Uint8Array(32).fill(7)
const journals: ProcessJournal[] = []
const anvils: Anvil[] = []
const nodes = new Map<number, Promise<NodeOfTest>>()

/** One node a chain and process; a file that takes one ends with `after(stopNodes)`. */
export function testNode(chainId = 31_337): Promise<NodeOfTest> {
  const node = nodes.get(chainId) ?? startNode(chainId)
  nodes.set(chainId, node)
  return node
}

export async function stopNodes(): Promise<void> {
  await Promise.all(nodes.values())
  nodes.clear()
  // Files that share a process each end with this.
  await Promise.all(anvils.splice(0).map((anvil) => anvil.stop()))
  await Promise.all(journals.splice(0).map((journal) => journal.close()))
}

/** A node with everything on it. */
async function startNode(chainId: number): Promise<NodeOfTest> {
  const anvil = await startAnvil({ chainId })
  anvils.push(anvil)
  const transport = toAnvil(anvil.url)
  const wallet = createWalletClient({ transport, account: roles.owner })
  const client = createPublicClient({ transport, pollingInterval: 20 })
  const { factory, impl, feeVault } = await deployFactory({
    ...{ client, wallet, chainId, installDeployer: true },
    config: {
      owner: roles.owner.address,
      relayers: [roles.relayer.address],
      refunders: [roles.refunder.address],
      guardians: [roles.guardian.address],
    },
  })
  const deploy = async (abi: readonly unknown[], bytecode: Hex): Promise<Address> => {
    const hash = await wallet.deployContract({ abi, bytecode, chain: null })
    const { contractAddress } = await receiptOf(client, hash)
    assert.ok(contractAddress)
    return lower(contractAddress)
  }
  const usdc = await deploy(testUsdcAbi, testUsdcBytecode)
  const usdt = await deploy(testUsdtAbi, testUsdtBytecode)
  return { url: anvil.url, factory, impl, collector: feeVault, usdc, usdt }
}

/** A chain of the rails file over a node; `overrides` are its fields there. */
export function chainOver(node: NodeOfTest, overrides: object = {}, chain = 'base'): ForwarderChain {
  const fields = {
    ...{ mode: 'test', chainId: 31_337, rpc: [node.url], pollMs: 20, maxReorg: 16, reorgWindow: 64 },
    ...{ factory: node.factory, impl: node.impl, collector: node.collector },
    tokens: [
      { asset: 'USDC', contract: node.usdc, decimals: 6 },
      { asset: 'USDT', contract: node.usdt, decimals: 6, noReturn: true },
    ],
    confirmations: { seen: 1, settle: 3 },
    finality: { depth: 5 },
    prices: { sources: [{ kind: 'fixed', usd: '3000' }], spreadBps: 0 },
    relayer: { privateKey: anvilKey(1), maxFeeGwei: '100', batchWaitMs: 0, bumpAfterBlocks: 3 },
    refunder: { privateKey: anvilKey(2) },
    ...overrides,
  }
  const [parsed] = parseRailsConfig(JSON.stringify({ chains: { [chain]: fields } }), {})
  assert.ok(parsed)
  return parsed
}

export interface Process {
  deps: Deps
  forwarder: Forwarder
  /** Runs the watchers until nothing is new. @returns how many steps they went. */
  look(): Promise<number>
  /** Runs watchers and relay until nothing is left to do. */
  work(): Promise<void>
}

/** What one process has: its own connection, its own memory, the same database. */
export function startProcess(deps: Deps, chains: readonly ForwarderChain[], sql: Sql = deps.sql): Process {
  const { clock, log, config } = deps
  const journal = routeJournal({ dir: config.journalDir, seed: SEED, clock, log, sql })
  journals.push(journal)
  const made = forwarder({ sql, clock, log, wake: deps.wake, journal, listEndedMoves }, chains)
  const rails = railsOf(sql, [made])
  const runAll = async (prefix: string): Promise<number> => {
    let total = 0
    const jobs = made.jobs.filter((job) => job.name.startsWith(prefix))
    for (let round = 0; round < 500; round++) {
      let did = 0
      for (const job of jobs) did += await job.run(new AbortController().signal)
      if (did === 0) return total
      total += did
    }
    throw new Error('the jobs never come to rest')
  }
  return {
    deps: { ...deps, sql, rails },
    forwarder: made,
    look: () => runAll('watch-'),
    async work() {
      for (let round = 0; round < 20; round++) {
        if ((await runAll('watch-')) + (await runAll('relay-')) === 0) return
      }
    },
  }
}

export interface World extends Process {
  node: NodeOfTest
  chains: readonly ForwarderChain[]
  clock: { now(): Date; advance(ms: number): void }
  databaseUrl: string
  mailbox: Mailbox
  caller: KeyCaller
  payer: Address
  client: ReturnType<typeof createPublicClient>
  anvil: ReturnType<typeof createTestClient>
  order(body?: Partial<Parameters<typeof parseInput>[0]>): Promise<OrderState>
  /** In a block of its own when this resolves; null is the native coin. */
  pay(to: string, token: Address | null, amount: bigint): Promise<Hex>
  payOn(node: NodeOfTest, to: string, token: Address | null, amount: bigint): Promise<Hex>
  mine(blocks?: number): Promise<void>
  /** The newest blocks leave, and as many empty ones come. */
  reorg(depth: number): Promise<void>
  /** Waits until so many transactions wait for a block. */
  waitForPool(count: number): Promise<void>
  unitsOf(token: Address | null, who: string): Promise<bigint>
  /** What the rail reported of an order and nobody has applied yet. */
  factsOf(orderRef: string): Promise<RailFact[]>
}

/** The payer's own way to a node; whose nodes lie to the service does not lie to them. */
async function payOn(node: NodeOfTest, to: string, token: Address | null, amount: bigint): Promise<Hex> {
  const transport = toAnvil(node.url)
  const wallet = createWalletClient({ transport, account: payer })
  const vault = lower(to)
  // Both test tokens mint by the same call, and minting is a transfer from the zero address.
  const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [vault, amount] })
  const hash = await wallet.sendTransaction({
    chain: null,
    ...(token === null ? { to: vault, value: amount } : { to: token, data }),
  })
  const client = createPublicClient({ transport, pollingInterval: 20 })
  const receipt = await receiptOf(client, hash)
  assert.equal(receipt.status, 'success')
  return hash
}

export async function aWorld(
  t: TestContext,
  a: { node?: NodeOfTest; chains?: readonly ForwarderChain[]; fields?: object; config?: Partial<Config> } = {},
): Promise<World> {
  const { deps, clock, databaseUrl, mailbox } = await testDeps(t, a.config)
  const node = a.node ?? (await testNode())
  const chains = a.chains ?? [chainOver(node, a.fields)]
  const process = startProcess(deps, chains)
  const transport = toAnvil(node.url)
  const caller = await aCaller(deps, { feeBps: 100 })
  const client = createPublicClient({ transport, pollingInterval: 20, cacheTime: 0 })
  const anvil = createTestClient({ mode: 'anvil', transport })
  // A node that served another test may have been moved ahead in time.
  const { timestamp } = await client.getBlock()
  const aheadMs = Math.max(0, Number(timestamp) * 1000 - clock.now().getTime())
  clock.advance(aheadMs)
  // Further than partitions were made for, less than a test may go on from here.
  for (const days of aheadMs > 5 * DAY_MS ? [0, 7] : [])
    await makePartitions(deps.sql, partitionedTables, new Date(clock.now().getTime() + days * DAY_MS))
  return {
    ...process,
    ...{ node, chains, clock, databaseUrl, mailbox, caller, client, anvil, payer: lower(payer.address) },
    order: (body = {}) => anOrder(process.deps, caller, { amount_usd: 50, pay_chain: 'base', ...body }),
    pay: (to, token, amount) => payOn(node, to, token, amount),
    payOn,
    mine: (blocks = 1) => anvil.mine({ blocks }),
    reorg: (depth) => client.request({ method: 'anvil_reorg', params: [depth, []] } as never),
    async waitForPool(count) {
      while ((await anvil.getTxpoolStatus()).pending < count) await setImmediate()
    },
    unitsOf: (token, who) =>
      token === null
        ? client.getBalance({ address: lower(who) })
        : client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [lower(who)] }),
    async factsOf(orderRef) {
      const rows = await deps.sql<{ fact: Record<string, unknown> }[]>`
        select fact from rail_facts where order_ref = ${orderRef} order by id`
      return rows.map((row) => readFact(row.fact))
    },
  }
}
