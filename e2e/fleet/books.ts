// What must hold at the end, whatever was killed, cut or upgraded meanwhile: read from the database and from what the receiver got.
import assert from 'node:assert/strict'
import type { Sql } from '../../packages/platform/src/db/pool.ts'
import { until } from '../florin.ts'
import type { Merchant } from '../merchant.ts'
import type { Receiver } from '../receiver.ts'
import type { Balancer } from './balancer.ts'
import type { Shoppers } from './shoppers.ts'

const events = {
  success: ['order.processing', 'order.success'],
  failed: ['order.processing', 'order.failed'],
  expired: ['order.expired'],
}

export interface Books {
  orders: number
  events: number
  /** Requests that the receiver got for an event it had answered before. */
  repeated: number
  /** Orders that were paid twice. */
  refunds: number
}

export async function checkBooks(a: {
  sql: Sql
  shoppers: Shoppers
  receiver: Receiver
  balancer: Balancer
  shop: Merchant
}): Promise<Books> {
  const { sql, shoppers, receiver } = a
  const rows = await sql<{ no: string; externalId: string; status: string }[]>`
    select order_no as no, external_id as "externalId", status from orders order by order_no`
  assert.deepEqual(
    rows.map(({ no }) => no),
    [...shoppers.orders.values()].map(({ no }) => no).sort(),
    'one order for each that was asked for',
  )
  for (const { externalId, status, no } of rows) assert.equal(status, shoppers.orders.get(externalId)?.goal, no)

  await until(async () => {
    const [left] = await sql<{ n: number }[]>`select count(*)::int as n from deliveries where status <> 'succeeded'`
    return left?.n === 0
  }, 'every delivery')
  const written = await sql<{ id: string; no: string; event: string; deliveries: number; position: string | null }[]>`
    select e.id, e.order_no as no, e.event, e.position, count(d.id)::int as deliveries
    from order_events e left join deliveries d on d.event_id = e.id where e.event is not null
    group by e.id, e.order_no, e.event, e.version, e.position order by e.order_no, e.version`
  const of = Map.groupBy(written, ({ no }) => no)
  for (const { no, goal } of shoppers.orders.values())
    assert.deepEqual(
      of.get(no)?.map(({ event }) => event),
      events[goal],
      `${no}: no event lost or doubled`,
    )
  for (const { id, deliveries } of written) assert.equal(deliveries, 1, `${id} is delivered once`)
  const known = new Set(written.map(({ id }) => id))
  const times = Map.groupBy(receiver.received, ({ event }) => event.id)
  for (const id of known) assert.ok(times.has(id), `${id} arrived`)
  for (const id of times.keys()) assert.ok(known.has(id), `${id} arrived and was never written`)

  const money = await sql<{ no: string; n: number }[]>`
    select o.order_no as no, count(s.id) filter (where s.status <> 'failed')::int as n
    from orders o left join settlements s using (order_no) group by o.order_no, o.status
    having count(s.id) filter (where s.status <> 'failed') <> (case when o.status = 'success' then 1 else 0 end)`
  assert.deepEqual([...money], [], 'each order that succeeded is settled once, and no other')
  // In the sandbox's own books, which stand for the chain.
  const paidOut = await sql<{ ref: string; n: number }[]>`
    select order_ref as ref, count(*)::int as n from sandbox_settlements where status = 'final' group by 1 having count(*) > 1`
  assert.deepEqual([...paidOut], [], 'the rail paid no order twice')

  await checkLedger(sql)

  await until(async () => {
    const [left] = await sql<{ n: number }[]>`
      select count(*)::int as n from order_events where event is not null and position is null`
    return left?.n === 0
  }, 'every position')
  assert.deepEqual(await readFeed(a), [...known].sort(), 'the feed has every event once')
  await checkFigures(a, rows.length)
  const [refunds] = await sql<{ n: number }[]>`select count(*)::int as n from refunds where status <> 'failed'`
  const repeated = receiver.received.length - times.size
  return { orders: rows.length, events: known.size, repeated, refunds: refunds?.n ?? 0 }
}

/**
 * Each order: the sum received equals the sums settled and given back. Only a failed order still holds money. A payer whose payment was
 * answered 503 or cut off pays again: where both payments arrived, a refund stands for one of them.
 */
async function checkLedger(sql: Sql): Promise<void> {
  const wrong = await sql<{ no: string }[]>`
    select o.order_no as no, o.status, p.received, s.settled, r.refunded from orders o
    cross join lateral (select coalesce(sum(amount), 0) as received from payments
      where order_no = o.order_no and status in ('detected', 'confirmed')) p
    cross join lateral (select coalesce(sum(gross), 0) as settled from settlements
      where order_no = o.order_no and status = 'final') s
    cross join lateral (select coalesce(sum(amount), 0) as refunded from refunds
      where order_no = o.order_no and status <> 'failed') r
    where (o.status = 'success' and (p.received = 0 or p.received <> s.settled + r.refunded))
      or (o.status = 'failed' and (p.received = 0 or s.settled <> 0 or r.refunded > p.received))
      or (o.status = 'expired' and p.received + s.settled + r.refunded <> 0)
    limit 10`
  assert.deepEqual([...wrong], [], 'each unit that was received is settled, refunded or held')
  // The sandbox's own books stand for the chain.
  const [sums] = await sql<{ received: string; transferred: string; settled: string; out: string }[]>`
    select (select sum(amount) from payments where status in ('detected', 'confirmed')) as received,
      (select sum(amount) from sandbox_transfers where status <> 'orphaned') as transferred,
      (select sum(gross) from settlements where status = 'final') as settled,
      (select sum(gross) from sandbox_settlements where status = 'final') as out`
  assert.equal(sums?.received, sums?.transferred, 'the payments are what was transferred')
  assert.equal(sums?.settled, sums?.out, 'the settlements are what the rail paid out')
}

/** All events by the cursor, from the first. */
async function readFeed({ balancer, shop }: { balancer: Balancer; shop: Merchant }): Promise<string[]> {
  const ids: string[] = []
  for (let after = ''; ; ) {
    const page = await balancer.ask<{ data: { id: string }[]; next_cursor: string; has_more: boolean }>(
      'GET',
      `/v1/events?limit=100${after}`,
      shop.key,
    )
    assert.equal(page?.status, 200)
    ids.push(...page.body.data.map(({ id }) => id))
    if (page.body.data.length === 0) return ids.sort()
    after = `&after=${encodeURIComponent(page.body.next_cursor)}`
  }
}

async function checkFigures(a: { balancer: Balancer; shop: Merchant }, orders: number): Promise<void> {
  const range = `livemode=false&from=${new Date(Date.now() - 2 * 86_400_000).toISOString()}`
  const path = `/api/v1/boss/stats/summary?${range}`
  const figures = await a.balancer.ask<{ data: { orders_total: number } }>('GET', path, a.shop.console)
  assert.equal(figures?.body.data.orders_total, orders, 'figures count every order once')
}
