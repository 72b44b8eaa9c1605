// What tests of delivery stand on: events with their deliveries, backlogs of any size made by the database itself,
// and waiting for what a worker writes.
import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { newId } from '@florin/platform/ids'
import type { EventKind } from '@florin/protocol'
import type { Deps } from '../src/deps.ts'
import { makeSequencer } from '../src/webhooks/feed/sequencer.ts'
import { enqueueDeliveries } from '../src/webhooks/queue/enqueue.ts'
import { laneOf } from '../src/webhooks/rules.ts'
import { aMerchant, anApiKey, type TestApiKey } from './factories.ts'

/** A merchant with one test key, whose webhook secret signs its deliveries. */
export async function aShop(deps: Deps): Promise<TestApiKey> {
  return anApiKey(deps, await aMerchant(deps))
}

export interface TestEvent {
  eventId: string
  deliveryId: string
  orderNo: string
  body: string
}

/** An event with its delivery, committed as orders/advance commits them. */
export async function anEvent(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  shop: TestApiKey,
  url: string,
  event: EventKind = 'order.success',
): Promise<TestEvent> {
  const now = clock.now()
  const eventId = newId('evt', now)
  const orderNo = newId('ord', now)
  const body = JSON.stringify({ id: eventId, event, created_at: now.toISOString(), order: { order_no: orderNo } })
  return withTx(sql, async (tx) => {
    await tx`
      insert into order_events (id, order_no, merchant_id, api_key_id, livemode, event, status, status_detail, version,
                                body, created_at)
      values (${eventId}, ${orderNo}, ${shop.merchantId}, ${shop.id}, false, ${event}, 'success', 'paid', 1,
              ${Buffer.from(body)}, ${now})`
    const { merchantNo, id: apiKeyId } = shop
    const at = { eventId, eventCreatedAt: now, event, orderNo, merchantNo, livemode: false }
    await enqueueDeliveries(tx, { ...at, own: { url, apiKeyId } }, now)
    const [row] = await tx<{ id: string }[]>`select id from deliveries where order_no = ${orderNo} limit 1`
    return { eventId, deliveryId: row?.id ?? '', orderNo, body }
  })
}

/** What the sequencer does in a worker: all that is committed becomes readable. */
export async function givePositions(deps: Pick<Deps, 'sql' | 'clock' | 'log' | 'wake'>): Promise<void> {
  const sequencer = makeSequencer(deps)
  while ((await sequencer.step()) > 0);
  await sequencer.end()
}

export interface Backlog {
  rows: number
  firstTenant: number
  tenants: number
  lanesEach: number
  state?: 1 | 2
  runAt: Date
}

/**
 * `rows` queue rows spread over `tenants` tenants of `lanesEach` lanes, made in the database: for backlogs too large to
 * make one by one. Without `event` they have no deliveries, so they can be scanned, leased and promoted, but not sent;
 * with it they all carry that one event to `url`.
 */
export async function aBacklog(
  sql: Sql,
  a: Backlog,
  event?: TestEvent & { shop: TestApiKey; url: string },
): Promise<void> {
  const state = a.state ?? 1
  // Numbers below zero: deliveries count upwards from one. Ids of a late year: those of an early one would be forgotten.
  await sql`
    insert into delivery_queue (delivery_no, delivery_id, class, tenant, lane, state, run_at)
    select -(${a.firstTenant}::bigint * 10000000 + g),
           'dlv_7' || lpad((${a.firstTenant}::bigint * 10000000 + g)::text, 25, '0'), ${state - 1}::int,
           ${a.firstTenant}::int + g % ${a.tenants}::int,
           hashint8extended((${a.firstTenant}::int + g % ${a.tenants}::int) * 100000::bigint + (g / ${a.tenants}::int) % ${a.lanesEach}::int, 7), ${state},
           ${a.runAt}::timestamptz + g * interval '1 microsecond'
    from generate_series(1, ${a.rows}::int) g`
  if (event === undefined) return
  await sql`
    insert into deliveries (id, no, event_id, event_created_at, event, order_no, merchant_no, api_key_id, livemode, url,
                            created_at) overriding system value
    select q.delivery_id, q.delivery_no, e.id, e.created_at, e.event, replace(q.delivery_id, 'dlv', 'ord'), q.tenant, ${event.shop.id}, false,
           ${event.url}, ${a.runAt}
    from order_events e, delivery_queue q
    where e.id = ${event.eventId} and q.tenant between ${a.firstTenant} and ${a.firstTenant + a.tenants - 1}`
}

/** Queue rows chosen one by one, ready at `runAt`, each with a delivery of that one event. The lane is one host of the tenant. */
export async function someDue(
  sql: Sql,
  rows: readonly { no: number; class: number; tenant: number; host: number }[],
  a: { event: TestEvent & { shop: TestApiKey; url: string }; runAt: Date },
): Promise<void> {
  await sql`
    with due as (
      select no, 'dlv_7' || lpad(no::text, 25, '0') as id, class, tenant, lane
      from unnest(${rows.map((row) => row.no)}::int[], ${rows.map((row) => row.class)}::int[],
                  ${rows.map((row) => row.tenant)}::int[],
                  ${rows.map((row) => String(laneOf(row.tenant, `https://host${row.host}.example`)))}::bigint[])
        as due (no, class, tenant, lane)
    ), made as (
      insert into deliveries (id, no, event_id, event_created_at, event, order_no, merchant_no, api_key_id, livemode, url,
                              created_at) overriding system value
      select due.id, -due.no, e.id, e.created_at, e.event, e.order_no, due.tenant, ${a.event.shop.id}, false, ${a.event.url},
             ${a.runAt}
      from due, order_events e where e.id = ${a.event.eventId}
    )
    insert into delivery_queue (delivery_no, delivery_id, class, tenant, lane, state, run_at)
    select -no, id, class, tenant, lane, 1, ${a.runAt} from due`
}

/**
 * Asks again and again until the answer satisfies `done`; for what a worker writes after it has sent.
 * @throws after `withinMs`, with the last answer.
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  done: (answer: T) => boolean,
  withinMs = 180_000,
): Promise<T> {
  const started = performance.now()
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.3, 60)) {
    const answer = await ask()
    if (done(answer)) return answer
    if (performance.now() - started > withinMs)
      throw new Error(`still waiting after ${withinMs} ms: ${JSON.stringify(answer)}`)
    // Whoever asks without a pause takes the processor from what is waited for.
    await wait(pauseMs)
  }
}

export interface DeliveryState {
  id: string
  status: string
  attemptCount: number
  nextAttemptAt: Date | null
}

export const deliveryStates = (sql: Sql): Promise<DeliveryState[]> => sql<DeliveryState[]>`
  select id, status, attempt_count as "attemptCount", next_attempt_at as "nextAttemptAt" from deliveries order by no`

/** All that is logged of attempts, oldest first. */
export const attemptLog = (sql: Sql): Promise<{ n: number; error: string | null; startedAt: Date }[]> => sql`
  select n, error, started_at as "startedAt" from delivery_attempts order by started_at, n`
