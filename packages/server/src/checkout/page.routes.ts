// GET /pay/{token}: the payer's page, complete without JavaScript, which the built script then takes over; and the
// posts of that plain page's forms.
import { join } from 'node:path'
import { searchChoices } from '@florin/checkout-core'
import type { Viewer } from '@florin/order-model/shown'
import type { OrderState } from '@florin/order-model/state'
import { AppError } from '@florin/platform/errors'
import { useForms } from '@florin/platform/http/json'
import type { App } from '@florin/platform/http/server'
import { newNonce, pagePolicy, readBuiltEntry, sendPage, serveBuiltFiles } from '@florin/platform/http/static'
import type { PayChoice } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { brandOf, noBrand } from '../brand/brand.ts'
import { readConditions } from '../orders/create/conditions.ts'
import { chooseLeg, giveRefundAddress, refundStep } from '../orders/payer.ts'
import { attendTo } from './attend.ts'
import { actorOf, holderOf, refuseForeignPage, viewerOf } from './browser.ts'
import { listChoices } from './choices/choices.ts'
import { lookAgain } from './door/look.ts'
import type { TokenDoor } from './door/token.ts'
import { languageOf, wordsSource } from './language.ts'
import { checkoutPage } from './page.ts'
import type { CheckoutDeps } from './routes.ts'
import { checkoutView, readDetails } from './view.ts'
import { homePage, isForReading, missingPage } from './worded.ts'

const built = join(import.meta.dirname, '../../../checkout/dist')
/** Nobody looks through more options: another word finds it sooner. */
const FOUND_MAX = 60
const Query = Type.Object({ q: Type.Optional(Type.String({ maxLength: 100 })) })
// The router bounds its length: whatever is wrong with it, the answer is the page of a missing link.
const Params = Type.Object({ token: Type.String() }, { additionalProperties: false })

