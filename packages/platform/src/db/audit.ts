// Writes the audit log: who did what to keys, addresses and refunds. Append-only (enforced by a trigger); a row is
// written in the same transaction as the change it records.
import { newId } from '../ids.ts'
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
