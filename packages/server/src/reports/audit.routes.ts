// HTTP routes of the audit log (contract.md 5): who did what to keys, addresses and refunds.

import { type AuditRow, listAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import type { AuditItem } from '@florin/protocol'
import { Type } from 'typebox'

const closed = { additionalProperties: false }
const Text = Type.String()

const AuditSchema = Type.Object(
  {
    id: Text,
    actor: Text,
    action: Text,
    subject: Text,
    detail: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
    created_at: Type.String({ format: 'date-time' }),
  },
  { ...closed, title: 'AuditEntry' },
)

export function auditRoutes(app: App, deps: { sql: Sql }): void {
  app.get(
    '/api/v1/boss/audit',
    {
      schema: {
        tags: ['console: reports'],
        summary: 'Who did what',
        description: 'Newest first; append-only.',
        security: [{ consoleToken: [] }],
        querystring: Type.Object(PageQuery, closed),
        response: { 200: Envelope(Page(AuditSchema)) },
      },
    },
    async ({ merchant, query }) => {
      const limit = readLimit(query)
      const before = readIdCursor(query.cursor, 'aud')
      const rows = await listAudit(deps.sql, { merchantId: merchant.id, before, limit: limit + 1 })
      return envelope(pageOf(rows, limit, viewAudit, (row) => [row.id]))
    },
  )
}

function viewAudit(row: AuditRow): AuditItem {
  const { id, actor, action, subject, detail } = row
  return { id, actor, action, subject, detail, created_at: row.createdAt.toISOString() }
}
