// Nodes of the payers' chains look at the addresses of open swaps: what they see is asked about at once, whatever they do otherwise
// changes no order, and none of them holds up another.
import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import { testUsdcAbi } from '@florin/contracts/test-tokens'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { createTestClient, createWalletClient, encodeFunctionData, type Hex, publicActions } from 'viem'
import { slowTest, quickTest as test } from '../../../../../../scripts/sizes.ts'
import type { OrderState } from '../../../orders/model/state.ts'
import { payers, stopNodes, testNode } from '../../forwarder/test/world.fixture.ts'
import { aNodeBefore, type Before, type Call } from '../test/nodes.fixture.ts'
import { aWorld, startProcess, type World } from '../test/world.fixture.ts'

after(stopNodes)

interface Scene {
  world: World
  node: Before
  /** Sends money on the chain, in a block of its own; the provider has not heard of it. */
  send(to: string, token: string | null, amount?: bigint): Promise<string>
  mine(blocks: number): Promise<void>
  /** Time enough for a node to look and for the provider to be asked, but not for what makes sure. */
  pass(ms?: number): Promise<void>
  askedAbout(since?: number): string[]
}

async function aScene(t: TestContext, fields: object = {}): Promise<Scene> {
  const chain = await testNode()
  const node = await aNodeBefore(t, chain.url)
  const world = await aWorld(t, {
    fields: { nodes: { arb: node.url, eth: node.url }, requestsPerS: 5, timeoutMs: 10_000, windowS: 14_400, ...fields },
  })
  const wallet = createWalletClient({ transport: toAnvil(chain.url), account: payers[0] as Hex }).extend(publicActions)
  const anvil = createTestClient({ mode: 'anvil', transport: toAnvil(chain.url) }).extend(publicActions)
  const code = await anvil.getCode({ address: chain.usdc })
  // The double gives each test the same addresses.
  const id = await anvil.snapshot()
  t.after(() => anvil.revert({ id }))
  return {
    ...{ world, node },
    async send(to, token, amount = 1n) {
      if (token !== null) await anvil.setCode({ address: token as Hex, bytecode: code ?? '0x' })
      const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [to as Hex, amount] })
      const hash = await wallet.sendTransaction({
        chain: null,
        ...(token === null ? { to: to as Hex, value: amount } : { to: token as Hex, data }),
      })
      await wallet.waitForTransactionReceipt({ hash, pollingInterval: 20 })
      return hash
    },
    mine: (blocks) => anvil.mine({ blocks }),
    async pass(ms = 20 * SECOND_MS) {
      world.clock.advance(ms)
      await world.run('intents-sight')
      world.clock.advance(SECOND_MS)
      await world.run('intents-poll')
    },
    askedAbout: (since = 0) =>
      world.provider.requests.slice(since).flatMap(({ path }) => (path === '/v0/status' ? [path] : [])),
  }
}

const addressOf = (order: OrderState): string => order.legs[0]?.address ?? ''
const tokenOf = (order: OrderState): string | null => order.legs[0]?.contract ?? null

interface Row {
  rank: number
  dueAt: Date
  seen: string[]
  seenDueAt: Date | null
}

async function rowOf({ deps }: World, order: OrderState): Promise<Row> {
  const [row] = await deps.sql<Row[]>`
    select rank, due_at as "dueAt", seen, seen_due_at as "seenDueAt" from intents_legs where order_ref = ${order.orderRef}`
  assert.ok(row !== undefined)
  return row
}

/** As after a while: each was asked about, and nodes look. */
async function leftToNodes({ world, pass }: Scene): Promise<void> {
  await world.run('intents-sight')
  for (let n = 0; n < 4; n++) await pass(30 * SECOND_MS)
}

