// SQL of webhook_endpoints. Their secrets stand with those of API keys (keys/store.ts).
import type { Db, Tx } from '@florin/platform/db/tx'
import type { Once } from '@florin/platform/http/idempotency'
import { firstIdAt } from '@florin/platform/ids'
import { DAY_MS, type WebhookKind } from '@florin/protocol'
import { dueBefore } from '../late.store.ts'

export interface EndpointRow {
  id: string
  merchantId: string
  merchantNo: number
  livemode: boolean
  /** As returned by parseWebhookUrl. */
  url: string
  lane: bigint
  description: string | null
  events: WebhookKind[]
  createdAt: Date
  updatedAt: Date
  disabledAt: Date | null
  disabledBy: 'merchant' | 'failures' | null
  failingSince: Date | null
}

/** Whose: a key sees its mode, the console one mode or both. */
export interface EndpointOwner {
  merchantId: string
  /** null: both */
  livemode: boolean | null
}

const columns = (db: Db) => db`
  id, merchant_id as "merchantId", merchant_no as "merchantNo", livemode, url, lane, description, events,
  created_at as "createdAt", updated_at as "updatedAt", disabled_at as "disabledAt", disabled_by as "disabledBy",
  failing_since as "failingSince"`

const owned = (db: Db, { merchantId, livemode }: EndpointOwner) => db`
  merchant_id = ${merchantId} and deleted_at is null and (${livemode}::boolean is null or livemode = ${livemode})`

export async function findEndpoint(db: Db, owner: EndpointOwner, id: string): Promise<EndpointRow | null> {
  const [row] = await db<EndpointRow[]>`
    select ${columns(db)} from webhook_endpoints where id = ${id} and ${owned(db, owner)}`
  return row ?? null
}

/** Serializes changes of one endpoint; events go on being enqueued for it meanwhile. */
export async function lockEndpoint(tx: Tx, owner: EndpointOwner, id: string): Promise<EndpointRow | null> {
  const [row] = await tx<EndpointRow[]>`
    select ${columns(tx)} from webhook_endpoints where id = ${id} and ${owned(tx, owner)} for no key update`
  return row ?? null
}

/** Newest first. Bounded by WEBHOOK_ENDPOINTS_MAX in each mode. */
export function listEndpoints(
  db: Db,
  a: EndpointOwner & { before: string | null; limit: number },
): Promise<EndpointRow[]> {
  return db<EndpointRow[]>`
    select ${columns(db)} from webhook_endpoints
    where ${owned(db, a)} and (${a.before}::text is null or id < ${a.before}) order by id desc limit ${a.limit}`
}

/** Locks the account while it is counted: two calls at once do not both take the last place. */
export async function countForMore(tx: Tx, a: { merchantId: string; livemode: boolean }): Promise<number> {
  await tx`select 1 from merchant_accounts where id = ${a.merchantId} for no key update`
  const [row] = await tx<{ n: number }[]>`
    select count(*)::int as n from webhook_endpoints where ${owned(tx, a)}`
  return row?.n ?? 0
}

/** Made with this Idempotency-Key within its day, also where it was deleted since. Under the lock of `countForMore`. */
export async function findMadeWith(
  tx: Tx,
  a: { merchantId: string; key: string; since: Date },
): Promise<{ endpoint: EndpointRow; body: string; isDeleted: boolean } | null> {
  const [row] = await tx<(EndpointRow & { onceBody: string; isDeleted: boolean })[]>`
    select ${columns(tx)}, once_body as "onceBody", deleted_at is not null as "isDeleted" from webhook_endpoints
    where once_key = ${a.key} and merchant_id = ${a.merchantId} and created_at > ${a.since}
    order by id desc limit 1`
  if (row === undefined) return null
  const { onceBody: body, isDeleted, ...endpoint } = row
  return { endpoint, body, isDeleted }
}

export function insertEndpoint(tx: Tx, row: EndpointRow, once: Once | null): Promise<unknown> {
  return tx`
    insert into webhook_endpoints (id, merchant_id, merchant_no, livemode, url, lane, description, events, once_key,
      once_body, created_at, updated_at)
    values (${row.id}, ${row.merchantId}, ${row.merchantNo}, ${row.livemode}, ${row.url}, ${row.lane}, ${row.description},
            ${row.events}::text[], ${once?.key ?? null}, ${once?.body ?? null}, ${row.createdAt}, ${row.updatedAt})`
}

export function saveEndpoint(tx: Tx, row: EndpointRow): Promise<unknown> {
  return tx`
    update webhook_endpoints set url = ${row.url}, lane = ${row.lane}, description = ${row.description},
      events = ${row.events}::text[], updated_at = ${row.updatedAt}, disabled_at = ${row.disabledAt},
      disabled_by = ${row.disabledBy}, failing_since = ${row.failingSince}
    where id = ${row.id}`
}

/** The row stays for the deliveries that name it; nothing more is sent there. */
export function deleteEndpoint(tx: Tx, id: string, now: Date): Promise<unknown> {
  return tx`update webhook_endpoints set deleted_at = ${now}, updated_at = ${now} where id = ${id}`
}

export async function isClosedEndpoint(db: Db, id: string): Promise<boolean> {
  const rows = await db`select 1 from webhook_endpoints where id = ${id} and disabled_at is null and deleted_at is null`
  return rows.length === 0
}

export interface Health {
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  retrying: number
  dead: number
  late: number
}

export const noHealth: Health = { lastSuccessAt: null, lastFailureAt: null, retrying: 0, dead: 0, late: 0 }

/**
 * How deliveries to these endpoints went, read from the deliveries themselves: a counter would be one row that every
 * worker writes. Each part is a short walk of deliveries_of_endpoint; what came last is looked for among the attempts of
 * the newest twenty deliveries of a status.
 */
export async function readHealth(db: Db, ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Health>> {
  if (ids.length === 0) return new Map()
  const week = firstIdAt('dlv', new Date(now.getTime() - 7 * DAY_MS))
  const rows = await db<(Health & { id: string })[]>`
    select e.id,
      (select max(a.started_at) from (
         select id, created_at from deliveries where endpoint_id = e.id and status = 'succeeded' order by id desc limit 20) d
       join delivery_attempts a on a.delivery_id = d.id and a.started_at >= d.created_at - interval '1 minute'
       where a.error is null) as "lastSuccessAt",
      (select max(a.started_at) from (
         select d.id, d.created_at from unnest('{retrying,dead}'::text[]) s(status) cross join lateral (
           select id, created_at from deliveries where endpoint_id = e.id and status = s.status order by id desc limit 20) d) d
       join delivery_attempts a on a.delivery_id = d.id and a.started_at >= d.created_at - interval '1 minute'
       where a.error is not null) as "lastFailureAt",
      (select count(*)::int from (
         select 1 from deliveries where endpoint_id = e.id and status = 'retrying' limit 1000) r) as retrying,
      (select count(*)::int from (
         select 1 from deliveries where endpoint_id = e.id and status = 'dead' and id >= ${week} limit 1000) r) as dead,
      (select count(*)::int from (
         select 1 from deliveries where endpoint_id = e.id and status in ('pending', 'retrying')
           and next_attempt_at < ${dueBefore(now)} limit 1000) r) as late
    from unnest(${ids as string[]}::text[]) as e(id)`
  return new Map(rows.map(({ id, ...health }) => [id, health]))
}
