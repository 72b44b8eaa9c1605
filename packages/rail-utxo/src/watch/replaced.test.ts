// Promises: whatever a reorg does to a payment and to the refund of a part of it, each unit is booked once, a refund that is on the chain
// counts as soon as its payment is there, and nobody is told to send back what is gone.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import { nameRefundAddress, refundToSign } from '../../../server/src/orders/acts.ts'
import { addressOf } from '../chain/script.ts'
import { TestChain, txidOf } from '../test/chain.fixture.ts'
import { aWorld, output } from '../test/world.fixture.ts'

/** $50 at $50,000. */
const DUE = 100_000n
const MORE = 20_000n
const payer = `0014${'ab'.repeat(20)}`

/** An order that was paid too much, whose merchant was asked to send the excess back. */
async function overpaid(t: TestContext) {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { chain } = world
  const order = await world.order()
  const paying = TestChain.outpoint()
  const payment = (amount = DUE + MORE, inputs = [paying]) =>
    TestChain.transaction([output(world.scriptOf(order), amount)], inputs)
  const first = payment()
  chain.send(first)
  await world.look()
  chain.mine()
  await world.settle()
  const refundId = (await world.read(order)).refunds[0]?.id ?? ''
  const address = addressOf(chain.network, payer) ?? ''
  const name = async () => {
    const now = await world.read(order)
    const waiting = now.refunds.find((row) => row.status === 'waiting')
    if (waiting !== undefined) {
      const by = { actor: 'test', refundId: waiting.id, address }
      await nameRefundAddress(world.deps, now, by, async () => undefined)
      await world.settle()
    }
    return waiting !== undefined
  }
  await name()
  const back = TestChain.transaction([output(payer, MORE)])
  return {
    ...{ world, chain, order, first, payment, back, refundId, name },
    async announced(raw: Buffer) {
      chain.send(raw)
      await world.look()
    },
    /** The newest blocks are replaced by blocks of these transactions. */
    async reorg(depth: number, ...blocks: Buffer[][]) {
      chain.leave(depth, { toPool: false })
      chain.pool.clear()
      for (const block of blocks) chain.mine(block)
      while (chain.pool.size > 0) chain.mine()
      await world.settle()
    },
    async block(...transactions: Buffer[]) {
      chain.mine(transactions)
      await world.settle()
    },
    async books() {
      const now = await world.read(order)
      const [line] = balanceOf(now)
      const refunds = now.refunds.map((row) => `${row.status} ${row.amount}`)
      return [...[line?.received, line?.refunded, line?.held].map((units = 0n) => String(units)), ...refunds]
    },
    async items() {
      const rows = await world.deps.sql<{ kind: string }[]>`
        select kind from attention where order_no = ${order.orderNo} and resolved_at is null order by kind`
      return rows.map((row) => row.kind)
    },
  }
}

test('a payment that a reorg replaces after its excess went back is booked once', async (t) => {
  const { world, order, payment, back, announced, reorg, block, books, items } = await overpaid(t)
  await announced(back)
  await block(back)
  assert.deepEqual(await books(), ['120000', '20000', '0', 'succeeded 20000'])
  // By a bump of its fee.
  const bumped = payment()
  await reorg(2, [bumped], [back], [])
  assert.deepEqual(await books(), ['120000', '20000', '0', 'succeeded 20000'])
  const now = await world.read(order)
  assert.deepEqual([now.status, now.settlements.at(-1)?.txHash], ['success', txidOf(bumped)])
  assert.deepEqual(await items(), [])
  // By nothing; then by what is too little for both, which is no excess either.
  await reorg(3, [], [back], [], [])
  assert.deepEqual(await books(), ['120000', '20000', '100000', 'succeeded 20000'], 'it counts until other money does')
  assert.deepEqual((await items()).includes('reorg_after_final'), true)
  await block(payment(DUE, [TestChain.outpoint()]))
  assert.deepEqual(await books(), ['100000', '20000', '80000', 'succeeded 20000'])
  assert.equal((await items()).includes('reorg_after_final'), false)
  await block(payment(MORE, [TestChain.outpoint()]))
  assert.deepEqual(await books(), ['120000', '20000', '0', 'succeeded 20000'])
  assert.equal((await world.read(order)).settlements.at(-1)?.status, 'final')
})

