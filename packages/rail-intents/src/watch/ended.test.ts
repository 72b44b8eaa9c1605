// The provider says how a swap ended, and then says otherwise: orders that are closed stay so, each change is told once, what reached
// the merchant is named with its transaction, and that transaction pays for nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { sentenceOf } from '../../../server/src/attention/words.ts'
import { actOnAttention } from '../../../server/src/decisions/acts.ts'
import { listTimeline } from '../../../server/src/webhooks/events.store.ts'
import { anAsker, aThirdParty } from '../../../server/test/factories.ts'
import { aNode, claimed, hash, itemsOf, merchant, receipt, USDC_OUT } from '../test/payouts.fixture.ts'
import { announce, type DoubleSwap, deposit, fail, fill, giveBack } from '../test/swaps.fixture.ts'
import { aWorld, type World } from '../test/world.fixture.ts'
import { nextLook, type Timed } from './schedule.ts'

const CHANGED = 'third_party_changed'

async function chained(
  t: Parameters<typeof aWorld>[0],
): Promise<{ world: World; node: Awaited<ReturnType<typeof aNode>> }> {
  const node = await aNode(t)
  const world = await aWorld(t, { fields: { nodes: { base: node.url } } })
  const soon = Math.floor((world.clock.now().getTime() + 3 * DAY_MS) / 1000)
  node.answers.set('0xb10c', { timestamp: `0x${soon.toString(16)}` })
  node.answers.set('latest', { number: '0xb110' })
  return { world, node }
}

async function paid(world: World): Promise<OrderState> {
  const order = await world.order()
  deposit(world.swapOf(order), order.legs[0]?.amountDue ?? 0n, world.clock.now())
  await world.settle()
  return order
}

async function refunded(world: World): Promise<OrderState> {
  const order = await paid(world)
  giveBack(world.swapOf(order), 'SLIPPAGE_EXCEEDED', world.clock.now())
  await world.settle()
  assert.equal((await world.read(order)).status, 'refunded')
  return order
}

/** It says so from now on. */
function says(world: World, order: OrderState, more: Partial<DoubleSwap>): void {
  Object.assign(world.swapOf(order), { updatedAt: world.clock.now() }, more)
}
const payout = (txHash: string, amountOut = USDC_OUT): Partial<DoubleSwap> => ({
  ...{ status: 'SUCCESS', destination: [txHash], amountOut, amountIn: 50_000_000n, refunded: 0n },
})

async function shown(world: World, order: OrderState): Promise<unknown[]> {
  const now = await world.read(order)
  const told = (await listTimeline(world.deps.sql, now)).flatMap(({ event }) =>
    event === null ? [] : [event.replace('order.', '')],
  )
  for (const line of balanceOf(now)) {
    assert.equal(line.received, line.settled + line.fee + line.refunded + line.held)
    assert.equal(line.held, 0n)
  }
  return [now.status, told.join(' '), (await itemsOf(world, order)).map(({ kind }) => kind)]
}

const dueOf = async (world: World, { orderRef }: OrderState): Promise<Date | null> =>
  (
    await world.deps.sql<{ dueAt: Date | null }[]>`
    select due_at as "dueAt" from intents_legs where order_ref = ${orderRef}`
  )[0]?.dueAt ?? null

test('money that was said to have gone back and reaches the merchant is told of once, with its transaction, which proves nothing else', async (t) => {
  const { world, node } = await chained(t)
  const order = await refunded(world)
  assert.deepEqual(await shown(world, order), ['refunded', 'processing refunded', []])
  node.answers.set(hash(1), receipt(merchant(order), USDC_OUT))
  says(world, order, payout(hash(1)))
  const mails = async () => (await world.deps.sql`select 1 from mail_notices`).length
  const mailed = await mails()
  // Nobody hurries it: it is asked about by its own schedule.
  world.clock.advance(10 * MINUTE_MS + SECOND_MS)
  await world.run('intents')
  const { length } = await world.deps.sql`select 1 from rail_facts where order_ref = ${order.orderRef}`
  assert.equal(length, 1)
  await world.settle()
  assert.deepEqual(await shown(world, order), ['refunded', 'processing refunded', [CHANGED]])
  const [item] = await itemsOf(world, order)
  const { tx_hash, amount, asset, chain, to, deposit_address, failure } = item?.evidence ?? {}
  assert.deepEqual([tx_hash, amount, asset, chain, to], [hash(1), String(USDC_OUT), 'USDC', 'base', merchant(order)])
  assert.deepEqual([deposit_address, failure, item?.actions], [order.legs[0]?.address, undefined, ['dismiss']])
  assert.match(sentenceOf(CHANGED, item?.evidence ?? {}), /which others saw arrive.*no book has this money/)
  // The merchant is mailed at once: it is about where money is.
  assert.equal(await mails(), mailed + 1)
  assert.equal(await dueOf(world, order), null)
  // Another order's payout cannot be the same transfer, also where the provider named it there first.
  const other = await claimed(world, hash(1))
  await world.settle()
  assert.deepEqual(
    [(await world.read(other)).status, (await itemsOf(world, other)).map(({ kind }) => kind)],
    ['processing', ['provider_contradicted']],
  )
})

