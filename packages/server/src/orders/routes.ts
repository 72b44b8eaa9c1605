// The order calls of /v1 (contract.md 4.1 and 4.4). Answers are sent as the JSON text that was rendered once.
import { IDEMPOTENCY_KEY_MAX, REASON_MAX, simulateActions } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { KeyCaller } from '../callers.ts'
import { AppError } from '../platform/errors.ts'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '../platform/http/page.ts'
import type { App } from '../platform/http/server.ts'
import { sha256 } from '../platform/secrets.ts'
import { cancelOrder, refundOrder } from './acts.ts'
import type { OrderDeps } from './advance.ts'
import type { IdempotentRequest } from './create/create.store.ts'
import { createOrder } from './create/create.ts'
import { CreateOrderBody, parseWish } from './create/input.ts'
import { OrderFilterQuery, readOrderFilter } from './filter.ts'
import type { OrderState } from './model/state.ts'
import { OrderParams, OrderSchema, orderNoPattern, TimelineSchema } from './schema.ts'
import { simulate } from './simulate.ts'
import { findOrder, listOrders, listTimeline } from './store.ts'
import { type ChainTipOf, orderView, timelineView } from './view.ts'

export type OrderRouteDeps = OrderDeps & { tips: ChainTipOf }

const security = [{ apiKey: [] }, { apiKeyBearer: [] }]
const about = (summary: string, description?: string) => ({
  tags: ['orders'],
  summary,
  security,
  ...(description === undefined ? {} : { description }),
})

export function orderRoutes(app: App, deps: OrderRouteDeps): void {
  const render = (order: OrderState): string =>
    JSON.stringify(orderView(order, { baseUrl: deps.config.baseUrl, tips: deps.tips }))

  app.post(
    '/v1/orders',
    {
      config: { scope: 'orders:write' },
      schema: {
        ...about('Create an order', 'With an Idempotency-Key the same body gets the first answer again.'),
        body: CreateOrderBody,
        response: { 201: OrderSchema },
      },
    },
    async (request, reply) => {
      const idempotent = readIdempotencyKey(request)
      const created = await createOrder(deps, request.apiKey, parseWish(request.body), idempotent)
      if (created.replayed) reply.header('Idempotent-Replayed', 'true')
      return sendJson(reply.code(201), created.json)
    },
  )

  app.get(
    '/v1/orders/:order_no',
    {
      config: { scope: 'orders:read' },
      schema: { ...about('Read an order'), params: OrderParams, response: { 200: OrderSchema } },
    },
    async (request, reply) => sendJson(reply, render(await getOwn(deps, request.apiKey, request.params.order_no))),
  )

  app.get(
    '/v1/orders',
    {
      config: { scope: 'orders:read' },
      schema: {
        ...about('List orders', 'Newest first.'),
        querystring: Type.Object({ ...PageQuery, ...OrderFilterQuery }, { additionalProperties: false }),
        response: { 200: Page(OrderSchema) },
      },
    },
    async (request, reply) => {
      const { merchantId, livemode } = request.apiKey
      const limit = readLimit(request.query)
      const below = readIdCursor(request.query.cursor)
      const filter = { ...readOrderFilter(request.query), merchantId, livemode, search: null }
      const rows = await listOrders(deps.sql, { ...filter, below, limit: limit + 1 })
      const page = pageOf(
        rows,
        limit,
        (order) => orderView(order, { baseUrl: deps.config.baseUrl, tips: deps.tips }),
        (order) => [order.orderNo],
      )
      return sendJson(reply, JSON.stringify(page))
    },
  )

  app.post(
    '/v1/orders/:order_no/cancel',
    {
      config: { scope: 'orders:write' },
      schema: {
        ...about(
          'Cancel an order',
          'Only a pending order that has received nothing; canceling it again is the same answer.',
        ),
        params: OrderParams,
        body: Type.Optional(Type.Object({}, { additionalProperties: false })),
        response: { 200: OrderSchema },
      },
    },
    async (request, reply) =>
      sendJson(reply, render(await cancelOrder(deps, await getOwn(deps, request.apiKey, request.params.order_no)))),
  )

  app.post(
    '/v1/orders/:order_no/refund',
    {
      config: { scope: 'refunds:write' },
      schema: {
        ...about(
          'Refund what is held back',
          'The money goes to the refund address of the order; this call takes none.',
        ),
        params: OrderParams,
        body: Type.Optional(
          Type.Object(
            { reason: Type.Optional(Type.String({ maxLength: REASON_MAX })) },
            { additionalProperties: false },
          ),
        ),
        response: { 200: OrderSchema },
      },
    },
    async (request, reply) => {
      const order = await getOwn(deps, request.apiKey, request.params.order_no)
      const actor = { actor: `api_key:${request.apiKey.id}`, reason: request.body?.reason ?? null }
      return sendJson(reply, render(await refundOrder(deps, order, actor)))
    },
  )

  app.get(
    '/v1/orders/:order_no/events',
    {
      config: { scope: 'orders:read' },
      schema: {
        ...about('The timeline of an order', 'Oldest first.'),
        params: OrderParams,
        response: { 200: TimelineSchema },
      },
    },
    async (request) => {
      const rows = await listTimeline(deps.sql, await getOwn(deps, request.apiKey, request.params.order_no))
      return { data: rows.map(timelineView), has_more: false, next_cursor: null }
    },
  )

  app.post(
    '/v1/test/orders/:order_no/simulate',
    {
      config: { scope: 'orders:write' },
      schema: {
        ...about('Make something happen to a test order', 'Test keys only; the sandbox never advances by itself.'),
        tags: ['test'],
        params: OrderParams,
        body: SimulateBody,
        response: { 200: OrderSchema },
      },
    },
    async (request, reply) => {
      if (request.apiKey.livemode) throw new AppError('test_key_required')
      const order = await getOwn(deps, request.apiKey, request.params.order_no)
      return sendJson(reply, render(await simulate(deps, order, request.body.action, readUnits(request.body.amount))))
    },
  )
}

export const SimulateBody = Type.Object(
  {
    action: Type.Enum([...simulateActions]),
    amount: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,59}$',
        description: "In the pay asset's smallest unit; for pay, underpay, overpay and pay_late.",
      }),
    ),
  },
  { additionalProperties: false },
)

export const readUnits = (text: string | undefined): bigint | null => (text === undefined ? null : BigInt(text))

async function getOwn(deps: OrderRouteDeps, caller: KeyCaller, orderNo: string): Promise<OrderState> {
  const { merchantId, livemode } = caller
  const order = orderNoPattern.test(orderNo) ? await findOrder(deps.sql, { orderNo, merchantId, livemode }) : null
  if (order === null) throw new AppError('order_not_found')
  return order
}

/** The text goes out as it is: what was rendered for a stored answer is never rendered twice. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}

function readIdempotencyKey(request: FastifyRequest): IdempotentRequest | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key.length > IDEMPOTENCY_KEY_MAX || !/^[\x20-\x7e]+$/.test(key)) {
    throw new AppError('malformed_idempotency_key', { param: 'Idempotency-Key' })
  }
  return { key, bodyHash: sha256(canonical(request.body)) }
}

/** The same fields in another order are the same body. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
