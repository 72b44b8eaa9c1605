// Owns what tests of delivery stand on: merchants with keys and secrets, events with their deliveries, and backlogs of
// any size made by the database itself.
import type { EventKind } from '@florin/protocol'
import type { Deps } from '../src/deps.ts'
import type { Sql } from '../src/platform/db/pool.ts'
import { withTx } from '../src/platform/db/tx.ts'
import { newId } from '../src/platform/ids.ts'
import { enqueueDelivery } from '../src/webhooks/enqueue.ts'

type Parts = Pick<Deps, 'sql' | 'clock' | 'secrets'>

export interface TestMerchant {
  id: string
  no: number
  apiKeyId: string
  secret: string
}

/** A merchant with one API key and one webhook secret. */
export async function aMerchant({ sql, clock, secrets }: Parts): Promise<TestMerchant> {
  const now = clock.now()
  const id = newId('mer', now)
  const apiKeyId = newId('key', now)
  const [row] = await sql<{ no: number }[]>`
    insert into merchants (id, email, created_at) values (${id}, ${`${id}@shop.example`}, ${now}) returning no`
  await sql`
    insert into api_keys (id, merchant_id, livemode, name, prefix, last4, scopes, fee_bps, created_at)
    values (${apiKeyId}, ${id}, false, 'shop', 'florin_test_', '0000', ${['orders:read', 'webhooks:read', 'webhooks:write']}, 0, ${now})`
  const secret = `whsec_${id.slice(4)}`
  await addSecret({ sql, clock, secrets }, apiKeyId, secret, null)
  return { id, no: row?.no ?? 0, apiKeyId, secret }
}

/** One more webhook secret of a key; the newest signs first. */
export async function addSecret(
  { sql, clock, secrets }: Parts,
  apiKeyId: string,
  secret: string,
  expiresAt: Date | null,
): Promise<void> {
  const id = newId('whs', clock.now())
  const sealed = secrets.seal(secret, id)
  await sql`
    insert into webhook_secrets (id, api_key_id, key_id, box, created_at, expires_at)
    values (${id}, ${apiKeyId}, ${sealed.keyId}, ${sealed.box}, ${clock.now()}, ${expiresAt})`
}

export interface TestEvent {
  eventId: string
  deliveryId: string
  orderNo: string
  body: string
}

/** An event with its delivery, committed as orders/advance commits them. */
export async function anEvent(
  { sql, clock }: Pick<Parts, 'sql' | 'clock'>,
  merchant: TestMerchant,
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
      values (${eventId}, ${orderNo}, ${merchant.id}, ${merchant.apiKeyId}, false, ${event}, 'success', 'paid', 1,
              ${Buffer.from(body)}, ${now})`
    const where = { eventId, eventCreatedAt: now, event, orderNo, merchantId: merchant.id, merchantNo: merchant.no }
    await enqueueDelivery(tx, { ...where, apiKeyId: merchant.apiKeyId, livemode: false, url }, now)
    const [row] = await tx<{ id: string }[]>`select id from deliveries where event_id = ${eventId} limit 1`
    return { eventId, deliveryId: row?.id ?? '', orderNo, body }
  })
}

/**
 * `rows` queue rows spread over `tenants` tenants of `lanesEach` lanes, made in the database: for backlogs too large to
 * make one by one. They have no deliveries, so they can be scanned, leased and promoted, but not sent.
 */
export async function aBacklog(
  sql: Sql,
  a: { rows: number; firstTenant: number; tenants: number; lanesEach: number; state?: 1 | 2; runAt: Date },
): Promise<void> {
  const state = a.state ?? 1
  // Numbers below zero: deliveries count upwards from one.
  await sql`
    insert into delivery_queue (delivery_no, delivery_id, class, tenant, lane, state, run_at)
    select -(${a.firstTenant}::bigint * 10000000 + g), 'dlv_' || g, ${state - 1}::int, ${a.firstTenant}::int + g % ${a.tenants}::int,
           hashint8extended(g % ${a.tenants}::int * 100000::bigint + (g / ${a.tenants}::int) % ${a.lanesEach}::int, 7), ${state},
           ${a.runAt}::timestamptz + g * interval '1 microsecond'
    from generate_series(1, ${a.rows}::int) g`
}