test('what nodes see at an address is told to the provider and asked about, once each, and nothing else changes', async (t) => {
  const scene = await aScene(t)
  const { world, node } = scene
  const { provider, clock } = world
  const orders = [await world.order(), await world.order({ pay_chain: 'eth', pay_asset: 'ETH' }), await world.order()]
  const [token, coin, other] = orders as [OrderState, OrderState, OrderState]
  await leftToNodes(scene)
  for (const order of orders) {
    const { rank, dueAt } = await rowOf(world, order)
    // Nodes look: single questions only make sure.
    assert.equal(rank, 3)
    assert.ok(dueAt.getTime() - clock.now().getTime() > 20 * MINUTE_MS)
  }
  const before = provider.requests.length
  await scene.pass()
  assert.deepEqual(scene.askedAbout(before), [])

  const hash = await scene.send(addressOf(token), tokenOf(token), 5n)
  const since = provider.requests.length
  await scene.pass()
  const told = provider.requests.slice(since).map(({ path, body }) => [path, body?.txHash, body?.depositAddress])
  assert.deepEqual(told, [
    ['/v0/deposit/submit', hash, addressOf(token)],
    ['/v0/status', undefined, undefined],
  ])
  assert.equal((await world.read(token)).status, 'pending', 'a node says so, and nobody else')
  // The provider knows a while later.
  provider.send(world.swapOf(token), token.legs[0]?.amountDue ?? 0n)
  for (let n = 0; n < 3; n++) await scene.pass(15 * SECOND_MS)
  await world.settle()
  assert.equal((await world.read(token)).status, 'processing')
  assert.equal((await rowOf(world, token)).seenDueAt, null)

  await scene.send(addressOf(coin), null)
  provider.send(world.swapOf(coin), coin.legs[0]?.amountDue ?? 0n)
  await scene.pass()
  await world.settle()
  assert.deepEqual([(await world.read(coin)).status, (await world.read(other)).status], ['processing', 'pending'])
  assert.ok(node.asked.includes('eth_call') && !node.asked.includes('batch eth_getBalance'))
})

test('what turns out to be nothing is asked about for a while, and not again for the same; a swap has only so many', async (t) => {
  const scene = await aScene(t)
  const { world } = scene
  const order = await world.order({ expires_in: 86_400 })
  await leftToNodes(scene)
  // Another token, and nothing of the right one: no hint.
  await scene.send(addressOf(order), '0x00000000000000000000000000000000000000ff')
  await scene.send(addressOf(order), tokenOf(order), 0n)
  await scene.pass()
  assert.deepEqual((await rowOf(world, order)).seen, [])

  await scene.send(addressOf(order), tokenOf(order))
  await scene.pass()
  assert.ok((await rowOf(world, order)).seenDueAt !== null)
  for (let n = 0; n < 4; n++) await scene.pass(5 * MINUTE_MS)
  const { seen, seenDueAt } = await rowOf(world, order)
  assert.deepEqual([seen.length, seenDueAt], [1, null], 'the same block was read again')

  for (let n = 0; n < 7; n++) {
    await scene.send(addressOf(order), tokenOf(order))
    await scene.pass()
  }
  assert.equal((await rowOf(world, order)).seen.length, 5)
  // From then on it is asked about as if nobody looked.
  for (let n = 0; n < 4; n++) await scene.pass(10 * MINUTE_MS)
  const row = await rowOf(world, order)
  assert.deepEqual([row.rank, row.seenDueAt], [2, null])
})

slowTest(
  'a node that takes little at once is asked for less, and one that runs no programs for each balance',
  async (t) => {
    const scene = await aScene(t)
    const { world, node } = scene
    const order = await world.order()
    const coin = await world.order({ pay_chain: 'eth', pay_asset: 'ETH' })
    await copies(world, order, 120)
    await copies(world, coin, 60)
    let most = 0
    node.instead = (call: Call | Call[]) => {
      if (Array.isArray(call)) return null
      const [filter] = call.params as [{ topics?: string[][]; fromBlock?: string; toBlock?: string }]
      if (call.method === 'eth_call') return 'refusal'
      if (call.method !== 'eth_getLogs') return null
      const addresses = filter.topics?.[2]?.length ?? 0
      const blocks = Number(filter.toBlock) - Number(filter.fromBlock)
      if (addresses > 40 || blocks > 50) return 400
      most = Math.max(most, addresses)
      return null
    }
    await scene.send(addressOf(order), tokenOf(order))
    await scene.send(addressOf(coin), null)
    await scene.mine(400)
    await world.run('intents-sight')
    // The blocks are older than what is read again.
    assert.deepEqual([(await rowOf(world, order)).seen, (await rowOf(world, coin)).seen.length], [[], 1])
    assert.ok(most > 10 && most <= 40 && node.asked.includes('batch eth_getBalance'))
    const hash = await scene.send(addressOf(order), tokenOf(order))
    await scene.mine(120)
    await world.run('intents-sight')
    assert.deepEqual((await rowOf(world, order)).seen, [hash])
  },
)

slowTest('blocks that came while nobody looked are read, where the last process ended', async (t) => {
  const scene = await aScene(t)
  const { world } = scene
  const order = await world.order()
  await leftToNodes(scene)
  for (const job of world.rail.jobs) await job.end?.()
  const hash = await scene.send(addressOf(order), tokenOf(order))
  // More than is read again at each look.
  await scene.mine(1_000)
  const other = startProcess(world.deps, world)
  await other.run('intents-sight')
  assert.deepEqual((await rowOf(world, order)).seen, [hash])
})

