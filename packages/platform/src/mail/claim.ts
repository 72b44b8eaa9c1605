// Claims waiting mail from the outbox and finishes or releases it. A claim is a lease: `due_at` moves ahead by it, so
// when a worker dies its mail goes to the next one, and only the newest claim may finish a row.
import type { Sql } from '../db/pool.ts'
import type { SealedRow, SealedRows } from '../db/reseal.ts'
import type { Query, Row } from '../db/sql.ts'
import type { Db } from '../db/tx.ts'

export interface ClaimedMail {
  id: string
  keyId: string
  box: Uint8Array
  /** Including this try; identifies the claim. */
  attempts: number
  dropAfter: Date
}

/**
 * Up to `limit` due mails by their turn, of one turn the longest due first; skip locked lets several workers claim side by
 * side. The array makes the inner select run once: joined, it could be run again and lock more than it may.
 */
export function claimMail(sql: Sql, a: { now: Date; leaseMs: number; limit: number }): Promise<ClaimedMail[]> {
  return sql<ClaimedMail[]>`
    with claimed as (
      update mail_outbox set attempts = attempts + 1, due_at = ${new Date(a.now.getTime() + a.leaseMs)}
      where id = any(array(
        select id from mail_outbox where due_at <= ${a.now} order by turn, due_at, id limit ${a.limit}
        for update skip locked
      ))
      returning id, key_id, box, attempts, drop_after, turn, created_at
    )
    select id, key_id as "keyId", box, attempts, drop_after as "dropAfter" from claimed order by turn, created_at, id`
}

/** Context of a waiting mail's seal: a box that is copied to another row does not open. */
export function mailContext(id: string): string {
  return `mail ${id}`
}

/** The mail was sent or given up. */
export function finishMail(sql: Sql, mail: ClaimedMail): Promise<unknown> {
  return sql`delete from mail_outbox where id = ${mail.id} and attempts = ${mail.attempts}`
}

export function postponeMail(sql: Sql, mail: ClaimedMail, dueAt: Date): Promise<unknown> {
  return sql`update mail_outbox set due_at = ${dueAt} where id = ${mail.id} and attempts = ${mail.attempts}`
}

export const sealedMails: SealedRows = {
  what: 'waiting mails',
  contextOf: mailContext,
  count: (sql, now) => sql<{ keyId: string; count: number }[]>`
    select key_id as "keyId", count(*)::int as count from mail_outbox where drop_after > ${now} group by key_id limit 100`,
  list: (sql, a) => sql<SealedRow[]>`
    select id, key_id as "keyId", box from mail_outbox
    where key_id <> ${a.keyId} and id > ${a.after} and drop_after > ${a.now} order by id limit ${a.limit}`,
  replace: (tx, { id, from, to }) =>
    tx`update mail_outbox set key_id = ${to.keyId}, box = ${to.box} where id = ${id} and key_id = ${from}`,
}

/** How many mails wait, and since when those that were tried or are late. */
export const mailQueue = (db: Db, now: Date, max: number): Query<Row[]> => db`
  select 'mails' as queue, count(*)::int as count, min(created_at) filter (where attempts > 0 or due_at < ${now}) as since from (
    select created_at, attempts, due_at from mail_outbox limit ${max}) q`
