// HTTP routes of API keys in the console (contract.md 2), except for the test event, which belongs to webhooks.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { parseLine } from '@florin/platform/http/label'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import {
  KEY_ROTATE_GRACE_MAX_S,
  KEY_ROTATE_GRACE_S,
  NAME_MAX,
  scopes,
  WEBHOOK_SECRET_OVERLAP_MAX_S,
} from '@florin/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { changeKey, createKey, revokeKey, rotateKey, rotateWebhookSecret } from './change.ts'
import { parseExpiry, requireLiveRail } from './rules.ts'
import { findKey, listKeys } from './store.ts'
import { KeyView, keyFields, Mode, ScopeName, viewKey } from './view.ts'

const closed = { additionalProperties: false }
const security = [{ consoleToken: [] }]
const tags = ['console: API keys']
const path = '/api/v1/boss/appkeys'
// A malformed id is looked up and not found, like the id of another merchant's key.
const params = Type.Object({ id: Type.String() }, closed)
const Name = Type.String({ description: `One line of 1 to ${NAME_MAX} characters` })
const Scopes = Type.Array(ScopeName, { minItems: 1, maxItems: scopes.length, uniqueItems: true })
const Secret = (what: string) => Type.String({ description: `${what}. Shown in this answer only.` })
const nameOf = (text: string): string => parseLine(text, { param: 'name', max: NAME_MAX })

/** For calls without required fields: no body at all counts as an empty one. */
async function allowNoBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}

type KeyDeps = {
  sql: Sql
  clock: Clock
  config: Config
  secrets: Secrets
  wake: Wakes
  rails: { readonly hasLiveRail: boolean }
}

export function keyRoutes(app: App, deps: KeyDeps): void {
  app.post(
    path,
    {
      config: { act: 'judged' },
      schema: {
        tags,
        summary: 'Make an API key',
        description:
          'One with refunds:write asks for a fresh sign-in (403 confirmation_required). A live one where nothing carries real money is refused (422 no_live_rail).',
        security,
        body: Type.Object(
          {
            name: Name,
            mode: Type.Optional(Mode),
            scopes: Type.Optional(Scopes),
            expires_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
          },
          closed,
        ),
        response: {
          200: Envelope(
            Type.Object(
              {
                ...keyFields,
                api_key: Secret('What the server sends as X-API-Key'),
                webhook_secret: Secret('What webhooks are signed with'),
              },
              closed,
            ),
          ),
        },
      },
    },
    async ({ merchant, body }) => {
      requireLiveRail(body.mode, deps.rails.hasLiveRail)
      const { key, apiKey, webhookSecret } = await createKey(deps, merchant, {
        name: nameOf(body.name),
        mode: body.mode,
        scopes: body.scopes,
        expiresAt: parseExpiry(body.expires_at ?? null, deps.clock.now()),
      })
      return envelope({ ...viewKey(key), api_key: apiKey, webhook_secret: webhookSecret })
    },
  )

  app.get(
    path,
    {
      schema: {
        tags,
        summary: 'API keys, newest first, revoked ones too',
        security,
        querystring: Type.Object(
          {
            ...PageQuery,
            livemode: Type.Optional(Type.Enum(['true', 'false'])),
          },
          closed,
        ),
        response: { 200: Envelope(Page(KeyView)) },
      },
    },
    async ({ merchant, query }) => {
      const limit = readLimit(query)
      const livemode = query.livemode === undefined ? null : query.livemode === 'true'
      const before = readIdCursor(query.cursor, 'key')
      const rows = await listKeys(deps.sql, { merchantId: merchant.id, livemode, before, limit: limit + 1 })
      return envelope(pageOf(rows, limit, viewKey, (row) => [row.id]))
    },
  )

  app.get(
    `${path}/:id`,
    { schema: { tags, summary: 'One API key', security, params, response: { 200: Envelope(KeyView) } } },
    async ({ merchant, params: { id } }) => {
      const key = await findKey(deps.sql, merchant.id, id)
      if (key === null) throw new AppError('api_key_not_found')
      return envelope(viewKey(key))
    },
  )

  app.patch(
    `${path}/:id`,
    {
      config: { act: 'judged' },
      schema: {
        tags,
        summary: 'Rename an API key or change its scopes',
        description: 'To add refunds:write asks for a fresh sign-in (403 confirmation_required).',
        security,
        params,
        body: Type.Object({ name: Type.Optional(Name), scopes: Type.Optional(Scopes) }, closed),
        response: { 200: Envelope(KeyView) },
      },
    },
    async ({ merchant, params: { id }, body }) => {
      const name = body.name === undefined ? undefined : nameOf(body.name)
      const { key } = await changeKey(deps, merchant, id, { name, scopes: body.scopes })
      return envelope(viewKey(key))
    },
  )

  app.post(
    `${path}/:id/rotate`,
    {
      config: { act: 'fresh' },
      preValidation: allowNoBody,
      schema: {
        tags,
        summary: 'Give a key a new secret; the old one works on for a while',
        description: 'Asks for a fresh sign-in (403 confirmation_required).',
        security,
        params,
        body: Type.Object(
          { grace_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: KEY_ROTATE_GRACE_MAX_S })) },
          closed,
        ),
        response: {
          200: Envelope(
            Type.Object({ ...keyFields, api_key: Secret('The new key'), old_key_ends_at: Type.String() }, closed),
          ),
        },
      },
    },
    async ({ merchant, params: { id }, body }) => {
      const graceS = body.grace_seconds ?? KEY_ROTATE_GRACE_S
      const { key, apiKey, oldEndsAt } = await rotateKey(deps, merchant, id, graceS)
      return envelope({ ...viewKey(key), api_key: apiKey, old_key_ends_at: oldEndsAt.toISOString() })
    },
  )

  app.post(
    `${path}/:id/webhook-secret/rotate`,
    {
      config: { act: 'fresh' },
      preValidation: allowNoBody,
      schema: {
        tags,
        summary: 'Replace the secret that signs webhooks; with an overlap both sign',
        description: 'Asks for a fresh sign-in (403 confirmation_required).',
        security,
        params,
        body: Type.Object(
          { overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: WEBHOOK_SECRET_OVERLAP_MAX_S })) },
          closed,
        ),
        response: {
          200: Envelope(
            Type.Object(
              { ...keyFields, webhook_secret: Secret('The new secret'), old_secret_ends_at: Type.String() },
              closed,
            ),
          ),
        },
      },
    },
    async ({ merchant, params: { id }, body }) => {
      const overlapS = body.overlap_seconds ?? 0
      const { key, webhookSecret, oldEndsAt } = await rotateWebhookSecret(deps, merchant, id, overlapS)
      return envelope({
        ...viewKey(key),
        webhook_secret: webhookSecret,
        old_secret_ends_at: oldEndsAt.toISOString(),
      })
    },
  )

  app.delete(
    `${path}/:id`,
    {
      config: { act: 'harmless' },
      schema: { tags, summary: 'Revoke an API key', security, params, response: { 200: Envelope(KeyView) } },
    },
    async ({ merchant, params: { id } }) => {
      const { key } = await revokeKey(deps, merchant, id)
      return envelope(viewKey(key))
    },
  )
}
