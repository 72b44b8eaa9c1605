// Whose facts are applied next: no flood of one order, or of one merchant's orders, delays another's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SINGLES_MAX } from '@florin/order-model/payments'
import type { OrderState } from '@florin/order-model/state'
import { withTx } from '@florin/platform/db/tx'
import { killable } from '@florin/platform/testing/killable'
import { reportFactsOfMany } from '@florin/rail-kit/report.store'
import { testDeps } from '../../../test/harness.ts'
import { aCaller, anOrder, manyOrders } from '../../../test/orders.ts'
import { getOrder } from '../store.ts'
import { factRounds } from './inbox.ts'
import { A_ROUND, firstTurn, inTurns, type Look, nextTurn, type Turn, type WaitingOrder } from './turns.ts'

const order = (merchantNo: number, n: number): WaitingOrder => ({
  merchantNo,
  orderRef: `ref${String(n).padStart(5, '0')}`,
})

/** What the store finds among orders that never run dry. */
function look(waiting: readonly WaitingOrder[], turn: Turn): Look {
  const due = waiting.filter((one) => one.merchantNo > turn.merchantNo)
  const merchants = [...new Set(due.map((one) => one.merchantNo))].sort((a, b) => a - b).slice(0, A_ROUND.merchants)
  const found = merchants.flatMap((merchantNo) =>
    due
      .filter((one) => one.merchantNo === merchantNo && one.orderRef > (turn.after[merchantNo] ?? ''))
      .sort((a, b) => (a.orderRef < b.orderRef ? -1 : 1))
      .slice(0, A_ROUND.each),
  )
  return { merchants, found }
}

test('an order of every merchant comes before a second one of any', () => {
  const found = [order(1, 0), order(1, 1), order(1, 2), order(2, 0), order(4, 0), order(4, 1)]
  const refs = inTurns(found).map(({ merchantNo, orderRef }) => `${merchantNo} ${orderRef.slice(-1)}`)
  assert.deepEqual(refs, ['1 0', '2 0', '4 0', '1 1', '4 1', '1 2'])
})

test('however many orders of one merchant wait, each other merchant has its turn, and each order of all', () => {
  const flood = Array.from({ length: 150 }, (_, n) => order(1, n))
  const others = Array.from({ length: 120 }, (_, n) => order(2 + n, n % 7))
  for (const atOnce of [1, 4, 100]) {
    const waiting = [...others, ...flood]
    const turns = new Map<WaitingOrder, number>()
    let turn = firstTurn
    let rounds = 0
    while (turns.size < waiting.length && rounds < 25_000) {
      rounds++
      let seen = look(waiting, turn)
      if (seen.found.length === 0) {
        turn = firstTurn
        seen = look(waiting, turn)
      }
      const taken = inTurns(seen.found).slice(0, atOnce)
      for (const one of taken) turns.set(one, (turns.get(one) ?? 0) + 1)
      turn = nextTurn(turn, seen, taken)
    }
    assert.equal(turns.size, waiting.length, `every order had a turn when ${atOnce} are taken at once`)
    const least = Math.min(...others.map((one) => turns.get(one) ?? 0))
    const most = Math.max(...flood.map((one) => turns.get(one) ?? 0))
    assert.ok(least + 1 >= most, `a merchant's only order had ${least} turns, one of the flood ${most}`)
  }
})

