// The contract tests of every rail. A rail's test provides a world (how money moves there); this suite drives it and
// checks only orders: each case ends with every unit accounted for, also when the service is killed between any two of
// its statements.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY_MS, MINUTE_MS, orderMoves } from '@florin/protocol'
import { Killed, killable } from '../../test/kills/killable.ts'
import { settleDue } from '../../test/orders.ts'
import { cancelOrder, nameRefundAddress, refundOrder, retrySettlement } from '../orders/acts.ts'
import type { OrderDeps } from '../orders/advance.ts'
import { expireDue } from '../orders/expire.ts'
import { canChooseLeg } from '../orders/model/commands.ts'
import { balanceOf } from '../orders/model/ledger.ts'
import { SINGLES_MAX } from '../orders/model/payments.ts'
import type { OrderState } from '../orders/model/state.ts'
import { compare } from '../orders/reconcile/compare.ts'
import { reconcileDue } from '../orders/reconcile/reconcile.ts'
import { enroll, listBooks } from '../orders/reconcile/store.ts'
import { getOrder, listTimeline } from '../orders/store.ts'

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
  /** A rail over the same world on another connection: what a process has after a restart. */
  depsOn(sql: OrderDeps['sql']): OrderDeps
}

/** @param killEvery 1: killed before every statement in turn; n: before every n-th, where a world is slow. */
export function railContract(
  rail: string,
  makeWorld: (t: TestContext) => Promise<RailWorld>,
  { killEvery = 1 }: { killEvery?: number } = {},
): void {
  const promise = (name: string, prove: (world: RailWorld) => Promise<void>): void => {
    test(`${rail}: ${name}`, async (t) => prove(await makeWorld(t)))
  }

  promise('the exact amount is settled less the fee', async (world) => {
    const order = await world.order()
    const done = await play(world, order, exactly)
    assert.equal(done.status, 'success')
    assert.equal(done.detail, 'paid')
    const due = order.legs[0]?.amountDue ?? 0n
    assert.equal(done.amountOut, due - due / 100n)
    assert.ok(done.settleTxHash)
    await accountedFor(world, done)
  })

  promise('too little waits a day, then goes back', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const partial = await play(world, order, [...pays(half), confirms, waits(31 * MINUTE_MS)])
    assert.equal(partial.detail, 'underpaid')
    const done = await play(world, partial, [waits(DAY_MS), finishes])
    assert.equal(done.status, 'refunded')
    await accountedFor(world, done)
  })

  promise('two parts make a whole', async (world) => {
    const done = await play(world, await world.order(), [...pays(half), ...pays(half), confirms, finishes])
    assert.equal(done.status, 'success')
    await accountedFor(world, done)
  })

  promise('too much settles the quote and returns the rest', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const done = await play(world, order, [...pays(oneAndAHalf), confirms, finishes, finishes])
    assert.equal(done.status, 'success')
    assert.equal(done.detail, 'overpaid')
    assert.equal(balanceOf(done)[0]?.refunded, half(order))
    await accountedFor(world, done)
  })

  promise('a second payment is returned', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const done = await play(world, order, [...exactly, ...pays(whole), confirms, finishes])
    assert.equal(done.status, 'success')
    assert.equal(balanceOf(done)[0]?.refunded, whole(order))
    await accountedFor(world, done)
  })

  promise('the whole amount late is settled, or returned where the merchant wants that', async (world) => {
    const late: Step[] = [waits(40 * MINUTE_MS), ...pays(whole), confirms, finishes]
    const settled = await play(world, await world.order(), late)
    assert.deepEqual([settled.status, settled.detail], ['success', 'paid_late'])
    await accountedFor(world, settled)
    const returned = await play(
      world,
      await world.order({ latePolicy: 'refund', refundAddress: world.payerAddress }),
      late,
    )
    assert.equal(returned.status, 'refunded')
    await accountedFor(world, returned)
  })

  for (const asset of ['wrong_asset', 'wrong_chain'] as const) {
    promise(`money of the ${asset.replace('_', ' ')} never pays, and goes back at the end`, async (world) => {
      const order = await world.order({ refundAddress: world.payerAddress })
      const send: Step = (w, o) => w.transfer(o, { amount: whole(o), asset })
      const waiting = await play(world, order, [send, confirms])
      assert.equal(waiting.status, 'pending')
      assert.equal(waiting.payments[0]?.use, asset)
      const done = await play(world, waiting, [waits(31 * MINUTE_MS), finishes])
      assert.equal(done.status, 'refunded')
      await accountedFor(world, done)
    })
  }

  promise('coins on an order that asked for a token are found and go back at the end', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const waiting = await play(world, order, [sends(COINS, 'native'), confirms])
    assert.deepEqual(
      waiting.payments.map(({ amount, use }) => [amount, use]),
      [[COINS, 'wrong_asset']],
    )
    const done = await play(world, waiting, [waits(31 * MINUTE_MS), finishes])
    assert.equal(done.status, 'refunded')
    await accountedFor(world, done)
  })

  promise('what comes after success is found as well, whatever it is, and goes back', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const paid = await play(world, order, exactly)
    const strays: Step[] = [(w, o) => w.transfer(o, { amount: whole(o), asset: 'wrong_asset' }), sends(COINS, 'native')]
    const done = await play(world, paid, [waits(10 * DAY_MS), ...strays, confirms, finishes, finishes])
    assert.equal(done.status, 'success')
    assert.deepEqual(done.refunds.map((row) => row.amount).sort(), [COINS, whole(done)].sort())
    await accountedFor(world, done)
  })

  promise(
    'what costs more to send back than it is worth is held and said, and goes back in one refund',
    async (world) => {
      const order = await world.order({ refundAddress: world.payerAddress })
      const piece = costOf(order) / 10n
      const few: Step[] = Array.from({ length: 8 }, () => sends(piece))
      const held = await play(world, order, [...few, confirms, waits(31 * MINUTE_MS), waits(DAY_MS)])
      assert.deepEqual([held.status, held.refunds], ['expired', []])
      const [line] = balanceOf(held)
      assert.deepEqual([line?.held, line?.heldBelowCost], [8n * piece, 8n * piece])
      await assert.rejects(
        refundOrder(world.deps, held, { actor: 'test', reason: null }),
        /below the cost of sending it back/,
      )
      const more: Step[] = Array.from({ length: 4 }, () => sends(piece))
      const done = await play(world, held, [...more, confirms, finishes, finishes])
      const [first, ...rest] = done.refunds
      assert.ok(first !== undefined && first.amount > costOf(order))
      assert.deepEqual([done.status, rest], ['refunded', []], 'one refund, not one a piece')
      assert.equal(first.amount + (balanceOf(done)[0]?.heldBelowCost ?? 0n), 12n * piece)
    },
  )

  promise('dust keeps nobody from canceling, and says nothing of how the order is paid', async (world) => {
    const dusted = await play(world, await world.order(), [sends(1n), sends(1n, 'wrong_asset'), confirms])
    assert.equal(canChooseLeg(dusted, dusted.createdAt), true)
    const canceled = await cancelOrder(world.deps, dusted)
    assert.deepEqual([canceled.status, canceled.detail, canceled.refunds], ['expired', 'canceled', []])
  })

  promise('more payments than keep a row of their own pay an order, and are taken back one by one', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const count = SINGLES_MAX + 4
    const piece = whole(order) / BigInt(count) + 1n
    for (let n = 0; n < count - 1; n++) await world.transfer(order, { amount: piece })
    const almost = await play(world, order, [nothing])
    // Some are deep enough to be confirmed, some are not: two rows for the others.
    assert.ok(almost.payments.length <= SINGLES_MAX + 2)
    assert.deepEqual([almost.status, transfersOf(almost)], ['pending', count - 1])
    const gone = await play(world, almost, [...pays(() => piece), (w, o) => w.reorg(o)])
    assert.deepEqual([gone.status, gone.detail], ['processing', 'reorged'])
    const done = await play(world, gone, [(w, o) => w.reappear(o), confirms, finishes])
    assert.deepEqual([done.status, transfersOf(done)], ['success', count])
    await accountedFor(world, done)
  })

  promise('a payment that a reorg takes away is waited for', async (world) => {
    const gone = await play(world, await world.order(), [...pays(whole), (w, o) => w.reorg(o)])
    assert.deepEqual([gone.status, gone.detail], ['processing', 'reorged'])
    const done = await play(world, gone, [(w, o) => w.reappear(o), confirms, finishes])
    assert.equal(done.status, 'success')
    await accountedFor(world, done)
  })

  promise('a payment that never returns fails the order', async (world) => {
    const done = await play(world, await world.order(), [
      ...pays(whole),
      (w, o) => w.reorg(o),
      waits(31 * MINUTE_MS),
      waits(DAY_MS),
    ])
    assert.deepEqual([done.status, done.detail], ['failed', 'reorged'])
    await accountedFor(world, done)
  })

  promise('a settlement that cannot be is retried, or the money goes back', async (world) => {
    const failing: Step[] = [...pays(whole), confirms, (w, o) => w.refuse(o)]
    const failed = await play(world, await world.order({ refundAddress: world.payerAddress }), failing)
    assert.deepEqual([failed.status, failed.detail], ['failed', 'settlement_failed'])
    await retrySettlement(world.deps, failed, 'test')
    const done = await play(world, failed, [nothing, finishes])
    assert.equal(done.status, 'success')
    await accountedFor(world, done)

    const again = await play(world, await world.order({ refundAddress: world.payerAddress }), failing)
    await refundOrder(world.deps, again, { actor: 'test', reason: null })
    const returned = await play(world, again, [nothing, finishes])
    assert.equal(returned.status, 'refunded')
    await accountedFor(world, returned)
  })

  promise('a refund waits for an address that the merchant names', async (world) => {
    const waiting = await play(world, await world.order(), [...pays(oneAndAHalf), confirms, finishes])
    assert.equal(waiting.detail, 'refund_address_needed')
    const by = { actor: 'test', refundId: waiting.refunds[0]?.id ?? '', address: world.payerAddress }
    await nameRefundAddress(world.deps, waiting, by, async () => undefined)
    const done = await play(world, waiting, [nothing, finishes])
    assert.equal(done.refunds[0]?.status, 'succeeded')
    assert.equal(done.detail, 'overpaid')
    await accountedFor(world, done)
  })

  promise('what was final and left the chain comes back, and is done once', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const done = await play(world, order, [...pays(oneAndAHalf), confirms, finishes, finishes])
    await accountedFor(world, done)
    const gone = await play(world, done, [(w, o) => w.undo(o)])
    assert.deepEqual([gone.status, gone.detail], ['success', 'settlement_left_the_chain'])
    assert.equal(balanceOf(gone)[0]?.held, oneAndAHalf(order))
    const items = async (): Promise<string[]> => {
      const rows = await world.deps.sql<{ kind: string }[]>`
        select kind from attention where order_no = ${order.orderNo} and resolved_at is null order by kind`
      return rows.map((row) => row.kind)
    }
    assert.deepEqual(await items(), ['refund_left_the_chain', 'settlement_left_the_chain'])
    const back = await play(world, gone, [finishes, finishes])
    assert.deepEqual([back.status, back.detail, back.refunds.length], ['success', 'overpaid', 1])
    assert.deepEqual(await items(), [])
    await accountedFor(world, back)
  })

  promise('a settlement in a token of no worth settles nothing, and people hear of it', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const forged = await play(world, order, [(w, o) => w.forge(o), confirms, finishes])
    assert.deepEqual([forged.status, forged.amountOut], ['pending', null])
    const kinds = await world.deps.sql<{ kind: string }[]>`select kind from attention where order_no = ${order.orderNo}`
    assert.ok(kinds.some((row) => row.kind === 'settlement_not_as_bound'))
    const done = await play(world, forged, exactly)
    assert.equal(done.status, 'success')
    const due = order.legs[0]?.amountDue ?? 0n
    assert.equal(done.amountOut, due - due / 100n)
  })

  promise(
    'books that differ from the chain are told at the second final block, and end when they agree',
    async (world) => {
      const order = await world.order({ refundAddress: world.payerAddress })
      await play(world, order, exactly)
      const looks = async (): Promise<string[]> => {
        await play(world, order, [confirms, waits(2 * MINUTE_MS), confirms])
        const now = world.deps.clock.now()
        await enroll(world.deps.sql, { overlapMs: DAY_MS, since: order.createdAt, now, limit: 100 })
        await world.deps.sql`update reconciliations set due_at = ${now}`
        await reconcileDue(world.deps)
        const rows = await world.deps.sql<{ kind: string }[]>`
        select kind from attention where order_no = ${order.orderNo} and resolved_at is null`
        return rows.map((row) => row.kind)
      }
      assert.deepEqual(await looks(), [])
      assert.deepEqual(await looks(), [], 'books and chain agree')
      await world.deal(order, 7n)
      assert.deepEqual(await looks(), [], 'one look is not enough')
      assert.deepEqual(await looks(), ['books_differ'])
      assert.deepEqual(await looks(), ['books_differ'], 'told once')
      const [row] = await world.deps.sql<{ booked: string; found: string }[]>`
      select booked::text, found::text from book_differences`
      assert.deepEqual({ ...row }, { booked: '0', found: '7' })
      await world.deal(order, 0n)
      assert.deepEqual(await looks(), [])
    },
  )

  promise('opening a leg twice by one reference shows one leg', async (world) => {
    const order = await world.order()
    const [leg] = order.legs
    assert.ok(leg)
    const found = world.deps.rails.find({
      livemode: order.livemode,
      pay: leg,
      settle: leg.settle,
      settleAddress: leg.settleAddress,
    })
    const request = {
      ...order,
      legRef: leg.ref,
      pay: leg,
      settle: leg.settle,
      merchantAddress: leg.settleAddress,
      refundAddress: leg.boundRefundAddress,
      now: order.createdAt,
    }
    const again = await found?.open(request)
    assert.deepEqual([again?.address, again?.amountDue], [leg.address, leg.amountDue])
  })

  promise('killed between any two statements, the next run ends in the same state', async (world) => {
    const steps: Step[] = [...pays(oneAndAHalf), confirms, finishes, finishes]
    const expected = await play(world, await world.order({ refundAddress: world.payerAddress }), steps)
    assert.equal(expected.status, 'success')
    let kills = 0
    for (let killAt = 0; ; killAt += killEvery) {
      const order = await world.order({ refundAddress: world.payerAddress })
      const { sql, count } = killable(world.deps.sql, killAt)
      let isKilled = false
      for (const step of steps) {
        await step(world, order)
        if (!isKilled) {
          isKilled = await work(world.depsOn(sql)).then(
            () => false,
            (error: unknown) => {
              if (!(error instanceof Killed)) throw error
              return true
            },
          )
        }
        if (isKilled) await work(world.deps)
      }
      await samePlace(world, await getOrder(world.deps.sql, order.orderNo), expected)
      if (!isKilled) {
        assert.ok(count() <= killAt, 'the last round was let through whole')
        break
      }
      kills++
    }
    assert.ok(kills * killEvery > 20, `only ${kills} places to be killed at`)
  })
}

