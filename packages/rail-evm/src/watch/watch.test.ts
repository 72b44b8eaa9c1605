import assert from 'node:assert/strict'
import { after } from 'node:test'
import { metrics } from '@florin/platform/metrics'
import { Killed, killable } from '@florin/platform/testing/killable'
import { getAddress, type Hex } from 'viem'
import { sized, slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { aLyingNode, type Lie } from '../test/lying-node.fixture.ts'
import { playReorgs } from '../test/reorgs.fixture.ts'
import { aWorld, chainOver, startProcess, stopNodes, testNode, type World } from '../test/world.fixture.ts'

after(stopNodes)

test('a chain that cannot be read: what is said of it names the provider and its fault', async (t) => {
  const node = await testNode()
  const is: { lie: Lie } = { lie: () => null }
  const provider = await aLyingNode(t, node.url, (call) => is.lie(call))
  const world = await aWorld(t, { node, chains: [chainOver(node, { rpc: [provider.url] })] })
  await world.look()
  const { host } = new URL(provider.url)
  const note = async (): Promise<string> => {
    await assert.rejects(world.look())
    const [row] = await world.deps.sql<{ note: string | null }[]>`
      select note from chain_cursors where chain = 'base' and note is not null limit 1`
    return row?.note ?? ''
  }
  is.lie = () => 503
  assert.ok((await note()).includes(`${host}: it answered 503`), await note())
  const error = { code: -32_601, message: 'the method is not in your plan' }
  is.lie = () => ({ error })
  assert.ok((await note()).includes(`${host}: ${error.message}`), await note())
  is.lie = ({ method }) => (method === 'eth_getLogs' ? { error } : null)
  await world.mine()
  assert.equal(await note(), `no node of the chain answers as it should: ${host}: ${error.message}`)
})

test('metrics: another process watches and sends → this one reports neither providers nor gas', async (t) => {
  const world = await aWorld(t)
  const names = ['florin_chain_provider', 'florin_chain_contradictions', 'florin_gas_balance', 'florin_gas_runway_days']
  const { host } = new URL(world.node.url)
  const reported = (): Promise<number[]> =>
    Promise.all(
      names.map(async (name) => {
        const { values = [] } = (await metrics.getSingleMetric(name)?.get()) ?? {}
        // Other tests of this file had providers of their own.
        return values.filter(({ labels }) => (labels.provider ?? host) === host).length
      }),
    )
  await world.work()
  for (const count of await reported()) assert.ok(count > 0)
  await world.deps
    .sql`update leases set holder = 'another', until = ${new Date(world.clock.now().getTime() + 3_600_000)}`
  await world.work()
  assert.deepEqual(await reported(), [0, 0, 0, 0])
})

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

slowTest('a transfer of nothing is no payment; two in one block are two; nothing is read twice', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  const to = order.legs[0]?.address ?? ''
  await world.pay(to, world.node.usdc, 0n)
  await world.anvil.setAutomine(false)
  t.after(() => world.anvil.setAutomine(true))
  const first = world.pay(to, world.node.usdc, 5n)
  await world.waitForPool(1)
  const second = world.pay(to, world.node.usdt, 7n)
  await world.waitForPool(2)
  await world.mine()
  await world.anvil.setAutomine(true)
  await Promise.all([first, second])
  await world.look()
  const facts = await world.factsOf(order.orderRef)
  const amounts = facts.map((fact) => (fact.kind === 'payment_seen' ? `${fact.asset.asset} ${fact.amount}` : fact.kind))
  assert.deepEqual(amounts.sort(), ['USDC 5', 'USDT 7'])
})

test('over reorgs every row is what the node says, and orders were told so', async (t) => {
  const reorgs = sized({ short: 5, full: 12 })
  const played = await playReorgs(t, { reorgs, seed: 7 })
  assert.equal(played.reorgs, reorgs)
})

