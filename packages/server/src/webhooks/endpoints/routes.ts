// Webhook endpoints of an account, over /v1 and in the console (contract.md 6).
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { parseLine } from '@florin/platform/http/label'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import {
  eventKinds,
  keyModes,
  NAME_MAX,
  type Scope,
  WEBHOOK_SECRET_OVERLAP_MAX_S,
  webhookKinds,
} from '@florin/protocol'
import { Type } from 'typebox'
import { type Caller, defineRoute } from '../../define-route.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { changeEndpoint, createEndpoint, deleteEndpoint, rotateSecret } from './change.ts'
import type { Sampler } from './sample.ts'
import { type EndpointRow, findEndpoint, listEndpoints, noHealth, readHealth } from './store.ts'
import { EndpointSchema, endpointFields, SampleSchema, viewEndpoint } from './view.ts'

const closed = { additionalProperties: false }
const params = Type.Object({ id: Type.String() }, closed)
const livemode = Type.Optional(Type.Enum(['true', 'false'], { description: 'Both modes when left out' }))
const Kind = Type.Enum([...webhookKinds])
const Url = Type.String({ description: 'Judged as the webhook_url of an order' })
const Description = Type.Union([Type.String({ description: `One line of 1 to ${NAME_MAX} characters` }), Type.Null()])
const Events = Type.Array(Kind, { minItems: 1, maxItems: webhookKinds.length, uniqueItems: true })
const Secret = Type.String({ description: 'What signs what is sent there. Shown in this answer only.' })
const descriptionOf = (text: string | null): string | null =>
  text === null ? null : parseLine(text, { param: 'description', max: NAME_MAX })

type EndpointDeps = {
  sql: Sql
  lists: Sql
  clock: Clock
  config: Config
  secrets: Secrets
  wake: Wakes
  rails: { readonly hasLiveRail: boolean }
}