test('a node that hangs, refuses or talks nonsense holds up nothing: another is asked, and with none its swaps are asked about', async (t) => {
  const scene = await aScene(t)
  const { world, node } = scene
  const order = await world.order()
  await leftToNodes(scene)
  const note = (jobs: World['rail']['jobs']): string =>
    jobs.find(({ name }) => name === 'intents-sight-arb')?.note?.() ?? ''
  const impatient = startProcess(world.deps, { ...world, settings: { ...world.settings, timeoutMs: 100 } })
  for (const job of world.rail.jobs) await job.end?.()
  node.instead = () => 'silence'
  await impatient.run('intents-sight-arb')
  assert.match(note(impatient.rail.jobs), /no node of arb tells of deposit addresses/)
  for (const job of impatient.rail.jobs) await job.end?.()
  for (const misdeed of [503, 'refusal', { result: 'nonsense' }, { result: { head: 1 } }] as const) {
    node.instead = () => misdeed
    await scene.pass(30 * SECOND_MS)
    assert.match(note(world.rail.jobs), /no node of arb tells of deposit addresses/)
  }
  await scene.pass(MINUTE_MS)
  const { rank, dueAt } = await rowOf(world, order)
  assert.equal(rank, 2)
  assert.ok(dueAt.getTime() - world.clock.now().getTime() < 20 * MINUTE_MS)
  const health = await world.rail.rail.health()
  const [away] = health.troubles
  assert.deepEqual([away?.kind, away?.chain, away?.holdsUp], ['provider_out', 'arb', []])
  assert.match(away?.note ?? '', /tells nothing of deposits to swaps/)
  node.instead = () => null
  for (let n = 0; n < 3; n++) await scene.pass(30 * SECOND_MS)
  assert.deepEqual((await world.rail.rail.health()).troubles, [])
})

slowTest('of two nodes each has its turn, so that one that is blind costs a turn', async (t) => {
  const chain = await testNode()
  const blind = await aNodeBefore(t, chain.url)
  blind.instead = (call) => (!Array.isArray(call) && call.method === 'eth_getLogs' ? { result: [] } : null)
  const scene = await aScene(t)
  const { world, node } = scene
  const two = startProcess(world.deps, { ...world, otherNodes: [{ chain: 'arb', kind: 'evm', url: blind.url }] })
  const order = await world.order()
  await two.run('intents-sight')
  await two.run('intents-sight')
  const hash = await scene.send(addressOf(order), tokenOf(order))
  await two.run('intents-sight')
  await two.run('intents-sight')
  assert.deepEqual((await rowOf(world, order)).seen, [hash])
  // And where one is gone, the other is asked at once.
  node.close()
  const count = blind.asked.length
  await two.run('intents-sight')
  await two.run('intents-sight')
  assert.ok(blind.asked.length > count + 2)
})

test('a node that says of every address that it was paid takes no more than its share of the questions', async (t) => {
  const liar = await aNodeBefore(t, null)
  const scene = await aScene(t, { nodes: {} })
  const { world } = scene
  const chain = await testNode()
  const own = startProcess(world.deps, {
    ...world,
    otherNodes: [
      { chain: 'eth', kind: 'evm', url: liar.url },
      { chain: 'arb', kind: 'evm', url: chain.url },
    ],
  })
  const lied = await world.order({ pay_chain: 'eth' })
  const refs = await copies(world, lied, 300)
  const [honest, page] = [await world.order(), await world.order()]
  await world.deps.sql`update intents_legs set due_at = ${new Date(world.clock.now().getTime() + HOUR_MS)}, rank = 3`
  let n = 0
  liar.instead = (call) => {
    if (Array.isArray(call)) return 'refusal'
    if (call.method === 'eth_blockNumber') return { result: '0x1000' }
    const [filter] = call.params as [{ address: string[]; topics: [string, null, string[]] }]
    const log = (topic: string) => ({
      ...{ address: filter.address[0], topics: [filter.topics[0], topic, topic], data: `0x${'1'.repeat(64)}` },
      transactionHash: `0x${(++n).toString(16).padStart(64, '0')}`,
    })
    return { result: filter.topics[2].map(log) }
  }
  await scene.send(addressOf(honest), tokenOf(honest))
  await own.run('intents-sight')
  await world.deps
    .sql`update intents_legs set rank = 1, due_at = ${world.clock.now()} where order_ref = ${page.orderRef}`
  assert.ok((await rowOf(world, lied)).seenDueAt !== null && refs.length === 300)
  const since = world.provider.requests.length
  for (let second = 0; second < 3; second++) {
    world.clock.advance(SECOND_MS)
    await own.run('intents-poll')
  }
  const asked = await world.deps.sql<{ ref: string }[]>`
    select order_ref as ref from intents_legs where looked_at is not null`
  const names = asked.map(({ ref }) => ref)
  assert.ok(names.includes(honest.orderRef) && names.includes(page.orderRef), String(names))
  assert.ok(world.provider.requests.length - since <= 15)
})

