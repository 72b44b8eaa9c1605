// One stuck order never holds up the others: facts, settlements and deadlines of all others go on.
import assert from 'node:assert/strict'
import { withTx } from '@florin/platform/db/tx'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { MoveWaits } from '@florin/rail-kit/interface/moves'
import type { Rail } from '@florin/rail-kit/interface/rail'
import { makeRails } from '@florin/rail-kit/registry'
import { reportFacts } from '@florin/rail-kit/report.store'
import { sandboxRail } from '@florin/rail-kit/sandbox/rail'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { capturedLog } from '../../test/captured-log.ts'
import { testDeps } from '../../test/harness.ts'
import { aCaller, anOrder, manyOrders, settleDue } from '../../test/orders.ts'
import { warmed } from '../../test/warm.ts'
import { nameRefundAddress, refundOrder } from './acts.ts'
import type { OrderDeps } from './advance.ts'
import { expireDue } from './expire.ts'
import { chooseLeg } from './payer.ts'
import { simulate } from './simulate.ts'
import { getOrder } from './store.ts'

/** More than any batch takes. */
const MANY = 250

const report = (deps: OrderDeps, orderRef: string, facts: unknown[]): Promise<void> =>
  withTx(deps.sql, (tx) =>
    reportFacts(tx, { rail: 'sandbox', orderRef, facts: facts as RailFact[], now: deps.clock.now() }),
  )

