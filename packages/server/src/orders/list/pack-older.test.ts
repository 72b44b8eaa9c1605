// Promises: a database of a release whose closed orders said nothing of themselves in their rows is brought into the new form, step by
// step and killed at any of them; lists say the same before and after, and look at fewer pages; while processes of that release may run nothing is packed.
import assert from 'node:assert/strict'
import { DAY_MS } from '@florin/protocol'
import { slowTest } from '../../../../../scripts/sizes.ts'
import { ownDatabase, testDeps } from '../../../test/harness.ts'
import { explained } from '../../../test/plans.ts'
import { fillOrders } from '../../../test/scale/many-orders.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { openPool, withoutLimits } from '../../platform/db/pool.ts'
import { withTx } from '../../platform/db/tx.ts'
import { listByNumbers } from '../rows.store.ts'
import { getOrder } from '../store.ts'
import { packOlder, packOlderJob } from './pack-older.ts'

const ORDERS = 600
/** The last migration of a release that knew nothing of it. */
const BEFORE = 183

async function anOldDatabase(url: string): Promise<string> {
  const sql = openPool({ url, max: 2, applicationName: 'before the upgrade', limits: withoutLimits })
  try {
    await sql.unsafe('drop schema public cascade; create schema public')
    await migrate(sql, (number) => number <= BEFORE)
    const [large] = await sql<{ id: string; no: number }[]>`
      insert into merchants (id, email, created_at)
      values ('mer_01j00000000000000000000000', 'large@shop.example', now()) returning id, no`
    assert.ok(large)
    await fillOrders(url, { orders: ORDERS, large, apiKeyId: 'key_of_none', now: new Date(), others: 3, isSmall: true })
    await migrate(sql)
    return large.id
  } finally {
    await sql.end({ timeout: 5 })
  }
}

slowTest('orders that closed before the upgrade say all of themselves in their rows after it', async (t) => {
  const url = await ownDatabase(t)
  const merchantId = await anOldDatabase(url)
  const at = await testDeps(t, {}, url)
  const { sql } = at.deps
  const numbers = (
    await sql<{ no: string }[]>`select order_no as no from orders where merchant_id = ${merchantId} order by 1`
  ).map((row) => row.no)
  const plans = await explained(t, url)
  const read = async () => {
    plans.taken()
    const orders = await listByNumbers(plans.sql, { merchantId, livemode: true, numbers })
    const pages = plans.taken().reduce((sum, plan) => sum + plan.buffers, 0)
    return { orders: orders.sort((a, b) => (a.orderNo < b.orderNo ? -1 : 1)), pages }
  }
  const unpacked = async (): Promise<number> =>
    (
      await sql<{ n: number }[]>`
      select count(*)::int as n from orders where packed is null and status not in ('pending', 'processing')`
    )[0]?.n ?? 0
  const before = await read()
  const all = await unpacked()
  assert.ok(all > ORDERS * 0.9)

  assert.equal(await packOlder(at.deps), null, 'processes of the release before may run')
  at.clock.advance(2 * DAY_MS + 60_000)
  assert.equal(await packOlder(at.deps, 150), 150)
  // Killed between what it wrote and its commit, it did nothing.
  const dying = Object.assign(Object.create(sql), {
    begin: (...args: unknown[]) => {
      const work = args.at(-1) as (tx: unknown) => Promise<unknown>
      return sql.begin(async (tx) => {
        await work(tx)
        throw new Error('killed')
      })
    },
  }) as typeof sql
  await assert.rejects(packOlder({ ...at.deps, sql: dying }, 150), /killed/)
  assert.equal(await unpacked(), all - 150)
  // Somebody who is about to save an order packs it.
  const [held = ''] = numbers
  await withTx(sql, async (tx) => {
    await tx`select 1 from orders where order_no = ${held} for update`
    while ((await packOlder(at.deps, 150)) !== null);
  })
  assert.equal(await unpacked(), 1)
  assert.equal((await sql`select from backfills where name = 'packed_orders'`).length, 0)
  assert.equal(await packOlderJob(at.deps).run(AbortSignal.timeout(60_000)), 0)

  await sql`vacuum analyze orders`
  const after = await read()
  assert.deepEqual(after.orders, before.orders)
  assert.ok(after.pages < before.pages, `${after.pages} pages, and ${before.pages} before`)
  const [one = ''] = numbers.slice(50)
  assert.deepEqual(
    after.orders.find(({ orderNo }) => orderNo === one),
    await getOrder(sql, one),
  )
})
