// Writes and reads the audit log: who did what to keys, addresses and refunds. Append-only (enforced by a trigger); a row is
// written in the same transaction as the change it records.
import { newId } from '../ids.ts'
import type { Sql } from './pool.ts'
import type { Tx } from './tx.ts'

export interface AuditEntry {
  merchantId: string
  /** The actor: a merchant's email, `api_key:<id>`, `operator:<email>` or `system`. */
  actor: string
  /** Past tense and dotted: `api_key.created`, `receiving_address.changed`. */
  action: string
  /** The subject: an id, a chain, an order_no. */
  subject: string
  /** Never a secret. */
  detail: Record<string, string | number | boolean | null>
}

export function recordAudit(tx: Tx, entry: AuditEntry, now: Date): Promise<unknown> {
  return tx`
    insert into audit_log (id, merchant_id, actor, action, subject, detail, created_at)
    values (${newId('aud', now)}, ${entry.merchantId}, ${entry.actor}, ${entry.action}, ${entry.subject},
            ${tx.json(entry.detail)}, ${now})`
}

export interface AuditRow {
  id: string
  actor: string
  action: string
  subject: string
  detail: Record<string, string | number | boolean | null>
  createdAt: Date
}

export function listAudit(
  sql: Sql,
  a: { merchantId: string; before: string | null; limit: number },
): Promise<AuditRow[]> {
  return sql<AuditRow[]>`
    select id, actor, action, subject, detail, created_at as "createdAt" from audit_log
    where merchant_id = ${a.merchantId} ${a.before === null ? sql`` : sql`and id < ${a.before}`}
    order by id desc limit ${a.limit}`
}

/** Erases the reasons that the entries of a merchant about a subject name. @param a.from the id that all of them are above. */
export function eraseReasons(tx: Tx, a: { merchantId: string; subject: string; from: string }): Promise<unknown> {
  return tx`
    update audit_log set detail = (detail::jsonb - 'reason')::json
    where merchant_id = ${a.merchantId} and subject = ${a.subject} and detail::jsonb ? 'reason' and id >= ${a.from}`
}
