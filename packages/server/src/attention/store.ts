// SQL of attention items. Items are resolved, never deleted.
import type { AttentionOver, NewAttention } from '@florin/order-model/attention/item'
import type { Sql } from '@florin/platform/db/pool'
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db, Tx } from '@florin/platform/db/tx'
import { firstIdAt, newId } from '@florin/platform/ids'

/** What a stuck rail means for a merchant: their money waits. */
export const MONEY_WAITS = 'money_waits'

export interface Attention {
  id: string
  /** null: it is about the installation, and for operators alone. */
  merchantId: string | null
  merchantEmail: string | null
  livemode: boolean
  orderNo: string | null
  kind: string
  evidence: Record<string, string>
  actions: string[]
  createdAt: Date
  resolvedAt: Date | null
  resolvedBy: string | null
  resolution: string | null
  /** What it asks for still waits, whatever the item's state: an address for a refund, or the word that a payout is there. */
  isAsking: boolean
}

const columns = (db: Db) => db`
  a.id, a.merchant_id as "merchantId", m.email as "merchantEmail", a.livemode, a.order_no as "orderNo", a.kind, a.evidence,
  a.actions, a.created_at as "createdAt", a.resolved_at as "resolvedAt", a.resolved_by as "resolvedBy", a.resolution,
  case
    when a.kind = 'refund_address_needed' then exists (
      select from refund_summaries r where r.id = a.evidence->>'refund' and r.order_no = a.order_no and r.status = 'waiting')
    when a.kind in ('settlement_unproven', 'provider_contradicted') then exists (
      select from order_summaries o where o.order_no = a.order_no and o.status = 'processing')
    else false end as "isAsking"`

/**
 * Newest first. @param a.merchantId null: of all merchants; what a stuck rail means for another merchant is left out,
 * since the item about the rail says it once. @param a.open null: open and resolved.
 */
export function listAttention(
  db: Db,
  a: {
    merchantId: string | null
    askedBy: string
    livemode: boolean
    /** null: of any order and of none. */
    orderNo?: string | null
    open: boolean | null
    before: string | null
    limit: number
  },
): Promise<Attention[]> {
  return db<Attention[]>`
    select ${columns(db)} from attention a left join merchant_accounts m on m.id = a.merchant_id
    where a.livemode = ${a.livemode}
    ${a.merchantId === null ? db`and (a.kind <> ${MONEY_WAITS} or a.merchant_id = ${a.askedBy})` : db`and a.merchant_id = ${a.merchantId}`}
    ${a.orderNo == null ? db`` : db`and a.order_no = ${a.orderNo}`}
    ${a.open === null ? db`` : a.open ? db`and a.resolved_at is null` : db`and a.resolved_at is not null`}
    ${a.before === null ? db`` : db`and a.id < ${a.before}`}
    order by a.id desc limit ${a.limit}`
}

export async function findAttention(db: Db, id: string, merchantId: string | null): Promise<Attention | null> {
  const [row] = await db<Attention[]>`
    select ${columns(db)} from attention a left join merchant_accounts m on m.id = a.merchant_id
    where a.id = ${id} ${merchantId === null ? db`` : db`and a.merchant_id = ${merchantId}`}`
  return row ?? null
}

/**
 * When two people resolve an item at once, one succeeds. An item that this same transaction closed, because the act
 * moved the order on, still counts as resolved by this person; so does one that was dismissed before.
 * @returns whether it was.
 */
export async function resolveAttention(
  tx: Tx,
  a: { id: string; by: string; resolution: string; now: Date },
): Promise<boolean> {
  const rows = await tx`
    update attention set resolved_at = ${a.now}, resolved_by = ${a.by}, resolution = ${a.resolution}
    where id = ${a.id} and (resolved_at is null or xid = pg_current_xact_id()
      or (resolution = 'dismiss' and ${a.resolution} <> 'dismiss'))
    returning 1`
  return rows.length === 1
}

/** What an item is about. */
export interface Subject {
  merchantId: string
  livemode: boolean
  orderNo: string
}

/** What is open of this cause is shown with other evidence. @returns whether something is. */
export async function renewAttention(db: Db, { cause, evidence, actions }: NewAttention): Promise<boolean> {
  const rows = await db`
    update attention set evidence = ${db.json(evidence)}, actions = ${actions as string[]}
    where cause = ${cause} and resolved_at is null returning 1`
  return rows.length > 0
}

/** One open item per cause: the same cause again changes nothing. @returns whether there is a new one. */
export async function insertAttention(
  db: Db,
  about: { merchantId: string | null; livemode: boolean; orderNo: string | null },
  wish: NewAttention,
  now: Date,
): Promise<boolean> {
  const rows = await db`
    insert into attention (id, merchant_id, livemode, order_no, kind, cause, evidence, actions, created_at)
    values (${newId('att', now)}, ${about.merchantId}, ${about.livemode}, ${about.orderNo}, ${wish.kind}, ${wish.cause},
      ${db.json(wish.evidence)}, ${wish.actions as string[]}, ${now})
    on conflict (cause) where resolved_at is null do nothing
    returning 1`
  return rows.length === 1
}

