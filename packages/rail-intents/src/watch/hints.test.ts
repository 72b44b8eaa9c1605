// A transaction that a payer names is passed on to the provider, once each and only so many; it is no proof of anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { buildApp } from '../../../server/src/app.ts'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { eventually } from '../../../server/test/deliveries.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { depositAddress } from '../test/addresses.fixture.ts'
import { deposit } from '../test/swaps.fixture.ts'
import { aWorld, PAYER } from '../test/world.fixture.ts'
import { saveFeedMark } from './swaps.store.ts'

const hash = (n: number): string => `0x${String(n).padStart(64, 'a')}`

test('what a payer says was sent is told to the provider, bounded, and counts for nothing', async (t) => {
  const world = await aWorld(t)
  const { provider, deps } = world
  const app = await buildApp(deps)
  t.after(() => app.close())
  const cookies = new Map<string, string>()
  const call = (order: OrderState, path: string, payload: object, cookie = cookies.get(order.orderNo) ?? '') =>
    app.inject({ method: 'POST', url: `/checkout/${order.checkoutToken}${path}`, payload, headers: { cookie } })
  /** An order that its payer's browser has chosen a way for. */
  const chosen = async (chain: string, refundAddress: string): Promise<OrderState> => {
    const open = await world.order({ pay_chain: undefined, pay_asset: undefined, refund_address: undefined } as never)
    const wish = { chain, asset: 'USDC', custody: 'third-party', refund_address: refundAddress }
    const answer = await call(open, '/pay', wish)
    assert.equal(answer.statusCode, 200, answer.body)
    cookies.set(open.orderNo, answer.cookies.map(({ name, value }) => `${name}=${value}`)[0] ?? '')
    return world.read(open)
  }
  const say = async (order: OrderState, hash: string): Promise<number> =>
    (await call(order, '/look', { tx_hash: hash })).statusCode
  const submitted = (order: OrderState): unknown[] =>
    provider.requests
      .filter(({ path, body }) => path.endsWith('/submit') && body?.depositAddress === order.legs[0]?.address)
      .map(({ body }) => body?.memo ?? body?.txHash)
  const dueNow = async (order: OrderState) =>
    (
      await deps.sql<{ rank: number }[]>`
        select rank from intents_legs where order_ref = ${order.orderRef} and due_at <= ${deps.clock.now()}`
    ).map(({ rank }) => rank)

  const order = await chosen('arb', PAYER)
  // Without JavaScript the page itself says that somebody is at it.
  await app.inject({ url: `/pay/${order.checkoutToken}`, headers: { accept: 'text/html' } })
  const hot = () => deps.sql`select 1 from intents_legs where order_ref = ${order.orderRef} and hot_until is not null`
  await eventually(hot, (rows) => rows.length === 1)
  await deps.sql`update intents_legs set rank = 2, hot_until = null, due_at = ${new Date(deps.clock.now().getTime() + 60_000)}`
  for (const slip of ['my payment', hash(1).slice(2), `${hash(1)}0`, depositAddress('arb', 5)])
    assert.equal(await say(order, slip), 422, slip)
  const stranger = await call(order, '/look', { tx_hash: hash(1) }, 'other=browser')
  assert.equal(stranger.statusCode, 422, 'not its leg')
  assert.match(stranger.json().error.message, /No way to pay was chosen in this browser/)
  assert.deepEqual(await dueNow(order), [])
  assert.equal(await say(order, ` ${hash(1).toUpperCase().replace('0X', '0x')} `), 200)
  assert.deepEqual(await dueNow(order), [1], 'sooner than others, later than what the provider itself told of')
  await world.settle()
  assert.deepEqual(submitted(order), [hash(1)])
  assert.equal((await world.read(order)).status, 'pending', 'nobody but the provider says that it was paid')
  // Said again it is looked at again, and told to nobody.
  assert.equal(await say(order, hash(1)), 200)
  assert.deepEqual(await dueNow(order), [1])
  for (const n of [1, 2, 3, 4, 5, 6, 7]) {
    await say(order, hash(n))
    await world.settle()
  }
  assert.deepEqual(submitted(order), [1, 2, 3, 4, 5].map(hash))

  // With the memo where there is one; what the provider does not take changes nothing.
  const noted = await chosen('stellar', depositAddress('stellar', 9))
  const { memo = null, amountDue = 0n } = noted.legs[0] ?? {}
  assert.ok(memo !== null)
  provider.faults.set('/v0/deposit/submit', [
    { kind: 'status', status: 400, body: '{"message":"txHash is not valid"}' },
  ])
  assert.equal(await say(noted, 'ab'.repeat(32)), 200)
  provider.send({ address: world.swapOf(noted).address, memo }, amountDue)
  await world.settle()
  assert.deepEqual(submitted(noted), [memo])
  assert.equal((await world.read(noted)).status, 'processing')
  // Money was seen: there is nothing more to say.
  assert.equal(await say(noted, 'cd'.repeat(32)), 200)
  await world.settle()
  assert.deepEqual(submitted(noted), [memo])
})

test('a list that is silent about a paid swap lets no order expire, and holds none up for long where questions are short', async (t) => {
  const world = await aWorld(t)
  const { provider, clock } = world
  provider.rules.listLies = 'nothing'
  const paid = await world.order({ expires_in: 600 })
  const unpaid = await world.order({ expires_in: 600 })
  await world.settle()
  deposit(world.swapOf(paid), paid.legs[0]?.amountDue ?? 0n, clock.now())
  // Nobody hurries it but its own end.
  const pass = async (steps: number): Promise<void> => {
    for (let n = 0; n < steps; n++) {
      clock.advance(15 * SECOND_MS)
      await world.run('intents-poll')
      for (let round = 0; round < 5; round++) await settleDue(world.deps)
      await expireDue(world.deps)
    }
  }
  await pass(36)
  assert.equal((await world.read(paid)).status, 'pending')
  await pass(12)
  assert.deepEqual([(await world.read(paid)).status, (await world.read(unpaid)).status], ['processing', 'expired'])

  // Nor does one that says of everything that it moves.
  provider.rules.listLies = 'all_move'
  const orders = []
  for (let n = 0; n < 4; n++) orders.push(await world.order({ expires_in: 600 }))
  await pass(45)
  for (const order of orders) assert.equal((await world.read(order)).status, 'expired')
  provider.rules.listLies = 'nothing'

  // Nothing is asked for lack of questions, and the list is read.
  const late = await world.order({ expires_in: 600 })
  await pass(2)
  clock.advance(10 * MINUTE_MS)
  const recheck = async (): Promise<void> => {
    await saveFeedMark(world.deps.sql, clock.now())
    await world.rail.rail.recheck(late.orderRef)
  }
  await assert.rejects(recheck, /is asked about a swap/)
  clock.advance(MINUTE_MS)
  await assert.rejects(recheck, /is asked about a swap/)
  clock.advance(MINUTE_MS)
  await recheck()
})
