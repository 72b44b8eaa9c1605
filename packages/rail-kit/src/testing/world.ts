// What the suite of every rail is told in: a world in which money moves, the steps of it, and what must be true at the end.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Sql } from '@florin/platform/db/pool'
import { Killed } from '@florin/platform/testing/killable'
import { orderMoves } from '@florin/protocol'
import type { RailCapabilities } from '../interface/rail.ts'
import type { OrderHost, SuiteOrder } from './host.ts'

export interface RailWorld<Order extends SuiteOrder = SuiteOrder> {
  /** The orders' side, with the rail under test in its registry. */
  host: OrderHost<Order>
  /** A pending order of $50 with an open leg in a stable coin; the fee is 1 %. */
  order(a?: { refundAddress?: string; latePolicy?: 'settle' | 'refund' }): Promise<Order>
  /** An address that refunds can go to. */
  payerAddress: string
  /** The payer sends; the transfer is in a block when this resolves. */
  transfer(order: Order, a: { amount: bigint; asset?: 'wrong_asset' | 'wrong_chain' | 'native' }): Promise<void>
  /** Everything seen so far becomes final by the chain's rule. */
  confirm(order: Order): Promise<void>
  /** The newest transfer leaves the chain. */
  reorg(order: Order): Promise<void>
  /** The transfer that left comes back. */
  reappear(order: Order): Promise<void>
  /** Settlements and refunds that the rail took become final. */
  finish(order: Order): Promise<void>
  /** Settlements and refunds of the order that are final leave the chain, and nothing else does. */
  undo(order: Order): Promise<void>
  /** The chain shows a settlement of the order in a token of no worth. */
  forge(order: Order): Promise<void>
  /** So much of the leg's own asset is on its address now, whatever was reported. */
  deal(order: Order, amount: bigint): Promise<void>
  /** Settlements that the rail took turn out to be impossible. */
  refuse(order: Order): Promise<void>
  /** Time passes, for the service and for the chain. */
  advance(ms: number): Promise<void> | void
  /** One of two providers does not answer. Omitted: there is no chain. */
  silence?(isOn: boolean): void
  /** The coin is worth half a dollar. Omitted: there is no chain. */
  depeg?(isOn: boolean): void
  /** The same over another connection, with a rail that was made anew: what a process has after a restart. */
  hostOn(sql: Sql): OrderHost<Order>
}

/** What a rail's test gives to the suite. */
export interface Suite {
  rail: string
  /**
   * The payer pays the merchant's own wallet in the chain's volatile coin: nothing is taken on the way, no settlement can be
   * refused or leave by itself, no other asset can come, and a rate does not hold for late money.
   */
  paysWallet: boolean
  /**
   * A third party settles and returns by itself, to the addresses that it was given: nobody here can retry or name another,
   * only the asset that was asked for is ever seen, late money goes back, and what comes after the end is nobody's.
   */
  byProvider: boolean
  /** Proves one promise in a world of its own. */
  promise(name: string, prove: (world: RailWorld) => Promise<void>, wish?: WorldWish): void
}

/** What a chain's world has beside the rest: two providers, of which one can be silenced; a coin that can lose its price. */
export interface WorldWish {
  providers?: 2
  isPegged?: true
}

export type MakeWorld = (t: TestContext, wish: WorldWish) => Promise<RailWorld>

/** The capabilities that decide which promises a rail has to keep. */
export type SuiteCapabilities = Pick<RailCapabilities, 'kind' | 'settlesTo' | 'custody'>

/** Which kind of test a promise is, by its name: a rail whose worlds are slow leaves some promises to its slow tests. */
export type ChooseTest = (promise: string) => (name: string, run: (t: TestContext) => Promise<void>) => unknown

export function suiteOf(
  { kind, settlesTo, custody }: SuiteCapabilities,
  makeWorld: MakeWorld,
  testFor: ChooseTest = () => test,
): Suite {
  return {
    ...{ rail: kind, paysWallet: settlesTo === 'account', byProvider: custody === 'third-party' },
    promise: (name, prove, wish = {}) => {
      testFor(name)(`${kind}: ${name}`, async (t) => {
        const world = await makeWorld(t, wish)
        const said = world.host.rails.byKind(kind)?.capabilities
        assert.deepEqual([said?.settlesTo, said?.custody], [settlesTo, custody], `${kind} has other capabilities`)
        await prove(world)
      })
    },
  }
}

export type Step = (world: RailWorld, order: SuiteOrder) => Promise<void> | void

