// The /v1 calls about deliveries (contract.md 4.4 and 6), and hooks up all else that webhooks serve.
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../platform/errors.ts'
import { Page, PageQuery } from '../../platform/http/page.ts'
import type { App } from '../../platform/http/server.ts'
import { feedRoutes } from '../feed/feed.ts'
import { passWakesOn } from '../notify.ts'
import { consoleDeliveryRoutes } from './console.routes.ts'
import { DeliveryFilterQuery, pageOfDeliveries, viewOne } from './list.ts'
import { resend } from './resend.ts'
import { findDelivery, type Owner } from './store.ts'
import { DeliverySchema } from './view.ts'

const closed = { additionalProperties: false }
const tags = ['deliveries']
const security = [{ apiKey: [] }, { apiKeyBearer: [] }]
const params = Type.Object({ id: Type.String() }, closed)
const ownerOf = (key: { merchantNo: number; livemode: boolean }): Owner => ({
  merchantNo: key.merchantNo,
  livemode: key.livemode,
})

export function webhookRoutes(app: App, deps: Deps): void {
  app.get(
    '/v1/deliveries',
    {
      config: { scope: 'webhooks:read' },
      schema: {
        ...{ tags, summary: 'List deliveries', description: 'Newest first.', security },
        querystring: Type.Object({ ...PageQuery, ...DeliveryFilterQuery }, closed),
        response: { 200: Page(DeliverySchema) },
      },
    },
    async ({ apiKey, query }) => pageOfDeliveries(deps.sql, ownerOf(apiKey), query),
  )

  app.get(
    '/v1/deliveries/:id',
    {
      config: { scope: 'webhooks:read' },
      schema: {
        tags,
        summary: 'Read a delivery with its attempts',
        security,
        params,
        response: { 200: DeliverySchema },
      },
    },
    async ({ apiKey, params: { id } }) => {
      const row = await findDelivery(deps.sql, id, ownerOf(apiKey))
      if (row === null) throw new AppError('delivery_not_found')
      return viewOne(deps.sql, row)
    },
  )

  app.post(
    '/v1/deliveries/:id/resend',
    {
      config: { scope: 'webhooks:write' },
      schema: {
        ...{ tags, summary: 'Send a delivery again', security, params },
        description:
          'A succeeded or dead one: a new delivery of the same event with five attempts of its own. One that is still retrying: its next attempt now.',
        body: Type.Object({}, closed),
        response: { 200: DeliverySchema },
      },
    },
    async ({ apiKey, params: { id } }) => viewOne(deps.sql, await resend(deps, id, ownerOf(apiKey))),
  )

  feedRoutes(app, deps)
  consoleDeliveryRoutes(app, deps)
  const stopPassing = passWakesOn(deps)
  app.addHook('onClose', async () => stopPassing())
}