test('a payout after a refund that nobody saw is told as that, once, and again when somebody sees it', async (t) => {
  const { world, node } = await chained(t)
  const order = await refunded(world)
  says(world, order, { status: 'SUCCESS', destination: [] })
  await world.settle()
  await world.later(HOUR_MS)
  assert.deepEqual(await shown(world, order), ['refunded', 'processing refunded', []])
  // Named, and in no block yet.
  says(world, order, payout(hash(2)))
  await world.settle()
  assert.deepEqual(await itemsOf(world, order), [])
  await world.later(11 * MINUTE_MS)
  const [unseen] = await itemsOf(world, order)
  assert.deepEqual([unseen?.kind, unseen?.evidence.tx_hash], [CHANGED, hash(2)])
  assert.match(sentenceOf(CHANGED, unseen?.evidence ?? {}), /the chain does not show it yet/)
  await world.later(HOUR_MS)
  assert.deepEqual(
    (await itemsOf(world, order)).map(({ id }) => id),
    [unseen?.id],
  )
  // Less than was promised is told of as well: it is at the merchant's.
  node.answers.set(hash(2), receipt(merchant(order), 30_000_000n))
  says(world, order, payout(hash(2), 30_000_000n))
  await world.settle()
  const [seen, ...more] = await itemsOf(world, order)
  assert.deepEqual([seen?.evidence.amount, seen?.evidence.failure, more], ['30000000', undefined, []])
  assert.notEqual(seen?.id, unseen?.id)
  assert.equal(await dueOf(world, order), null)

  // A transaction that others say brought nothing.
  const lied = await refunded(world)
  node.answers.set(hash(3), receipt('0x2222222222222222222222222222222222222222', USDC_OUT))
  says(world, lied, payout(hash(3)))
  await world.settle()
  assert.match((await itemsOf(world, lied))[0]?.evidence.failure ?? '', /a node of the chain sees nothing/)
  await world.settle()
  assert.deepEqual(await shown(world, lied), ['refunded', 'processing refunded', [CHANGED]])

  // It holds what it had sent back, it says.
  const kept = await refunded(world)
  says(world, kept, { status: 'FAILED' })
  await world.settle()
  await world.settle()
  assert.deepEqual(await shown(world, kept), ['refunded', 'processing refunded', [CHANGED]])
  assert.match(sentenceOf(CHANGED, (await itemsOf(world, kept))[0]?.evidence ?? {}), /failed and holds the money/)
  // For a week, and no longer.
  await world.later(8 * DAY_MS)
  assert.equal(await dueOf(world, kept), null)
})

test('by its word alone what it paid out after a refund counts for nothing else, and what went back after a payout is told', async (t) => {
  const world = await aWorld(t)
  const takes = { merchantId: world.caller.merchantId, livemode: false, chain: 'base', isOn: true, takesUnproven: true }
  await aThirdParty(world.deps, takes)
  const order = await refunded(world)
  says(world, order, payout(hash(4)))
  await world.settle()
  assert.deepEqual(await shown(world, order), ['refunded', 'processing refunded', [CHANGED]])
  assert.equal(await dueOf(world, order), null)
  const other = await claimed(world, hash(4))
  await world.settle()
  assert.equal((await world.read(other)).status, 'processing')

  for (const status of ['REFUNDED', 'FAILED'] as const) {
    const done = await paid(world)
    fill(world.swapOf(done), world.clock.now())
    await world.settle()
    assert.deepEqual(await shown(world, done), ['success', 'processing success', []])
    says(world, done, { status })
    await world.settle()
    await world.settle()
    assert.deepEqual(await shown(world, done), ['success', 'processing success', [CHANGED]])
    const [item] = await itemsOf(world, done)
    assert.match(sentenceOf(CHANGED, item?.evidence ?? {}), /which nobody else saw.*The order stays a success/)
    assert.deepEqual(item?.actions, ['dismiss'])
    await world.later(8 * DAY_MS)
    assert.equal(await dueOf(world, done), null)
  }
})

