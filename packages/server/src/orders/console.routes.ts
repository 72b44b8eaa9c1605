// Order calls that only the console has (contract.md 5).
import type { OrderState } from '@florin/order-model/state'
import { AppError } from '@florin/platform/errors'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { readIdempotencyKey } from '@florin/platform/http/idempotency'
import { sendJson } from '@florin/platform/http/json'
import {
  LivemodeQuery,
  OptionalLivemodeQuery,
  readLivemode,
  readOptionalLivemode,
} from '@florin/platform/http/livemode'
import type { App } from '@florin/platform/http/server'
import { Type } from 'typebox'
import { findNewestTestKey } from '../keys/store.ts'
import { retrySettlement } from './acts.ts'
import { createOrder, fromConsole } from './create/create.ts'
import { CreateOrderBody, parseInput } from './create/input.ts'
import { getOwn, NoBody, type OrderRouteDeps } from './routes.ts'
import { OrderParams, OrderSchema } from './schema.ts'
import { orderView } from './view.ts'

const closed = { additionalProperties: false }
const security = [{ consoleToken: [] }]
const about = (summary: string, description?: string) => ({
  tags: ['console: orders'],
  summary,
  security,
  ...(description === undefined ? {} : { description }),
})
/** Without a key nobody's secret would sign what goes to a webhook_url. */
const ConsoleOrderBody = Type.Omit(CreateOrderBody, ['webhook_url'], closed)
const OneOrder = Envelope(OrderSchema)
const oneOrder = { params: OrderParams, querystring: Type.Object(OptionalLivemodeQuery, closed) }

export function consoleOrderRoutes(app: App, deps: OrderRouteDeps): void {
  const view = (order: OrderState) => orderView(order, { baseUrl: deps.config.baseUrl, tips: deps.tips })
  app.post(
    '/api/v1/boss/orders/:order_no/retry-settlement',
    {
      config: { operator: true, act: 'bound' },
      schema: {
        ...about('Retry the settlement of a failed order', 'For operators, and for the orders of every merchant.'),
        ...oneOrder,
        body: NoBody,
        response: { 200: OneOrder },
      },
    },
    async (request, reply) => {
      const { merchant, params, query } = request
      const owner = { merchantId: null, livemode: readOptionalLivemode(query) }
      const order = await getOwn(deps, owner, params.order_no)
      const after = await retrySettlement(deps, order, `operator:${merchant.email}`)
      return sendJson(reply, JSON.stringify(envelope(view(after))))
    },
  )

  app.post(
    '/api/v1/boss/orders',
    {
      config: { act: 'harmless', emptyIsAbsent: true },
      schema: {
        ...about(
          'Create an order',
          "As POST /v1/orders, without an API key and so without webhook_url: the account's endpoints hear of it. It settles to the merchant's own addresses.",
        ),
        querystring: Type.Object(LivemodeQuery, closed),
        body: ConsoleOrderBody,
        response: { 201: OneOrder },
      },
    },
    async (request, reply) => {
      const { id: merchantId, no: merchantNo } = request.merchant
      const { feeBps } = deps.config
      const maker = { id: null, merchantId, merchantNo, livemode: readLivemode(request.query), feeBps }
      const idempotent = readIdempotencyKey(request, `orders ${maker.livemode} `)
      const { json, replayed } = await createOrder(
        deps,
        maker,
        parseInput(request.body),
        idempotent,
        fromConsole(merchantId),
      )
      if (replayed) reply.header('Idempotent-Replayed', 'true')
      return sendJson(reply.code(201), `{"code":0,"data":${json}}`)
    },
  )

  app.post(
    '/api/v1/boss/test/orders',
    {
      config: { act: 'harmless', emptyIsAbsent: true },
      schema: {
        ...about(
          'Create a test order',
          "As POST /v1/orders with the merchant's newest test key: it signs the webhooks and says the fee. Without one no webhook_url is taken (422 test_key_missing).",
        ),
        body: CreateOrderBody,
        response: { 201: OneOrder },
      },
    },
    async ({ merchant, body }, reply) => {
      const key = await findNewestTestKey(deps.sql, merchant.id, deps.clock.now())
      if (key === null && body.webhook_url !== undefined) throw new AppError('test_key_missing')
      const { id: merchantId, no: merchantNo } = merchant
      const own = { id: null, merchantId, merchantNo, livemode: false, feeBps: deps.config.feeBps }
      const { json } = await createOrder(deps, key ?? own, parseInput(body), null)
      return sendJson(reply.code(201), `{"code":0,"data":${json}}`)
    },
  )
}
