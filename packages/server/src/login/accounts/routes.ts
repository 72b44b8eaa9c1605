// HTTP routes of operators over accounts. All require OPERATOR_EMAILS, and those that act a fresh sign-in.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { parseLine } from '@florin/platform/http/label'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import { NAME_MAX, REASON_MAX } from '@florin/protocol'
import { Type } from 'typebox'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { listOpen } from './email-change.store.ts'
import { changeStanding, type StandingAct } from './standing.ts'
import { type Account, listAccounts } from './store.ts'
import { AccountView, viewAccount } from './view.ts'

const closed = { additionalProperties: false }
const path = '/api/v1/boss/merchants'
const params = Type.Object({ id: Type.String() }, closed)
export const Reason = Type.String({ description: 'For the merchant and the audit log, in one line' })
export const readReason = (text: string): string => parseLine(text, { param: 'reason', max: REASON_MAX })

const about = (summary: string, description: string) => ({
  tags: ['console: operator'],
  summary,
  description,
  security: [{ consoleToken: [] }],
})

const acts: Readonly<Record<StandingAct, readonly [summary: string, description: string]>> = {
  suspend: [
    'Suspend an account',
    'Keys, sessions and sign-in answer 403 merchant_suspended, and payers get no further pay address; orders that have one settle.',
  ],
  resume: ['Resume a suspended account', 'Its keys and sessions work again.'],
  close: [
    'Close an account for good',
    'Keys, sessions and sign-in answer 403 merchant_closed, and payers get no further pay address; orders that have one settle.',
  ],
}

type OperatorDeps = { sql: Sql; clock: Clock; config: Config; secrets: Secrets; wake: Wakes }

export function operatorRoutes(app: App, deps: OperatorDeps): void {
  app.get(
    path,
    {
      config: { operator: true },
      schema: {
        ...about('All accounts', 'Newest first. `q`: a part of the email, or an id.'),
        querystring: Type.Object(
          { ...PageQuery, q: Type.Optional(Type.String({ minLength: 1, maxLength: NAME_MAX })) },
          closed,
        ),
        response: { 200: Envelope(Page(AccountView)) },
      },
    },
    async ({ query }) => {
      const limit = readLimit(query)
      const before = readIdCursor(query.cursor, 'mer')
      const rows = await listAccounts(deps.sql, { search: query.q ?? null, before, limit: limit + 1 })
      const view = await viewsOf(deps, rows)
      return envelope(pageOf(rows, limit, view, (row) => [row.id]))
    },
  )
  for (const act of ['suspend', 'resume', 'close'] as const) {
    app.post(
      `${path}/:id/${act}`,
      {
        config: { operator: true, act: 'fresh' },
        schema: {
          ...about(...acts[act]),
          params,
          body: Type.Object({ reason: Reason }, closed),
          response: { 200: Envelope(AccountView) },
        },
      },
      async ({ merchant, params: { id }, body }) => {
        const account = await changeStanding(deps, merchant, { merchantId: id, act, reason: readReason(body.reason) })
        return envelope((await viewsOf(deps, [account]))(account))
      },
    )
  }
}

async function viewsOf(deps: OperatorDeps, rows: readonly Account[]) {
  const ids = rows.map((row) => row.id)
  const changes = new Map((await listOpen(deps.sql, ids)).map((change) => [change.merchantId, change]))
  return (row: Account) => viewAccount(row, changes.get(row.id))
}
