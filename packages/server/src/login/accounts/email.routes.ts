// HTTP routes of an email change: a merchant requests, reads and cancels it; an operator requests it where the mailbox
// is lost, and cancels anybody's.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import type { App } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import type { Job } from '@florin/platform/worker/job'
import { MINUTE_MS } from '@florin/protocol'
import { Type } from 'typebox'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { parseEmail } from '../rules.ts'
import { findOpen } from './email-change.store.ts'
import { askEmailChange, cancelByOperator, cancelEmailChange, type EmailDeps, endDueChanges } from './email-change.ts'
import { Reason, readReason } from './routes.ts'
import { ChangeView, viewChange } from './view.ts'

const closed = { additionalProperties: false }
const path = '/api/v1/boss/email'
const EmailText = Type.String({ minLength: 1, maxLength: 1000, description: 'An email address' })
const about = (tag: string, summary: string, description: string) => ({
  tags: [tag],
  summary,
  description,
  security: [{ consoleToken: [] }],
})

export function emailRoutes(
  app: App,
  deps: { sql: Sql; clock: Clock; config: Config; secrets: Secrets; wake: Wakes },
): void {
  app.get(
    path,
    {
      schema: {
        ...about('console: sign-in', 'The change of email that is open', 'null: none.'),
        response: { 200: Envelope(Type.Union([ChangeView, Type.Null()])) },
      },
    },
    async ({ merchant }) => {
      const open = await findOpen(deps.sql, merchant.id)
      return envelope(open === null ? null : viewChange(open))
    },
  )
  app.post(
    path,
    {
      config: { act: 'fresh' },
      schema: {
        ...about(
          'console: sign-in',
          'Ask for another email',
          'Both mailboxes say yes by a link; 24 hours later it changes and all sessions end. Five times a day.',
        ),
        body: Type.Object({ email: EmailText }, closed),
        response: { 200: Envelope(ChangeView) },
      },
    },
    async ({ merchant, body }) => {
      const asked = { merchantId: merchant.id, actor: merchant.email, byOperator: false, reason: null }
      const newEmail = parseEmail(body.email)
      return envelope(viewChange(await askEmailChange(deps, { ...asked, newEmail, session: merchant })))
    },
  )
  app.delete(
    path,
    {
      config: { act: 'harmless' },
      schema: {
        ...about('console: sign-in', 'Cancel the change of email that is open', 'From any session, at once.'),
        response: { 200: Envelope(Type.Object({}, closed)) },
      },
    },
    async ({ merchant }) => {
      const a = { merchantId: merchant.id, changeId: null, actor: merchant.email }
      if (!(await withTx(deps.sql, (tx) => cancelEmailChange(deps, tx, a, deps.clock.now()))))
        throw new AppError('change_not_found')
      deps.wake.mail.fire()
      return envelope({})
    },
  )
  app.post(
    '/api/v1/boss/merchants/:id/email',
    {
      config: { operator: true, act: 'fresh' },
      schema: {
        ...about(
          'console: operator',
          'Give an account another email, where its mailbox is lost',
          'The new mailbox says yes; every address on file gets a link that cancels; 72 hours later it changes.',
        ),
        params: Type.Object({ id: Type.String() }, closed),
        body: Type.Object({ email: EmailText, reason: Reason }, closed),
        response: { 200: Envelope(ChangeView) },
      },
    },
    async ({ merchant, params, body }) => {
      const asked = { merchantId: params.id, actor: `operator:${merchant.email}`, byOperator: true, session: null }
      const wish = { newEmail: parseEmail(body.email), reason: readReason(body.reason) }
      return envelope(viewChange(await askEmailChange(deps, { ...asked, ...wish })))
    },
  )
  app.post(
    '/api/v1/boss/merchants/:id/email/cancel',
    {
      config: { operator: true, act: 'fresh' },
      schema: {
        ...about(
          'console: operator',
          'Cancel the change of email that is open on an account',
          'Whoever asked for it. Every address on file is told, with the reason.',
        ),
        params: Type.Object({ id: Type.String() }, closed),
        body: Type.Object({ reason: Reason }, closed),
        response: { 200: Envelope(Type.Object({}, closed)) },
      },
    },
    async ({ merchant, params, body }) => {
      const actor = `operator:${merchant.email}`
      await cancelByOperator(deps, { merchantId: params.id, actor, reason: readReason(body.reason) })
      return envelope({})
    },
  )
}

export const emailChangeJob = (deps: EmailDeps): Job => ({
  name: 'email-changes',
  everyMs: MINUTE_MS,
  run: () => endDueChanges(deps),
})