const paid = (ref: string, at: Date): RailFact => ({
  kind: 'payment_seen',
  key: `key ${ref}`,
  legRef: ref,
  txHash: '0x1',
  outputIndex: 0,
  asset: { chain: 'base', asset: 'USDC', contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
  amount: 50_000_000n,
  from: null,
  height: null,
  seenAt: at,
})

const silent = (deps: OrderDeps): OrderDeps => ({
  ...deps,
  log: Object.assign(Object.create(deps.log) as typeof deps.log, { error: () => undefined, warn: () => undefined }),
})

slowTest('facts that cannot be applied, or have no order yet, wait without holding up others', async (t) => {
  const { deps, clock } = await testDeps(t)
  const caller = await aCaller(deps)
  const poisoned = await manyOrders(deps, await anOrder(deps, caller), MANY)
  for (const { orderRef } of poisoned) await report(deps, orderRef, [{ kind: 'no such kind' }])
  for (let n = 0; n < MANY; n++) await report(deps, `nobody-${n}`, [{ kind: 'payment_confirmed', key: 'k' }])
  const order = await anOrder(deps, caller)
  await report(deps, order.orderRef, [paid(order.legs[0]?.ref ?? '', clock.now())])
  for (let round = 0; round < 10; round++) await settleDue(silent(deps))
  assert.equal((await getOrder(deps.sql, order.orderNo)).status, 'processing')
  const count = async (): Promise<number | undefined> =>
    (await deps.sql<{ n: number }[]>`select count(*)::int as n from rail_facts`)[0]?.n
  assert.equal(await count(), 2 * MANY, 'nothing that was reported is lost')
  // Older than any request that could still write these orders.
  clock.advance(2 * DAY_MS)
  for (let round = 0; round < 10; round++) await settleDue(silent(deps))
  assert.equal(await count(), MANY)
})

test('work that its rail does not take waits without holding up others', async (t) => {
  const { deps, clock } = await testDeps(t)
  const caller = await aCaller(deps)
  const sandbox = sandboxRail(deps)
  const refused = new Set<string>()
  const picky: Rail = {
    ...sandbox,
    async settle(requests) {
      if (requests.some((request) => refused.has(request.orderRef))) throw new Error('this one is odd')
      await sandbox.settle(requests)
    },
  }
  const withRail: OrderDeps = silent({ ...deps, rails: makeRails([picky]) })
  const odd = await anOrder(deps, caller)
  refused.add(odd.orderRef)
  const gone = await manyOrders(deps, await anOrder(deps, caller), MANY)
  await deps.sql`update pay_legs set rail = 'forwarder' where order_no = any(${gone.map((one) => one.orderNo)})`
  const fine = await anOrder(deps, caller)
  const known = [odd, fine].map(({ orderNo, orderRef, legs }) => ({ orderNo, orderRef, legRef: legs[0]?.ref ?? '' }))
  for (const { orderRef, legRef } of [...gone, ...known]) {
    await report(deps, orderRef, [paid(legRef, clock.now()), { kind: 'payment_confirmed', key: `key ${legRef}` }])
  }
  for (let round = 0; round < 10; round++) await settleDue(withRail)
  const handedOver = async (orderNo: string): Promise<boolean> =>
    (await deps.sql`select 1 from settlements where order_no = ${orderNo} and handed_over_at is not null`).length === 1
  assert.equal(await handedOver(fine.orderNo), true)
  assert.equal(await handedOver(odd.orderNo), false)
  const items = (): Promise<{ kind: string; resolution: string | null }[]> =>
    deps.sql`select kind, resolution from attention where order_no = ${odd.orderNo}`
  assert.deepEqual([...(await items())], [], 'nobody is asked about a moment')
  clock.advance(11 * MINUTE_MS)
  for (let round = 0; round < 10; round++) await settleDue(withRail)
  assert.deepEqual([...(await items())], [{ kind: 'not_handed_over', resolution: null }])
  refused.clear()
  clock.advance(MINUTE_MS)
  for (let round = 0; round < 10; round++) await settleDue(withRail)
  assert.equal(await handedOver(odd.orderNo), true, 'it is asked again')
  assert.deepEqual([...(await items())], [{ kind: 'not_handed_over', resolution: 'the rail took the work' }])
})

slowTest('an order whose rail cannot look waits without holding up others, and is tried again', async (t) => {
  const { deps, clock } = await testDeps(t)
  const caller = await aCaller(deps)
  let isDown = true
  const looked: string[] = []
  const far: Rail = {
    ...sandboxRail(deps),
    capabilities: { ...sandboxRail(deps).capabilities, kind: 'forwarder', isSandbox: false },
    carries: (a) => a.pay.asset === 'BTC',
    async recheck(orderRef) {
      if (isDown) throw new Error('the node does not answer')
      looked.push(orderRef)
    },
  }
  const withRail: OrderDeps = silent({ ...deps, rails: makeRails([far, sandboxRail(deps)]) })
  const stuck = await manyOrders(
    deps,
    await anOrder({ ...deps, rails: withRail.rails }, caller, { amount_usd: 5, pay_chain: 'btc' }),
    MANY,
  )
  const fine = await anOrder(deps, caller)
  clock.advance(30 * MINUTE_MS)
  for (let round = 0; round < 10; round++) await expireDue(withRail)
  assert.equal((await getOrder(deps.sql, fine.orderNo)).status, 'expired')
  const one = stuck[0]?.orderNo ?? ''
  assert.equal((await getOrder(deps.sql, one)).status, 'pending', 'nothing expires unseen')
  isDown = false
  clock.advance(MINUTE_MS)
  for (let round = 0; round < 10; round++) await expireDue(withRail)
  assert.equal((await getOrder(deps.sql, one)).status, 'expired')
  assert.ok(looked.includes(stuck[0]?.orderRef ?? ''))
})

test('work that waits for another move of its rail is neither an error nor an item for people', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { log, text } = capturedLog()
  const caller = await aCaller(deps)
  const sandbox = sandboxRail(deps)
  let isFree = false
  const busy: Rail = {
    ...sandbox,
    async settle(requests) {
      if (!isFree) throw new MoveWaits('another one is under way')
      await sandbox.settle(requests)
    },
  }
  const withRail: OrderDeps = { ...deps, log, rails: makeRails([busy]) }
  const order = await anOrder(deps, caller)
  const legRef = order.legs[0]?.ref ?? ''
  await report(deps, order.orderRef, [paid(legRef, clock.now()), { kind: 'payment_confirmed', key: `key ${legRef}` }])
  for (let round = 0; round < 3; round++) {
    while ((await settleDue(withRail)) > 0);
    clock.advance(11 * MINUTE_MS)
  }
  assert.deepEqual(await deps.sql`select kind from attention`, [])
  assert.match(text(), /a move waits for another one to end/)
  assert.doesNotMatch(text(), /"level":["\w]*(error|warn|[45]0)/)
  isFree = true
  while ((await settleDue(withRail)) > 0);
  assert.equal((await deps.sql`select 1 from settlements where handed_over_at is not null`).length, 1)
})

test('two processes do not look at the same order at the same time', async (t) => {
  const { deps, clock } = await testDeps(t)
  await warmed(deps.sql)
  const looked: string[] = []
  const counting: Rail = {
    ...sandboxRail(deps),
    async recheck(orderRef) {
      looked.push(orderRef)
    },
  }
  const withRail: OrderDeps = { ...deps, rails: makeRails([counting]) }
  await manyOrders(deps, await anOrder(deps, await aCaller(deps)), 30)
  clock.advance(30 * MINUTE_MS)
  await Promise.all([1, 2, 3, 4].map(() => expireDue(withRail)))
  assert.equal(looked.length, new Set(looked).size)
})

test('every rail that a leg was shown on looks again before the order expires', async (t) => {
  const { deps, clock } = await testDeps(t)
  const looked: string[] = []
  const counting = (kind: 'forwarder' | 'sandbox', asset: string): Rail => ({
    ...sandboxRail(deps),
    capabilities: { ...sandboxRail(deps).capabilities, kind, isSandbox: kind === 'sandbox' },
    carries: (a) => a.pay.asset === asset,
    async recheck() {
      looked.push(kind)
    },
  })
  const rails = makeRails([counting('forwarder', 'BTC'), counting('sandbox', 'USDC')])
  const caller = await aCaller(deps)
  const order = await anOrder({ ...deps, rails }, caller, { amount_usd: 5, pay_chain: 'btc', settle_chain: 'base' })
  await chooseLeg({ ...deps, rails }, order, { chain: 'base', asset: 'USDC' })
  clock.advance(30 * MINUTE_MS)
  await expireDue({ ...deps, rails })
  assert.deepEqual(looked.sort(), ['forwarder', 'sandbox'])
  // An order without a chosen leg has nothing to check.
  assert.equal((await simulate(deps, await anOrder(deps, caller), 'expire', null)).status, 'expired')
})

test('what was handed over is not handed over again, and a refund that waits or has ended never is', async (t) => {
  const { deps, clock } = await testDeps(t)
  const given: string[] = []
  const sandbox = sandboxRail(deps)
  const counting: Rail = {
    ...sandbox,
    settle: async (requests) => void given.push(...requests.map(() => 'settlement')),
    refund: async (requests) => void given.push(...requests.map(({ to }) => `refund to ${to}`)),
  }
  const withRail: OrderDeps = { ...deps, rails: makeRails([counting]) }
  const order = await anOrder(deps, await aCaller(deps))
  const tell = async (...facts: RailFact[]) => {
    await report(deps, order.orderRef, facts)
    for (let round = 0; round < 3; round++) await settleDue(withRail)
    return getOrder(deps.sql, order.orderNo)
  }
  const [leg] = order.legs
  const twice = { ...paid(leg?.ref ?? '', clock.now()), amount: 100_000_000n } as RailFact
  const { settlements } = await tell(twice, { kind: 'payment_confirmed', key: `key ${leg?.ref}` })
  assert.deepEqual(given, ['settlement'])
  const settled: RailFact = {
    ...{ kind: 'settlement_final', settlementId: settlements[0]?.id ?? '', legRef: leg?.ref ?? '', txHash: '0x2' },
    ...{ gross: 50_000_000n, fee: 0n, amountOut: 50_000_000n },
  }
  const done = await tell(settled)
  assert.deepEqual([done.status, done.refunds[0]?.status, given.length], ['success', 'waiting', 1])
  const address = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
  const first = { actor: 'test', refundId: done.refunds[0]?.id ?? '', address }
  await nameRefundAddress(deps, done, first, async () => undefined)
  // Struck out before a rail was asked, as by a report that the money is gone.
  const failed = await tell({ kind: 'refund_failed', refundId: done.refunds[0]?.id ?? '', failure: 'blocked' })
  assert.deepEqual([failed.refunds[0]?.status, given], ['failed', ['settlement']])
  // What was named for the refund that failed is not taken for another.
  const anew = await refundOrder(deps, failed, { actor: 'test', reason: null })
  assert.equal(anew.refunds[1]?.status, 'waiting')
  const by = { actor: 'test', refundId: anew.refunds[1]?.id ?? '', address }
  await nameRefundAddress(deps, anew, by, async () => undefined)
  for (let round = 0; round < 3; round++) await settleDue(withRail)
  assert.deepEqual(given, ['settlement', `refund to ${address}`])
})

test('what a payment counts for is stored, also where another payment has changed it', async (t) => {
  const { deps, clock } = await testDeps(t)
  const first = await anOrder(deps, await aCaller(deps))
  const order = await chooseLeg(deps, first, { chain: 'eth', asset: 'USDC' })
  const [one, other] = order.legs
  assert.ok(one && other)
  const { chain, asset, contract, decimals } = other
  const part = { ...paid(one.ref, clock.now()), amount: 20_000_000n } as RailFact
  const whole = { ...paid(other.ref, clock.now()), asset: { chain, asset, contract, decimals } } as RailFact
  await report(deps, order.orderRef, [part])
  await settleDue(deps)
  const uses = async () => (await getOrder(deps.sql, order.orderNo)).payments.map(({ use }) => use)
  assert.deepEqual(await uses(), ['counted'])
  await report(deps, order.orderRef, [whole])
  await settleDue(deps)
  assert.deepEqual(await uses(), ['excess', 'counted'])
})
