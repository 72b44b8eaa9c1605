// What the suite of every rail is told in: a world in which money moves, the steps of it, and what must be true at the end.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { orderMoves } from '@florin/protocol'
import { quickTest, slowTest } from '../../../../../scripts/sizes.ts'
import { Killed } from '../../../test/kills/killable.ts'
import { settleDue } from '../../../test/orders.ts'
import type { OrderDeps } from '../../orders/advance.ts'
import { expireDue } from '../../orders/expire.ts'
import { compare } from '../../orders/reconcile/compare.ts'
import { listBooks } from '../../orders/reconcile/store.ts'
import { getOrder } from '../../orders/store.ts'
import { listTimeline } from '../../webhooks/events.store.ts'

export interface RailWorld {
  deps: OrderDeps
  /** A pending order of $50 with an open leg in a stable coin; the fee is 1 %. */
  order(a?: { refundAddress?: string; latePolicy?: 'settle' | 'refund' }): Promise<OrderState>
  /** An address that refunds can go to. */
  payerAddress: string
  /** The payer sends; the transfer is in a block when this resolves. */
  transfer(order: OrderState, a: { amount: bigint; asset?: 'wrong_asset' | 'wrong_chain' | 'native' }): Promise<void>
  /** Everything seen so far becomes final by the chain's rule. */
  confirm(order: OrderState): Promise<void>
  /** The newest transfer leaves the chain. */
  reorg(order: OrderState): Promise<void>
  /** The transfer that left comes back. */
  reappear(order: OrderState): Promise<void>
  /** Settlements and refunds that the rail took become final. */
  finish(order: OrderState): Promise<void>
  /** Settlements and refunds of the order that are final leave the chain, and nothing else does. */
  undo(order: OrderState): Promise<void>
  /** The chain shows a settlement of the order in a token of no worth. */
  forge(order: OrderState): Promise<void>
  /** So much of the leg's own asset is on its address now, whatever was reported. */
  deal(order: OrderState, amount: bigint): Promise<void>
  /** Settlements that the rail took turn out to be impossible. */
  refuse(order: OrderState): Promise<void>
  advance(ms: number): void
  /** One of two providers does not answer. Omitted: there is no chain. */
  silence?(isOn: boolean): void
  /** The coin is worth half a dollar. Omitted: there is no chain. */
  depeg?(isOn: boolean): void
  /** A rail over the same world on another connection: what a process has after a restart. */
  depsOn(sql: OrderDeps['sql']): OrderDeps
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

export interface Kind extends Partial<Pick<Suite, 'paysWallet' | 'byProvider'>> {
  /** Whose worlds are dear: `npm test` leaves what does not match to the slow tests. */
  quick?: RegExp
}

export type MakeWorld = (t: TestContext, wish: WorldWish) => Promise<RailWorld>

export function suiteOf(
  rail: string,
  makeWorld: MakeWorld,
  { paysWallet = false, byProvider = false, quick = /./ }: Kind,
): Suite {
  return {
    ...{ rail, paysWallet, byProvider },
    promise: (name, prove, wish = {}) => {
      const how = quick.test(name) ? quickTest : slowTest
      how(`${rail}: ${name}`, async (t) => prove(await makeWorld(t, wish)))
    },
  }
}

export type Step = (world: RailWorld, order: OrderState) => Promise<void> | void

export const whole = (order: OrderState): bigint => order.legs[0]?.amountDue ?? 0n
export const half = (order: OrderState): bigint => whole(order) / 2n
export const oneAndAHalf = (order: OrderState): bigint => whole(order) + half(order)

export const pays = (amountOf: (order: OrderState) => bigint): Step[] => [
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
export const costOf = (order: OrderState): bigint => (order.legs[0]?.dust ?? 0n) / 2n
export const transfersOf = (order: OrderState): number =>
  order.payments.reduce((sum, row) => (row.status === 'orphaned' ? sum : sum + row.transfers), 0)
export const exactly: Step[] = [...pays(whole), confirms, finishes]

/** After each step of the world the service does all that it can. */
export async function play(world: RailWorld, order: OrderState, steps: readonly Step[]): Promise<OrderState> {
  for (const step of steps) {
    await step(world, order)
    await work(world.deps)
  }
  return getOrder(world.deps.sql, order.orderNo)
}

/** What the background jobs do, until there is nothing left to do. A kill ends it, as it ends a process. */
export async function work(deps: OrderDeps): Promise<void> {
  const killed: Killed[] = []
  const note = (fields: { err?: unknown }): void => {
    if (fields.err instanceof Killed) killed.push(fields.err)
  }
  const watched: OrderDeps = {
    ...deps,
    log: Object.assign(Object.create(deps.log) as typeof deps.log, { error: note, warn: note }),
  }
  for (;;) {
    const did = (await settleDue(watched)) + (await expireDue(watched))
    if (killed[0] !== undefined) throw killed[0]
    if (did === 0) return
  }
}

/** The books add up, and what lies on the order's addresses is what they say. */
export async function accountedFor(world: RailWorld, order: OrderState): Promise<void> {
  for (const line of balanceOf(order)) {
    assert.equal(line.received, line.settled + line.fee + line.refunded + line.held)
    assert.equal(line.held, 0n, `${line.held} ${line.asset} is held at the end`)
  }
  // What is compared is final.
  for (let round = 0; round < 3; round++) await world.confirm(order)
  await work(world.deps)
  const books = await listBooks(world.deps.sql, [order.orderNo])
  const questions = order.legs.map((leg) => {
    const assets = books.filter((line) => line.legId === leg.id).map((line) => line.asset)
    return { orderRef: order.orderRef, legRef: leg.ref, assets }
  })
  const lines = compare(books, (await world.deps.rails.byKind(order.rail)?.holdings(questions)) ?? [])
  assert.ok(lines.length >= books.length, 'every line of the books is compared with the chain')
  for (const { asset, booked, found } of lines) assert.equal(found, booked, `${asset.asset} on ${asset.chain}`)
}

export async function samePlace(world: RailWorld, order: OrderState, expected: OrderState): Promise<void> {
  const place = (o: OrderState) => ({
    status: o.status,
    detail: o.detail,
    amountOut: o.amountOut,
    balance: balanceOf(o),
    settlements: o.settlements.map((row) => row.status),
    refunds: o.refunds.map((row) => row.status),
  })
  assert.deepEqual(place(order), place(expected))
  const timeline = await listTimeline(world.deps.sql, order)
  const moves = timeline.filter((row) => row.event !== null).map((row) => row.event)
  assert.deepEqual(moves, ['order.processing', 'order.success'], 'each event exactly once')
  for (let n = 1; n < timeline.length; n++) {
    const [from, to] = [timeline[n - 1], timeline[n]]
    assert.ok(from && to)
    const isMove = from.status !== to.status
    assert.ok(!isMove || orderMoves[from.status as keyof typeof orderMoves].some((next) => next === to.status))
  }
}