export function endpointRoutes(app: App, deps: EndpointDeps, sampler: Sampler): void {
  const faces = (scope: Scope | readonly Scope[], end: string) => ({
    v1: { url: `/v1/webhook_endpoints${end}`, scope, tags: ['webhook endpoints'] },
    console: { url: `/api/v1/boss/webhook_endpoints${end}`, tags: ['console: webhook endpoints'] },
  })
  // Whoever makes one, changes where it is or signs for it hears of whole orders, or is believed about them.
  const writes: readonly Scope[] = ['webhooks:write', 'orders:read']
  const views = async (rows: readonly EndpointRow[]) => {
    const ids = rows.map((row) => row.id)
    const health = await readHealth(deps.lists, ids, deps.clock.now())
    return rows.map((row) => viewEndpoint(row, health.get(row.id) ?? noHealth))
  }
  const viewOne = async (row: EndpointRow) => {
    const [view] = await views([row])
    return view ?? viewEndpoint(row, noHealth)
  }
  const get = async (caller: Caller, id: string): Promise<EndpointRow> => {
    const row = await findEndpoint(deps.sql, caller, id)
    if (row === null) throw new AppError('endpoint_not_found')
    return row
  }

  const creating = faces(writes, '')
  defineRoute(app, {
    method: 'POST',
    isMade: true,
    summary: 'Register a webhook endpoint',
    description:
      'It is sent the chosen events of every order of its mode, beside the webhook_url of an order. Left out, events are the five that report a status. At most 16 in each mode.',
    body: Type.Object(
      {
        url: Url,
        description: Type.Optional(Description),
        events: Type.Optional(Events),
        mode: Type.Optional(
          Type.Enum([...keyModes], { description: "A key's own mode; in the console as for API keys" }),
        ),
      },
      closed,
    ),
    response: Type.Object({ ...endpointFields, secret: Secret }, { ...closed, title: 'NewWebhookEndpoint' }),
    v1: creating.v1,
    console: { ...creating.console, act: 'harmless' },
    async answer(caller, { body, once }) {
      const { endpoint, secret } = await createEndpoint(deps, caller, {
        url: body.url,
        description: descriptionOf(body.description ?? null),
        events: body.events ?? eventKinds,
        mode: body.mode,
        once,
      })
      return { ...viewEndpoint(endpoint, noHealth), secret }
    },
  })

  const listing = faces('webhooks:read', '')
  defineRoute(app, {
    ...{ method: 'GET', summary: 'Webhook endpoints, newest first', response: Page(EndpointSchema) },
    v1: { ...listing.v1, query: PageQuery },
    console: { ...listing.console, query: { ...PageQuery, livemode } },
    async answer(caller, { query }) {
      const limit = readLimit(query)
      const rows = await listEndpoints(deps.lists, {
        ...caller,
        before: readIdCursor(query.cursor, 'whe'),
        limit: limit + 1,
      })
      const shown = new Map((await views(rows.slice(0, limit))).map((view) => [view.id, view]))
      return pageOf(
        rows,
        limit,
        (row) => shown.get(row.id) ?? viewEndpoint(row, noHealth),
        (row) => [row.id],
      )
    },
  })

  const reading = faces('webhooks:read', '/:id')
  defineRoute(app, {
    ...{ method: 'GET', summary: 'One webhook endpoint with its health', params, response: EndpointSchema },
    ...reading,
    answer: async (caller, { params: { id } }) => viewOne(await get(caller, id)),
  })

  const changing = faces(writes, '/:id')
  defineRoute(app, {
    method: 'PATCH',
    summary: 'Change, disable or enable a webhook endpoint',
    description:
      'What is left out stays. What waits for its next attempt goes to the new url. Disabled, nothing is sent: what waited ends as dead with endpoint_disabled and can be sent again once it is enabled.',
    params,
    body: Type.Object(
      {
        url: Type.Optional(Url),
        description: Type.Optional(Description),
        events: Type.Optional(Events),
        enabled: Type.Optional(Type.Boolean()),
      },
      closed,
    ),
    response: EndpointSchema,
    v1: changing.v1,
    console: { ...changing.console, act: 'harmless' },
    async answer(caller, { params: { id }, body }) {
      const { endpoint } = await changeEndpoint(deps, caller, id, {
        url: body.url,
        description: body.description === undefined ? undefined : descriptionOf(body.description),
        events: body.events,
        enabled: body.enabled,
      })
      return viewOne(endpoint)
    },
  })

  const deleting = faces('webhooks:write', '/:id')
  defineRoute(app, {
    ...{ method: 'DELETE', summary: 'Delete a webhook endpoint', params, response: EndpointSchema },
    description: 'Nothing more is sent there, and what was sent stays in the lists.',
    v1: deleting.v1,
    console: { ...deleting.console, act: 'harmless' },
    answer: async (caller, { params: { id } }) => viewOne((await deleteEndpoint(deps, caller, id)).endpoint),
  })

  const rotating = faces(writes, '/:id/secret/rotate')
  defineRoute(app, {
    method: 'POST',
    summary: 'Replace the secret of a webhook endpoint; with an overlap both sign',
    params,
    body: Type.Object(
      { overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: WEBHOOK_SECRET_OVERLAP_MAX_S })) },
      closed,
    ),
    response: Type.Object(
      { ...endpointFields, secret: Secret, old_secret_ends_at: Type.String() },
      { ...closed, title: 'RotatedWebhookEndpoint' },
    ),
    v1: rotating.v1,
    console: {
      ...rotating.console,
      act: 'fresh',
      description: 'Asks for a fresh sign-in (403 confirmation_required).',
    },
    async answer(caller, { params: { id }, body }) {
      const { endpoint, secret, oldEndsAt } = await rotateSecret(deps, caller, id, body.overlap_seconds ?? 0)
      return { ...(await viewOne(endpoint)), secret, old_secret_ends_at: oldEndsAt.toISOString() }
    },
  })

  const testing = faces(writes, '/:id/test')
  defineRoute(app, {
    method: 'POST',
    summary: 'Send a marked, signed sample and see what came back',
    description: 'Ten a minute for each merchant. A disabled endpoint is sent none: 409 endpoint_disabled.',
    params,
    body: Type.Object({ event: Type.Optional(Kind) }, closed),
    response: SampleSchema,
    v1: testing.v1,
    console: { ...testing.console, act: 'harmless' },
    async answer(caller, { params: { id }, body }) {
      const { url, livemode, disabledAt } = await get(caller, id)
      if (disabledAt !== null) throw new AppError('endpoint_disabled')
      const event = body.event ?? 'order.success'
      return sampler.send({ merchantId: caller.merchantId, signer: id, livemode, url, event })
    },
  })
}
