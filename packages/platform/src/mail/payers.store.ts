// The SQL of payer_mails and payer_mail_stops.
import { holdLock } from '../db/locks/advisory-locks.ts'
import type { Sql } from '../db/pool.ts'
import type { Db, Tx } from '../db/tx.ts'

/**
 * From here to the commit nobody else mails this mailbox: a row that no other transaction can see yet would be counted
 * by none of them.
 */
export function lockMailbox(tx: Tx, mailbox: Uint8Array): Promise<unknown> {
  return holdLock(tx, 'payer mailbox', Buffer.from(mailbox).toString('hex'))
}

export async function isStopped(db: Db, a: { mailboxes: readonly Uint8Array[]; merchantId: string }): Promise<boolean> {
  const rows = await db`
    select 1 from payer_mail_stops
    where mailbox = any(${a.mailboxes as Uint8Array[]}::bytea[]) and merchant_id in ('', ${a.merchantId}) limit 1`
  return rows.length > 0
}

/** As `lockMailbox`, for what is counted over the test orders of a merchant. Callers lock merchants first, each in the order of ids. */
export function lockTests(tx: Tx, merchantId: string): Promise<unknown> {
  return holdLock(tx, 'test mails of a merchant', merchantId)
}

/** Oldest first, at most as many as one merchant's test orders may mail in that time. */
export async function listTestMails(tx: Tx, a: { merchantId: string; since: Date; limit: number }): Promise<Date[]> {
  const rows = await tx<{ at: Date }[]>`
    select at from payer_mails where merchant_id = ${a.merchantId} and is_test and at > ${a.since}
    order by at limit ${a.limit}`
  return rows.map(({ at }) => at)
}

export interface PayerMail {
  merchantId: string
  isInvoice: boolean
  at: Date
}

/** Oldest first. There are at most as many as one mailbox gets in that time. */
export function listPayerMails(tx: Tx, a: { mailbox: Uint8Array; since: Date; limit: number }): Promise<PayerMail[]> {
  return tx<PayerMail[]>`
    select merchant_id as "merchantId", is_invoice as "isInvoice", at from payer_mails
    where mailbox = ${a.mailbox} and at > ${a.since} order by at limit ${a.limit}`
}

export function insertPayerMail(tx: Tx, a: PayerMail & { mailbox: Uint8Array; isTest: boolean }): Promise<unknown> {
  return tx`
    insert into payer_mails (mailbox, merchant_id, is_invoice, is_test, at)
    values (${a.mailbox}, ${a.merchantId}, ${a.isInvoice}, ${a.isTest}, ${a.at})`
}

export async function deletePayerMails(sql: Sql, before: Date): Promise<number> {
  const rows = await sql`
    delete from payer_mails where id in (select id from payer_mails where at < ${before} order by at limit 1000)
    returning 1`
  return rows.length
}

/** @param a.merchantId empty: of any shop. */
export function insertStop(tx: Tx, a: { mailbox: Uint8Array; merchantId: string; now: Date }): Promise<unknown> {
  return tx`
    insert into payer_mail_stops (mailbox, merchant_id, stopped_at) values (${a.mailbox}, ${a.merchantId}, ${a.now})
    on conflict (mailbox, merchant_id) do nothing`
}

/** Of this shop and of any. */
export function deleteStops(tx: Tx, a: { mailbox: Uint8Array; merchantId: string }): Promise<unknown> {
  return tx`delete from payer_mail_stops where mailbox = ${a.mailbox} and merchant_id in ('', ${a.merchantId})`
}
