// The order calls of /v1 (contract.md 4.1 and 4.4), including those shared with the console (5).
import type { OrderState } from '@florin/order-model/state'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { readIdempotencyKey } from '@florin/platform/http/idempotency'
import { sendJson } from '@florin/platform/http/json'
import { refuseTurned } from '@florin/platform/http/label'
import { LivemodeQuery, OptionalLivemodeQuery } from '@florin/platform/http/livemode'
import { PageQuery, readIdCursor, readLimit, SearchedPage, searchedPage } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import { REASON_MAX, type Scope, simulateActions } from '@florin/protocol'
import { readDetails } from '@florin/rail-kit/registry'
import { Type } from 'typebox'
import { defineRoute } from '../define-route.ts'
import { listTimeline } from '../webhooks/events.store.ts'
import { cancelOrder, refundOrder, refundToSign } from './acts.ts'
import type { OrderDeps } from './advance.ts'
import { createOrder } from './create/create.ts'
import { type CreateOrder, CreateOrderBody, parseInput } from './create/input.ts'
import { OrderFilterQuery, readOrderFilter, requireDates, SearchQuery, SortQuery } from './filter.ts'
import { listOrders } from './list/list.ts'
import { lookAgain } from './looks/looks.ts'
import { ownRefundRoutes } from './own-refunds/routes.ts'
import {
  LookSchema,
  OnChainSchema,
  OrderParams,
  OrderSchema,
  orderNoPattern,
  RefundToSignSchema,
  TimelineSchema,
} from './schema.ts'
import { simulate } from './simulate.ts'
import { findOrder } from './store.ts'
import { type ChainTipOf, onChainView, orderView, timelineView } from './view.ts'

export type OrderRouteDeps = OrderDeps & { lists: Sql; tips: ChainTipOf }

