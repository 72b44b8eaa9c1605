// Claims work from the queue: a scan that skips from tenant to tenant and from lane to lane, and a lease on rows of the
// chosen lanes. Its cost depends on what is requested, never on how much is waiting.
import type { Db, Tx } from '@florin/platform/db/tx'
import type { WebhookKind } from '@florin/protocol'
import type { Allotment, ReadyLane, Scan } from './allot.ts'
import { type ClassNo, SUSPECT } from './classes.ts'

export interface ClaimedDelivery {
  no: bigint
  id: string
  /** Its lane, by place among those requested; 1 is the first. */
  at: number
  class: ClassNo
  event: WebhookKind
  url: string
  /** Whose secrets sign it: an endpoint, or the API key of its order. */
  signer: string
  isOfEndpoint: boolean
  orderNo: string
  /** null: its event is past its retention. */
  merchantId: string | null
  /** Attempts that had an outcome: this one is attempt + 1. */
  attempt: number
  runAt: Date
  createdAt: Date
  /** null: past its retention. */
  body: Uint8Array | null
}

/**
 * Finds lanes with work: for each class, tenants after the cursor and at most `lanesEach` lanes of each. Two levels,
 * because a merchant can use any number of hosts. Every step is one probe of delivery_queue_ready and LIMIT ends the
 * recursion. The lanes of a tenant are read as a circle that begins at `fromLane`, so no value of it leaves a lane out.
 */
export function findReadyLanes(
  db: Db,
  a: {
    scans: readonly Scan[]
    lanesEach: number
    fromLane: bigint
    full: readonly number[]
  },
): Promise<ReadyLane[]> {
  const fromLane = String(a.fromLane)
  return db<ReadyLane[]>`
    select s.class, r.tenant, r.lane
    from unnest(${a.scans.map((s) => s.class)}::smallint[], ${a.scans.map((s) => s.after)}::int[],
                ${a.scans.map((s) => s.want)}::int[]) as s(class, after, want)
    cross join lateral (
      with recursive t(tenant) as (
        (select q.tenant from delivery_queue q where q.state = 1 and q.class = s.class and q.tenant > s.after
         order by q.tenant limit 1)
        union all
        select (select q.tenant from delivery_queue q where q.state = 1 and q.class = s.class and q.tenant > t.tenant
                order by q.tenant limit 1)
        from t where t.tenant is not null
      )
      select t.tenant, lanes.lane from t cross join lateral (
        with recursive onwards(lane) as (
          (select q.lane from delivery_queue q
           where q.state = 1 and q.class = s.class and q.tenant = t.tenant and q.lane >= ${fromLane}::bigint
           order by q.lane limit 1)
          union all
          select (select q.lane from delivery_queue q
                  where q.state = 1 and q.class = s.class and q.tenant = t.tenant and q.lane > onwards.lane
                  order by q.lane limit 1)
          from onwards where onwards.lane is not null
        ), around(lane) as (
          (select q.lane from delivery_queue q
           where q.state = 1 and q.class = s.class and q.tenant = t.tenant and q.lane < ${fromLane}::bigint
           order by q.lane limit 1)
          union all
          select (select q.lane from delivery_queue q
                  where q.state = 1 and q.class = s.class and q.tenant = t.tenant and q.lane > around.lane
                    and q.lane < ${fromLane}::bigint
                  order by q.lane limit 1)
          from around where around.lane is not null
        )
        select lane from (
          select lane from onwards where lane is not null union all select lane from around where lane is not null
        ) circle limit ${a.lanesEach}
      ) lanes
      where t.tenant <> all (${[...a.full]}::int[])
      limit s.want
    ) r`
}

/**
 * Leases up to `room` rows of each lane and reads what is needed to send them. MATERIALIZED, or the planner may run the
 * locking part twice and lease more than was requested. The look-ups are lateral with a limit, so that they stay index
 * look-ups whatever the statistics say.
 */
export function claimRows(
  db: Db,
  a: { lanes: readonly Allotment[]; leaseUntil: Date; token: bigint },
): Promise<ClaimedDelivery[]> {
  return db<ClaimedDelivery[]>`
    with picked as materialized (
      select p.delivery_no, w.at
      from unnest(${a.lanes.map((l) => l.class)}::smallint[], ${a.lanes.map((l) => l.tenant)}::int[],
                  ${a.lanes.map((l) => String(l.lane))}::bigint[], ${a.lanes.map((l) => l.tickets.length)}::int[])
             with ordinality as w(class, tenant, lane, room, at)
      cross join lateral (
        select q.delivery_no from delivery_queue q
        where q.state = 1 and q.class = w.class and q.tenant = w.tenant and q.lane = w.lane
        order by q.run_at, q.delivery_no limit w.room for update skip locked
      ) p
    ), claimed as (
      update delivery_queue q
      set state = 3, claims = claims + (q.class <> ${SUSPECT})::int, lease_until = ${a.leaseUntil}, lease_token = ${a.token}
      from picked where q.delivery_no = picked.delivery_no
      returning q.delivery_no, q.delivery_id, picked.at, q.class, q.attempt, q.run_at
    )
    select c.delivery_no as "no", c.delivery_id as "id", c.at::int, c.class, c.attempt, c.run_at as "runAt",
           d.event, d.url, coalesce(d.endpoint_id, d.api_key_id) as signer,
           d.endpoint_id is not null as "isOfEndpoint", d.created_at as "createdAt", d.order_no as "orderNo", e.merchant_id as "merchantId",
           e.body
    from claimed c
    cross join lateral (select * from deliveries d where d.id = c.delivery_id limit 1) d
    left join lateral (
      select o.body, o.merchant_id from order_events o where o.id = d.event_id and o.created_at = d.event_created_at limit 1
    ) e on true`
}

/**
 * Records on disk, before sending, that a suspect is about to be sent. For suspects this is counted instead of claims,
 * so that only a worker that died while sending counts against one.
 */
export async function markStarted(tx: Tx, a: { no: bigint; token: bigint }): Promise<void> {
  await tx`
    update delivery_queue set claims = claims + 1 where delivery_no = ${a.no} and lease_token = ${a.token}`
}

/** Releases what was claimed but not started: it is due again at once, and the claim does not count. */
export function releaseRows(tx: Tx, a: { nos: readonly bigint[]; token: bigint }): Promise<unknown> {
  return tx`
    update delivery_queue set state = 1, claims = claims - (class <> ${SUSPECT})::int, lease_until = null, lease_token = null
    where delivery_no = any (${a.nos.map(String)}::bigint[]) and lease_token = ${a.token}`
}

export interface EndpointNow {
  id: string
  url: string
  /** Disabled or deleted: nothing is sent there any more. */
  isClosed: boolean
}

/** These endpoints as they are now; a delivery may have been made for another URL. */
export async function listEndpointsNow(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, EndpointNow>> {
  if (ids.length === 0) return new Map()
  const rows = await db<EndpointNow[]>`
    select id, url, disabled_at is not null or deleted_at is not null as "isClosed" from webhook_endpoints
    where id = any(${[...new Set(ids)]}::text[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Before they are sent: a delivery says where it went. Its lane, which paces it, stays until it is over. */
export function moveDeliveries(db: Db, moved: readonly { id: string; url: string }[]): Promise<unknown> {
  return db`
    update deliveries d set url = m.url, xid = pg_current_xact_id()
    from unnest(${moved.map((one) => one.id)}::text[], ${moved.map((one) => one.url)}::text[]) as m(id, url)
    where d.id = m.id`
}
