// HTTP routes of confirming a session: request a code, submit it, read the state.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import type { App } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import type { Log } from '@florin/platform/worker/job'
import { LOGIN_CODE_MS, LOGIN_CODE_RESEND_MS } from '@florin/protocol'
import { Type } from 'typebox'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { confirm, requestConfirmation } from './confirm.ts'
import { freshUntil } from './guard.ts'
import { findLiveSession } from './store.ts'

const closed = { additionalProperties: false }
const path = '/api/v1/boss/confirmation'
const about = (summary: string, description: string) => ({
  tags: ['console: sign-in'],
  summary,
  description,
  security: [{ consoleToken: [] }],
})

export function confirmationRoutes(
  app: App,
  deps: { sql: Sql; clock: Clock; config: Config; secrets: Secrets; wake: Wakes; log: Log },
): void {
  app.get(
    path,
    {
      schema: {
        ...about(
          'What this session may do',
          'What can move money asks for a fresh sign-in. A new receiving address counts at once only if the browser is known too.',
        ),
        response: {
          200: Envelope(
            Type.Object(
              {
                is_fresh: Type.Boolean(),
                fresh_until: Type.String(),
                is_known_browser: Type.Boolean({ description: 'It first signed in 24 hours ago or earlier' }),
                is_operator: Type.Boolean({ description: 'It may call what is for operators' }),
              },
              closed,
            ),
          ),
        },
      },
    },
    async ({ merchant }) => {
      const { id: merchantId, sessionId, isFresh, isKnownBrowser, isOperator, browser } = merchant
      const now = deps.clock.now()
      const session = await findLiveSession(deps.sql, { id: sessionId, merchantId, browser, now })
      if (session === null) throw new AppError('invalid_token')
      const until = freshUntil(session, deps.config).toISOString()
      const proofs = { is_fresh: isFresh, fresh_until: until, is_known_browser: isKnownBrowser }
      return envelope({ ...proofs, is_operator: isOperator })
    },
  )

  app.post(
    `${path}/code`,
    {
      config: { act: 'harmless' },
      schema: {
        ...about(
          'Mail a confirmation code',
          'After 403 confirmation_required. A code a minute and 10 an hour in a session.',
        ),
        body: Type.Optional(Type.Object({}, closed)),
        response: {
          200: Envelope(
            Type.Object({ sent: Type.Literal(true), expires_in: Type.Integer(), resend_after: Type.Integer() }, closed),
          ),
        },
      },
    },
    async ({ merchant }) => {
      await requestConfirmation(deps, merchant)
      return envelope({
        sent: true as const,
        expires_in: LOGIN_CODE_MS / 1000,
        resend_after: LOGIN_CODE_RESEND_MS / 1000,
      })
    },
  )

  app.post(
    path,
    {
      config: { act: 'harmless' },
      schema: {
        ...about(
          'Confirm with the mailed code',
          'The session is fresh from now on. Five wrong codes void the code, ten end the session.',
        ),
        body: Type.Object(
          { code: Type.String({ minLength: 1, maxLength: 100, description: 'The six digits of the mail.' }) },
          closed,
        ),
        response: {
          200: Envelope(Type.Object({ is_fresh: Type.Literal(true), fresh_until: Type.String() }, closed)),
        },
      },
    },
    async ({ merchant, body }) => {
      const until = await confirm(deps, merchant, body.code)
      return envelope({ is_fresh: true as const, fresh_until: until.toISOString() })
    },
  )
}