test('a payment that left counts for no refund until it is back', async (t) => {
  const { first, payment, back, announced, reorg, block, books } = await overpaid(t)
  await announced(back)
  await block(back)
  await reorg(2, [], [back], [])
  await block(payment(5_000n, [TestChain.outpoint()]))
  assert.deepEqual((await books()).slice(3), ['succeeded 20000'], 'what comes makes good what is missing first')
  await block(first)
  assert.deepEqual((await books()).slice(0, 3), ['125000', '20000', '5000'])
})

test('a refund that is mined while its payment is out counts as soon as that is back, and is not asked for again', async (t) => {
  const { first, back, announced, reorg, block, books, items, name } = await overpaid(t)
  await announced(back)
  await reorg(1, [back], [])
  assert.deepEqual(await books(), ['0', '0', '0', 'failed 20000'])
  assert.ok((await items()).includes('refunded_more_than_received'))
  await block(first)
  assert.deepEqual(await books(), ['120000', '20000', '0', 'succeeded 20000'])
  assert.equal(await name(), false)
  // It leaves in turn, and its payment with it.
  await reorg(3, [], [], [], [])
  await block(first)
  assert.equal((await books())[1], '0')
})

test('where payment and refund are gone nothing is to be sent; what is paid anew is asked for once, and the old refund ends it', async (t) => {
  const { world, order, payment, back, refundId, announced, reorg, block, books, items, name } = await overpaid(t)
  await announced(back)
  await block(back)
  await reorg(2, [], [], [])
  assert.deepEqual(await books(), ['0', '0', '0', 'failed 20000'])
  assert.equal((await items()).includes('refund_left_the_chain'), false)
  const sign = await refundToSign(world.deps, await world.read(order), refundId)
  assert.deepEqual([sign.psbt, /left the chain/.test(sign.why ?? '')], [null, true])
  await block(payment(DUE + MORE, [TestChain.outpoint()]))
  assert.deepEqual(await books(), ['120000', '0', '20000', 'failed 20000', 'waiting 20000'])
  assert.equal(await name(), true)
  await block(back)
  assert.deepEqual((await books()).slice(0, 3), ['120000', '20000', '0'])
  assert.equal((await world.read(order)).refunds.filter((row) => row.status === 'succeeded').length, 1)
})

test('a refund in a block that replaces one from before it was asked for is that refund, if it was announced after', async (t) => {
  const { first, back, announced, reorg, books } = await overpaid(t)
  await announced(back)
  await reorg(1, [first, back], [])
  assert.deepEqual(await books(), ['120000', '20000', '0', 'succeeded 20000'])
})

test('of two refunds for one excess the first that is mined is booked, and what comes after both is asked for whole', async (t) => {
  for (const isBothSent of [false, true]) {
    const { world, chain, first, payment, back, announced, reorg, block, books, items, name } = await overpaid(t)
    await announced(back)
    await reorg(1, [], [])
    await block(payment(DUE + MORE, [TestChain.outpoint()]))
    assert.equal(await name(), true)
    const again = TestChain.transaction([output(payer, MORE)])
    await block(back)
    assert.deepEqual((await books()).slice(0, 3), ['120000', '20000', '0'])
    assert.equal((await items()).includes('refund_failed'), false)
    if (isBothSent) await block(again)
    assert.equal((await items()).includes('refunded_more_than_received'), isBothSent)
    // The first payment as well, after all.
    await block(first)
    const [received, refunded, held, ...rows] = await books()
    assert.deepEqual(
      [received, refunded, held],
      isBothSent ? ['240000', '40000', '100000'] : ['240000', '20000', '120000'],
    )
    const open = rows.filter((row) => row.startsWith('waiting'))
    assert.deepEqual(open, isBothSent ? ['waiting 100000'] : ['waiting 120000'])
    assert.equal((await items()).includes('refund_failed'), false)
    assert.equal((await items()).includes('refunded_more_than_received'), false)
    assert.equal(chain.pool.size, 0)
    await world.settle()
  }
})