export const whole = (order: SuiteOrder): bigint => order.legs[0]?.amountDue ?? 0n
export const half = (order: SuiteOrder): bigint => whole(order) / 2n
export const oneAndAHalf = (order: SuiteOrder): bigint => whole(order) + half(order)

export const pays = (amountOf: (order: SuiteOrder) => bigint): Step[] => [
  (world, order) => world.transfer(order, { amount: amountOf(order) }),
]
export const confirms: Step = (world, order) => world.confirm(order)
export const finishes: Step = (world, order) => world.finish(order)
/** Lets the service work. */
export const nothing: Step = () => undefined
export const waits =
  (ms: number): Step =>
  (world) =>
    world.advance(ms)
export const sends =
  (amount: bigint, asset?: 'wrong_asset' | 'wrong_chain' | 'native'): Step =>
  (world, order) =>
    world.transfer(order, { amount, ...(asset === undefined ? {} : { asset }) })
/** Of a native coin, worth more than sending it back costs. */
export const COINS = 10n ** 15n
/** What sending the leg's own asset back costs. */
export const costOf = (order: SuiteOrder): bigint => (order.legs[0]?.dust ?? 0n) / 2n
export const transfersOf = (order: SuiteOrder): number =>
  order.payments.reduce((sum, row) => (row.status === 'orphaned' ? sum : sum + row.transfers), 0)
export const exactly: Step[] = [...pays(whole), confirms, finishes]

/** After each step of the world the service does all that it can. */
export async function play(world: RailWorld, order: SuiteOrder, steps: readonly Step[]): Promise<SuiteOrder> {
  for (const step of steps) {
    await step(world, order)
    await work(world.host)
  }
  return world.host.read(order)
}

/** Runs the background jobs until nothing is left to do. A kill ends them, as it ends a process. */
export async function work(host: OrderHost): Promise<void> {
  const killed: Killed[] = []
  const note = (error: unknown): void => {
    if (error instanceof Killed) killed.push(error)
  }
  for (;;) {
    const did = await host.work(note)
    if (killed[0] !== undefined) throw killed[0]
    if (did === 0) return
  }
}

/** The books add up, and the balances of the order's addresses are what the books say. */
export async function accountedFor(world: RailWorld, order: SuiteOrder): Promise<void> {
  const { host } = world
  for (const line of host.balanceOf(order)) {
    assert.equal(line.received, line.settled + line.fee + line.refunded + line.held)
    assert.equal(line.held, 0n, `${line.held} ${line.asset} is held at the end`)
  }
  // What is compared is final.
  for (let round = 0; round < 3; round++) await world.confirm(order)
  await work(host)
  const books = await host.booksOf(order)
  const questions = order.legs.map((leg) => {
    const assets = books.filter((line) => line.legRef === leg.ref).map((line) => line.asset)
    return { orderRef: order.orderRef, legRef: leg.ref, assets }
  })
  const holdings = (await host.rails.byKind(order.rail)?.holdings(questions)) ?? []
  const contractOf = (asset: { contract: string | null }): string | null => asset.contract?.toLowerCase() ?? null
  for (const { legRef, asset, amount } of holdings) {
    const line = books.find(
      (one) => one.legRef === legRef && one.asset.chain === asset.chain && contractOf(one.asset) === contractOf(asset),
    )
    assert.equal(amount, line?.booked ?? 0n, `${asset.asset} on ${asset.chain}`)
  }
  for (const { legRef } of books)
    assert.ok(
      holdings.some((one) => one.legRef === legRef),
      'every leg of the books is compared with the chain',
    )
  assert.ok(holdings.length >= books.length, 'every line of the books is compared with the chain')
}

export async function samePlace(world: RailWorld, order: SuiteOrder, expected: SuiteOrder): Promise<void> {
  const place = (o: SuiteOrder) => ({
    status: o.status,
    detail: o.detail,
    amountOut: o.amountOut,
    balance: world.host.balanceOf(o),
    settlements: o.settlements.map((row) => row.status),
    refunds: o.refunds.map((row) => row.status),
  })
  assert.deepEqual(place(order), place(expected))
  const timeline = await world.host.timelineOf(order)
  const moves = timeline.filter((row) => row.event !== null).map((row) => row.event)
  assert.deepEqual(moves, ['order.processing', 'order.success'], 'each event exactly once')
  for (let n = 1; n < timeline.length; n++) {
    const [from, to] = [timeline[n - 1], timeline[n]]
    assert.ok(from && to)
    const isMove = from.status !== to.status
    assert.ok(!isMove || orderMoves[from.status as keyof typeof orderMoves].some((next) => next === to.status))
  }
}
