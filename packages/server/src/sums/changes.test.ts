import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withTx } from '@florin/platform/db/tx'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { testConsole } from '../../test/console.ts'
import { anEvent } from '../../test/deliveries.ts'
import { aMerchant, anApiKey } from '../../test/factories.ts'
import { type TestApp, testDeps } from '../../test/harness.ts'
import { expireDue } from '../orders/expire.ts'
import { simulate } from '../orders/simulate.ts'
import { getOrder } from '../orders/store.ts'
import { reapExpired } from '../webhooks/queue/reap.store.ts'
import { type Result, writeLateSuccess, writeResults } from '../webhooks/queue/record.store.ts'
import { deleteOldDeliveries } from '../webhooks/retention.store.ts'

/** What commits left beside what the rows add up to; equal where each statement counted what it changed. */
const bothSides = (at: Pick<TestApp, 'deps'>) => at.deps.sql<{ left: string; right: string }[]>`
  select (select coalesce(json_agg(c), '[]')::text from (
      select at, kind, currency, exponent, sum(n)::int as n, sum(micros)::bigint as micros, sum(minor)::bigint as minor from order_sum_changes
      group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4) c) as left,
    (select coalesce(json_agg(r), '[]')::text from (
      select at, kind, currency, exponent, sum(n)::int as n, sum(micros)::bigint as micros, sum(minor)::bigint as minor from (
        select s.at, s.kind, o.currency, coalesce(o.exponent, 2)::smallint as exponent, s.n, s.micros, s.minor
        from orders o, order_sums_of(o.status, o.created_at, o.settled_at, o.amount_usd_micros, o.amount_minor) s
        union all
        select date_trunc('hour', created_at, 'UTC'), 'd' || status, 'USD', 2, 1, 0, 0 from deliveries where status in ('succeeded', 'dead')
      ) rows group by 1, 2, 3, 4 order by 1, 2, 3, 4) r) as right`

async function agree(at: Pick<TestApp, 'deps'>, after: string): Promise<string> {
  const [row] = await bothSides(at)
  assert.equal(row?.left, row?.right, after)
  return row?.left ?? ''
}

test('sums: orders are made, paid, fail and expire → each commit leaves what it changed', async (t) => {
  const at = await testConsole(t)
  const made = [
    await at.order({ amount_usd: 10 }),
    await at.order({ amount_usd: 0.5 }),
    await at.order({ amount_usd: 7 }),
  ]
  await agree(at, 'made')
  at.clock.advance(MINUTE_MS)
  const act = async (n: number, action: 'pay' | 'fail' | 'settle'): Promise<unknown> =>
    simulate(at.deps, await getOrder(at.deps.sql, made[n]?.orderNo ?? ''), action, null)
  for (const n of [0, 1]) await act(n, 'pay')
  await act(0, 'settle')
  await act(1, 'fail')
  await agree(at, 'settled and failed')
  at.clock.advance(DAY_MS)
  await expireDue(at.deps)
  assert.match(await agree(at, 'expired'), /"expired"/)
})

test('sums: deliveries end in each way and are deleted → each statement counts what it changed', async (t) => {
  const at = await testDeps(t)
  const { sql } = at.deps
  const shop = await anApiKey(at.deps, await aMerchant(at.deps))
  const now = at.clock.now()
  for (let n = 0; n < 6; n++) await anEvent(at.deps, shop, 'https://shop.example/')
  const leased = await sql<{ no: bigint; id: string }[]>`
    update delivery_queue set state = 3, lease_token = 7, lease_until = ${now} returning delivery_no as no, delivery_id as id`
  const [first, second, third, late, reaped] = leased.toSorted((a, b) => (a.no < b.no ? -1 : 1))
  assert.ok(first && second && third && late && reaped)
  const result = (of: { no: bigint; id: string }, verdict: Result['verdict']): Result => ({
    ...{ no: of.no, id: of.id, token: 7n, n: 1, startedAt: now, latencyMs: 5, httpStatus: 200 },
    ...{ error: null, excerpt: null, detail: null, verdict },
  })
  await writeResults(sql, [
    result(first, { kind: 'succeeded' }),
    result(second, { kind: 'dead' }),
    result(third, { kind: 'retry', at: now }),
  ])
  await agree(at, 'results')
  await sql`update delivery_queue set state = 1, lease_token = null, lease_until = null where delivery_no = ${late.no}`
  assert.equal(await withTx(sql, (tx) => writeLateSuccess(tx, result(late, { kind: 'succeeded' }))), true)
  await agree(at, 'a late success')
  await sql`update delivery_queue set claims = 100 where delivery_no = ${reaped.no}`
  await withTx(sql, (tx) => reapExpired(tx, { now: new Date(now.getTime() + 1), leaseMs: 1_000 }))
  assert.match(await agree(at, 'given up'), /"ddead"/)
  assert.equal(await deleteOldDeliveries(sql, 'e', 100), 4)
  assert.equal(await agree(at, 'deleted'), '[]')
})
