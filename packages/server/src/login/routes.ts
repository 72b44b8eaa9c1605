// HTTP routes of sign-in (contract.md 1): the two calls without a credential, the sessions and the merchant itself.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { parseLine } from '@florin/platform/http/label'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import { type App, clientOf } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import { refuseAddress } from '@florin/platform/strangers/unlinked'
import type { Log } from '@florin/platform/worker/job'
import { LOGIN_CODE_MS, LOGIN_CODE_RESEND_MS, NAME_MAX, timeZoneNamed } from '@florin/protocol'
import { Type } from 'typebox'
import { parseChain } from '../parse-chain.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { emailRoutes } from './accounts/email.routes.ts'
import { operatorRoutes } from './accounts/routes.ts'
import { forgetBrowsers } from './browser.store.ts'
import { readBrowser, rememberBrowser, sentBrowser } from './browser.ts'
import { confirmationRoutes } from './confirmation.routes.ts'
import { changeMerchant } from './merchant.ts'
import { requestCode } from './request-code.ts'
import { askerOf, parseEmail } from './rules.ts'
import { type SignedIn, signIn, signInByLink } from './sign-in.ts'
import { findMerchant, listLiveSessions, revokeSessions } from './store.ts'
import { makeTokens } from './token.ts'
import { MerchantView, SessionView, viewMerchant, viewSession } from './view.ts'

const closed = { additionalProperties: false }
const Code = Type.String({ minLength: 1, maxLength: 100, description: 'The six digits of the mail.' })
// parseEmail has the exact rules and messages; this only bounds the length.
const EmailText = Type.String({ minLength: 1, maxLength: 1000, description: 'An email address' })
// Codes and wrong tries are counted by it; without one, by the client's address.
const Nonce = Type.Optional(
  Type.String({
    minLength: 16,
    maxLength: 200,
    description: 'A random text of the browser, the same with the code and with the sign-in',
  }),
)
const security = [{ consoleToken: [] }]
const tags = ['console: sign-in']
const Entered = Envelope(
  Type.Object(
    {
      token: Type.String({ description: 'Send it as "Authorization: Bearer <token>"; valid for 7 days' }),
      merchant: MerchantView,
      expires_at: Type.String(),
    },
    closed,
  ),
)
const Nothing = Envelope(Type.Object({}, closed))
const Revoked = Envelope(Type.Object({ revoked: Type.Integer() }, closed))

type LoginDeps = { sql: Sql; clock: Clock; config: Config; secrets: Secrets; wake: Wakes; log: Log }

