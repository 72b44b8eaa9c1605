// The rail suite over a real node: what the sandbox promises, a chain keeps too; and cases that only a chain has.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { railContract } from '@florin/rail-kit/testing'
import { slowTest, quickTest as test } from '../../../scripts/sizes.ts'
import { getOrder } from '../../server/src/orders/store.ts'
import { listTimeline } from '../../server/src/webhooks/events.store.ts'
import { settleDue } from '../../server/test/orders.ts'
import { makeWorld } from './test/rail-world.fixture.ts'
import { aWorld, stopNodes } from './test/world.fixture.ts'

after(stopNodes)

// Each kill costs one order's life on the chain; rail.faults.test.ts kills before every statement.
const isQuick = (promise: string) => /^too much|^the whole amount late|a reorg takes away/.test(promise)
railContract({ kind: 'forwarder', custody: 'none' }, makeWorld, {
  killEvery: 120,
  testFor: (promise) => (isQuick(promise) ? test : slowTest),
})

slowTest(
  'forwarder: a token and coins that are settled in one transaction each say what their merchant got',
  async (t) => {
    const world = await aWorld(t)
    const orders = [await world.order(), await world.order({ pay_asset: 'ETH', settle_asset: 'ETH' })]
    for (const [n, { legs }] of orders.entries()) {
      await world.pay(legs[0]?.address ?? '', n === 0 ? world.node.usdc : null, legs[0]?.amountDue ?? 0n)
    }
    await world.mine(3)
    await world.look()
    await settleDue(world.deps)
    await world.work()
    await world.mine(5)
    await world.work()
    await settleDue(world.deps)
    const done = await Promise.all(orders.map(({ orderNo }) => getOrder(world.deps.sql, orderNo)))
    assert.equal(done[0]?.settleTxHash, done[1]?.settleTxHash)
    for (const { status, amountOut, legs } of done)
      assert.deepEqual([status, amountOut], ['success', legs[0]?.amountOut])
  },
)

test('forwarder: a settlement that a reorg takes away is made again, and the order succeeds once', async (t) => {
  const world = await aWorld(t)
  const { sql } = world.deps
  const { orderNo, settleAddress, legs } = await world.order()
  const [leg] = legs
  assert.ok(leg)
  const had = await world.unitsOf(world.node.usdc, settleAddress)
  await world.pay(leg.address, world.node.usdc, leg.amountDue)
  await world.mine(3)
  await world.look()
  await settleDue(world.deps)
  const before = await world.client.getBlockNumber()
  await world.work()
  await settleDue(world.deps)
  const sent = await getOrder(sql, orderNo)
  assert.equal(sent.status, 'processing', 'what is not final is not announced')
  assert.ok(sent.settlements[0]?.txHash)
  assert.ok((await world.unitsOf(world.node.usdc, settleAddress)) > had)

  await world.reorg(Number((await world.client.getBlockNumber()) - before))
  assert.equal(await world.unitsOf(world.node.usdc, settleAddress), had)
  await world.look()
  await settleDue(world.deps)
  assert.equal((await getOrder(sql, orderNo)).status, 'processing')
  for (let round = 0; round < 3; round++) {
    await world.work()
    await settleDue(world.deps)
    await world.mine(5)
  }
  await world.work()
  await settleDue(world.deps)

  const done = await getOrder(sql, orderNo)
  assert.deepEqual([done.status, done.detail, done.amountOut], ['success', 'paid', (leg.amountDue * 99n) / 100n])
  assert.equal((await world.unitsOf(world.node.usdc, settleAddress)) - had, done.amountOut)
  assert.equal(await world.unitsOf(world.node.usdc, leg.address), 0n)
  const receipt = await world.client.getTransactionReceipt({ hash: done.settleTxHash as `0x${string}` })
  assert.equal(receipt.status, 'success')
  const events = (await listTimeline(sql, done)).flatMap((row) => row.event ?? [])
  assert.deepEqual(events, ['order.processing', 'order.success'])
})
