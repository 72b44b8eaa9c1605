// SQL that reads the audit log; platform/db/audit writes it, beside the changes it records.
import type { Sql } from '@florin/platform/db/pool'

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
