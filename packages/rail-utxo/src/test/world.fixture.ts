// The world of this rail's tests: a chain in memory, served as a node and as block hosts, the rail over it as a process
// has it, and an account of a wallet.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import type { Sql } from '@florin/platform/db/pool'
import { railsOf } from '@florin/rail-kit/sandbox/rail'
import { accountAddresses } from '../../../server/src/addresses/accounts/assign.ts'
import type { KeyCaller } from '../../../server/src/callers.ts'
import type { Deps } from '../../../server/src/deps.ts'
import type { parseInput } from '../../../server/src/orders/create/input.ts'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { elsewhere } from '../../../server/test/elsewhere.ts'
import { anAsker, aReceivingAccount } from '../../../server/test/factories.ts'
import { type Mailbox, testDeps } from '../../../server/test/harness.ts'
import { aCaller, anOrder, settleDue } from '../../../server/test/orders.ts'
import { scriptOf } from '../chain/script.ts'
import type { PayAddresses, UtxoContext } from '../context.ts'
import { type Utxo, utxo } from '../index.ts'
import { parseUtxoChains, type UtxoChain } from '../settings/config.ts'
import { type Outpoint, type Output, TestChain } from './chain.fixture.ts'

// An account of BIP-84's wallet on a test network.
export const ACCOUNT =
  'wpkh([73c5da0a/84h/1h/0h]tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQAm397zwQSQoQgewGiYZqrA9DsP4zbQ1M/0/*)'

/** Another merchant's, of another wallet. */
export const OTHER_ACCOUNT =
  'wpkh([73c5da0a/84h/1h/9h]tpubDC8msFGeGuwniqjgnfRvBYr6qS6ZSZ7iWs1niCoV5BYzftC5NBKJ8nGE5geNphfdC7XQKKpgjtpjmY3Ueus7LdSkbSKbFjpw6AWAVW1RiBr/0/*)'

export interface Process {
  deps: Deps
  rail: Utxo
  /** Reads what is there to be read. */
  look(): Promise<void>
}

export function startProcess(
  deps: Deps,
  chains: readonly UtxoChain[],
  addresses: PayAddresses,
  sql: Sql = deps.sql,
  journal: UtxoContext['journal'] = { write: async () => undefined },
): Process {
  const { clock, log, wake } = deps
  const made = utxo({ sql, clock, log, wake, addresses, elsewhere, journal }, chains)
  return {
    rail: made,
    deps: { ...deps, sql, rails: railsOf(sql, [made]) },
    async look() {
      for (const job of made.jobs.filter((one) => one.name.startsWith('watch-'))) {
        for (let round = 0; round < 50; round++) if ((await job.run(new AbortController().signal)) === 0) break
      }
    },
  }
}

export interface World extends Process {
  chain: TestChain
  chains: readonly UtxoChain[]
  addresses: PayAddresses
  clock: { now(): Date; advance(ms: number): void }
  mailbox: Mailbox
  databaseUrl: string
  caller: KeyCaller
  order(body?: Partial<Parameters<typeof parseInput>[0]>): Promise<OrderState>
  /** Announced, in no block. @returns its id. */
  announce(order: OrderState, amount: bigint, inputs?: readonly Outpoint[]): string
  scriptOf(order: OrderState): string
  /** Reads the chain, then does all that orders have to do. */
  settle(): Promise<void>
  read(order: OrderState): Promise<OrderState>
}

export const PRICE_USD = '50000'

export function chainOver(
  urls: { node?: string; hosts?: readonly string[] },
  fields: object = {},
  id: 'btc' | 'ltc' = 'btc',
): UtxoChain {
  const node = urls.node === undefined ? {} : { node: { url: urls.node, user: 'florin', passwordEnv: 'PASSWORD' } }
  const settings = {
    ...{ mode: 'test', ...node, pollMs: 20, timeoutMs: 5_000 },
    ...(urls.hosts === undefined ? {} : { hosts: urls.hosts }),
    confirmations: [{ blocks: 3 }],
    prices: { sources: [{ kind: 'fixed', usd: PRICE_USD }], spreadBps: 0 },
    ...fields,
  }
  const [chain] = parseUtxoChains(JSON.stringify({ chains: { [id]: settings } }), { PASSWORD: 'secret' })
  assert.ok(chain)
  return chain
}

export async function aWorld(
  t: TestContext,
  a: {
    fields?: object
    sources?: (chain: TestChain) => Promise<{ node?: string; hosts?: string[] }>
    journal?: (deps: Deps) => UtxoContext['journal']
  } = {},
): Promise<World> {
  const { deps, clock, mailbox, databaseUrl } = await testDeps(t)
  const chain = new TestChain(() => clock.now())
  const urls = a.sources === undefined ? { node: await chain.node(t) } : await a.sources(chain)
  const chains = [chainOver(urls, a.fields)]
  const addresses = accountAddresses(deps.sql)
  const process = startProcess(deps, chains, addresses, deps.sql, a.journal?.(deps))
  const caller = await aCaller(process.deps, { feeBps: 100 })
  await aReceivingAccount(process.deps, anAsker(caller.merchantId), {
    ...{ chain: 'btc', text: ACCOUNT, network: 'regtest', walletLimit: 1_000 },
  })
  const script = (order: OrderState): string => scriptOf(chain.network, order.legs[0]?.address ?? '') ?? ''
  await process.look()
  return {
    ...process,
    ...{ chain, chains, addresses, clock, mailbox, databaseUrl, caller, scriptOf: script },
    order: (body = {}) =>
      anOrder(process.deps, caller, {
        ...{ amount_usd: 50, pay_chain: 'btc', pay_asset: 'BTC', settle_chain: 'btc', settle_asset: 'BTC', ...body },
      }),
    announce: (order, amount, inputs) => chain.send(TestChain.transaction([output(script(order), amount)], inputs)),
    async settle() {
      await process.look()
      for (let round = 0; round < 20; round++) {
        if ((await settleDue(process.deps)) + (await expireDue(process.deps)) === 0) return
      }
    },
    read: (order) => getOrder(deps.sql, order.orderNo),
  }
}

export const output = (script: string, amount: bigint): Output => ({ script, amount })
