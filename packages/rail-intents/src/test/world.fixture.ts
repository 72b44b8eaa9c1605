// The world of this rail's tests: the double on its own port, the rail over it as a process has it, a merchant and his orders.
import type { TestContext } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { makePartitions } from '@florin/platform/db/partitions'
import type { Sql } from '@florin/platform/db/pool'
import type { OutsideTransfers } from '@florin/rail-kit/interface/outside'
import type { Rail } from '@florin/rail-kit/interface/rail'
import { railsOf } from '@florin/rail-kit/sandbox/rail'
import { findAllowed } from '../../../server/src/addresses/third-party.store.ts'
import type { KeyCaller } from '../../../server/src/callers.ts'
import type { Deps } from '../../../server/src/deps.ts'
import type { parseInput } from '../../../server/src/orders/create/input.ts'
import { ownerOf } from '../../../server/src/orders/create/owner-of.ts'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { lockTransfers } from '../../../server/src/orders/own-refunds/payouts.store.ts'
import { listCounted } from '../../../server/src/orders/own-refunds/store.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { partitionedTables } from '../../../server/src/partitions.ts'
import { testDeps } from '../../../server/test/harness.ts'
import { aCaller, anOrder, settleDue } from '../../../server/test/orders.ts'
import { type Intents, intents } from '../index.ts'
import { type IntentsSettings, parseIntents } from '../settings/config.ts'
import { type Provider, startProvider } from './provider.fixture.ts'
import type { DoubleSwap } from './swaps.fixture.ts'

/** An address that the payer's money goes back to, on EVM chains. */
export const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
export const KEY = 'a-key-of-a-partner'

export interface Process {
  deps: Deps
  rail: Intents
  /** Asks the provider about every swap that may still change, as if all were due. */
  look(): Promise<void>
  /** Runs the jobs whose name begins so, once. */
  run(prefix: string): Promise<void>
}

export interface World extends Process {
  provider: Provider
  settings: IntentsSettings
  witnesses: OutsideTransfers[]
  clock: { now(): Date; advance(ms: number): void }
  caller: KeyCaller
  order(body?: Partial<Parameters<typeof parseInput>[0]>): Promise<OrderState>
  swapOf(order: OrderState): DoubleSwap
  /** Asks the provider, then does all that orders have to do. */
  settle(): Promise<void>
  read(order: OrderState): Promise<OrderState>
  later(ms: number): Promise<void>
}

type Shared = Pick<World, 'settings' | 'witnesses' | 'clock'> & {
  /** What other rails here say whose addresses are. */
  others?: readonly Rail[]
}

export function startProcess(deps: Deps, world: Shared, sql: Sql = deps.sql): Process {
  const { clock, log, wake } = deps
  const { witnesses } = world
  const made = intents(
    {
      ...{ sql, clock, log, wake, witnesses },
      takesUnproven: async (a) => (await findAllowed(sql, { ...a, now: clock.now() })).takesUnproven,
      ...{ listCounted, lockTransfers },
      ownerOf: ownerOf(sql, world.others ?? []),
    },
    world.settings,
  )
  const run = async (prefix: string): Promise<void> => {
    for (const job of made.jobs) if (job.name.startsWith(prefix)) await job.run(new AbortController().signal)
  }
  const own = { ...deps, sql, rails: railsOf(sql, [made]) }
  return {
    rail: made,
    deps: own,
    async look() {
      // The budget is filled by time.
      world.clock.advance(1_000)
      await deps.sql`update intents_legs set due_at = ${deps.clock.now()} where due_at is not null`
      await run('')
    },
    run,
  }
}

export function settingsOver(provider: Provider, fields: object = {}): IntentsSettings {
  const intents = {
    ...{ mode: 'test', url: provider.url, signer: provider.signer, apiKeyEnv: 'KEY', feeAccount: 'florin.near' },
    ...{ requestsPerS: 50, timeoutMs: 2_000, feedKeyEnv: 'FEED', feedUrl: provider.url, ...fields },
  }
  const settings = parseIntents(JSON.stringify({ intents }), { KEY, FEED: provider.rules.feedKey })
  if (settings === null) throw new Error('the settings are there')
  return settings
}

export async function aWorld(
  t: TestContext,
  a: { fields?: object; witnesses?: OutsideTransfers[]; minUsd?: number } = {},
): Promise<World> {
  const { deps, clock } = await testDeps(t)
  const provider = await startProvider({
    now: () => clock.now(),
    ...(a.minUsd === undefined ? {} : { minUsd: a.minUsd }),
  })
  t.after(() => provider.close())
  const shared = { settings: settingsOver(provider, a.fields), witnesses: a.witnesses ?? [], clock }
  const process = startProcess(deps, shared)
  await process.rail.check()
  const caller = await aCaller(process.deps, { feeBps: 100 })
  const settle = async (): Promise<void> => {
    await process.look()
    for (let round = 0; round < 20; round++)
      if ((await settleDue(process.deps)) + (await expireDue(process.deps)) === 0) return
  }
  return {
    ...{ ...process, ...shared, provider, caller, settle },
    order: (body = {}) =>
      anOrder(process.deps, caller, {
        ...{ amount_usd: 50, pay_chain: 'arb', pay_asset: 'USDC', refund_address: PAYER, ...body },
      }),
    swapOf: (order) => provider.find(order.legs.at(-1)?.address ?? ''),
    read: (order) => getOrder(deps.sql, order.orderNo),
    async later(ms) {
      clock.advance(ms)
      await makePartitions(deps.sql, partitionedTables, clock.now())
      await settle()
    },
  }
}
