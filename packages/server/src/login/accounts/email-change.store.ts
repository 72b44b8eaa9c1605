// The SQL of email_changes.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'

export interface EmailChange {
  id: string
  merchantId: string
  oldEmail: string
  newEmail: string
  askedBy: string
  byOperator: boolean
  oldApprovedAt: Date | null
  newApprovedAt: Date | null
  effectiveAt: Date | null
  createdAt: Date
  expiresAt: Date
}

export type Outcome = 'done' | 'canceled' | 'taken' | 'lapsed'

const columns = (db: Db) => db`
  id, merchant_id as "merchantId", old_email as "oldEmail", new_email as "newEmail", asked_by as "askedBy",
  by_operator as "byOperator", old_approved_at as "oldApprovedAt", new_approved_at as "newApprovedAt",
  effective_at as "effectiveAt", created_at as "createdAt", expires_at as "expiresAt"`

/** The open one; null: none. */
export async function findOpen(db: Db, merchantId: string): Promise<EmailChange | null> {
  const [row] = await db<EmailChange[]>`
    select ${columns(db)} from email_changes where merchant_id = ${merchantId} and ended_at is null`
  return row ?? null
}

/** The open ones of these accounts. */
export function listOpen(sql: Sql, merchantIds: readonly string[]): Promise<EmailChange[]> {
  return sql<EmailChange[]>`
    select ${columns(sql)} from email_changes
    where merchant_id = any(${merchantIds as string[]}::text[]) and ended_at is null`
}

export async function countSince(tx: Tx, merchantId: string, since: Date, max: number): Promise<number> {
  const rows = await tx`
    select 1 from email_changes where merchant_id = ${merchantId} and created_at > ${since} limit ${max}`
  return rows.length
}

export function insertChange(tx: Tx, c: EmailChange): Promise<unknown> {
  return tx`
    insert into email_changes (id, merchant_id, old_email, new_email, asked_by, by_operator, created_at, expires_at)
    values (${c.id}, ${c.merchantId}, ${c.oldEmail}, ${c.newEmail}, ${c.askedBy}, ${c.byOperator}, ${c.createdAt},
            ${c.expiresAt})`
}

export function saveApproval(
  tx: Tx,
  a: { id: string; oldApprovedAt: Date | null; newApprovedAt: Date | null; effectiveAt: Date | null },
): Promise<unknown> {
  return tx`
    update email_changes set old_approved_at = ${a.oldApprovedAt}, new_approved_at = ${a.newApprovedAt},
      effective_at = ${a.effectiveAt}
    where id = ${a.id}`
}

export function endChange(tx: Tx, id: string, outcome: Outcome, now: Date): Promise<unknown> {
  return tx`update email_changes set outcome = ${outcome}, ended_at = ${now} where id = ${id}`
}

/** What is due to be applied or deleted. */
export function listDue(sql: Sql, now: Date): Promise<{ merchantId: string }[]> {
  return sql<{ merchantId: string }[]>`
    select merchant_id as "merchantId" from email_changes
    where ended_at is null and coalesce(effective_at, expires_at) <= ${now}
    order by coalesce(effective_at, expires_at) limit 100`
}

/** Every address that the merchant ever signed in with, the current one first. */
export async function listEmailsOnFile(tx: Tx, merchantId: string, current: string): Promise<string[]> {
  const rows = await tx<{ email: string }[]>`
    select distinct old_email as email from email_changes
    where merchant_id = ${merchantId} and outcome = 'done' and old_email <> ${current} limit 20`
  return [current, ...rows.map((row) => row.email)]
}

export function saveEmail(tx: Tx, merchantId: string, email: string): Promise<unknown> {
  return tx`update merchants set email = ${email} where id = ${merchantId}`
}
