// Native coins on a wrong chain: two real nodes with the same contracts, so that an order's address is the same on
// both.
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import { balanceOf } from '@florin/order-model/balance'
import { createPublicClient, createTestClient, type Hex } from 'viem'
import { refundOrder } from '../../../server/src/orders/acts.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { type Pair, readBalances, readPairs } from '../node/balances.ts'
import { openRpc } from '../node/rpc.ts'
import { aWorld, chainOver, payers, stopNodes, testNode } from '../test/world.fixture.ts'
import { linkOf } from './first-look.ts'
import { wrongChainJob } from './wrong-chain.ts'

after(stopNodes)

const REFUND_TO = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

async function twoChains(t: TestContext, overrides: object = {}) {
  // Amounts here are a few wei: what a refund costs is another test's subject.
  const fields = { refundCostCoins: '0', ...overrides }
  const node = await testNode(31_337)
  const other = await testNode(31_338)
  const world = await aWorld(t, {
    node,
    chains: [chainOver(node, fields), chainOver(other, { chainId: 31_338, ...fields }, 'op')],
  })
  const [, opChain] = world.chains
  assert.ok(opChain)
  const transport = toAnvil(other.url)
  const otherClient = createPublicClient({ transport, cacheTime: 0 })
  const jobs = world.forwarder.jobs.filter((job) => job.name.startsWith('strays-'))
  assert.equal(jobs.length, 2)
  return {
    ...{ world, other, otherClient, opChain },
    otherNode: createTestClient({ mode: 'anvil', transport }),
    reorgOther: (depth: number) => otherClient.request({ method: 'anvil_reorg', params: [depth, []] } as never),
    /** What the watchers and a whole round of the search find; applied to the orders. */
    async look() {
      await world.look()
      for (const job of jobs) await job.run(new AbortController().signal)
      await settleDue(world.deps)
    },
  }
}

test('coins on a wrong chain are seen, confirmed by depth and refunded where they lie', async (t) => {
  const { world, other, otherNode, otherClient, look } = await twoChains(t)
  const { orderNo, orderRef, legs } = await world.order({ refund_address: REFUND_TO })
  const vault = legs[0]?.address as Hex
  await look()
  await world.payOn(other, vault, null, 5_000n)
  await look()
  await look()
  const seen = await getOrder(world.deps.sql, orderNo)
  const shown = seen.payments.map(({ chain, asset, amount, use, status }) => [chain, asset, amount, use, status])
  assert.deepEqual([seen.status, shown], ['pending', [['op', 'ETH', 5_000n, 'wrong_chain', 'detected']]])

  await otherNode.mine({ blocks: 2 })
  await look()
  assert.equal((await getOrder(world.deps.sql, orderNo)).payments[0]?.status, 'confirmed')
  const had = await otherClient.getBalance({ address: REFUND_TO })
  await refundOrder(world.deps, seen, { actor: 'test', reason: null })
  for (let round = 0; round < 3; round++) {
    await settleDue(world.deps)
    await world.work()
    await otherNode.mine({ blocks: 5 })
    await look()
  }
  const done = await getOrder(world.deps.sql, orderNo)
  assert.equal(done.status, 'refunded')
  const { received, refunded, held } = balanceOf(done)[0] ?? {}
  assert.deepEqual([received, refunded, held], [5_000n, 5_000n, 0n])
  assert.equal((await otherClient.getBalance({ address: REFUND_TO })) - had, 5_000n)
  assert.equal(await otherClient.getBalance({ address: vault }), 0n)

  await world.payOn(other, vault, null, 70n)
  await look()
  const again = await world.factsOf(orderRef)
  assert.deepEqual(again, [], 'all was applied')
  const amounts = (await getOrder(world.deps.sql, orderNo)).payments.map((payment) => payment.amount)
  assert.deepEqual(amounts, [5_000n, 70n], 'what went out is not seen again; what came since is')
})

test('coins on a wrong chain that a reorg takes away are gone, and found again when they come back', async (t) => {
  const { world, other, reorgOther, look } = await twoChains(t)
  const { orderNo, legs } = await world.order()
  const vault = legs[0]?.address ?? ''
  await world.payOn(other, vault, null, 9n)
  await look()
  await reorgOther(1)
  await look()
  const states = async () => (await getOrder(world.deps.sql, orderNo)).payments.map((row) => row.status)
  assert.deepEqual(await states(), ['orphaned'])
  await world.payOn(other, vault, null, 9n)
  await look()
  assert.deepEqual(await states(), ['orphaned', 'detected'])
})

test('balances of more addresses than one call takes are read in order', async () => {
  const { url } = await testNode()
  const client = createPublicClient({ transport: toAnvil(url), cacheTime: 0 })
  const [rich] = payers
  assert.ok(rich)
  const addresses = Array.from({ length: 1_600 }, (_, n): Hex => `0x${(n + 1).toString(16).padStart(40, 'a')}`)
  for (const n of [0, 749, 750, 1_599]) addresses[n] = rich
  const { hash } = await client.getBlock()
  const balances = await readBalances(client, addresses, hash)
  const found = balances.flatMap((balance, n) => (balance > 0n ? [n] : []))
  assert.deepEqual([balances.length, found], [1_600, [0, 749, 750, 1_599]])
})