slowTest('a reorg deeper than can be stops the chain and changes nothing', async (t) => {
  const world = await aWorld(t, { fields: { maxReorg: 3, reorgWindow: 32 } })
  const order = await world.order()
  await world.pay(order.legs[0]?.address ?? '', world.node.usdc, 5n)
  await world.mine(8)
  await world.look()
  const before = await world.factsOf(order.orderRef)
  await world.reorg(6)
  await assert.rejects(world.look(), /a reorg deeper than 3 blocks/)
  assert.deepEqual(await world.factsOf(order.orderRef), before)
  const checks = await world.forwarder.rail.checks()
  assert.match(checks.map(({ summary }) => summary).join(), /base: a reorg deeper than 3 blocks/)
})

slowTest(
  'far behind, ranges are read and shrink to what the node gives; each payment keeps its own time',
  async (t) => {
    const node = await testNode()
    const widest = 20
    const url = await aLyingNode(t, node.url, ({ method, params: [filter] }) => {
      if (method !== 'eth_getLogs') return null
      const { fromBlock, toBlock } = filter as { fromBlock?: Hex; toBlock?: Hex }
      const width = fromBlock === undefined || toBlock === undefined ? 1 : Number(toBlock) - Number(fromBlock) + 1
      return width > widest ? { error: { code: -32_602, message: 'the range is too wide' } } : null
    })
    const world = await aWorld(t, { node, chains: [chainOver(node, { rpc: [url.url], logRange: 128 })] })
    const orders = [
      await world.order(),
      await world.order({ pay_asset: 'ETH', settle_asset: 'ETH' }),
      await world.order(),
    ]
    await world.look()
    const sentAt: Date[] = []
    for (const [n, order] of orders.entries()) {
      await world.mine(70)
      await world.pay(order.legs[0]?.address ?? '', n === 1 ? null : node.usdc, 1_000n)
      sentAt.push(new Date(Number((await world.client.getBlock()).timestamp) * 1000))
    }
    await world.mine(90)
    await world.look()
    for (const [n, order] of orders.entries()) {
      const [seen, confirmed] = await world.factsOf(order.orderRef)
      assert.ok(seen?.kind === 'payment_seen')
      assert.deepEqual([seen.amount, confirmed?.kind], [1_000n, 'payment_confirmed'])
      if (n !== 1) assert.deepEqual(seen.seenAt, sentAt[n])
    }
    assert.ok(url.lies() > 0)
  },
)

test('a watcher that dies in the middle is followed by another: nothing is lost, nothing is told twice', async (t) => {
  const world = await aWorld(t)
  const orders = await Promise.all([world.order(), world.order({ pay_asset: 'ETH', settle_asset: 'ETH' })])
  await world.look()
  for (let killAt = 0, isOver = false; !isOver; killAt++) {
    for (const order of orders) {
      await world.pay(order.legs[0]?.address ?? '', order.legs[0]?.asset === 'ETH' ? null : world.node.usdc, 10n)
    }
    const doomed = killable(world.deps.sql, killAt)
    const dead = startProcess(world.deps, world.chains, doomed.sql)
    isOver = await dead.look().then(
      () => true,
      (error: unknown) => {
        if (error instanceof Killed) return false
        throw error
      },
    )
    if (!isOver && killAt > 0) assert.equal(await world.look(), 0, 'the lease of the dead one still stands')
    world.clock.advance(15_001)
    await world.look()
    await agree(world, orders)
    world.clock.advance(15_001)
  }
})

/** What was reported to orders adds up to what is on their addresses. */
async function agree(world: World, orders: Awaited<ReturnType<World['order']>>[]): Promise<void> {
  for (const order of orders) {
    const [leg] = order.legs
    assert.ok(leg)
    const facts = await world.factsOf(order.orderRef)
    const seen = facts.flatMap((fact) => (fact.kind === 'payment_seen' ? [fact] : []))
    assert.equal(new Set(seen.map((fact) => fact.key)).size, seen.length, 'each once')
    const told = seen.reduce((sum, fact) => sum + fact.amount, 0n)
    assert.equal(told, await world.unitsOf(leg.asset === 'ETH' ? null : world.node.usdc, leg.address))
  }
}
