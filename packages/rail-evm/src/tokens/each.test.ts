// Tokens of the rails file that are none, beside true ones, on a real node.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { advance } from '../test/lies.fixture.ts'
import { aWorld, stopNodes, testNode, type World } from '../test/world.fixture.ts'

after(stopNodes)

const NOBODY = `0x${'12'.repeat(20)}`

async function withOthers(t: Parameters<typeof aWorld>[0]) {
  const node = await testNode()
  const world = await aWorld(t, {
    node,
    fields: {
      tokens: [{ asset: 'USDC', contract: node.usdc, decimals: 6 }],
      otherTokens: [
        { asset: 'ODD', contract: node.factory, decimals: 6 },
        { asset: 'NONE', contract: NOBODY, decimals: 18 },
        { asset: 'USDT', contract: node.usdt, decimals: 8 },
      ],
    },
  })
  await world.forwarder.check()
  return { world, node }
}

const unread = async ({ forwarder }: World): Promise<[string | null, string][]> => {
  return (await forwarder.rail.checks())
    .filter(({ id }) => id === 'token')
    .map(({ subject, summary }) => [subject, summary.replace(/^.*says: /, '')])
}

test('a token that is none keeps no order from expiring, nor the others from being compared, and is said', async (t) => {
  const { world, node } = await withOthers(t)
  assert.deepEqual(
    (await unread(world)).toSorted(),
    [
      [node.factory.toLowerCase(), 'there is no token that tells a balance'],
      [NOBODY, 'there is no token that tells a balance'],
      [node.usdt, 'it has 6 decimals, not 8'],
    ].toSorted(),
  )
  const [unpaid, paid] = [await world.order(), await world.order()]
  const [leg] = paid.legs
  assert.ok(leg)
  await world.pay(leg.address, node.usdc, 7n)
  await world.pay(leg.address, node.usdt, 9n)
  await world.mine(6)
  await world.work()
  while ((await settleDue(world.deps)) > 0);
  // Not only what the start has found is left out.
  await world.deps.sql`delete from unreadable_tokens`
  const question = [{ orderRef: paid.orderRef, legRef: leg.ref, assets: [] }]
  const compared = async () => {
    const found = await world.forwarder.rail.holdings(question)
    return found.map(({ asset, amount }) => [asset.asset, amount])
  }
  const all = [
    ['USDC', 7n],
    ['USDT', 9n],
    ['ETH', 0n],
  ]
  assert.deepEqual(await compared(), all)
  assert.equal((await unread(world)).length, 2)

  await advance(world, 31 * MINUTE_MS)
  await world.deps.sql`delete from unreadable_tokens`
  await world.work()
  await expireDue(world.deps)
  assert.equal((await getOrder(world.deps.sql, unpaid.orderNo)).status, 'expired')
  assert.equal((await unread(world)).length, 2)
})

test('one that stops to be a token is left out, is asked again after ten minutes, and is back by itself', async (t) => {
  const { world, node } = await withOthers(t)
  const order = await world.order()
  const [leg] = order.legs
  assert.ok(leg)
  await world.mine(6)
  await world.work()
  const named = async (): Promise<string[]> => {
    const question = [{ orderRef: order.orderRef, legRef: leg.ref, assets: [] }]
    return (await world.forwarder.rail.holdings(question)).map(({ asset }) => asset.asset)
  }
  assert.deepEqual(await named(), ['USDC', 'USDT', 'ETH'])
  const code = (await world.client.getCode({ address: node.usdt })) ?? '0x'
  const comesToBe = async (bytecode: `0x${string}`): Promise<void> => {
    await world.anvil.setCode({ address: node.usdt, bytecode })
    await world.mine(6)
    await world.work()
  }
  // An endless loop: it takes all the gas that a node gives a call.
  await comesToBe('0x5b600056')
  assert.deepEqual(await named(), ['USDC', 'ETH'])
  assert.deepEqual(
    (await unread(world)).find(([subject]) => subject === node.usdt)?.[1],
    'there is no token that tells a balance',
  )
  await comesToBe(code)
  assert.deepEqual(await named(), ['USDC', 'ETH'], 'nobody asks it every time')
  await advance(world, 11 * MINUTE_MS)
  await world.mine()
  await world.work()
  assert.deepEqual(await named(), ['USDC', 'USDT', 'ETH'])
  assert.ok(!(await unread(world)).some(([subject]) => subject === node.usdt))
})
