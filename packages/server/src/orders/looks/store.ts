// SQL of what merchants asked to be looked at again.
import type { Db, Tx } from '@florin/platform/db/tx'

export interface OrderLook {
  orderNo: string
  askedAt: Date
  /** null: it waits. */
  lookedAt: Date | null
  failure: string | null
}

const columns = (db: Db) => db`l.order_no as "orderNo", l.asked_at as "askedAt", l.looked_at as "lookedAt", l.failure`

/** @returns null where one is new enough, or the merchant has asked for as many as an hour allows. */
export async function askLook(
  tx: Tx,
  a: { orderNo: string; merchantId: string; now: Date; newerThan: Date; since: Date; max: number },
): Promise<OrderLook | null> {
  const [row] = await tx<OrderLook[]>`
    insert into order_looks as l (order_no, merchant_id, asked_at, due_at)
    select ${a.orderNo}, ${a.merchantId}, ${a.now}, ${a.now}
    where (select count(*) from (
      select from order_looks where merchant_id = ${a.merchantId} and asked_at > ${a.since} limit ${a.max}) recent) < ${a.max}
    on conflict (order_no) do update
      set asked_at = excluded.asked_at, due_at = excluded.due_at, tries = 0, looked_at = null, failure = null
      where l.asked_at <= ${a.newerThan}
    returning ${columns(tx)}`
  return row ?? null
}

export async function findLook(db: Db, orderNo: string): Promise<OrderLook | null> {
  const [row] = await db<OrderLook[]>`select ${columns(db)} from order_looks l where order_no = ${orderNo}`
  return row ?? null
}

export interface DueLook {
  orderNo: string
  orderRef: string
  askedAt: Date
  tries: number
  rails: string[]
}

/** Longest waiting first; rows that another process holds are skipped. */
export function claimLooks(db: Db, a: { now: Date; leasedUntil: Date; limit: number }): Promise<DueLook[]> {
  return db<DueLook[]>`
    with due as (
      select order_no from order_looks where looked_at is null and due_at <= ${a.now} order by due_at limit ${a.limit}
      for update skip locked
    ), leased as (
      update order_looks l set due_at = ${a.leasedUntil}, tries = tries + 1 from due where l.order_no = due.order_no
      returning l.order_no, l.asked_at, l.tries
    )
    select l.order_no as "orderNo", o.order_ref as "orderRef", l.asked_at as "askedAt", l.tries,
      -- Before the payer chose there is no leg.
      coalesce(nullif(array(select distinct rail from pay_legs p where p.order_no = l.order_no), '{}'), array[o.rail]) as rails
    from leased l join orders o using (order_no)`
}

/** @param a.lookedAt null: it is tried again at `dueAt`. */
export function endLook(
  db: Db,
  look: DueLook,
  a: { lookedAt: Date | null; dueAt: Date; failure: string | null },
): Promise<unknown> {
  return db`
    update order_looks set looked_at = ${a.lookedAt}, due_at = ${a.dueAt}, failure = ${a.failure}
    where order_no = ${look.orderNo} and asked_at = ${look.askedAt} and looked_at is null`
}
