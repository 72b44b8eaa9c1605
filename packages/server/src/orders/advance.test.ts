import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { MINUTE_MS } from '@florin/protocol'
import { type TestDeps, testDeps } from '../../test/harness.ts'
import { aCaller, anOrder } from '../../test/orders.ts'
import { warmed } from '../../test/warm.ts'
import { listTimeline } from '../webhooks/events.store.ts'
import { cancelOrder, nameRefundAddress, refundOrder } from './acts.ts'
import { advanceOrder } from './advance.ts'
import { createOrder } from './create/create.ts'
import { parseInput } from './create/input.ts'
import { expireDue } from './expire.ts'
import { chooseLeg } from './payer.ts'
import { simulate } from './simulate.ts'
import { getOrder } from './store.ts'
import { noTips, orderView } from './view.ts'

test('a test order walks from pending to success, its timeline tells how', async (t) => {
  const { deps } = await testDeps(t)
  const order = await anOrder(deps, await aCaller(deps, { feeBps: 100 }))
  assert.equal(order.legs[0]?.amountDue, 50_000_000n)
  const paid = await simulate(deps, order, 'pay', null)
  assert.equal(paid.status, 'processing')
  const done = await simulate(deps, paid, 'settle', null)
  assert.equal(done.status, 'success')
  assert.equal(done.amountOut, 49_500_000n)
  const timeline = await listTimeline(deps.sql, done)
  assert.deepEqual(
    timeline.map((row) => [row.event, row.status, row.statusDetail]),
    [
      [null, 'pending', 'awaiting_payment'],
      ['order.processing', 'processing', 'confirming'],
      [null, 'processing', 'settling'],
      ['order.success', 'success', 'paid'],
    ],
  )
  const view = orderView(done, { baseUrl: 'http://localhost', tips: noTips })
  assert.deepEqual(view.balance, [
    {
      chain: 'base',
      asset: 'USDC',
      received: '50000000',
      settled: '49500000',
      fee: '500000',
      refunded: '0',
      held: '0',
      held_below_cost: '0',
    },
  ])
})

test('a commit wakes only what it left something to do', async (t) => {
  const { deps } = await testDeps(t)
  const woken = async (act: () => Promise<unknown>): Promise<string[]> => {
    const fired = new Set<string>()
    const offs = Object.entries(deps.wake).map(([name, wake]) => wake.on(() => fired.add(name)))
    await act()
    for (const off of offs) off()
    return [...fired].sort()
  }
  const caller = await aCaller(deps)
  const silent = await anOrder(deps, caller)
  const told = await anOrder(deps, caller, { amount_usd: 50, webhook_url: 'https://shop.example/hook' })
  assert.deepEqual(await woken(() => cancelOrder(deps, silent)), ['orders'])
  assert.deepEqual(await woken(() => cancelOrder(deps, silent)), [], 'nothing changed')
  assert.deepEqual(await woken(() => simulate(deps, told, 'pay', null)), ['deliveries', 'orders'])
  const paid = await getOrder(deps.sql, told.orderNo)
  assert.deepEqual(await woken(() => simulate(deps, paid, 'settle', null)), ['deliveries', 'handOvers', 'orders'])
})

test('two processes that learn the same fact at once make one change', async (t) => {
  const { deps } = await testDeps(t)
  await warmed(deps.sql)
  const order = await anOrder(deps, await aCaller(deps))
  const results = await Promise.all(
    Array.from({ length: 10 }, () => advanceOrder(deps, order.orderNo, [{ kind: 'cancel_asked' }])),
  )
  assert.equal(results.filter((result) => result.ignored[0] === null).length, 1)
  assert.equal((await listTimeline(deps.sql, await getOrder(deps.sql, order.orderNo))).length, 2)
})

test('an order expires when its deadline passes, not before', async (t) => {
  const { deps, clock } = await testDeps(t)
  const order = await anOrder(deps, await aCaller(deps))
  clock.advance(30 * MINUTE_MS - 1)
  assert.equal(await expireDue(deps), 0)
  clock.advance(1)
  assert.equal(await expireDue(deps), 1)
  const expired = await getOrder(deps.sql, order.orderNo)
  assert.equal(expired.status, 'expired')
  assert.equal(expired.detail, 'unpaid')
})