test('a log of another token, of nothing, or that the chain took back is no hint, and a block that is told late is read', async (t) => {
  const scene = await aScene(t)
  const { world, node } = scene
  const order = await world.order()
  const told = (more: object): object => {
    const topic = `0x${addressOf(order).slice(2).toLowerCase().padStart(64, '0')}`
    const topics = ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', topic, topic]
    const hash = `0x${'ab'.repeat(32)}`
    return { address: tokenOf(order), topics, data: `0x${'0'.repeat(63)}1`, transactionHash: hash, ...more }
  }
  const lies = [
    { address: '0x1111111111111111111111111111111111111111' },
    ...[{ removed: true }, { data: '0x' }, { data: `0x${'0'.repeat(64)}` }, { transactionHash: '0xab' }],
    ...[{ topics: [] }, { topics: null }],
  ]
  node.instead = (call) =>
    !Array.isArray(call) && call.method === 'eth_getLogs' ? { result: [...lies.map(told), 7, null] } : null
  await world.run('intents-sight')
  assert.deepEqual((await rowOf(world, order)).seen, [])
  // It knows the number of a block before what is in it.
  await scene.mine(400)
  const hash = await scene.send(addressOf(order), tokenOf(order))
  node.instead = (call) => (!Array.isArray(call) && call.method === 'eth_getLogs' ? { result: [] } : null)
  await world.run('intents-sight')
  node.instead = () => null
  await scene.mine(400)
  await world.run('intents-sight')
  assert.deepEqual((await rowOf(world, order)).seen, [hash])
})

slowTest(
  'a node that tells of tokens and not of coins is heard, and its chain counts as one that nobody looks at',
  async (t) => {
    const scene = await aScene(t)
    const { world, node } = scene
    const [order, coin] = [
      await world.order({ pay_chain: 'eth' }),
      await world.order({ pay_chain: 'eth', pay_asset: 'ETH' }),
    ]
    node.instead = (call) => (Array.isArray(call) || call.method === 'eth_call' ? 'refusal' : null)
    await leftToNodes(scene)
    for (const one of [order, coin]) assert.equal((await rowOf(world, one)).rank, 2)
    const hash = await scene.send(addressOf(order), tokenOf(order))
    await scene.pass()
    assert.deepEqual((await rowOf(world, order)).seen, [hash])
  },
)

slowTest('what was seen outlasts a provider that is away, and waits behind what the payer named', async (t) => {
  const scene = await aScene(t)
  const { world } = scene
  const { provider, deps } = world
  const order = await world.order()
  await leftToNodes(scene)
  await deps.sql`update intents_legs set hint = 'named by the payer' where order_ref = ${order.orderRef}`
  await scene.send(addressOf(order), tokenOf(order))
  provider.rules.isDown = true
  const since = provider.requests.length
  await scene.pass()
  const said = provider.requests.slice(since).flatMap(({ body }) => (body?.txHash === undefined ? [] : [body.txHash]))
  assert.deepEqual(said, ['named by the payer'])
  provider.rules.isDown = false
  provider.send(world.swapOf(order), order.legs[0]?.amountDue ?? 0n)
  const back = provider.requests.length
  await scene.pass(MINUTE_MS)
  assert.equal(scene.askedAbout(back).length, 1)
  await world.settle()
  assert.equal((await world.read(order)).status, 'processing')
})

slowTest('where the list of swaps tells of deposits, or the settings say so, no node is asked', async (t) => {
  for (const fields of [{ feedKeyEnv: 'FEED' }, { sight: false }]) {
    const { world } = await aScene(t, fields)
    assert.deepEqual(
      world.rail.jobs.map((job) => job.name),
      ['intents-poll'],
    )
  }
})

/** More open swaps like this one, each at an address of its own. */
async function copies(world: World, order: OrderState, count: number): Promise<string[]> {
  const swap = world.swapOf(order)
  const rows = await world.deps.sql<{ ref: string; address: string }[]>`
    insert into intents_legs select (jsonb_populate_record(i, jsonb_build_object('ref', i.ref || n, 'order_ref', i.order_ref || n,
      'address', '0xf' || lpad(to_hex(n), 39, '0'), 'place', null))).*
    from intents_legs i, generate_series(${count}::int, 2 * ${count}::int - 1) n where i.order_ref = ${order.orderRef}
    returning ref, address`
  for (const { address } of rows) {
    const reply = { ...swap.reply, quote: { ...(swap.reply.quote as object), depositAddress: address } }
    world.provider.swaps.push({ ...swap, address, reply, origin: [], destination: [] })
  }
  return rows.map(({ ref }) => ref)
}
