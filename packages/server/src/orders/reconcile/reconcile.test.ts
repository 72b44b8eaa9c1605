import assert from 'node:assert/strict'
import { test } from 'node:test'
import { legBalancesOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { withTx } from '@florin/platform/db/tx'
import { sendDueMail } from '@florin/platform/mail/send'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { makeRails } from '@florin/rail-kit/registry'
import { actInSandbox, type SandboxAct } from '@florin/rail-kit/sandbox/simulate'
import { testDeps } from '../../../test/harness.ts'
import { aCaller, anOrder, settleDue } from '../../../test/orders.ts'
import { advanceIn } from '../advance.ts'
import { getOrder, lockOrder } from '../store.ts'
import { AGAIN_MS, isSame } from './compare.ts'
import { reconcileDue, reconcileJob } from './reconcile.ts'
import { roundsJob } from './rounds.ts'
import { compareSoon, listBooks, readProgress } from './store.ts'

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const OPERATOR = 'operator@florin.example'

async function aShop(t: Parameters<typeof testDeps>[0]) {
  const { deps, clock, mailbox } = await testDeps(t, { operatorEmails: [OPERATOR] })
  const caller = await aCaller(deps, { feeBps: 100 })
  const [own, rounds] = [reconcileJob(deps), roundsJob(deps)]
  const { signal } = new AbortController()
  /** All looks that are due. @returns of how many orders, those of the round left out. */
  const run = async (): Promise<number> => {
    await rounds.run(signal)
    return own.run(signal)
  }
  const order = async () => anOrder(deps, caller, { amount_usd: 50, refund_address: PAYER })
  const act = async (orderRef: string, step: SandboxAct): Promise<void> => {
    await actInSandbox(deps.sql, orderRef, step, clock.now())
    while ((await settleDue(deps)) > 0);
  }
  const close = async (): Promise<OrderState> => {
    const { orderNo, orderRef, legs } = await order()
    const [leg] = legs
    await act(orderRef, { kind: 'transfer', legRef: leg?.ref ?? '', amount: leg?.amountDue ?? 0n, seenAt: clock.now() })
    await act(orderRef, { kind: 'confirm' })
    await act(orderRef, { kind: 'settle' })
    return getOrder(deps.sql, orderNo)
  }
  const differences = async (): Promise<number> => (await deps.sql`select 1 from book_differences`).length
  const waiting = async (): Promise<number> => (await deps.sql`select 1 from tasks where kind = 'reconcile'`).length
  return { deps, clock, mailbox, caller, run, order, act, close, differences, waiting }
}

test('the books that SQL adds up are those of the ledger, leg by leg and asset by asset', async (t) => {
  const { deps, clock, order, act } = await aShop(t)
  const { orderNo, orderRef, legs } = await order()
  const [leg] = legs
  assert.ok(leg)
  const seenAt = clock.now()
  const usdt = { chain: 'base', asset: 'USDT', contract: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 6 }
  const transfer = { kind: 'transfer', legRef: leg.ref, seenAt } as const
  const steps: SandboxAct[] = [
    { ...transfer, amount: leg.amountDue + 9_000_000n },
    { ...transfer, amount: 5n, asset: usdt },
    { ...transfer, amount: 77n },
    { kind: 'reorg' },
    { kind: 'confirm' },
    { kind: 'settle' },
    { kind: 'refund' },
    { kind: 'undo' },
    { kind: 'settle' },
    { ...transfer, amount: 3n, asset: { ...usdt, chain: 'op', contract: null, asset: 'ETH', decimals: 18 } },
  ]
  let compared = 0
  for (const step of steps) {
    await act(orderRef, step)
    const books = await listBooks(deps.sql, [orderNo])
    const ledger = legBalancesOf(await getOrder(deps.sql, orderNo))
    for (const line of ledger) {
      const row = books.find((one) => one.legId === line.legId && isSame(one.asset, line))
      assert.equal(row?.booked, line.held, `${step.kind}: ${line.asset}`)
      compared++
    }
    assert.equal(books.filter((one) => one.booked !== 0n).length, ledger.filter((line) => line.held !== 0n).length)
  }
  assert.ok(compared > 12)
})

test('a difference is for people: items, one mail to the merchant, one to the operator, and no order changes', async (t) => {
  const { deps, clock, mailbox, run, order, act } = await aShop(t)
  const orders = [await order(), await order()]
  for (const { orderRef, legs } of orders) {
    await act(orderRef, { kind: 'transfer', legRef: legs[0]?.ref ?? '', amount: 1_000n, seenAt: clock.now() })
    await act(orderRef, { kind: 'deal', legRef: legs[0]?.ref ?? '', amount: 400n })
  }
  const before = await Promise.all(orders.map(({ orderNo }) => getOrder(deps.sql, orderNo)))
  assert.equal(await run(), 0, 'the round finds both, and each gets a look of its own')
  assert.equal(await run(), 0, 'nothing is due before its time')
  clock.advance(MINUTE_MS)
  assert.equal(await run(), 2)
  const items = await deps.sql<
    { kind: string; evidence: Record<string, string> }[]
  >`select kind, evidence from attention`
  assert.deepEqual(
    items.map(({ kind, evidence }) => [kind, evidence.amount, evidence.booked, evidence.found]),
    [
      ['books_differ', '600', '1000', '400'],
      ['books_differ', '600', '1000', '400'],
    ],
  )
  await sendDueMail(deps)
  const told = mailbox.mails.filter((mail) => /books|chain differ/i.test(mail.subject))
  assert.deepEqual(told.map((mail) => mail.to === OPERATOR).toSorted(), [false, false, true])
  assert.deepEqual(await Promise.all(orders.map(({ orderNo }) => getOrder(deps.sql, orderNo))), before)
})

test('an order that closes is compared within the minute, and told of', async (t) => {
  const { deps, clock, run, close, act } = await aShop(t)
  await run()
  const { orderRef, status, legs } = await close()
  assert.equal(status, 'success')
  await act(orderRef, { kind: 'deal', legRef: legs[0]?.ref ?? '', amount: 9n })
  for (let passed = 0; passed < 60; passed += 15) {
    clock.advance(15_000)
    await run()
  }
  const items = await deps.sql<{ kind: string }[]>`select kind from attention`
  assert.deepEqual([...items], [{ kind: 'books_differ' }])
})

test('the commit that closes an order gives it its look, and one that rolls back gives none', async (t) => {
  const { deps, clock, order, waiting } = await aShop(t)
  const { orderNo } = await order()
  clock.advance(HOUR_MS)
  const expire = async (fails: boolean): Promise<void> =>
    withTx(deps.sql, async (tx) => {
      await advanceIn(deps, tx, await lockOrder(tx, orderNo), [{ kind: 'time_passed' }])
      if (fails) throw new Error('undone')
    })
  await assert.rejects(expire(true), /undone/)
  assert.equal(await waiting(), 0)
  await expire(false)
  assert.equal((await getOrder(deps.sql, orderNo)).status, 'expired')
  assert.equal(await waiting(), 1)
})

test('an order that agrees has two looks of its own, and is written of no more', async (t) => {
  const { deps, clock, run, close, waiting } = await aShop(t)
  await close()
  assert.equal(await run(), 0)
  const looks: number[] = []
  for (const ms of [AGAIN_MS, HOUR_MS, 10 * DAY_MS]) {
    clock.advance(ms)
    looks.push(await run())
  }
  assert.deepEqual(looks, [1, 1, 0])
  assert.equal(await waiting(), 0)
  const { differences, behindS } = await readProgress(deps.sql, clock.now())
  assert.deepEqual([differences, behindS], [0n, 0])
})

test('each look is made by one of several workers, and a dead one leaves it to the others', async (t) => {
  const { deps, clock, order } = await aShop(t)
  for (let n = 0; n < 12; n++) await compareSoon(deps.sql, await order(), clock.now())
  const asked: string[] = []
  const rail = deps.rails.byKind('sandbox')
  assert.ok(rail)
  const counting = {
    ...rail,
    holdings: (legs: Parameters<typeof rail.holdings>[0]) => {
      asked.push(...legs.map((leg) => leg.orderRef))
      return rail.holdings(legs)
    },
  }
  const workers = { ...deps, rails: makeRails([counting]) }
  const looked = await Promise.all([1, 2, 3, 4].map(() => reconcileDue(workers, 5)))
  assert.deepEqual(
    looked.reduce((sum, n) => sum + n, 0),
    12,
  )
  assert.equal(new Set(asked).size, 12)
  assert.equal(asked.length, 12, 'no look is made twice')

  await compareSoon(deps.sql, await order(), clock.now())
  const dies = { ...deps, rails: { ...deps.rails, byKind: () => assert.fail('the worker died') } }
  await assert.rejects(reconcileDue(dies), /the worker died/)
  assert.equal(await reconcileDue(deps), 0, 'leased')
  clock.advance(2 * MINUTE_MS)
  assert.equal(await reconcileDue(deps), 1)
})

test('a chain that is away leaves the orders of other chains to be compared', async (t) => {
  const { deps, clock, caller } = await aShop(t)
  const onBase = await anOrder(deps, caller, { amount_usd: 50 })
  const onBitcoin = await anOrder(deps, caller, { amount_usd: 50, pay_chain: 'btc' })
  for (const order of [onBase, onBitcoin]) await compareSoon(deps.sql, order, clock.now())
  await deps.sql`update orders set status = 'expired'`
  const rail = deps.rails.byKind('sandbox')
  assert.ok(rail)
  const half = {
    ...rail,
    holdings: async (legs: Parameters<typeof rail.holdings>[0]) => {
      if (legs.some(({ assets }) => assets.some(({ chain }) => chain === 'btc'))) throw new Error('away')
      return rail.holdings(legs)
    },
  }
  assert.equal(await reconcileDue({ ...deps, rails: makeRails([half]) }), 2)
  const rows = await deps.sql<{ orderNo: string }[]>`
    select subject as "orderNo" from tasks where kind = 'reconcile' and payload ->> 'comparedAt' is null`
  assert.deepEqual(
    rows.map((row) => row.orderNo),
    [onBitcoin.orderNo],
  )
})

test('a look that began before an order changed does not count for the change', async (t) => {
  const { deps, clock, close, waiting } = await aShop(t)
  const order = await close()
  for (const ms of [1, 60_000, 119_000]) {
    clock.advance(2 * HOUR_MS)
    await compareSoon(deps.sql, order, clock.now())
    const rail = deps.rails.byKind('sandbox')
    assert.ok(rail)
    const changed = {
      ...rail,
      holdings: async (legs: Parameters<typeof rail.holdings>[0]) => {
        await compareSoon(deps.sql, order, new Date(clock.now().getTime() + ms + AGAIN_MS))
        return rail.holdings(legs)
      },
    }
    assert.equal(await reconcileDue({ ...deps, rails: makeRails([changed]) }), 1)
    assert.equal(await waiting(), 1, 'the look for the change is still ahead')
    clock.advance(10 * MINUTE_MS)
    assert.equal(await reconcileDue(deps), 1)
    assert.equal(await waiting(), 0)
  }
})

test('a round finds money on the address of an old order, and is written of by nobody else', async (t) => {
  const { deps, clock, run, close, act, waiting, differences } = await aShop(t)
  const orders = [await close(), await close(), await close()]
  for (const ms of [AGAIN_MS, HOUR_MS]) {
    clock.advance(ms)
    await run()
  }
  assert.equal(await waiting(), 0)
  clock.advance(80 * DAY_MS)
  const old = orders[1]
  await act(old?.orderRef ?? '', { kind: 'deal', legRef: old?.legs[0]?.ref ?? '', amount: 77n })
  await run()
  assert.equal(await waiting(), 1, 'the one that differs gets a look of its own')
  assert.equal(await differences(), 1)
  clock.advance(MINUTE_MS)
  assert.equal(await run(), 1)
  const items = await deps.sql<{ kind: string }[]>`select kind from attention where resolved_at is null`
  assert.deepEqual([...items], [{ kind: 'books_differ' }])
  await act(old?.orderRef ?? '', { kind: 'deal', legRef: old?.legs[0]?.ref ?? '', amount: 0n })
  clock.advance(5 * MINUTE_MS)
  await run()
  assert.equal(await waiting(), 0, 'the difference has ended, and its looks with it')
})

test('a round goes on where it stopped, is made by one worker at a time, and waits for a rail that is away', async (t) => {
  const { deps, clock, order } = await aShop(t)
  const numbers: string[] = []
  for (let n = 0; n < 7; n++) numbers.push((await order()).orderRef)
  const rail = deps.rails.byKind('sandbox')
  assert.ok(rail)
  let isAway = false
  const asked: string[] = []
  const counting = {
    ...rail,
    holdings: async (legs: Parameters<typeof rail.holdings>[0]) => {
      if (isAway) throw new Error('away')
      asked.push(...legs.map((leg) => leg.orderRef))
      return rail.holdings(legs)
    },
  }
  const parts = { ...deps, rails: makeRails([counting]) }
  const { signal } = new AbortController()
  const [one, other] = [roundsJob(parts, 3), roundsJob(parts, 3)]
  const both = () => Promise.all([one.run(signal), other.run(signal)])
  await both()
  assert.deepEqual(new Set(asked), new Set(numbers.slice(0, 3)))
  isAway = true
  clock.advance(15_000)
  await both()
  assert.equal(asked.length, 3)
  isAway = false
  for (let n = 0; n < 3; n++) {
    clock.advance(MINUTE_MS)
    await both()
  }
  assert.deepEqual(asked.toSorted(), numbers.toSorted(), 'each once')
  const behind = async (): Promise<number> => (await readProgress(deps.sql, clock.now())).behindS
  assert.equal(await behind(), 0)
  clock.advance(3 * DAY_MS)
  assert.ok((await behind()) > DAY_MS / 1000, 'without a worker the round is late')
  await one.run(signal)
  assert.equal(await behind(), 0)
  isAway = true
  const rounds = async () =>
    (
      await deps.sql<{ after: string; wholeSince: Date }[]>`
      select after, whole_since as "wholeSince" from reconcile_rounds`
    )[0]
  const whole = (await rounds())?.wholeSince
  for (let day = 0; day < 20; day++) {
    for (let n = 0; n < 70; n++) {
      clock.advance(MINUTE_MS)
      await one.run(signal)
    }
    assert.equal((await rounds())?.after, '', 'a rail that is away for an hour holds up no other')
    clock.advance(DAY_MS)
  }
  assert.deepEqual((await rounds())?.wholeSince, whole, 'and the round is not whole')
  assert.ok((await behind()) > DAY_MS / 1000)
})

test('what is under way between two tables is told to nobody', async (t) => {
  const { deps, clock, run, order, act, differences } = await aShop(t)
  const { orderNo, orderRef, legs } = await order()
  await run()
  const look = async (): Promise<void> => {
    await compareSoon(deps.sql, await getOrder(deps.sql, orderNo), clock.now())
    clock.advance(16 * MINUTE_MS)
    await run()
  }
  // Reported and not applied yet: in motion.
  const transfer = { kind: 'transfer', legRef: legs[0]?.ref ?? '', amount: 1_000n, seenAt: clock.now() } as const
  await actInSandbox(deps.sql, orderRef, transfer, clock.now())
  for (let n = 0; n < 3; n++) await look()
  assert.equal(await differences(), 0)
  while ((await settleDue(deps)) > 0);
  // One look at a gap that closes leaves no trace.
  await act(orderRef, { kind: 'deal', legRef: transfer.legRef, amount: 1n })
  await look()
  assert.equal(await differences(), 1)
  await act(orderRef, { kind: 'deal', legRef: transfer.legRef, amount: 1_000n })
  await look()
  assert.equal(await differences(), 0)
})
