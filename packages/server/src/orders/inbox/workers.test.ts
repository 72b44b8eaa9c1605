// Several workers: each order is locked once, no fact is applied twice, and no request is handed over twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { Killed, killable } from '@florin/platform/testing/killable'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import type { Rail } from '@florin/rail-kit/interface/rail'
import { makeRails } from '@florin/rail-kit/registry'
import { reportFactsOfMany } from '@florin/rail-kit/report.store'
import { sandboxRail } from '@florin/rail-kit/sandbox/rail'
import fc from 'fast-check'
import { sized, slowTest } from '../../../../../scripts/sizes.ts'
import { testDeps } from '../../../test/harness.ts'
import { interleaved } from '../../../test/kills/interleaved.ts'
import { through } from '../../../test/kills/through.ts'
import { aCaller, anOrder, manyOrders, settleDue } from '../../../test/orders.ts'
import type { OrderDeps } from '../advance.ts'
import { handOver } from '../rail-outbox.ts'
import { getOrder } from '../store.ts'
import { AGAIN_MS, factRounds } from './inbox.ts'

interface Paid {
  orderNo: string
  orderRef: string
  legRef: string
}

const paidBy = ({ orderRef, legRef }: Paid, at: Date): RailFact => ({
  ...{ kind: 'payment_seen', key: `paid ${orderRef}`, legRef, txHash: '0x1', outputIndex: 0 },
  asset: { chain: 'base', asset: 'USDC', contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
  ...{ amount: 50_000_000n, from: null, height: null, seenAt: at },
})

/** Each order is paid and its payment confirmed: in two reports, so that their sequence matters. */
async function reportPaid(deps: OrderDeps, orders: readonly Paid[]): Promise<void> {
  const now = deps.clock.now()
  const seen = orders.map((one) => ({ orderRef: one.orderRef, fact: paidBy(one, now) }))
  const confirmed = orders.map(({ orderRef }) => {
    const fact: RailFact = { kind: 'payment_confirmed', key: `paid ${orderRef}` }
    return { orderRef, fact }
  })
  await withTx(deps.sql, async (tx) => {
    await reportFactsOfMany(tx, { rail: 'sandbox', facts: seen, now })
    await reportFactsOfMany(tx, { rail: 'sandbox', facts: confirmed, now })
  })
}

/** Counts what workers do to orders and facts, whichever worker it is. */
function counted() {
  const locked: string[] = []
  const facts: bigint[] = []
  const given: string[] = []
  return {
    locked,
    facts,
    given,
    over: (sql: Sql): Sql =>
      through(sql, async ({ text, values }, run) => {
        const rows = await run()
        if (/ from orders .*for update/s.test(text)) locked.push(...rows.map((row) => String(row.orderNo ?? values[0])))
        if (text.includes('select id, fact from rail_facts')) facts.push(...rows.map((row) => row.id as bigint))
        return rows
      }),
    rails: (sql: Sql) => {
      // Copies of orders have no rows of the sandbox.
      const settle: Rail['settle'] = async (requests) => void given.push(...requests.map((one) => one.settlementId))
      return makeRails([{ ...sandboxRail({ sql }), settle }])
    },
  }
}

async function untilIdle(work: () => Promise<number>): Promise<void> {
  while ((await work()) > 0);
}

for (const workers of [1, 2, 4]) {
  const aTest = workers === 4 ? test : slowTest
  const many = sized({ short: 120, full: 350 })
  aTest(
    `inbox: ${workers} workers, many orders → each order is locked once and each fact is applied once`,
    async (t) => {
      const { deps } = await testDeps(t)
      const orders = await manyOrders(deps, await anOrder(deps, await aCaller(deps)), many)
      await reportPaid(deps, orders)
      const { locked, facts, given, over, rails } = counted()
      const each = { ...deps, sql: over(deps.sql), rails: rails(deps.sql) }
      await Promise.all(Array.from({ length: workers }, () => untilIdle(factRounds(each))))
      await Promise.all(Array.from({ length: workers }, () => untilIdle(() => handOver(each))))
      assert.equal(new Set(locked).size, many)
      // Of two workers that choose in the same moment, the second may get the lock as the first gives it back.
      assert.ok(locked.length <= many * 1.1, `${locked.length} locks of ${many} orders`)
      assert.equal(new Set(facts).size, facts.length, 'no fact is read by two workers')
      assert.equal(facts.length, 2 * many)
      assert.deepEqual([new Set(given).size, given.length], [many, many], 'each settlement is handed over once')
      const [row] = await deps.sql<{ n: number }[]>`
      select count(*)::int as n from orders o join settlements s using (order_no)
      where o.status = 'processing' and s.handed_over_at is not null`
      assert.equal(row?.n, many)
    },
  )
}

test('inbox: a conflict rolls an order back, and an order before it is free now → it is applied in this round', async (t) => {
  const { deps } = await testDeps(t)
  const caller = await aCaller(deps)
  const orders = [await anOrder(deps, caller), await anOrder(deps, caller)]
  await reportPaid(
    deps,
    orders.map(({ orderNo, orderRef, legs }) => ({ orderNo, orderRef, legRef: legs[0]?.ref ?? '' })),
  )
  const [before, taken] = orders.map((order) => order.orderNo).sort()
  await deps.sql.unsafe(`
    create sequence first_try;
    create function conflict() returns trigger language plpgsql as $$
    begin
      if nextval('first_try') = 1 then raise serialization_failure; end if;
      return new;
    end $$;
    create trigger conflict before update on orders for each row when (new.order_no = '${taken}') execute function conflict()`)
  const locked = Promise.withResolvers<void>()
  const rolledBack = Promise.withResolvers<void>()
  const holding = withTx(deps.sql, async (tx) => {
    await tx`select from orders where order_no = ${before ?? ''} for update`
    locked.resolve()
    await rolledBack.promise
  })
  await locked.promise
  // Two looks at once: one locks the order, the other finds none that is free. The third comes after the conflict.
  let looks = 0
  const sql = through(deps.sql, async ({ text }, run) => {
    if (text.includes('skip locked') && ++looks === 3) {
      rolledBack.resolve()
      await holding
    }
    return run()
  })
  await factRounds({ ...deps, sql })()
  assert.equal(looks, 3)
  assert.equal((await getOrder(deps.sql, taken ?? '')).status, 'processing')
})

test('inbox: workers in any interleaving, one order that cannot be applied → the others are applied once, in sequence', async (t) => {
  const { deps } = await testDeps(t)
  const lines = deps.sql.apart({ max: 20, settings: {} })
  const caller = await aCaller(deps)
  const quiet: OrderDeps = { ...deps, log: Object.assign(Object.create(deps.log) as typeof deps.log, { error() {} }) }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 2 }), { minLength: 150, maxLength: 150 }),
      fc.integer({ min: 2, max: 3 }),
      async (turns, workers) => {
        const orders = await Promise.all([1, 2, 3, 4].map(() => anOrder(deps, caller)))
        const paid = orders.map(({ orderNo, orderRef, legs }) => ({ orderNo, orderRef, legRef: legs[0]?.ref ?? '' }))
        const poisoned = await anOrder(deps, caller)
        const facts = [{ orderRef: poisoned.orderRef, fact: { kind: 'no such kind' } as unknown as RailFact }]
        await withTx(deps.sql, (tx) => reportFactsOfMany(tx, { rail: 'sandbox', facts, now: deps.clock.now() }))
        await reportPaid(deps, paid)
        const { given, rails } = counted()
        await interleaved(
          lines,
          Array.from({ length: workers }, () => async (sql: Sql) => {
            const worker = { ...quiet, sql, rails: rails(deps.sql) }
            for (let round = 0; round < 2; round++) await settleDue(worker)
          }),
          () => turns.shift() ?? 0,
        )
        await untilIdle(() => settleDue({ ...quiet, rails: rails(deps.sql) }))
        for (const { orderNo } of paid) {
          const { status, detail, payments, settlements } = await getOrder(deps.sql, orderNo)
          assert.deepEqual([status, detail, payments.length, settlements.length], ['processing', 'settling', 1, 1])
        }
        assert.deepEqual([given.length, new Set(given).size], [4, 4])
        const left = await deps.sql<{ orderRef: string }[]>`select order_ref as "orderRef" from rail_facts`
        assert.deepEqual([...left], [{ orderRef: poisoned.orderRef }])
        await deps.sql`delete from rail_facts`
      },
    ),
    { numRuns: sized({ short: 5, full: 200 }) },
  )
})

test('inbox: a worker dies at any statement → another has its facts at once, and its hand-overs when the lease ends', async (t) => {
  const { deps, clock } = await testDeps(t)
  const caller = await aCaller(deps)
  for (let killAt = 0, isKilled = true; isKilled; killAt++) {
    const { orderNo, orderRef, legs } = await anOrder(deps, caller)
    await reportPaid(deps, [{ orderNo, orderRef, legRef: legs[0]?.ref ?? '' }])
    const { sql } = killable(deps.sql, killAt)
    isKilled = await settleDue({ ...deps, sql }).then(
      () => false,
      (error: unknown) => {
        assert.ok(error instanceof Killed)
        return true
      },
    )
    await untilIdle(() => settleDue(deps))
    const [facts] = await deps.sql<{ n: number }[]>`select count(*)::int as n from rail_facts`
    assert.equal(facts?.n, 0, `killed before statement ${killAt + 1}`)
    clock.advance(AGAIN_MS)
    await untilIdle(() => settleDue(deps))
    const [row] = await deps.sql`
      select 1 from settlements where order_no = ${orderNo} and handed_over_at is not null`
    assert.ok(row, `handed over though a worker was killed before statement ${killAt + 1}`)
  }
})
