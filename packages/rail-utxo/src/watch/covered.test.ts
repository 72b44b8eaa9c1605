// A settlement whose payment left the chain is covered again by the rule that paid it first.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { TestChain } from '../test/chain.fixture.ts'
import { aWorld, output, type World } from '../test/world.fixture.ts'

/** $50 at $50,000; half a percent may be missing. */
const DUE = 100_000n
const LEAST = 99_500n

async function paidOnce(t: TestContext, amount: bigint): Promise<{ world: World; order: OrderState }> {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const order = await world.order()
  world.chain.mine([payment(world, order, amount)])
  await world.settle()
  assert.equal((await world.read(order)).status, 'success')
  return { world, order }
}

const payment = (world: World, order: OrderState, amount: bigint): Buffer =>
  TestChain.transaction([output(world.scriptOf(order), amount)])

/** The newest block leaves, and these come on another branch. */
async function instead(world: World, order: OrderState, blocks: readonly Buffer[][]): Promise<OrderState> {
  world.chain.leave(1, { toPool: false })
  for (const transactions of [...blocks, []]) world.chain.mine(transactions)
  await world.settle()
  return world.read(order)
}

async function standing(world: World, order: OrderState): Promise<unknown[]> {
  const now = await world.read(order)
  const [row] = await world.deps.sql`select state, gross::text, fee_owed::text as owed from utxo_settlements`
  const left = await world.deps.sql`
    select from attention where kind = 'settlement_left_the_chain' and resolved_at is null`
  return [now.detail, now.amountOut, balanceOf(now)[0]?.held ?? 0n, row?.state, row?.gross, row?.owed, left.length]
}

test('what comes instead of a payment that left the chain counts within the tolerance, for what it is', async (t) => {
  const { world, order } = await paidOnce(t, DUE)
  await instead(world, order, [[]])
  assert.deepEqual(await standing(world, order), ['reorged', DUE, 0n, 'waiting', '100000', '1000', 1])
  world.chain.mine([payment(world, order, LEAST - 1n)])
  await world.settle()
  assert.deepEqual(
    await standing(world, order),
    ['reorged', DUE, LEAST - 1n, 'waiting', '100000', '1000', 1],
    'a unit below the least is not enough',
  )
  await instead(world, order, [[payment(world, order, LEAST)]])
  assert.deepEqual(await standing(world, order), ['paid', LEAST, 0n, 'final', '99500', '995', 0])
  const { refunds, status } = await world.read(order)
  assert.deepEqual([status, refunds], ['success', []])
})

test('one that comes on the branch on which the first left counts for what it is, and the whole again later', async (t) => {
  const { world, order } = await paidOnce(t, DUE)
  const less = payment(world, order, LEAST)
  const now = await instead(world, order, [[less]])
  assert.deepEqual(await standing(world, order), ['paid', LEAST, 0n, 'final', '99500', '995', 0])
  assert.equal(now.settleTxHash, now.payments.find((row) => row.amount === LEAST)?.txHash)
  world.chain.leave(1, { toPool: false })
  await instead(world, order, [[payment(world, order, DUE)], []])
  assert.deepEqual(await standing(world, order), ['paid', DUE, 0n, 'final', '100000', '1000', 0])
})

test('where the first was a little short, what comes whole is the merchant’s whole, and no more than is due', async (t) => {
  const { world, order } = await paidOnce(t, LEAST)
  assert.deepEqual(await standing(world, order), ['paid', LEAST, 0n, 'final', '99500', '995', 0])
  const now = await instead(world, order, [[payment(world, order, 2n * DUE)]])
  assert.deepEqual(
    [now.amountOut, now.refunds.filter((row) => row.status === 'waiting').map((row) => [row.reason, row.amount])],
    [DUE, [['excess', DUE]]],
    'the rest goes back',
  )
})