export function loginRoutes(app: App, deps: LoginDeps): void {
  const tokens = makeTokens(deps.secrets)
  confirmationRoutes(app, deps)
  operatorRoutes(app, deps)
  emailRoutes(app, deps)

  app.post(
    '/api/v1/auth/code',
    {
      schema: {
        tags,
        summary: 'Send a sign-in code by mail',
        description: 'The answer is the same whether or not anybody is known by the email.',
        security: [],
        body: Type.Object({ email: EmailText, nonce: Nonce }, closed),
        response: {
          200: Envelope(
            Type.Object(
              {
                sent: Type.Literal(true),
                expires_in: Type.Integer({ description: 'Seconds that the code is valid' }),
                resend_after: Type.Integer({ description: 'Seconds until another can be asked for' }),
                code_length: Type.Integer({
                  description: '6 digits, or 12 letters and digits while strangers try codes',
                }),
              },
              closed,
            ),
          ),
        },
      },
    },
    async (request) => {
      const email = parseEmail(request.body.email)
      const client = clientOf(request.ip).slice(0, 100)
      const asker = askerOf(request.body.nonce, client)
      const browser = (merchantId: string): Uint8Array | null => readBrowser(deps, request, merchantId)
      const codeLength = await requestCode(deps, { email, client, asker, browser })
      return envelope({
        sent: true as const,
        expires_in: LOGIN_CODE_MS / 1000,
        resend_after: LOGIN_CODE_RESEND_MS / 1000,
        code_length: codeLength,
      })
    },
  )

  app.post(
    '/api/v1/auth/login',
    {
      schema: {
        tags,
        summary: 'Exchange an emailed code for a console token',
        security: [],
        // A code that is not six digits is a wrong code like any other.
        body: Type.Object({ email: EmailText, code: Code, nonce: Nonce }, closed),
        response: { 200: Entered },
      },
    },
    async (request, reply) => {
      const entered = await signIn(deps, tokens, {
        email: parseEmail(request.body.email),
        code: request.body.code,
        asker: askerOf(request.body.nonce, clientOf(request.ip).slice(0, 100)),
        ip: request.ip,
        userAgent: request.headers['user-agent'] ?? null,
        sentBrowser: (merchantId) => sentBrowser(deps, request, merchantId),
      })
      rememberBrowser(deps, { request, reply }, { merchantId: entered.merchant.id, value: entered.browser })
      return envelope(viewEntered(entered))
    },
  )

  app.post(
    '/api/v1/auth/link',
    {
      schema: {
        tags,
        summary: 'Exchange the link of a mail for a console token',
        description: 'The mail that tells of a stranger’s tries has one. It works once, within a day.',
        security: [],
        body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
        response: { 200: Entered },
      },
    },
    async (request, reply) => {
      const entered = await signInByLink(deps, tokens, {
        token: request.body.token,
        ip: request.ip,
        userAgent: request.headers['user-agent'] ?? null,
        sentBrowser: (merchantId) => sentBrowser(deps, request, merchantId),
      })
      rememberBrowser(deps, { request, reply }, { merchantId: entered.merchant.id, value: entered.browser })
      return envelope(viewEntered(entered))
    },
  )

  app.post(
    '/api/v1/boss/logout',
    {
      config: { act: 'harmless' },
      schema: { tags, summary: 'End the session of this token', security, response: { 200: Nothing } },
    },
    async ({ merchant }) => {
      await revokeSessions(deps.sql, { merchantId: merchant.id, id: merchant.sessionId, now: deps.clock.now() })
      return envelope({})
    },
  )

  app.get(
    '/api/v1/boss/sessions',
    {
      schema: {
        tags,
        summary: 'Live sessions, newest first',
        security,
        querystring: Type.Object(PageQuery, closed),
        response: { 200: Envelope(Page(SessionView)) },
      },
    },
    async ({ merchant, query }) => {
      const limit = readLimit(query)
      const before = readIdCursor(query.cursor, 'ses')
      const now = deps.clock.now()
      const rows = await listLiveSessions(deps.sql, { merchantId: merchant.id, now, before, limit: limit + 1 })
      return envelope(
        pageOf(
          rows,
          limit,
          (row) => viewSession(row, merchant.sessionId),
          (row) => [row.id],
        ),
      )
    },
  )

  app.delete(
    '/api/v1/boss/sessions',
    {
      config: { act: 'harmless' },
      schema: {
        tags,
        summary: 'End all sessions, this one too',
        description: 'No browser is known any more either.',
        security,
        response: { 200: Revoked },
      },
    },
    async ({ merchant }) => {
      await forgetBrowsers(deps.sql, merchant.id, null)
      const revoked = await revokeSessions(deps.sql, { merchantId: merchant.id, id: null, now: deps.clock.now() })
      return envelope({ revoked })
    },
  )

  app.delete(
    '/api/v1/boss/sessions/:id',
    {
      config: { act: 'harmless' },
      schema: {
        tags,
        summary: 'End one session',
        security,
        params: Type.Object({ id: Type.String() }, closed),
        response: { 200: Revoked },
      },
    },
    async ({ merchant, params }) => {
      const a = { merchantId: merchant.id, id: params.id, now: deps.clock.now() }
      const revoked = await revokeSessions(deps.sql, a)
      if (revoked === 0) throw new AppError('session_not_found')
      return envelope({ revoked })
    },
  )

  app.get(
    '/api/v1/boss/merchant',
    { schema: { tags, summary: 'The signed-in merchant', security, response: { 200: Envelope(MerchantView) } } },
    async (request) => {
      const merchant = await findMerchant(deps.sql, request.merchant.id)
      if (merchant === null) throw new AppError('invalid_token')
      return envelope(viewMerchant(merchant))
    },
  )

  app.patch(
    '/api/v1/boss/merchant',
    {
      config: { act: 'judged' },
      schema: {
        tags,
        summary: 'Change the name, the default settle chain or the time zone',
        description: 'Another default chain asks for a fresh sign-in (403 confirmation_required).',
        security,
        body: Type.Object(
          {
            name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
            default_settle_chain: Type.Optional(
              Type.Union([Type.String({ maxLength: 200, description: 'Id, alias or CAIP-2 id' }), Type.Null()]),
            ),
            time_zone: Type.Optional(
              Type.String({ maxLength: 64, description: 'IANA, such as Europe/Berlin: what days mean from now on' }),
            ),
          },
          closed,
        ),
        response: { 200: Envelope(MerchantView) },
      },
    },
    async ({ merchant, body }) => {
      const { name, default_settle_chain: chain, time_zone: zone } = body
      const changed = await changeMerchant(deps, merchant, {
        name: typeof name === 'string' ? parseShopName(name) : name,
        defaultSettleChain: typeof chain === 'string' ? parseChain(chain, 'default_settle_chain').id : chain,
        timeZone: zone === undefined ? undefined : parseZone(zone),
      })
      return envelope(viewMerchant(changed))
    },
  )
}

function parseZone(text: string): string {
  const zone = timeZoneNamed(text)
  if (zone !== null) return zone
  const message = 'time_zone takes the IANA name of a time zone, such as Europe/Berlin or UTC.'
  throw new AppError('validation_failed', { param: 'time_zone', message })
}

/** It stands in mails to payers. */
function parseShopName(text: string): string {
  const name = parseLine(text, { param: 'name', max: NAME_MAX })
  refuseAddress(name, 'name')
  return name
}

const viewEntered = ({ token, merchant, expiresAt }: SignedIn) => ({
  token,
  merchant: viewMerchant(merchant),
  expires_at: expiresAt.toISOString(),
})