/** As above; evidence that changed meanwhile is shown as it is now. @returns the id of a new item, or null. */
export async function putAttention(
  tx: Tx,
  about: { merchantId: string | null; livemode: boolean; orderNo: null },
  wish: NewAttention,
  now: Date,
): Promise<string | null> {
  const id = newId('att', now)
  const rows = await tx<{ id: string }[]>`
    insert into attention (id, merchant_id, livemode, order_no, kind, cause, evidence, actions, created_at)
    values (${id}, ${about.merchantId}, ${about.livemode}, ${about.orderNo}, ${wish.kind}, ${wish.cause},
      ${tx.json(wish.evidence)}, ${wish.actions as string[]}, ${now})
    on conflict (cause) where resolved_at is null do update set evidence = excluded.evidence, actions = excluded.actions
      where attention.evidence::jsonb <> excluded.evidence::jsonb or attention.actions <> excluded.actions
    returning id`
  return rows[0]?.id === id ? id : null
}

/** Whether this cause opened another item since then, open or not. */
export async function wasOpenedSince(db: Db, a: { cause: string; id: string; since: Date }): Promise<boolean> {
  const rows = await db`
    select 1 from attention
    where id >= ${firstIdAt('att', a.since)} and cause = ${a.cause} and id <> ${a.id} limit 1`
  return rows.length === 1
}

/** How many items are open, by kind; no more than 10,000 are counted. */
export function countOpenAttention(db: Db): Promise<{ kind: string; livemode: boolean; count: bigint }[]> {
  return db`
    select kind, livemode, count(*) from (
      select kind, livemode from attention where resolved_at is null limit 10000) open
    group by kind, livemode order by kind, livemode`
}

/** Closes what is open of these causes' prefixes and not among `causes`. */
export function closeOtherCauses(
  tx: Tx,
  a: { prefixes: readonly string[]; causes: readonly string[]; resolution: string },
  now: Date,
): Promise<unknown> {
  return tx`
    update attention set resolved_at = ${now}, resolved_by = 'system', resolution = ${a.resolution}
    where resolved_at is null and not cause = any(${a.causes as string[]})
      and exists (select from unnest(${a.prefixes as string[]}::text[]) as one (prefix) where starts_with(cause, prefix))`
}

/** Whether an item of this kind was opened for another order since then, open or not. */
export async function wasRaisedSince(db: Db, a: { kind: string; orderNo: string; since: Date }): Promise<boolean> {
  // Ids sort by time: the newest are the end of the primary key.
  const rows = await db`
    select 1 from attention
    where id >= ${firstIdAt('att', a.since)} and kind = ${a.kind} and order_no <> ${a.orderNo} limit 1`
  return rows.length === 1
}

/** Items that resolved themselves stay on record like those a person resolved. */
export function closeAttention(tx: Tx, about: Subject, over: AttentionOver, now: Date): Promise<unknown> {
  return tx`
    update attention set resolved_at = ${now}, resolved_by = 'system', resolution = ${over.resolution}
    where merchant_id = ${about.merchantId} and livemode = ${about.livemode} and resolved_at is null
      and order_no = ${about.orderNo} and kind = ${over.kind}
      and (${over.cause}::text is null or cause = ${over.cause}
        or (kind = 'refund_approval' and starts_with(cause, ${`${over.cause}:`})))`
}

export function closeCauses(tx: Tx, causes: readonly string[], resolution: string, now: Date): Promise<unknown> {
  return tx`
    update attention set resolved_at = ${now}, resolved_by = 'system', resolution = ${resolution}
    where cause = any(${causes as string[]}) and resolved_at is null`
}

/**
 * Ends what time alone ends, oldest first: approval requests that nobody answered in time, and failed pushes that the
 * contract no longer counts. @returns how many.
 */
export async function lapseItems(sql: Sql, a: { now: Date; approvalsBefore: Date }): Promise<number> {
  const rows = await sql`
    update attention set resolved_at = ${a.now}, resolved_by = 'system', resolution = 'lapsed'
    where id in (
      (select id from attention
       where resolved_at is null and kind = 'refund_approval' and created_at <= ${a.approvalsBefore}
       order by created_at limit 500)
      union all
      (select id from attention
       where resolved_at is null and kind = 'push_failed' and (evidence->>'lapses_at')::timestamptz <= ${a.now}
       order by created_at limit 500))
    returning 1`
  return rows.length
}

export async function countOpenOf(db: Db, a: { merchantId: string; livemode: boolean }): Promise<number> {
  const [row] = await db<{ n: number }[]>`
    select count(*)::int as n from attention
    where merchant_id = ${a.merchantId} and livemode = ${a.livemode} and resolved_at is null`
  return row?.n ?? 0
}

/** Items of a kind that are older than `before` end by themselves. @returns how many. */
export async function lapseAttention(sql: Sql, a: { kind: string; now: Date; before: Date }): Promise<number> {
  const rows = await sql`
    update attention set resolved_at = ${a.now}, resolved_by = 'system', resolution = 'lapsed'
    where id in (
      select id from attention where resolved_at is null and kind = ${a.kind} and created_at <= ${a.before}
      order by created_at limit 500)
    returning 1`
  return rows.length
}

/** Items that changed in a transaction from `since` on, as rows of the stream of changes. */
export const attentionChanges = (db: Db, a: { since: string; limit: number }): Query<Row[]> => db`
  select 'attention', merchant_id, livemode, order_no, id, xid::text::bigint from attention
  where xid >= ${a.since}::text::xid8 and xid < pg_snapshot_xmax(pg_current_snapshot()) limit ${a.limit}`
