// Promises: what a merchant has looked at again is read on every chain, however long ago the order closed, and what lies
// there is booked; who asks too often is told so; a chain that cannot be read is tried again and said.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import { makePartitions } from '@florin/platform/db/partitions'
import { DAY_MS, LOOKS_AN_HOUR, MINUTE_MS, type OrderLook, SECOND_MS } from '@florin/protocol'
import { createTestClient } from 'viem'
import { aLyingNode } from '../../../../rail-evm/src/test/lying-node.fixture.ts'
import { aWorld, chainOver, stopNodes, testNode } from '../../../../rail-evm/src/test/world.fixture.ts'
import { aMerchant, anApiKey } from '../../../test/factories.ts'
import { testApp } from '../../../test/harness.ts'
import { aCaller, anOrder } from '../../../test/orders.ts'
import { partitionedTables } from '../../partitions.ts'
import { getOrder } from '../store.ts'
import { lookAgain, looksJob } from './looks.ts'

after(stopNodes)

const never = new AbortController().signal

test('long after an order closed, what lies on its address is found on its chain and on others', async (t) => {
  const [node, other] = [await testNode(31_337), await testNode(31_338)]
  let isDown = true
  const silent = await aLyingNode(t, other.url, () => (isDown ? 503 : null))
  const chains = [chainOver(node), chainOver(other, { chainId: 31_338, rpc: [silent.url] }, 'op')]
  const world = await aWorld(t, { node, chains })
  const { deps, clock, anvil, forwarder } = world
  const order = await world.order()
  const address = order.legs[0]?.address ?? ''
  await world.look().catch(() => undefined)
  clock.advance(92 * DAY_MS)
  await anvil.increaseTime({ seconds: (92 * DAY_MS) / SECOND_MS })
  await makePartitions(deps.sql, partitionedTables, clock.now())
  for (const job of forwarder.jobs) if (job.name === 'close-vaults') await job.run(never)
  // Nobody watches it any more: neither is seen.
  await world.pay(address, node.usdc, 7_000_000n)
  await world.payOn(other, address, null, 10n ** 15n)
  const otherNode = createTestClient({ mode: 'anvil', transport: toAnvil(other.url) })
  const job = looksJob(deps)
  const look = async (): Promise<void> => {
    await Promise.all([world.mine(6), otherNode.mine({ blocks: 6 })])
    for (const one of forwarder.jobs) if (one.name.startsWith('watch-')) await one.run(never).catch(() => undefined)
    await job.run(never)
  }
  const found = async () => (await getOrder(deps.sql, order.orderNo)).payments.map((row) => [row.asset, row.use]).sort()
  await look()
  assert.deepEqual(await found(), [])

  await lookAgain(deps, order)
  await look()
  assert.deepEqual(await found(), [['USDC', 'late']], 'what can be read is')
  const waiting = await lookAgain(deps, order)
  assert.deepEqual([waiting.looked_at, waiting.failure], [null, 'Not every chain can be read reliably now.'])
  isDown = false
  clock.advance(31 * SECOND_MS)
  await look()
  await look()
  clock.advance(31 * SECOND_MS)
  await look()
  assert.deepEqual(await found(), [
    ['ETH', 'wrong_chain'],
    ['USDC', 'late'],
  ])
  const { looked_at, failure } = await lookAgain(deps, order)
  assert.ok(looked_at === null || failure === null)
})

test('a look is asked for once a minute an order and so many times an hour, by its own merchant', async (t) => {
  const at = await testApp(t)
  const { deps, clock, app } = at
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant)
  const stranger = await anApiKey(deps, await aMerchant(deps))
  await deps.sql`
    insert into receiving_addresses (merchant_id, chain, address, updated_at)
    values (${merchant.id}, 'base', '0x52908400098527886E0F7030069857D2E4169EE7', ${clock.now()})`
  const make = async (): Promise<string> => {
    const payload = { amount_usd: 5, settle_chain: 'base' }
    return (await app.inject({ method: 'POST', url: '/v1/orders', headers: key.headers, payload })).json().order_no
  }
  const ask = async (orderNo: string, headers = key.headers) => {
    const reply = await app.inject({ method: 'POST', url: `/v1/orders/${orderNo}/look-again`, headers, payload: {} })
    return {
      status: reply.statusCode,
      body: reply.json<OrderLook>(),
      code: reply.json().error?.code,
      headers: reply.headers,
    }
  }
  const orderNo = await make()
  const first = await ask(orderNo)
  const asked_at = clock.now().toISOString()
  assert.deepEqual([first.status, first.body], [200, { order_no: orderNo, asked_at, looked_at: null, failure: null }])
  assert.deepEqual([(await ask(orderNo, stranger.headers)).status], [404])
  assert.equal((await ask('ord_x')).status, 404)
  clock.advance(SECOND_MS)
  await looksJob(deps).run(never)
  const again = await ask(orderNo)
  assert.deepEqual([again.body.asked_at, again.body.looked_at], [asked_at, clock.now().toISOString()])
  clock.advance(MINUTE_MS)
  assert.equal((await ask(orderNo)).body.looked_at, null, 'a minute later it is another one')

  // As if it had asked about as many others.
  const many = await make()
  await deps.sql`update limits set n = ${LOOKS_AN_HOUR} where scope = ${`looks ${merchant.id}`}`
  const refused = await ask(many)
  assert.deepEqual([refused.status, refused.code, refused.headers['retry-after']], [429, 'rate_limited', '600'])
  clock.advance(66 * MINUTE_MS)
  assert.equal((await ask(many)).status, 200)
})

test('a look that no worker ends is taken up by another one', async (t) => {
  const { deps, clock } = await testApp(t)
  const order = await anOrder(deps, await aCaller(deps))
  await lookAgain(deps, order)
  const broken = { ...deps, rails: { ...deps.rails, byKind: () => assert.fail('it dies here') } }
  await looksJob(broken)
    .run(never)
    .catch(() => undefined)
  await looksJob(deps).run(never)
  assert.equal((await lookAgain(deps, order)).looked_at, null)
  clock.advance(3 * MINUTE_MS)
  await looksJob(deps).run(never)
  const [row] = await deps.sql<{ at: string; attempts: number }[]>`
    select payload ->> 'looked_at' as at, attempts from tasks where kind = 'look-again'`
  assert.deepEqual([row?.at, row?.attempts], [clock.now().toISOString(), 2])
})
