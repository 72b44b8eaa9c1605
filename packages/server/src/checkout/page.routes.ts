// GET /pay/{token}: the payer's page, complete without JavaScript, which the built script then takes over; and the
// posts of that plain page's forms.
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { brandOf, noBrand } from '../brand/brand.ts'
import { listFullAccounts } from '../orders/full-accounts.ts'
import type { Viewer } from '../orders/model/shown.ts'
import type { OrderState } from '../orders/model/state.ts'
import { chooseLeg, giveRefundAddress, refundStep } from '../orders/payer.ts'
import { AppError } from '../platform/errors.ts'
import { useForms } from '../platform/http/json.ts'
import type { App } from '../platform/http/server.ts'
import { newNonce, pagePolicy, readBuiltEntry, sendPage, serveBuiltFiles } from '../platform/http/static.ts'
import { holderOf, refuseForeignPage, viewerOf } from './browser.ts'
import { lookAgain } from './door/look.ts'
import type { TokenDoor } from './door/token.ts'
import { languageOf, wordsSource } from './language.ts'
import { checkoutPage } from './page.ts'
import type { CheckoutDeps } from './routes.ts'
import { checkoutView } from './view.ts'
import { homePage, isForReading, missingPage } from './worded.ts'

const built = join(import.meta.dirname, '../../../checkout/dist')
const Params = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false })

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
    problem?: string,
  ): Promise<FastifyReply> => {
    const brand = await brandOf(deps.sql, order.merchantId, deps.config.baseUrl)
    const fullAccounts = await listFullAccounts(deps, order)
    const locale = languageOf(request.headers['accept-language'])
    if (entry === null)
      throw new AppError('unavailable', { message: 'This page is not built. Run "npm start" to build it.' })
    const nonce = newNonce()
    const html = checkoutPage({
      brand,
      nonce,
      url: `${deps.config.baseUrl.replace(/\/$/, '')}/pay/${order.checkoutToken}`,
      checkout: checkoutView(order, { ...parts, brand, now: deps.clock.now(), viewer, fullAccounts }),
      assets: { script: entry.script, style: entry.style, preload: entry.preload(wordsSource(locale)) },
      locale,
      ...(problem === undefined ? {} : { problem }),
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

  app.get('/pay/:token', { schema: { hide: true, params: Params } }, async (request, reply) => {
    const order = await door.read(request.params.token).catch((error: unknown) => {
      const isMissing = error instanceof AppError && error.entry.code === 'checkout_not_found'
      if (isMissing && isForReading(request.headers.accept)) return null
      throw error
    })
    if (order === null) return worded(request, reply, missingPage, 404)
    return show(request, reply, order, viewerOf(request))
  })

  // The forms of the plain page are posted urlencoded; only here, so the API still accepts only JSON.
  await app.register(async (scope) => {
    useForms(scope)
    scope.post<{ Params: { token: string }; Body: Record<string, string> }>(
      '/pay/:token',
      { schema: { hide: true, params: Params } },
      async (request, reply) => {
        const order = await door.read(request.params.token)
        let viewer = viewerOf(request)
        try {
          refuseForeignPage(request, deps.config.baseUrl)
          door.countAct(order)
          const { choice, address, tx_hash: txHash } = request.body
          if (choice !== undefined) {
            const [chain = '', asset = null] = choice.split(' ')
            await chooseLeg(deps, order, { chain, asset, refundAddress: null }, viewer)
          } else if (txHash !== undefined) {
            door.countLook(order)
            await lookAgain(deps, order, txHash, viewer)
          } else if (address !== undefined) {
            const { token } = request.params
            const binds = refundStep(order, deps.clock.now(), viewer) === 'bind'
            if (binds) viewer = holderOf(request, reply, { token, baseUrl: deps.config.baseUrl })
            await giveRefundAddress(deps, order, address.trim(), viewer)
          }
        } catch (error) {
          // A refusal is shown to the payer on the page; anything else is not.
          if (error instanceof AppError && error.entry.status < 500)
            return show(request, reply, order, viewer, error.message)
          throw error
        }
        return reply.redirect(`/pay/${request.params.token}`, 303)
      },
    )
  })
}
