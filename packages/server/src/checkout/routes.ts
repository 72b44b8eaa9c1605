// The HTTP of the checkout (contract.md 4.5): what a payer may read and do with the token of one order.
import { ADDRESS_MAX, CHECKOUT_EVENT } from '@florin/protocol'
import { Type } from 'typebox'
import { chooseLeg, giveRefundAddress } from '../orders/acts.ts'
import type { OrderDeps } from '../orders/advance.ts'
import type { OrderState } from '../orders/model/state.ts'
import { readUnits, SimulateBody } from '../orders/routes.ts'
import { simulate } from '../orders/simulate.ts'
import type { ChainTipOf } from '../orders/view.ts'
import { AppError } from '../platform/errors.ts'
import { makeEventStreams } from '../platform/http/event-stream.ts'
import { sendJson } from '../platform/http/json.ts'
import { type App, clientOf } from '../platform/http/server.ts'
import { listChoices } from './choices.ts'
import { CheckoutSchema } from './schema.ts'
import { findMerchantName } from './store.ts'
import type { TokenDoor } from './token.ts'
import { checkoutView } from './view.ts'
import { watchOrders } from './watch.ts'

export type CheckoutDeps = OrderDeps & { tips: ChainTipOf }

/** Open streams: a payer has a tab or two, a whole office may share one address. */
export const STREAMS = { perHolder: { order: 20, client: 200 }, perProcess: 5_000 } as const

const closed = { additionalProperties: false }
const params = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }, closed)
const Code = Type.String({ minLength: 1, maxLength: 80 })
const RefundAddress = Type.String({ minLength: 1, maxLength: ADDRESS_MAX })
const about = (summary: string, description?: string) => ({
  tags: ['checkout'],
  summary,
  security: [],
  params,
  ...(description === undefined ? {} : { description }),
})

export function checkoutRoutes(app: App, deps: CheckoutDeps, door: TokenDoor): void {
  const streams = makeEventStreams(app, deps.clock, STREAMS)
  const watch = watchOrders(deps)
  app.addHook('onClose', () => watch.close())

  const forAct = async (token: string): Promise<OrderState> => {
    const order = await door.read(token)
    door.countAct(order)
    return order
  }
  const render = (order: OrderState, merchantName: string | null) =>
    checkoutView(order, { rails: deps.rails, tips: deps.tips, merchantName, now: deps.clock.now() })
  const rendered = async (order: OrderState): Promise<string> =>
    JSON.stringify(render(order, await findMerchantName(deps.sql, order.merchantId)))

  app.get(
    '/checkout/:token',
    { schema: { ...about('What the payer sees'), response: { 200: CheckoutSchema } } },
    async (request, reply) => sendJson(reply, await rendered(await door.read(request.params.token))),
  )

  app.post(
    '/checkout/:token/pay',
    {
      schema: {
        ...about(
          'Choose how to pay',
          'The same choice again, while its quote holds, is the same leg. A refund address that comes with the choice is bound into the leg before the pay address is shown.',
        ),
        body: Type.Object(
          { chain: Code, asset: Type.Optional(Code), refund_address: Type.Optional(RefundAddress) },
          closed,
        ),
        response: { 200: CheckoutSchema },
      },
    },
    async (request, reply) => {
      const { chain, asset, refund_address: refundAddress } = request.body
      const choice = { chain, asset: asset ?? null, refundAddress: refundAddress ?? null }
      const order = await chooseLeg(deps, await forAct(request.params.token), choice)
      return sendJson(reply, await rendered(order))
    },
  )

  app.post(
    '/checkout/:token/refund-address',
    {
      schema: {
        ...about(
          'Give the address that money goes back to',
          'The first one given stands. Given before the pay address is shown it is bound into it, else it is a proposal.',
        ),
        body: Type.Object({ address: RefundAddress }, closed),
        response: { 200: CheckoutSchema },
      },
    },
    async (request, reply) => {
      const order = await forAct(request.params.token)
      const offered = listChoices(deps.rails, order, deps.clock.now()).map((choice) => choice.chain)
      const after = await giveRefundAddress(deps, order, request.body.address, [...new Set(offered)])
      return sendJson(reply, await rendered(after))
    },
  )

  app.post(
    '/checkout/:token/simulate',
    {
      schema: {
        ...about('Make something happen to a test order', 'The sandbox never advances by itself.'),
        tags: ['checkout', 'test'],
        body: SimulateBody,
        response: { 200: CheckoutSchema },
      },
    },
    async (request, reply) => {
      const order = await forAct(request.params.token)
      if (order.livemode) {
        throw new AppError('simulation_not_applicable', { message: 'This is a live order: only money moves it.' })
      }
      const { action, amount } = request.body
      return sendJson(reply, await rendered(await simulate(deps, order, action, readUnits(amount))))
    },
  )

  app.get(
    '/checkout/:token/stream',
    {
      // A HEAD request would open a stream that nobody reads.
      exposeHeadRoute: false,
      schema: {
        ...about(
          'Follow the checkout',
          `Server-sent events: "${CHECKOUT_EVENT}" with the checkout's JSON, at once and after each change, and comments in between.`,
        ),
        response: { 200: Type.String({ description: 'text/event-stream' }) },
      },
    },
    async (request, reply) => {
      const order = await door.read(request.params.token)
      const merchantName = await findMerchantName(deps.sql, order.merchantId)
      const stream = streams.open(reply, { order: order.orderNo, client: clientOf(request.ip) })
      let last = ''
      const stop = watch.follow(order, (known) => {
        const view = render(known, merchantName)
        // The time alone is no news.
        const told = JSON.stringify({ ...view, server_time: '' })
        if (told === last) return
        last = told
        stream.send(CHECKOUT_EVENT, JSON.stringify(view))
      })
      stream.onEnd(stop)
      return reply
    },
  )
}