test('a lapsed quote is shown as such and a new choice opens a new leg', async (t) => {
  const { deps, clock } = await testDeps(t)
  const order = await anOrder(deps, await aCaller(deps), { amount_usd: 50, pay_chain: 'btc' })
  assert.equal(order.legs[0]?.asset, 'BTC')
  assert.equal((await chooseLeg(deps, order, { chain: 'btc', asset: 'BTC' })).legs.length, 1)
  clock.advance(15 * MINUTE_MS)
  await expireDue(deps)
  const lapsed = await getOrder(deps.sql, order.orderNo)
  assert.equal(lapsed.detail, 'quote_expired')
  const again = await chooseLeg(deps, lapsed, { chain: 'btc', asset: 'BTC' })
  assert.equal(again.legs.length, 2)
  assert.equal(again.detail, 'awaiting_payment')
  assert.equal(again.payLegId, again.legs[1]?.id)
})

const named = (deps: TestDeps['deps'], order: OrderState, address: string): Promise<OrderState> =>
  nameRefundAddress(
    deps,
    order,
    { actor: 'shop@test', refundId: order.refunds[0]?.id ?? '', address },
    async () => undefined,
  )

test('an excess waits for the address that the merchant names, once', async (t) => {
  const { deps } = await testDeps(t)
  const order = await anOrder(deps, await aCaller(deps))
  await simulate(deps, order, 'overpay', null)
  const done = await simulate(deps, await getOrder(deps.sql, order.orderNo), 'settle', null)
  assert.equal(done.detail, 'refund_address_needed')
  const given = await named(deps, done, '0x52908400098527886E0F7030069857D2E4169EE7')
  assert.equal(given.detail, 'refunding')
  await assert.rejects(
    named(deps, given, '0x8617E340B3D01FA5F11F306F4090FD50E238070D'),
    /waits for no address any more/,
  )
  const refunded = await simulate(deps, given, 'refund', null)
  assert.equal(refunded.refunds[0]?.status, 'succeeded')
  assert.equal(refunded.status, 'success')
  assert.equal(refunded.detail, 'overpaid')
})

test('cancel and refund say why when they do not apply', async (t) => {
  const { deps } = await testDeps(t)
  const order = await anOrder(deps, await aCaller(deps))
  await assert.rejects(refundOrder(deps, order, { actor: 'test', reason: null }), /no confirmed money is held back/)
  const paid = await simulate(deps, order, 'pay', null)
  await assert.rejects(cancelOrder(deps, paid), /the order is processing/)
  await assert.rejects(refundOrder(deps, paid, { actor: 'test', reason: null }), /on its way/)
})

test('an idempotency key holds against ten requests at once and across a killed holder', async (t) => {
  const { deps, clock } = await testDeps(t)
  await warmed(deps.sql)
  const caller = await aCaller(deps)
  const wish = parseInput({ amount_usd: 5, pay_chain: 'base' })
  const request = { key: 'k', bodyHash: new Uint8Array(32) }
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => createOrder(deps, caller, wish, request)))
  const answers = new Set(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.json] : [])))
  assert.equal(answers.size, 1)
  for (const result of results) if (result.status === 'rejected') assert.match(String(result.reason), /still running/)
  const [row] = await deps.sql<{ n: number }[]>`select count(*)::int as n from orders`
  assert.equal(row?.n, 1)

  // A holder that was killed after its claim leaves a lease; the next request waits for it and then takes over.
  await deps.sql`
    insert into idempotency_keys (api_key_id, key, body_hash, order_no, order_ref, leased_until, created_at)
    values (${caller.id}, 'killed', ${request.bodyHash}, 'ord_00000000000000000000000000', 'theref',
      ${new Date(clock.now().getTime() + 30_000)}, ${clock.now()})`
  await assert.rejects(createOrder(deps, caller, wish, { ...request, key: 'killed' }), /still running/)
  clock.advance(30_001)
  const taken = await createOrder(deps, caller, wish, { ...request, key: 'killed' })
  assert.equal((JSON.parse(taken.json) as { order_no: string }).order_no, 'ord_00000000000000000000000000')
  await assert.rejects(
    createOrder(deps, caller, wish, { key: 'killed', bodyHash: new Uint8Array(32).fill(1) }),
    /another body/,
  )
})

test('a process whose clock is a little behind does not turn the time of an order back', async (t) => {
  const { deps, clock } = await testDeps(t)
  const order = await anOrder(deps, await aCaller(deps))
  clock.advance(-5)
  const canceled = await cancelOrder(deps, order)
  assert.deepEqual(canceled.updatedAt, order.createdAt)
  assert.equal((await listTimeline(deps.sql, canceled)).length, 2)
})
