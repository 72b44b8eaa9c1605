import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getAddress } from 'viem'
import { settleDue } from '../../orders/settle.ts'
import { getOrder } from '../../orders/store.ts'
import { aWorld } from './world.fixture.ts'

test('deposits in a token, in one that answers nothing and in native coins are seen, then confirmed', async (t) => {
  const world = await aWorld(t)
  const { usdc, usdt } = world.node
  for (const [asset, token, decimals] of [
    ['USDC', usdc, 6],
    ['USDT', usdt, 6],
    ['ETH', null, 18],
  ] as const) {
    const order = await world.order({ pay_asset: asset, settle_asset: asset })
    const [leg] = order.legs
    assert.ok(leg)
    const contract = token === null ? null : getAddress(token)
    assert.deepEqual([leg.asset, leg.contract, leg.decimals, leg.confirmationsRequired], [asset, contract, decimals, 3])
    await world.look()

    const hash = await world.pay(leg.address, token, leg.amountDue)
    await world.look()
    const [seen, ...none] = await world.factsOf(order.orderRef)
    assert.ok(seen?.kind === 'payment_seen')
    assert.deepEqual(none, [])
    assert.deepEqual([seen.txHash, seen.amount, seen.legRef], [hash, leg.amountDue, leg.ref])
    assert.deepEqual(seen.asset, { chain: 'base', asset, contract, decimals })
    assert.equal(seen.height, await world.client.getBlockNumber())

    await world.mine()
    await world.look()
    assert.equal((await world.factsOf(order.orderRef)).length, 1, 'two blocks deep it does not count yet')
    await world.mine()
    await world.look()
    assert.deepEqual((await world.factsOf(order.orderRef)).slice(1), [{ kind: 'payment_confirmed', key: seen.key }])
    assert.equal(await world.look(), 0)
  }
})

test('a whole order: seen, confirmed, settled, final; what the merchant got is what the token says', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  const [leg] = order.legs
  assert.ok(leg)
  await world.pay(leg.address, world.node.usdc, leg.amountDue)
  await world.mine(2)
  await world.look()
  await settleDue(world.deps)
  await world.work()
  await world.mine(5)
  await world.work()
  await settleDue(world.deps)
  const done = await getOrder(world.deps.sql, order.orderNo)
  assert.deepEqual(
    [done.status, done.detail, done.amountOut],
    ['success', 'paid', leg.amountDue - leg.amountDue / 100n],
  )
})
