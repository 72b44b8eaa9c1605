// The order calls of the console (contract.md 5): the same acts and shapes as /v1, in the envelope, for the signed-in
// merchant in either mode.
import { REASON_MAX } from '@florin/protocol'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { MerchantCaller } from '../callers.ts'
import { AppError } from '../platform/errors.ts'
import { Envelope, envelope } from '../platform/http/envelope.ts'
import { LivemodeQuery, OptionalLivemodeQuery, readLivemode, readOptionalLivemode } from '../platform/http/livemode.ts'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '../platform/http/page.ts'
import type { App } from '../platform/http/server.ts'
import { cancelOrder, refundOrder, retrySettlement } from './acts.ts'
import { findNewestTestKey } from './console.store.ts'
import { createOrder } from './create/create.ts'
import { CreateOrderBody, parseWish } from './create/input.ts'
import { OrderFilterQuery, readOrderFilter, SearchQuery } from './filter.ts'
import type { OrderState } from './model/state.ts'
import { type OrderRouteDeps, readUnits, SimulateBody, sendJson } from './routes.ts'
import { OrderParams, OrderSchema, orderNoPattern, TimelineSchema } from './schema.ts'
import { simulate } from './simulate.ts'
import { findOrder, listOrders, listTimeline } from './store.ts'
import { orderView, timelineView } from './view.ts'

const closed = { additionalProperties: false }
const security = [{ consoleToken: [] }]
const about = (summary: string, description?: string) => ({
  tags: ['console: orders'],
  summary,
  security,
  ...(description === undefined ? {} : { description }),
})
const OneOrder = Envelope(OrderSchema)
const oneOrder = { params: OrderParams, querystring: Type.Object(OptionalLivemodeQuery, closed) }
const NoBody = Type.Optional(Type.Object({}, closed))

export function consoleOrderRoutes(app: App, deps: OrderRouteDeps): void {
  const view = (order: OrderState) => orderView(order, { baseUrl: deps.config.baseUrl, tips: deps.tips })
  // Written out here: an order can hold fifty payments, and its shape is proven by the tests.
  const send = (reply: FastifyReply, data: unknown): FastifyReply => sendJson(reply, JSON.stringify(envelope(data)))
  const get = async (a: { orderNo: string; merchantId: string | null; livemode: boolean | null }) => {
    const order = orderNoPattern.test(a.orderNo) ? await findOrder(deps.sql, a) : null
    if (order === null) throw new AppError('order_not_found')
    return order
  }
  const getOwn = (request: {
    merchant: MerchantCaller
    params: { order_no: string }
    query: { livemode?: 'true' | 'false' }
  }) =>
    get({
      orderNo: request.params.order_no,
      merchantId: request.merchant.id,
      livemode: readOptionalLivemode(request.query),
    })

  app.get(
    '/api/v1/boss/orders',
    {
      schema: {
        ...about(
          'List orders',
          'Newest first. `q`: a part of the order number, external_id or title, or a whole pay address or transaction hash.',
        ),
        querystring: Type.Object({ ...LivemodeQuery, ...PageQuery, ...OrderFilterQuery, ...SearchQuery }, closed),
        response: { 200: Envelope(Page(OrderSchema)) },
      },
    },
    async ({ merchant, query }, reply) => {
      const limit = readLimit(query)
      const rows = await listOrders(deps.sql, {
        ...readOrderFilter(query),
        merchantId: merchant.id,
        livemode: readLivemode(query),
        search: query.q ?? null,
        below: readIdCursor(query.cursor),
        limit: limit + 1,
      })
      return send(
        reply,
        pageOf(rows, limit, view, (order) => [order.orderNo]),
      )
    },
  )

  app.get(
    '/api/v1/boss/orders/:order_no',
    { schema: { ...about('Read an order'), ...oneOrder, response: { 200: OneOrder } } },
    async (request, reply) => send(reply, view(await getOwn(request))),
  )

  app.get(
    '/api/v1/boss/orders/:order_no/events',
    {
      schema: {
        ...about('The timeline of an order', 'Oldest first.'),
        ...oneOrder,
        response: { 200: Envelope(TimelineSchema) },
      },
    },
    async (request) => {
      const rows = await listTimeline(deps.sql, await getOwn(request))
      return envelope({ data: rows.map(timelineView), has_more: false, next_cursor: null })
    },
  )

  app.post(
    '/api/v1/boss/orders/:order_no/cancel',
    {
      config: { act: 'harmless' },
      schema: {
        ...about('Cancel an order', 'Only a pending order that has received nothing.'),
        ...oneOrder,
        body: NoBody,
        response: { 200: OneOrder },
      },
    },
    async (request, reply) => send(reply, view(await cancelOrder(deps, await getOwn(request)))),
  )

  app.post(
    '/api/v1/boss/orders/:order_no/refund',
    {
      config: { act: 'bound' },
      schema: {
        ...about(
          'Refund what is held back',
          'The money goes to the refund address of the order; this call takes none.',
        ),
        ...oneOrder,
        body: Type.Optional(Type.Object({ reason: Type.Optional(Type.String({ maxLength: REASON_MAX })) }, closed)),
        response: { 200: OneOrder },
      },
    },
    async (request, reply) => {
      const by = { actor: request.merchant.email, reason: request.body?.reason ?? null }
      return send(reply, view(await refundOrder(deps, await getOwn(request), by)))
    },
  )

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
      const order = await get({ orderNo: params.order_no, merchantId: null, livemode: readOptionalLivemode(query) })
      return send(reply, view(await retrySettlement(deps, order, `operator:${merchant.email}`)))
    },
  )

  app.post(
    '/api/v1/boss/test/orders',
    {
      config: { act: 'harmless' },
      schema: {
        ...about(
          'Create a test order',
          "As POST /v1/orders with the merchant's newest test key: it signs the webhooks and says the fee. Without one the answer is 422 test_key_missing.",
        ),
        body: CreateOrderBody,
        response: { 201: OneOrder },
      },
    },
    async ({ merchant, body }, reply) => {
      const key = await findNewestTestKey(deps.sql, merchant.id, deps.clock.now())
      if (key === null) throw new AppError('test_key_missing')
      const { json } = await createOrder(deps, key, parseWish(body), null)
      return sendJson(reply.code(201), `{"code":0,"data":${json}}`)
    },
  )

  app.post(
    '/api/v1/boss/test/orders/:order_no/simulate',
    {
      config: { act: 'harmless' },
      schema: {
        ...about('Make something happen to a test order', 'The sandbox never advances by itself.'),
        params: OrderParams,
        body: SimulateBody,
        response: { 200: OneOrder },
      },
    },
    async ({ merchant, params, body }, reply) => {
      const order = await get({ orderNo: params.order_no, merchantId: merchant.id, livemode: false })
      return send(reply, view(await simulate(deps, order, body.action, readUnits(body.amount))))
    },
  )
}
