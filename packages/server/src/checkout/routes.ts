// HTTP routes of the checkout (contract.md 4.5): what a payer may read and do with the token of one order.
import { searchChoices } from '@florin/checkout-core'
import type { Viewer } from '@florin/order-model/shown'
import type { OrderState } from '@florin/order-model/state'
import { localeOfHeader } from '@florin/platform/accept-language'
import { AppError } from '@florin/platform/errors'
import { makeEventStreams } from '@florin/platform/http/event-stream'
import { sendJson } from '@florin/platform/http/json'
import { type App, clientOf } from '@florin/platform/http/server'
import { ADDRESS_MAX, CHECKOUT_EVENT, custodies } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { brandOf } from '../brand/brand.ts'
import type { OrderDeps } from '../orders/advance.ts'
import { readConditions } from '../orders/create/conditions.ts'
import { chooseLeg, giveRefundAddress, refundStep } from '../orders/payer.ts'
import { readUnits, SimulateBody } from '../orders/routes.ts'
import { simulate } from '../orders/simulate.ts'
import { listTokens } from '../orders/store.ts'
import type { ChainTipOf } from '../orders/view.ts'
import { actorOf, holderOf, refuseForeignPage, viewerOf } from './browser.ts'
import { listChoices } from './choices/choices.ts'
import { lookAgain } from './door/look.ts'
import type { TokenDoor } from './door/token.ts'
import { CheckoutSchema, PayChoicesSchema } from './schema.ts'
import { type CheckoutParts, checkoutView, readDetails } from './view.ts'
import { takeWalletProof, WalletProofBody } from './wallet-proof.ts'
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
  const streams = makeEventStreams(app, deps, {
    ...STREAMS,
    standing: (tokens) => listTokens(deps.sql, tokens),
  })
  const watch = watchOrders(deps)
  app.addHook('onClose', () => watch.close())

  const forAct = async (request: FastifyRequest<{ Params: { token: string } }>): Promise<OrderState> => {
    const order = await door.read(request.params.token)
    door.countAct(order, actorOf(deps, request))
    return order
  }
  const parts = { rails: deps.rails, tips: deps.tips, service: new URL(deps.config.baseUrl).origin }
  const render = (order: OrderState, more: Pick<CheckoutParts, 'brand' | 'viewer' | 'conditions' | 'details'>) =>
    checkoutView(order, { ...parts, now: deps.clock.now(), ...more })
  const browserOf = (
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
    order: OrderState,
  ): string => {
    const viewer = holderOf(deps, request, reply)
    door.countBrowser(order, { ...actorOf(deps, request), viewer })
    return viewer
  }
  const rendered = async (order: OrderState, viewer: Viewer): Promise<string> => {
    const [brand, conditions, details] = await Promise.all([
      brandOf(deps.sql, order.merchantId, deps.config.baseUrl),
      readConditions(deps.sql, order, deps.clock.now()),
      readDetails(deps.rails, order),
    ])
    return JSON.stringify(render(order, { brand, viewer, conditions, details }))
  }

  app.get(
    '/checkout/:token',
    { schema: { ...about('What the payer sees'), response: { 200: CheckoutSchema } } },
    async (request, reply) =>
      sendJson(reply, await rendered(await door.read(request.params.token), viewerOf(deps, request))),
  )

  app.get(
    '/checkout/:token/choices',
    {
      schema: {
        ...about(
          'Every way to pay',
          'All that the checkout itself is too short for, or what fits the words of `q`: parts of names, symbols and chains, or a contract.',
        ),
        querystring: Type.Object({ q: Type.Optional(Type.String({ maxLength: 100 })) }, closed),
        response: { 200: PayChoicesSchema },
      },
    },
    async (request, reply) => {
      const order = await door.read(request.params.token)
      const now = deps.clock.now()
      const conditions = await readConditions(deps.sql, order, now)
      const all = listChoices(deps.rails, order, { now, viewer: viewerOf(deps, request), conditions })
      const { q } = request.query
      const data = q === undefined ? all : searchChoices(all, q)
      return sendJson(reply, JSON.stringify({ data, total: data.length }))
    },
  )

  app.post(
    '/checkout/:token/pay',
    {
      schema: {
        ...about(
          'Choose how to pay',
          'The same choice again, while its quote holds, is the same leg. A refund address that comes with the choice is bound into a leg that is shown to this browser alone: it keeps the cookie of the answer.',
        ),
        body: Type.Object(
          {
            chain: Code,
            asset: Type.Optional(Code),
            refund_address: Type.Optional(RefundAddress),
            custody: Type.Optional(
              Type.Enum([...custodies], {
                description:
                  'What the payer was shown of who holds the money on its way: a way through a third party is not opened for `none`',
              }),
            ),
          },
          closed,
        ),
        response: { 200: CheckoutSchema },
      },
    },
    async (request, reply) => {
      refuseForeignPage(request, deps.config.baseUrl)
      const { chain, asset, refund_address: refundAddress, custody } = request.body
      const payerLocale = localeOfHeader(request.headers['accept-language'])
      const choice = { chain, asset: asset ?? null, refundAddress: refundAddress ?? null, custody, payerLocale }
      const order = await forAct(request)
      const viewer = refundAddress === undefined ? viewerOf(deps, request) : browserOf(request, reply, order)
      return sendJson(reply, await rendered(await chooseLeg(deps, order, choice, viewer), viewer))
    },
  )

  app.post(
    '/checkout/:token/refund-address',
    {
      schema: {
        ...about(
          'Give the address that money goes back to',
          'Before money is seen it is bound into a new pay address, which is shown to this browser alone: it keeps the cookie of the answer, and may give another. Afterwards it counts from the browser that holds the pay address, or with `proof`: a signature of the wallet that paid over the text of `refundMessage` (@florin/protocol), for what came from that wallet. From anybody else it waits for the approval of the merchant, and lapses after 24 hours.',
        ),
        body: Type.Object({ address: RefundAddress, proof: Type.Optional(WalletProofBody) }, closed),
        response: { 200: CheckoutSchema },
      },
    },
    async (request, reply) => {
      refuseForeignPage(request, deps.config.baseUrl)
      const order = await forAct(request)
      const { address, proof } = request.body
      if (proof !== undefined) {
        const after = await takeWalletProof(deps, order, { address, ...proof })
        return sendJson(reply, await rendered(after, viewerOf(deps, request)))
      }
      const known = viewerOf(deps, request)
      const binds = refundStep(order, deps.clock.now(), known) === 'bind'
      const viewer = binds ? browserOf(request, reply, order) : known
      return sendJson(reply, await rendered(await giveRefundAddress(deps, order, address, viewer), viewer))
    },
  )

  app.post(
    '/checkout/:token/look',
    {
      schema: {
        ...about(
          'Have the network searched for a payment',
          'For who has sent already: the chain is looked at now instead of when its turn comes. Twice a minute.',
        ),
        body: Type.Object({ tx_hash: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
        response: { 200: CheckoutSchema },
      },
    },
    async (request, reply) => {
      refuseForeignPage(request, deps.config.baseUrl)
      const order = await forAct(request)
      door.countLook(order, actorOf(deps, request))
      const viewer = viewerOf(deps, request)
      return sendJson(reply, await rendered(await lookAgain(deps, order, request.body.tx_hash, viewer), viewer))
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
      const order = await forAct(request)
      if (order.livemode) {
        throw new AppError('simulation_not_applicable', { message: 'This is a live order: only money moves it.' })
      }
      const { action, amount } = request.body
      const viewer = viewerOf(deps, request)
      return sendJson(reply, await rendered(await simulate(deps, order, action, readUnits(amount), viewer), viewer))
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
      const brand = await brandOf(deps.sql, order.merchantId, deps.config.baseUrl)
      const stream = streams.open(reply, {
        holders: { order: order.orderNo, client: clientOf(request.ip) },
        right: request.params.token,
      })
      const viewer = viewerOf(deps, request)
      const conditions = await readConditions(deps.sql, order, deps.clock.now())
      let last = ''
      let isOver = false
      let turn = Promise.resolve()
      const tell = (known: OrderState, details: Awaited<ReturnType<typeof readDetails>>): void => {
        const view = render(known, { brand, viewer, conditions, details })
        // Ignore server_time changes.
        const told = JSON.stringify({ ...view, server_time: '' })
        if (told === last || isOver) return
        last = told
        stream.show(CHECKOUT_EVENT, JSON.stringify(view))
      }
      const stop = watch.follow(order, (known) => {
        // One after the other: an older state never comes last. What the chain shows beside it may be missing.
        turn = turn.then(async () => tell(known, await readDetails(deps.rails, known).catch(() => null)))
      })
      stream.onEnd(() => {
        isOver = true
        stop()
      })
      return reply
    },
  )
}