const dust = (target: OrderState, at: Date, n: number) => ({
  orderRef: target.orderRef,
  fact: {
    kind: 'payment_seen' as const,
    key: `dust ${target.orderNo} ${n}`,
    legRef: target.legs[0]?.ref ?? '',
    txHash: `0x${n}`,
    outputIndex: n,
    asset: { chain: 'base', asset: 'USDC', contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
    amount: 1n,
    from: null,
    height: null,
    seenAt: at,
  },
})

test('a payment is taken in the first round behind a flood, of its own merchant or of another', async (t) => {
  const { deps, clock } = await testDeps(t)
  const [flooded, neighbour] = [await aCaller(deps), await aCaller(deps)]
  const target = await anOrder(deps, flooded)
  const [same, other] = [await anOrder(deps, flooded), await anOrder(deps, neighbour)]
  const facts = Array.from({ length: 5_000 }, (_, n) => dust(target, clock.now(), n))
  await withTx(deps.sql, (tx) => reportFactsOfMany(tx, { rail: 'sandbox', facts, now: clock.now() }))
  const crowd = await manyOrders(deps, await anOrder(deps, flooded), 80)
  const paid = [...crowd.map(({ orderRef, legRef }) => ({ orderRef, legRef })), same, other].map((one) => {
    const legRef = 'legRef' in one ? one.legRef : (one.legs[0]?.ref ?? '')
    const { fact } = dust(target, clock.now(), 0)
    return { orderRef: one.orderRef, fact: { ...fact, key: `paid ${one.orderRef}`, legRef, amount: 50_000_000n } }
  })
  await withTx(deps.sql, (tx) => reportFactsOfMany(tx, { rail: 'sandbox', facts: paid, now: clock.now() }))
  const round = factRounds(deps)
  await round()
  for (const { orderNo } of [same, other])
    assert.equal((await getOrder(deps.sql, orderNo)).status, 'processing', 'it did not wait for the flood')
  while ((await round()) > 0);
  const whole = await getOrder(deps.sql, target.orderNo)
  assert.equal(
    whole.payments.reduce((sum, row) => sum + row.amount, 0n),
    5_000n,
  )
  const [left] = await deps.sql<{ n: number }[]>`select count(*)::int as n from rail_facts`
  assert.equal(left?.n, 0)
})

test('a commit has as many statements for five hundred facts as for fifty', async (t) => {
  const { deps, clock } = await testDeps(t)
  const caller = await aCaller(deps)
  const statements = async (count: number): Promise<number> => {
    const target = await anOrder(deps, caller)
    // Beyond the rows of its own, so that all of it is folded.
    for (const [from, to] of [
      [0, 60],
      [60, 60 + count],
    ] as const) {
      const facts = Array.from({ length: to - from }, (_, n) => dust(target, clock.now(), from + n))
      await withTx(deps.sql, (tx) => reportFactsOfMany(tx, { rail: 'sandbox', facts, now: clock.now() }))
      if (from === 0) while ((await factRounds(deps)()) > 0);
    }
    const { version } = await getOrder(deps.sql, target.orderNo)
    const counted = killable(deps.sql, Number.POSITIVE_INFINITY)
    await factRounds({ ...deps, sql: counted.sql })()
    const after = await getOrder(deps.sql, target.orderNo)
    assert.equal(after.version, version + 1)
    assert.ok(after.payments.length <= SINGLES_MAX + 1, `${after.payments.length} rows`)
    return counted.count()
  }
  const few = await statements(50)
  assert.equal(await statements(500), few)
  assert.ok(few < 20, `${few} statements`)
})

test('inbox: sixty merchants with postponed facts alone → the merchant after them is not left out', async (t) => {
  const { deps, clock } = await testDeps(t)
  const paid = await anOrder(deps, await aCaller(deps))
  const { fact } = dust(paid, clock.now(), 0)
  const facts = [{ orderRef: paid.orderRef, fact: { ...fact, amount: 50_000_000n } }]
  await withTx(deps.sql, (tx) => reportFactsOfMany(tx, { rail: 'sandbox', facts, now: clock.now() }))
  await deps.sql`update rail_facts set merchant_no = 1000`
  const round = factRounds(deps)
  // One of them is due now, so that a round has something to do, and the others are due in half a minute.
  await deps.sql`
    insert into rail_facts (rail, order_ref, merchant_no, fact, created_at, due_at)
    select 'sandbox', 'unwritten ' || n, n, '{}', ${clock.now()},
           ${clock.now()}::timestamptz + case n when 7 then 0 else 30 end * interval '1 second'
    from generate_series(1, 60) n`
  for (let n = 0; n < 3; n++) await round()
  assert.equal((await getOrder(deps.sql, paid.orderNo)).status, 'processing')
})