export function orderRoutes(app: App, deps: OrderRouteDeps): void {
  const view = (order: OrderState) => orderView(order, { baseUrl: deps.config.baseUrl, tips: deps.tips })
  const tags = { v1: ['orders'], console: ['console: orders'] }
  const faces = (scope: Scope, act = '') => ({
    v1: { url: `/v1/orders/:order_no${act}`, scope, tags: tags.v1 },
    console: { url: `/api/v1/boss/orders/:order_no${act}`, query: OptionalLivemodeQuery, tags: tags.console },
  })
  const oneOrder = { params: OrderParams, response: OrderSchema, isWrittenOut: true }

  // Named, because the compiler gives up on working it out from so large a schema here.
  app.post<{ Body: CreateOrder }>(
    '/v1/orders',
    {
      config: { scope: 'orders:write', emptyIsAbsent: true },
      schema: {
        tags: tags.v1,
        summary: 'Create an order',
        description: 'With an Idempotency-Key the same body gets the first answer again.',
        security: [{ apiKey: [] }, { apiKeyBearer: [] }],
        body: CreateOrderBody,
        response: { 201: OrderSchema },
      },
    },
    async (request, reply) => {
      const idempotent = readIdempotencyKey(request)
      const created = await createOrder(deps, request.apiKey, parseInput(request.body), idempotent)
      if (created.replayed) reply.header('Idempotent-Replayed', 'true')
      return sendJson(reply.code(201), created.json)
    },
  )

  defineRoute(app, {
    method: 'GET',
    summary: 'List orders',
    response: SearchedPage(OrderSchema),
    isWrittenOut: true,
    v1: {
      ...{ url: '/v1/orders', scope: 'orders:read', tags: tags.v1, description: 'Newest first.' },
      query: { ...PageQuery, ...SortQuery, ...OrderFilterQuery },
    },
    console: {
      ...{ url: '/api/v1/boss/orders', tags: tags.console },
      description:
        'Newest first. `q`: words of the title or of a short external_id, the last of which may be a beginning; or a whole order number, external_id, pay address or transaction hash.',
      query: { ...LivemodeQuery, ...PageQuery, ...SortQuery, ...OrderFilterQuery, ...SearchQuery },
    },
    async answer({ merchantId, merchantNo, livemode }, { query }) {
      const filter = {
        ...readOrderFilter(query),
        ...{ merchantId, merchantNo, livemode: livemode === true, search: query.q ?? null },
      }
      requireDates(filter, deps.clock.now())
      const page = await listOrders(deps.lists, filter, {
        after: readIdCursor(query.cursor, 'ord'),
        isOldestFirst: query.sort === 'oldest',
        limit: readLimit(query),
      })
      return searchedPage(page.orders.map(view), page)
    },
  })

  defineRoute(app, {
    ...{ method: 'GET', summary: 'Read an order', ...faces('orders:read'), ...oneOrder },
    answer: async (caller, { params }) => view(await getOwn(deps, caller, params.order_no)),
  })

  const canceling = faces('orders:write', '/cancel')
  const cancelable = 'Only a pending order that has received nothing'
  defineRoute(app, {
    ...{ method: 'POST', summary: 'Cancel an order', ...oneOrder },
    v1: { ...canceling.v1, description: `${cancelable}; canceling it again is the same answer.` },
    console: { ...canceling.console, act: 'harmless', description: `${cancelable}.` },
    body: NoBody,
    answer: async (caller, { params }) => view(await cancelOrder(deps, await getOwn(deps, caller, params.order_no))),
  })

  const refunding = faces('refunds:write', '/refund')
  defineRoute(app, {
    ...{ method: 'POST', summary: 'Refund what is held back', ...oneOrder },
    v1: refunding.v1,
    console: { ...refunding.console, act: 'bound' },
    description: 'The money goes to the refund address of the order; this call takes none.',
    body: Type.Optional(Type.Object({ reason: Type.Optional(Type.String({ maxLength: REASON_MAX })) }, closed)),
    async answer(caller, { params, body }) {
      const order = await getOwn(deps, caller, params.order_no)
      return view(
        await refundOrder(deps, order, {
          actor: caller.actor,
          reason: body?.reason === undefined ? null : refuseTurned(body.reason, 'reason'),
        }),
      )
    },
  })

  const looking = faces('orders:write', '/look-again')
  defineRoute(app, {
    ...{
      method: 'POST',
      summary: 'Look at the addresses of an order again',
      params: OrderParams,
      response: LookSchema,
    },
    v1: looking.v1,
    console: { ...looking.console, act: 'harmless' },
    description:
      'Every address of the order is read on every chain that has it, also long after it closed; what is found is booked as a payment. It is done in the background: the same call says when. Once a minute an order, and 60 orders an hour.',
    body: NoBody,
    answer: async (caller, { params }) => lookAgain(deps, await getOwn(deps, caller, params.order_no)),
  })

  defineRoute(app, {
    ...{ method: 'GET', summary: 'The timeline of an order', ...faces('orders:read', '/events') },
    ...{ description: 'Oldest first.', params: OrderParams, response: TimelineSchema },
    async answer(caller, { params }) {
      const rows = await listTimeline(deps.sql, await getOwn(deps, caller, params.order_no))
      return { data: rows.map(timelineView), has_more: false, next_cursor: null }
    },
  })

  defineRoute(app, {
    ...{ method: 'GET', summary: 'What the chain shows of an order', ...faces('orders:read', '/on-chain') },
    description:
      'Of payments to an own wallet (Bitcoin, Litecoin): the fee rate of what was announced, what it waits for, what replaced it, when it can be spent; and the fee that is owed for them. Empty lists on other chains.',
    ...{ params: OrderParams, response: OnChainSchema },
    async answer(caller, { params }) {
      const order = await getOwn(deps, caller, params.order_no)
      return onChainView(order, await readDetails(deps.rails, order))
    },
  })

  defineRoute(app, {
    ...{ method: 'POST', summary: 'A refund as a transaction for your wallet to sign', body: ToSignBody },
    description:
      'Of refunds that your own wallet has to make (Bitcoin, Litecoin): a partially signed transaction (BIP-174) from coins of the account that the order was paid to. Asked again, it is the same one, until another transaction has spent a coin of it for good: so no refund is paid twice. Nothing is sent; `why` says why there is none, and the payment link does the same.',
    params: Type.Object(
      { order_no: Type.String({ minLength: 1, maxLength: 100 }), id: Type.String({ maxLength: 100 }) },
      closed,
    ),
    response: RefundToSignSchema,
    v1: { url: '/v1/orders/:order_no/refunds/:id/psbt', scope: 'refunds:write', tags: tags.v1 },
    console: { url: '/api/v1/boss/orders/:order_no/refunds/:id/psbt', act: 'harmless', tags: tags.console },
    async answer(caller, { params, body }) {
      const order = await getOwn(deps, caller, params.order_no)
      const { psbt, fee, why } = await refundToSign(deps, order, params.id, { replace: body?.replace === true })
      return { psbt, fee: fee?.toString() ?? null, why }
    },
  })

  ownRefundRoutes(app, deps, (caller, orderNo) => getOwn(deps, caller, orderNo))

  const sandbox = 'the sandbox never advances by itself.'
  defineRoute(app, {
    ...{ method: 'POST', summary: 'Make something happen to a test order', body: SimulateBody, ...oneOrder },
    v1: {
      ...{ url: '/v1/test/orders/:order_no/simulate', scope: 'orders:write', tags: ['test'] },
      description: `Test keys only; ${sandbox}`,
    },
    console: {
      ...{ url: '/api/v1/boss/test/orders/:order_no/simulate', livemode: false, act: 'harmless', tags: tags.console },
      description: `T${sandbox.slice(1)}`,
    },
    async answer(caller, { params, body }) {
      if (caller.livemode === true) throw new AppError('test_key_required')
      const order = await getOwn(deps, caller, params.order_no)
      return view(await simulate(deps, order, body.action, readUnits(body.amount)))
    },
  })
}

const closed = { additionalProperties: false }
const ToSignBody = Type.Optional(
  Type.Object(
    {
      replace: Type.Optional(
        Type.Boolean({
          description:
            'Draw up another one, at the fee of now. It spends a coin of the first as well, so that never both are valid. Where the first is in the mempool already, raising its fee in the wallet does the same.',
        }),
      ),
    },
    closed,
  ),
)

export const NoBody = Type.Optional(Type.Object({}, closed))

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

/** @throws AppError order_not_found, also for another merchant's order. */
export async function getOwn(
  deps: Pick<OrderRouteDeps, 'sql'>,
  owner: { merchantId: string | null; livemode: boolean | null },
  orderNo: string,
): Promise<OrderState> {
  const { merchantId, livemode } = owner
  const order = orderNoPattern.test(orderNo) ? await findOrder(deps.sql, { orderNo, merchantId, livemode }) : null
  if (order === null) throw new AppError('order_not_found')
  return order
}