test('what others saw arrive stays so, whatever the provider says after it', async (t) => {
  const { world, node } = await chained(t)
  const done = await claimed(world, hash(5))
  node.answers.set(hash(5), receipt(merchant(done), USDC_OUT))
  await world.settle()
  const before = await world.read(done)
  assert.deepEqual([before.status, await dueOf(world, done)], ['success', null])
  giveBack(Object.assign(world.swapOf(done), { status: 'PROCESSING' }), 'LATER', world.clock.now())
  await world.deps.sql`update intents_legs set due_at = ${world.clock.now()} where order_ref = ${done.orderRef}`
  await world.settle()
  assert.deepEqual(await shown(world, done), ['success', 'processing success', []])
  assert.deepEqual([(await world.read(done)).version, await dueOf(world, done)], [before.version, null])
})

test('what failed may still be paid out, or go back: the order follows, with one event for each change', async (t) => {
  const { world, node } = await chained(t)
  const broken = async (): Promise<OrderState> => {
    const order = await paid(world)
    fail(world.swapOf(order), world.clock.now())
    await world.settle()
    assert.equal((await world.read(order)).status, 'failed')
    return order
  }
  const found = await broken()
  says(world, found, payout(hash(6)))
  await world.settle()
  // Said, and seen by nobody: it stays failed.
  assert.equal((await world.read(found)).status, 'failed')
  node.answers.set(hash(6), receipt(merchant(found), USDC_OUT))
  await world.settle()
  assert.deepEqual(await shown(world, found), ['success', 'processing failed processing success', []])
  assert.equal((await world.read(found)).settlements.findLast((row) => row.status === 'final')?.proven, true)

  const back = await broken()
  giveBack(Object.assign(world.swapOf(back), { status: 'PROCESSING' }), 'LATER', world.clock.now())
  await world.settle()
  assert.deepEqual(await shown(world, back), ['refunded', 'processing failed refunded', []])

  // A payout that is contradicted, and then said to have failed: nobody is asked about the payout any more.
  const doubted = await claimed(world, hash(7))
  node.answers.set(hash(7), receipt('0x2222222222222222222222222222222222222222', USDC_OUT))
  await world.settle()
  const [doubt] = await itemsOf(world, doubted)
  assert.equal(doubt?.kind, 'provider_contradicted')
  says(world, doubted, { status: 'FAILED' })
  await world.settle()
  assert.deepEqual(
    (await itemsOf(world, doubted)).map(({ kind }) => kind),
    ['settlement_failed'],
  )
  const asker = { ...anAsker(world.caller.merchantId), no: 1, isOperator: false }
  await assert.rejects(actOnAttention(world.deps, asker, doubt?.id ?? '', 'take-word'), /./)
  // And then it is there after all.
  node.answers.set(hash(8), receipt(merchant(doubted), USDC_OUT))
  says(world, doubted, payout(hash(8)))
  await world.settle()
  assert.deepEqual(await shown(world, doubted), ['success', 'processing failed processing success', []])
})

test('a refund of money that nobody had been told of ends nothing: a payout after it pays the order', async (t) => {
  const { world, node } = await chained(t)
  const order = await world.order()
  says(world, order, { status: 'REFUNDED' })
  await world.settle()
  assert.deepEqual(await shown(world, order), ['pending', '', []])
  node.answers.set(hash(9), receipt(merchant(order), USDC_OUT))
  says(world, order, payout(hash(9)))
  await world.settle()
  assert.deepEqual(await shown(world, order), ['success', 'processing success', []])
})

