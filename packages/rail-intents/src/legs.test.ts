// An order that is paid on several swaps: each is carried out by itself, the books know whose money went where, and people
// are told of every leg what became of it and what can be done.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { makeRails } from '@florin/rail-kit/registry'
import { sentenceOf } from '../../server/src/attention/words.ts'
import { cancelOrder } from '../../server/src/orders/acts.ts'
import { askOwnRefund, nameTransaction } from '../../server/src/orders/own-refunds/acts.ts'
import { outsideFor, readerOf } from '../../server/src/orders/own-refunds/outside-of.ts'
import { ownRefundJob } from '../../server/src/orders/own-refunds/watch.ts'
import { chooseLeg } from '../../server/src/orders/payer.ts'
import { BROWSER } from '../../server/test/orders.ts'
import { depositAddress } from './test/addresses.fixture.ts'
import { type DoubleSwap, deposit, fail, fill, giveBack } from './test/swaps.fixture.ts'
import { aWorld, PAYER, type World } from './test/world.fixture.ts'

interface Paid {
  world: World
  order: OrderState
  swaps: [DoubleSwap, DoubleSwap, DoubleSwap]
  read(): Promise<OrderState>
  items(): Promise<{ kind: string; evidence: Record<string, string>; actions: string[] }[]>
}

/** One payer chooses three coins, and pays all of them. */
async function paidThrice(t: TestContext): Promise<Paid> {
  const world = await aWorld(t)
  let order = await world.order()
  for (const [chain, asset] of [
    ['btc', 'BTC'],
    ['sol', 'SOL'],
  ] as const) {
    const choice = { chain, asset, refundAddress: depositAddress(chain, 2_000), custody: 'third-party' } as const
    order = await chooseLeg(world.deps, order, choice, BROWSER)
  }
  const swaps = order.legs.map((leg) => world.provider.find(leg.address)) as Paid['swaps']
  for (const [n, swap] of swaps.entries()) deposit(swap, order.legs[n]?.amountDue ?? 0n, world.clock.now())
  await world.settle()
  return {
    ...{ world, order, swaps, read: () => world.read(order) },
    items: () => world.deps.sql<{ kind: string; evidence: Record<string, string>; actions: string[] }[]>`
      select kind, evidence, actions from attention
      where order_no = ${order.orderNo} and resolved_at is null order by kind`,
  }
}

const heldOf = (order: OrderState): bigint[] => balanceOf(order).map((line) => line.held)

for (const atOnce of [true, false])
  test(`what three swaps carried on is told whole, with what is owed and how it goes back (${atOnce ? 'at once' : 'one by one'})`, async (t) => {
    const { world, swaps, read, items } = await paidThrice(t)
    for (const swap of swaps) {
      fill(swap, world.clock.now())
      if (!atOnce) await world.settle()
    }
    await world.settle()
    const done = await read()
    assert.deepEqual([done.status, done.amountOut, heldOf(done)], ['success', 148_500_000n, [0n, 0n, 0n]])
    const [item, ...others] = await items()
    assert.deepEqual([item?.kind, others], ['owed_to_payer', []])
    const { amount, asset, chain, ...evidence } = item?.evidence ?? {}
    assert.deepEqual([amount, asset, chain], ['99000000', 'USDC', 'base'])
    const lines = ['leg_1', 'leg_2', 'leg_3'].map((name) => evidence[name] ?? '')
    assert.equal(lines.filter((line) => /49\.50 USDC on Base reached you, for the order/.test(line)).length, 1)
    assert.equal(lines.filter((line) => /49\.50 USDC on Base reached you, beyond the order/.test(line)).length, 2)
    for (const [name, back] of [
      ['USDC on Arbitrum', PAYER],
      ['BTC on Bitcoin', depositAddress('btc', 2_000)],
      ['SOL on Solana', depositAddress('sol', 2_000)],
    ] as const)
      assert.ok(
        lines.some((line) => line.includes(`${name} `) && / came/.test(line) && line.includes(back)),
        name,
      )
    // What is said can be done: where the coin is looked up by somebody here, and where it is not.
    const can = sentenceOf('owed_to_payer', { ...item?.evidence, refund_here: 'yes' })
    assert.match(can, /You owe the payer 99 USDC on Base.*merchant_refunds with `amount` 99000000/)
    assert.match(
      sentenceOf('owed_to_payer', item?.evidence ?? {}),
      /Nobody here reads transfers of USDC on Base, so it counts on your word/,
    )
    const { deps, caller } = world
    const asking = { ...caller, actor: 'key', isConsole: true, isFresh: true } as never
    const wish = { amount: 98_999_999n, address: PAYER, reason: null, mayExceed: false }
    const give = async (from: OrderState, amount: bigint, hash: string): Promise<OrderState> => {
      const { id } = await askOwnRefund(deps, asking, from, { ...wish, amount })
      await nameTransaction(deps, asking, await read(), { id, txHash: hash })
      await ownRefundJob(deps).run(AbortSignal.any([]))
      return read()
    }
    const most = await give(done, 98_999_999n, `0x${'a1'.repeat(32)}`)
    assert.equal((await items()).length, 1, 'all but a unit is not all')
    await give(most, 1n, `0x${'a2'.repeat(32)}`)
    assert.deepEqual(await items(), [])
  })