test('balances of many addresses in several assets are read in order, at their own block', async () => {
  const node = await testNode()
  const client = createPublicClient({ transport: toAnvil(node.url), cacheTime: 0 })
  const [rich] = payers
  assert.ok(rich)
  const holder = `0x${'77'.repeat(20)}` as Hex
  await client.request({ method: 'anvil_dealERC20', params: [holder, node.usdc, '0x2a'] } as never)
  const anvil = createTestClient({ mode: 'anvil', transport: toAnvil(node.url) })
  await anvil.mine({ blocks: 1 })
  const { hash } = await client.getBlock()
  await anvil.mine({ blocks: 1 })
  const pairs: Pair[] = Array.from({ length: 1_600 }, (_, n) => ({
    address: `0x${(n + 1).toString(16).padStart(40, 'b')}`,
    token: n % 3 === 0 ? node.usdc : n % 3 === 1 ? node.usdt : null,
  }))
  for (const n of [0, 749, 1_599]) pairs[n] = { address: holder, token: node.usdc }
  pairs[750] = { address: rich, token: null }
  pairs[751] = { address: holder, token: node.usdt }
  await client.request({ method: 'anvil_dealERC20', params: [holder, node.usdc, '0x2b'] } as never)
  const balances = await readPairs(client, pairs, hash)
  const found = balances.flatMap((balance, n) => (balance > 0n ? [[n, n === 750 ? 0n : balance]] : []))
  assert.equal(balances.length, 1_600)
  assert.deepEqual(found, [
    [0, 42n],
    [749, 42n],
    [750, 0n],
    [1_599, 42n],
  ])
  await assert.rejects(readPairs(client, [{ address: holder, token: holder }], hash), 'no token is there')
})

test('the walk goes on where it stood, in another process too, and begins again at its end', async (t) => {
  const { world, other, opChain, look } = await twoChains(t)
  const orders = []
  for (let n = 0; n < 5; n++) orders.push(await world.order())
  await look()
  for (const [n, { legs }] of orders.entries()) await world.payOn(other, legs[0]?.address ?? '', null, BigInt(n + 1))
  await world.look()
  const { sql, clock, log, wake } = world.deps
  const parts = { sql, clock, log, wake }
  const foundByNow = async () => Number((await sql`select 1 from forwarder_observations`).length)
  const steps: number[] = []
  for (let part = 0; part < 4; part++) {
    // Each batch by another process, after the previous one has died.
    world.clock.advance(120_000)
    await wrongChainJob(linkOf(openRpc(opChain), parts), parts, `process ${part}`, 2).run(new AbortController().signal)
    steps.push(await foundByNow())
  }
  assert.deepEqual(steps, [2, 4, 5, 5])
})

test('coins of a block that leaves the chain while it is read are not told of', async (t) => {
  const { world, other, opChain, reorgOther, look } = await twoChains(t)
  const { legs } = await world.order()
  await look()
  await world.payOn(other, legs[0]?.address ?? '', null, 9n)
  await world.look()
  const { sql, clock, log, wake } = world.deps
  const parts = { sql, clock, log, wake }
  const link = linkOf(openRpc(opChain), parts)
  await link.verified()
  let reads = 0
  const { client } = link.rpc
  // The balances of the block are read, and before they are recorded the watcher learns that it was removed.
  const raced = Object.assign(Object.create(client) as typeof client, {
    async request(call: { method: string }) {
      const answer = await client.request(call as Parameters<typeof client.request>[0])
      if (call.method === 'eth_call' && reads++ === 0) {
        await reorgOther(1)
        await world.look()
      }
      return answer
    },
  })
  world.clock.advance(120_000)
  await wrongChainJob({ ...link, rpc: { ...link.rpc, client: raced } }, parts, 'another process').run(
    new AbortController().signal,
  )
  assert.ok(reads > 0)
  assert.deepEqual([...(await sql`select key from forwarder_observations`)], [])
})

test('a large order on a wrong chain is confirmed as deep as its amount asks for', async (t) => {
  const fields = { confirmations: { seen: 1, settle: 1 }, large: { fromUsd: '40', settle: 3 } }
  const { world, other, otherNode, look } = await twoChains(t, fields)
  const { orderNo, legs } = await world.order()
  await look()
  await world.payOn(other, legs[0]?.address ?? '', null, 9n)
  const states = async () => {
    await look()
    return (await getOrder(world.deps.sql, orderNo)).payments.map((row) => row.status)
  }
  assert.deepEqual(await states(), ['detected'])
  await otherNode.mine({ blocks: 1 })
  assert.deepEqual(await states(), ['detected'])
  await otherNode.mine({ blocks: 1 })
  assert.deepEqual(await states(), ['confirmed'])
})