test('a list that contradicts how a swap ended has it asked about a few times an hour, and not each time that it is read', async (t) => {
  const world = await aWorld(t)
  const order = await refunded(world)
  const { address } = world.swapOf(order)
  const asked = (): number => world.provider.requests.filter((one) => one.path === '/v0/status').length
  await world.deps.sql`update intents_legs set status = 'SUCCESS' where address = ${address}`
  const before = asked()
  for (let n = 0; n < 60; n++) {
    world.clock.advance(10 * SECOND_MS)
    await world.run('intents-poll')
    // What the single answer says is as old as ever: the list goes on to say otherwise.
    await world.deps.sql`update intents_legs set status = 'SUCCESS' where address = ${address}`
  }
  assert.ok(asked() - before <= 3, String(asked() - before))
  assert.ok(asked() > before)
})

test('what has ended is asked about ever more rarely, behind all else, a week long and so many times', () => {
  const then = new Date(0)
  const ended: Timed = {
    ...{ stage: 'returned', status: 'REFUNDED', createdAt: then, payUntil: then, returnsFrom: then, watchUntil: then },
    ...{ hotUntil: null, claimedAt: null, endedAt: then, isProven: false, proofKey: null },
  }
  const asked = (more: Partial<Timed>): number => {
    let [now, count] = [0, 0]
    for (;;) {
      const { dueAt, rank } = nextLook({ ...ended, ...more }, new Date(now))
      if (dueAt === null) return count
      assert.equal(rank, 3)
      now = dueAt.getTime()
      assert.ok(now <= 7 * DAY_MS)
      count++
    }
  }
  assert.equal(asked({ stage: 'returned' }), 17)
  // Where nobody else can be asked every order ends so.
  assert.equal(asked({ stage: 'done', proofKey: 'believed' }), 3)
  assert.equal(asked({ stage: 'done', proofKey: 'seen', isProven: true }), 0)
  assert.equal(asked({ stage: 'returned', proofKey: 'told of' }), 0)
  assert.equal(asked({ stage: 'returned', endedAt: null }), 0)
})

test('a word for an end before any money was told of ends nothing: what is paid afterwards counts, and the order waits for it', async (t) => {
  for (const status of ['REFUNDED', 'FAILED'] as const) {
    const { world, node } = await chained(t)
    const order = await world.order()
    says(world, order, { status })
    await world.settle()
    // Asked about as one that waits, and at once when somebody says that he paid.
    const dueMs = (await dueOf(world, order))?.getTime() ?? Number.NaN
    const [row] = await world.deps.sql`select stage, rank from intents_legs where order_ref = ${order.orderRef}`
    assert.deepEqual(row, { stage: 'waiting', rank: 2 })
    assert.ok(dueMs - world.clock.now().getTime() <= 30 * MINUTE_MS, `${status}: ${dueMs}`)
    await world.rail.rail.hint?.({
      ...{ orderRef: order.orderRef, sent: { legRef: order.legs[0]?.ref ?? '', txHash: hash(9) } },
    })
    assert.deepEqual(await dueOf(world, order), world.clock.now())
    says(world, order, { status: 'PENDING_DEPOSIT' })
    deposit(world.swapOf(order), order.legs[0]?.amountDue ?? 0n, world.clock.now())
    await world.settle()
    assert.equal((await world.read(order)).status, 'processing', status)
    node.answers.set(hash(1), receipt(merchant(order), USDC_OUT))
    says(world, order, payout(hash(1)))
    await world.settle()
    assert.deepEqual(await shown(world, order), ['success', 'processing success', []])
  }
})

test('what failed and was never told of is an item once its time is over, and what was announced is kept by who failed it', async (t) => {
  const { world } = await chained(t)
  const [silent, announced, late] = [await world.order(), await world.order(), await world.order()]
  announce(world.swapOf(announced), world.clock.now())
  await world.settle()
  for (const order of [silent, announced]) says(world, order, { status: 'FAILED' })
  await world.settle()
  assert.deepEqual(await shown(world, announced).catch(() => null), null, 'its money is held')
  assert.equal((await world.read(announced)).status, 'failed')
  assert.deepEqual(await itemsOf(world, silent), [])
  await world.later(3 * HOUR_MS)
  says(world, late, { status: 'FAILED' })
  for (const hours of [1, 7, 7]) await world.later(hours * HOUR_MS)
  const [item] = await itemsOf(world, silent)
  assert.deepEqual([item?.kind, item?.evidence.amount], ['third_party_slow', '0'])
  assert.match(sentenceOf('third_party_slow', item?.evidence ?? {}), /has money of this order, says FAILED and should/)
  // An address that nobody paid in time may be called so: that is no news.
  assert.deepEqual(await itemsOf(world, late), [])
})
