// The SQL of mail_notices.
import type { Sql } from '../db/pool.ts'
import type { SealedRow, SealedRows } from '../db/reseal.ts'
import type { Tx } from '../db/tx.ts'

/** What is counted apart, in the order in which it goes out. */
export const weights = ['addresses', 'matters', 'refunds', 'routine'] as const
export type Weight = (typeof weights)[number]

/** How many of this weight there were since then, mailed or waiting; counted up to `max`. */
export async function countNotices(
  tx: Tx,
  a: { merchantId: string; weight: Weight; since: Date; max: number },
): Promise<number> {
  const rows = await tx`
    select 1 from mail_notices
    where merchant_id = ${a.merchantId} and weight = ${a.weight} and created_at > ${a.since} limit ${a.max}`
  return rows.length
}

export function insertNotice(
  tx: Tx,
  a: {
    id: string
    merchantId: string
    weight: Weight
    email: string
    sealed: { keyId: string; box: Uint8Array } | null
    now: Date
  },
): Promise<unknown> {
  return tx`
    insert into mail_notices (id, merchant_id, weight, email, key_id, box, created_at, mailed_at)
    values (${a.id}, ${a.merchantId}, ${a.weight}, ${a.email}, ${a.sealed?.keyId ?? null}, ${a.sealed?.box ?? null},
            ${a.now}, ${a.sealed === null ? a.now : null})`
}

/** Merchants whose digest is due: their oldest waiting notice is older than `before`. */
export function listDigestsDue(
  sql: Sql,
  a: { weight: Weight; before: Date; limit: number },
): Promise<{ merchantId: string; email: string }[]> {
  return sql<{ merchantId: string; email: string }[]>`
    select distinct merchant_id as "merchantId", email from mail_notices
    where weight = ${a.weight} and mailed_at is null and created_at <= ${a.before} limit ${a.limit}`
}

export interface WaitingNotice {
  id: string
  keyId: string
  box: Uint8Array
}

/** Oldest first; with two workers each notice goes into one digest. */
export function claimNotices(
  tx: Tx,
  a: { merchantId: string; email: string; weight: Weight; limit: number },
): Promise<WaitingNotice[]> {
  return tx<WaitingNotice[]>`
    select id, key_id as "keyId", box from mail_notices
    where merchant_id = ${a.merchantId} and email = ${a.email} and weight = ${a.weight} and mailed_at is null
    order by id limit ${a.limit} for update skip locked`
}

export function markMailed(tx: Tx, ids: readonly string[], now: Date): Promise<unknown> {
  return tx`
    update mail_notices set mailed_at = ${now}, key_id = null, box = null where id = any(${ids as string[]})`
}

/** Deletes what no cap counts any more. @returns how many, at most 1000. */
export async function sweepNotices(sql: Sql, before: Date): Promise<number> {
  const rows = await sql`
    delete from mail_notices where id = any(array(
      select id from mail_notices where created_at < ${before} and mailed_at is not null order by created_at limit 1000))
    returning 1`
  return rows.length
}

export const noticeContext = (id: string): string => `notice ${id}`

export const sealedNotices: SealedRows = {
  what: 'notices that wait for their digest',
  contextOf: noticeContext,
  count: (sql) => sql<{ keyId: string; count: number }[]>`
    select key_id as "keyId", count(*)::int as count from mail_notices where mailed_at is null group by key_id limit 100`,
  list: (sql, a) => sql<SealedRow[]>`
    select id, key_id as "keyId", box from mail_notices
    where mailed_at is null and key_id <> ${a.keyId} and id > ${a.after} order by id limit ${a.limit}`,
  replace: (tx, { id, from, to }) =>
    tx`update mail_notices set key_id = ${to.keyId}, box = ${to.box} where id = ${id} and key_id = ${from}`,
}