test('of several swaps each ends by itself: one pays, one goes back, one fails, and each is told with its place', async (t) => {
  for (const atOnce of [true, false]) {
    const { world, swaps, read, items, order } = await paidThrice(t)
    const [pays, slips, fails] = swaps
    const step = async (act: () => void): Promise<void> => {
      act()
      if (!atOnce) await world.settle()
    }
    await step(() => fill(pays, world.clock.now()))
    await step(() => giveBack(slips, 'SLIPPAGE_EXCEEDED', world.clock.now()))
    await step(() => fail(fails, world.clock.now()))
    await world.settle()
    const done = await read()
    assert.equal(done.status, 'success')
    const amount = order.legs[2]?.amountDue ?? 0n
    const held = balanceOf(done).map(({ asset, held }) => [asset, held])
    assert.deepEqual(
      held.sort().filter(([, held]) => held !== 0n),
      [['SOL', amount]],
    )
    const [item, ...others] = await items()
    assert.deepEqual([item?.kind, item?.evidence.amount, others], ['refund_failed', String(amount), []])
    assert.ok(item?.evidence.failure?.includes(fails.address), 'where it lies is said')
    // The provider owes it, and may still send it.
    fails.status = 'PROCESSING'
    giveBack(fails, 'LATER', world.clock.now())
    await world.settle()
    const end = await read()
    assert.deepEqual([end.status, heldOf(end), await items()], ['success', [0n, 0n, 0n], []])
  }
})

test('what one swap returned says nothing of the others, and the order is paid by the one that goes through', async (t) => {
  const { world, swaps, read, items } = await paidThrice(t)
  const [slips, pays, also] = swaps
  giveBack(slips, 'SLIPPAGE_EXCEEDED', world.clock.now())
  await world.settle()
  const half = await read()
  assert.equal(half.status, 'processing')
  assert.equal(heldOf(half).filter((held) => held > 0n).length, 2)
  fill(pays, world.clock.now())
  giveBack(also, 'SLIPPAGE_EXCEEDED', world.clock.now())
  await world.settle()
  const done = await read()
  assert.deepEqual([done.status, done.amountOut, heldOf(done)], ['success', 49_500_000n, [0n, 0n, 0n]])
  assert.deepEqual(await items(), [])
})

test('a refund of what a third party carried is looked up by whoever reads the chain that the merchant was paid on', () => {
  const outside = (chain: string) => ({ sees: (a: { asset: { chain: string } }) => a.asset.chain === chain })
  const rail = (kind: string, custody: string) => ({ capabilities: { kind, custody } })
  const base = outside('base')
  const all = [rail('forwarder', 'none'), rail('intents', 'third-party')]
  const rails = makeRails(all as never, { forwarder: { outside: base as never } })
  const asked = (chain: string) => ({ rail: 'intents', livemode: true, asset: { chain } }) as never
  assert.equal(outsideFor(rails, asked('base')), base as never)
  assert.equal(readerOf(rails, asked('sol')), undefined)
  const onWord = outsideFor(rails, asked('sol'))
  assert.ok(onWord !== undefined && onWord !== (base as never) && onWord.sees(asked('sol')))
})

test('what reached the merchant of a canceled order, on a chain that nobody reads, is given back on his word and then over', async (t) => {
  const world = await aWorld(t)
  const { deps, caller } = world
  // No sandbox beside it: as with real money.
  const live = { ...deps, rails: makeRails([world.rail.rail], { intents: world.rail.services }) }
  const order = await world.order()
  await cancelOrder(deps, order)
  const swap = world.swapOf(order)
  deposit(swap, order.legs[0]?.amountDue ?? 0n, world.clock.now())
  await world.settle()
  fill(swap, world.clock.now())
  await world.settle()
  const done = await world.read(order)
  assert.deepEqual([done.status, done.amountOut], ['expired', 49_500_000n])
  const open = () => deps.sql`select 1 from attention where order_no = ${order.orderNo} and resolved_at is null`
  assert.equal((await open()).length, 1)
  const asking = { ...caller, actor: 'console', isConsole: true, isFresh: true } as never
  const wish = { amount: null, address: PAYER, reason: null, mayExceed: false }
  const { id, amount } = await askOwnRefund(live, asking, done, wish)
  assert.equal(amount, '49500000')
  await ownRefundJob(live).run(AbortSignal.any([]))
  assert.equal((await open()).length, 1, 'not before its transaction is named')
  await nameTransaction(live, asking, await world.read(order), { id, txHash: `0x${'b7'.repeat(32)}` })
  await ownRefundJob(live).run(AbortSignal.any([]))
  const [row] = (await world.read(order)).ownRefunds
  assert.deepEqual([row?.status, row?.sentFrom, (await open()).length], ['recorded', 'word', 0])
  await assert.rejects(askOwnRefund(live, asking, await world.read(order), wish), /nothing left/)
})

test('nothing is swapped to an address at which another order is paid', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  // The single address that a merchant had set before its account, and that the account gave to an order since.
  await world.deps.sql`update pay_legs set address = upper(${order.settleAddress})`
  await assert.rejects(world.order(), /has become one that another order is paid at/)
})
