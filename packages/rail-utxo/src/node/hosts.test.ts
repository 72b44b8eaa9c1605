// A block host that lies, beside one that does not: what it says costs mining, or is not believed.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import { readHeader } from '../chain/block.ts'
import { assemble, type Reply, TestChain } from '../test/chain.fixture.ts'
import { aWorld, output, type World } from '../test/world.fixture.ts'

const DUE = 100_000n

/** The liar comes first: it is asked before the honest one. */
async function besideALiar(
  t: TestContext,
  lie: (path: string, honest: Reply, chain: TestChain) => Reply,
): Promise<World> {
  return aWorld(t, {
    fields: { confirmations: [{ blocks: 1 }] },
    sources: async (chain) => {
      const liar = await chain.host(t, (path, honest) => lie(path, honest, chain))
      return { hosts: [liar, await chain.host(t)] }
    },
  })
}

test('two honest hosts carry an order without a node', async (t) => {
  const world = await besideALiar(t, (_path, honest) => honest)
  const order = await world.order()
  world.announce(order, DUE)
  world.chain.mine()
  await world.settle()
  assert.equal((await world.read(order)).status, 'success')
})

test('an invented payment in an honest block is not believed: its merkle root betrays it', async (t) => {
  let script = ''
  const world = await besideALiar(t, (path, honest) => {
    if (!path.endsWith('/raw') || script === '') return honest
    const header = (honest.body as Buffer).subarray(0, 80)
    const invented = TestChain.transaction([output(script, DUE)])
    return { status: 200, body: Buffer.concat([header, Buffer.from([1]), invented]) }
  })
  const order = await world.order()
  script = world.scriptOf(order)
  world.chain.mine()
  await world.settle()
  assert.equal((await world.read(order)).status, 'pending')
  world.announce(order, DUE)
  world.chain.mine()
  await world.settle()
  assert.equal((await world.read(order)).status, 'success', 'the honest host had the block')
})

test('a payment that is left out of its block is found all the same', async (t) => {
  const world = await besideALiar(t, (path, honest, chain) => {
    const block = path.endsWith('/raw') ? chain.byHash.get(path.split('/')[2] ?? '') : undefined
    if (block === undefined || block.transactions.length < 2) return honest
    const coinbase = block.transactions[0] ?? Buffer.alloc(0)
    return { status: 200, body: Buffer.concat([block.raw.subarray(0, 80), Buffer.from([1]), coinbase]) }
  })
  const order = await world.order()
  world.announce(order, DUE)
  world.chain.mine()
  await world.settle()
  assert.equal((await world.read(order)).status, 'success')
})

test('a branch without the work that it claims is not believed', async (t) => {
  let fake: Buffer | null = null
  const world = await besideALiar(t, (path, honest, chain) => {
    if (fake === null) return honest
    const hash = hashOf(fake)
    if (path === '/blocks/tip/height') return text(String(chain.tip.height + 1))
    if (path === `/block-height/${chain.tip.height + 1}`) return text(hash)
    if (path === `/block/${hash}/header`) return text(fake.subarray(0, 80).toString('hex'))
    if (path === `/block/${hash}/raw`) return { status: 200, body: fake }
    return honest
  })
  const order = await world.order()
  const invented = TestChain.transaction([output(world.scriptOf(order), DUE)])
  // Of a difficulty that nobody mined, and of one that does not follow from the block before.
  for (const bits of [0x1d00ffff, 0x2100ffff]) {
    const parent = world.chain.tip.hash
    fake = assemble(world.chain.network, { parent, time: seconds(world), transactions: [invented], bits })
    await world.settle()
    assert.equal((await world.read(order)).status, 'pending')
  }
  const [job] = world.rail.jobs
  assert.match(job?.checks?.()[0]?.summary ?? '', /is not believed: /)
})

test('a host that shows an old tip holds nobody up, and one with a shorter branch turns nothing back', async (t) => {
  let old: number | null = null
  const world = await besideALiar(t, (path, honest) =>
    old !== null && path === '/blocks/tip/height' ? text(String(old)) : honest,
  )
  const order = await world.order()
  old = world.chain.tip.height
  world.announce(order, DUE)
  world.chain.mine()
  await world.settle()
  assert.equal((await world.read(order)).status, 'success')
  const { status } = await world.read(order)
  world.clock.advance(MINUTE_MS)
  await world.settle()
  assert.equal(status, 'success')
})

test('a stranger’s branch as long as the one that was read turns nothing back; a longer one does', async (t) => {
  const world = await aWorld(t, {
    fields: { confirmations: [{ blocks: 1 }] },
    sources: async (chain) => ({ hosts: [await chain.host(t)] }),
  })
  const order = await world.order()
  world.announce(order, DUE)
  world.chain.mine()
  await world.settle()
  assert.equal((await world.read(order)).status, 'success')
  world.chain.leave(1, { toPool: false })
  world.chain.mine([])
  await world.settle()
  assert.equal((await world.read(order)).detail, 'paid')
  world.chain.mine([])
  await world.settle()
  assert.equal((await world.read(order)).detail, 'reorged')
})

test('a refusal in any form is no block and no hash', async (t) => {
  let refusal: Reply | null = null
  const world = await besideALiar(t, (_path, honest) => refusal ?? honest)
  const order = await world.order()
  for (const body of ['{"error":"Too many requests"}', '<html>blocked</html>', '', 'a'.repeat(70_000)]) {
    refusal = { status: body === '' ? 429 : 200, body }
    world.announce(order, DUE / 4n)
    world.chain.mine()
    await world.settle()
  }
  assert.equal((await world.read(order)).status, 'success')
})

const text = (body: string): Reply => ({ status: 200, body })
const seconds = (world: World): number => Math.floor(world.clock.now().getTime() / 1000)
const hashOf = (raw: Buffer): string => readHeader(raw).hash
