// Delivery calls shared by /v1 and the console (contract.md 4.4, 5 and 6); also registers all other webhook routes.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { Page, PageQuery } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import type { Log } from '@florin/platform/worker/job'
import type { Scope } from '@florin/protocol'
import { Type } from 'typebox'
import { type Caller, defineRoute } from '../../define-route.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { endpointRoutes } from '../endpoints/routes.ts'
import { makeSampler } from '../endpoints/sample.ts'
import { feedRoutes } from '../feed/feed.ts'
import { passWakesOn } from '../notify.ts'
import { consoleDeliveryRoutes } from './console.routes.ts'
import { DeliveryFilterQuery, pageOfDeliveries, viewOne } from './list.ts'
import { resend } from './resend.ts'
import { findDelivery, type Owner } from './store.ts'
import { DeliverySchema } from './view.ts'

const closed = { additionalProperties: false }
const params = Type.Object({ id: Type.String() }, closed)
const livemode = Type.Optional(Type.Enum(['true', 'false'], { description: 'Both modes when left out' }))

type WebhookDeps = {
  sql: Sql
  lists: Sql
  clock: Clock
  config: Config
  secrets: Secrets
  wake: Wakes
  log: Log
  rails: { readonly hasLiveRail: boolean }
}

export function webhookRoutes(app: App, deps: WebhookDeps): void {
  const faces = (scope: Scope, end: string) => ({
    v1: { url: `/v1/deliveries${end}`, scope, tags: ['deliveries'] },
    console: { url: `/api/v1/boss/deliveries${end}`, tags: ['console: deliveries'] },
  })

  const listing = faces('webhooks:read', '')
  const query = { ...PageQuery, ...DeliveryFilterQuery }
  defineRoute(app, {
    ...{ method: 'GET', response: Page(DeliverySchema) },
    v1: { ...listing.v1, query, summary: 'List deliveries', description: 'Newest first.' },
    console: { ...listing.console, query: { ...query, livemode }, summary: 'Deliveries, newest first' },
    answer: (caller, { query }) => pageOfDeliveries(deps.lists, ownerOf(caller), query),
  })

  const reading = faces('webhooks:read', '/:id')
  defineRoute(app, {
    ...{ method: 'GET', params, response: DeliverySchema },
    v1: { ...reading.v1, summary: 'Read a delivery with its attempts' },
    console: { ...reading.console, summary: 'One delivery with its attempts' },
    async answer(caller, { params: { id } }) {
      const row = await findDelivery(deps.sql, id, ownerOf(caller))
      if (row === null) throw new AppError('delivery_not_found')
      return viewOne(deps.sql, row)
    },
  })

  const resending = faces('webhooks:write', '/:id/resend')
  defineRoute(app, {
    ...{ method: 'POST', params, body: Type.Object({}, closed), response: DeliverySchema },
    v1: {
      ...resending.v1,
      summary: 'Send a delivery again',
      description:
        'A succeeded or dead one: a new delivery of the same event with five attempts of its own. One that is still retrying: its next attempt now.',
    },
    console: { ...resending.console, act: 'harmless', summary: 'Send a delivery again, or its next attempt now' },
    answer: async (caller, { params: { id } }) => viewOne(deps.sql, await resend(deps, id, ownerOf(caller))),
  })

  feedRoutes(app, { ...deps, sql: deps.lists })
  const sampler = makeSampler(deps)
  app.addHook('onClose', () => sampler.close())
  consoleDeliveryRoutes(app, deps, sampler)
  endpointRoutes(app, deps, sampler)
  const stopPassing = passWakesOn(deps)
  app.addHook('onClose', async () => stopPassing())
}

const ownerOf = ({ merchantNo, livemode }: Caller): Owner => ({ merchantNo, livemode })