type Step = (world: RailWorld, order: OrderState) => Promise<void> | void

const whole = (order: OrderState): bigint => order.legs[0]?.amountDue ?? 0n
const half = (order: OrderState): bigint => whole(order) / 2n
const oneAndAHalf = (order: OrderState): bigint => whole(order) + half(order)

const pays = (amountOf: (order: OrderState) => bigint): Step[] => [
  (world, order) => world.transfer(order, { amount: amountOf(order) }),
]
const confirms: Step = (world, order) => world.confirm(order)
const finishes: Step = (world, order) => world.finish(order)
/** Lets the service work. */
const nothing: Step = () => undefined
const waits =
  (ms: number): Step =>
  (world) =>
    world.advance(ms)
const sends =
  (amount: bigint, asset?: 'wrong_asset' | 'wrong_chain' | 'native'): Step =>
  (world, order) =>
    world.transfer(order, { amount, ...(asset === undefined ? {} : { asset }) })
/** Of a native coin, worth more than sending it back costs. */
const COINS = 10n ** 15n
/** What sending the leg's own asset back costs. */
const costOf = (order: OrderState): bigint => (order.legs[0]?.dust ?? 0n) / 2n
const transfersOf = (order: OrderState): number =>
  order.payments.reduce((sum, row) => (row.status === 'orphaned' ? sum : sum + row.transfers), 0)
const exactly: Step[] = [...pays(whole), confirms, finishes]

/** After each step of the world the service does all that it can. */
async function play(world: RailWorld, order: OrderState, steps: readonly Step[]): Promise<OrderState> {
  for (const step of steps) {
    await step(world, order)
    await work(world.deps)
  }
  return getOrder(world.deps.sql, order.orderNo)
}

/** What the background jobs do, until there is nothing left to do. A kill ends it, as it ends a process. */
async function work(deps: OrderDeps): Promise<void> {
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
async function accountedFor(world: RailWorld, order: OrderState): Promise<void> {
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

async function samePlace(world: RailWorld, order: OrderState, expected: OrderState): Promise<void> {
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