/** @param folder the built checkout */
export async function checkoutPages(app: App, deps: CheckoutDeps, door: TokenDoor, folder = built): Promise<void> {
  const entry = readBuiltEntry(folder, 'src/main.tsx', '/pay-files/')
  await serveBuiltFiles(app, folder, '/pay-files/')
  const parts = { rails: deps.rails, tips: deps.tips, service: new URL(deps.config.baseUrl).origin }
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    order: OrderState,
    viewer: Viewer,
    { problem, needing, query }: { problem?: string; needing?: PayChoice; query?: string | undefined } = {},
  ): Promise<FastifyReply> => {
    const brand = await brandOf(deps.sql, order.merchantId, deps.config.baseUrl)
    const now = deps.clock.now()
    const conditions = await readConditions(deps.sql, order, now)
    const details = await readDetails(deps.rails, order)
    const locale = languageOf(request.headers['accept-language'])
    if (entry === null)
      throw new AppError('unavailable', {
        message: 'This page is not built. Whoever runs this Florin builds it with npm start.',
      })
    const all = (): PayChoice[] => listChoices(deps.rails, order, { now, viewer, conditions })
    const nonce = newNonce()
    const html = checkoutPage({
      brand,
      nonce,
      url: `${deps.config.baseUrl.replace(/\/$/, '')}/pay/${order.checkoutToken}`,
      checkout: checkoutView(order, { ...parts, brand, now, viewer, conditions, details }),
      assets: { script: entry.script, style: entry.style, preload: entry.preload(wordsSource(locale)) },
      locale,
      ...(problem === undefined ? {} : { problem }),
      choosing: {
        ...(needing === undefined ? {} : { needing }),
        ...(query === undefined ? {} : { found: { query, choices: searchChoices(all(), query).slice(0, FOUND_MAX) } }),
      },
    })
    // A form of this page sends its origin; other sites get no referrer.
    reply.header('Referrer-Policy', 'same-origin')
    return sendPage(request, reply, {
      html,
      policy: pagePolicy({ styleNonce: nonce }),
      status: problem === undefined ? 200 : 422,
    })
  }

  // People read words where programs read JSON.
  const worded = (request: FastifyRequest, reply: FastifyReply, page: typeof homePage, status: number) => {
    const nonce = newNonce()
    const locale = languageOf(request.headers['accept-language'])
    const html = page({ locale, nonce, style: entry?.style ?? null, brand: noBrand(deps.config.baseUrl) })
    return sendPage(request, reply, { html, policy: pagePolicy({ styleNonce: nonce }), status })
  }

  app.get('/', { schema: { hide: true } }, (request, reply) => {
    if (!isForReading(request.headers.accept)) throw new AppError('not_found')
    return worded(request, reply, homePage, 200)
  })

  app.get('/pay/:token', { schema: { hide: true, params: Params, querystring: Query } }, async (request, reply) => {
    const order = await door.read(request.params.token).catch((error: unknown) => {
      const isMissing = error instanceof AppError && error.entry.code === 'checkout_not_found'
      if (isMissing && isForReading(request.headers.accept)) return null
      throw error
    })
    if (order === null) return worded(request, reply, missingPage, 404)
    const query = request.query.q?.trim()
    // Without JavaScript no stream tells that somebody is at it.
    attendTo(deps.rails, order)
    return show(request, reply, order, viewerOf(deps, request), { query: query === '' ? undefined : query })
  })

  // A link that was cut short, or that got something at its end on the way.
  for (const url of ['/pay', '/pay/*'])
    app.get(url, { schema: { hide: true } }, (request, reply) => {
      if (!isForReading(request.headers.accept)) throw new AppError('not_found')
      return worded(request, reply, missingPage, 404)
    })

  const holderFor = (
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
    order: OrderState,
  ): string => {
    const viewer = holderOf(deps, request, reply)
    door.countBrowser(order, { ...actorOf(deps, request), viewer })
    return viewer
  }
  const choiceOf = async (order: OrderState, viewer: Viewer, a: { chain: string; asset: string | null }) => {
    const now = deps.clock.now()
    const conditions = await readConditions(deps.sql, order, now)
    const all = listChoices(deps.rails, order, { now, viewer, conditions })
    return all.find((choice) => choice.chain === a.chain && choice.asset === a.asset)
  }

  // The forms of the plain page are posted urlencoded; only here, so the API still accepts only JSON.
  await app.register(async (scope) => {
    useForms(scope)
    scope.post<{ Params: { token: string }; Body: Record<string, string> }>(
      '/pay/:token',
      { schema: { hide: true, params: Params } },
      async (request, reply) => {
        const order = await door.read(request.params.token)
        let viewer = viewerOf(deps, request)
        let needing: PayChoice | undefined
        try {
          refuseForeignPage(request, deps.config.baseUrl)
          door.countAct(order, actorOf(deps, request))
          const { choice, address, tx_hash: txHash } = request.body
          if (choice !== undefined) {
            const [chain = '', asset = null] = choice.split(' ')
            const wish = { chain, asset, refundAddress: address?.trim() ?? null }
            const picked = await choiceOf(order, viewer, wish)
            needing = picked?.refund_address === 'required' ? picked : undefined
            if (needing !== undefined && wish.refundAddress === null)
              return show(request, reply, order, viewer, { needing })
            if (wish.refundAddress !== null) viewer = holderFor(request, reply, order)
            await chooseLeg(deps, order, { ...wish, custody: picked?.custody }, viewer)
          } else if (txHash !== undefined) {
            door.countLook(order, actorOf(deps, request))
            await lookAgain(deps, order, txHash, viewer)
          } else if (address !== undefined) {
            const binds = refundStep(order, deps.clock.now(), viewer) === 'bind'
            if (binds) viewer = holderFor(request, reply, order)
            await giveRefundAddress(deps, order, address.trim(), viewer)
          }
        } catch (error) {
          // A refusal is shown to the payer on the page; anything else is not.
          if (error instanceof AppError && (error.entry.status < 500 || error.entry.code === 'rail_unavailable'))
            return show(request, reply, order, viewer, {
              problem: error.message,
              ...(needing === undefined ? {} : { needing }),
            })
          throw error
        }
        return reply.redirect(`/pay/${request.params.token}`, 303)
      },
    )
  })
}
