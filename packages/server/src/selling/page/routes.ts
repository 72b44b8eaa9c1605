// GET and POST /pay/l/{token}: a payment link's page and its form, which starts an order and leads to its checkout.
import { localeOfHeader } from '@florin/platform/accept-language'
import { AppError } from '@florin/platform/errors'
import { useForms } from '@florin/platform/http/json'
import { type App, clientOf } from '@florin/platform/http/server'
import { randomBase62 } from '@florin/platform/ids'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { refuseForeignPage } from '../../checkout/browser.ts'
import type { CreateDeps } from '../../orders/create/create.ts'
import { stateOf, type Wish } from '../links/rules.ts'
import { findLinkByToken, type LinkPage } from '../links/store.ts'
import { startFromLink } from '../start/from-link.ts'
import { linkPage, nothingPage, posterPage } from './link-page.ts'
import { type Looks, sendLook } from './look.ts'
import { findOwn, keepOwn } from './own.ts'
import { problemOf } from './problem.ts'

const Params = Type.Object({ token: Type.String() }, { additionalProperties: false })
export const pageSchema = { hide: true, params: Params }

export type SellingDeps = CreateDeps

export const isToken = (token: string): boolean => /^[0-9A-Za-z]{22}$/.test(token)

/** The link takes no more starts now, however good the form is. */
const isRefusedNow = ({ entry }: AppError): boolean => ['sold_out', 'link_closed', 'rate_limited'].includes(entry.code)

/** One line of a form's field; what is no text, or too long to be meant, is left out. */
const typedIn = (body: Record<string, string>, name: string): string | undefined => body[name]?.slice(0, 2_000)

export async function linkPages(app: App, deps: SellingDeps, looks: Looks): Promise<void> {
  const read = (token: string): Promise<LinkPage | null> =>
    isToken(token) ? findLinkByToken(deps.sql, token) : Promise.resolve(null)
  const partsFor = async (request: FastifyRequest, link: LinkPage) => ({
    ...{ link, look: await looks.of(request, `/pay/l/${link.token}`, link.merchantId) },
    ...{ now: deps.clock.now(), once: randomBase62(22) },
  })
  const nothing = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const look = await looks.of(request, '/', null)
    return sendLook(request, reply, look, { html: nothingPage(look), status: 404 })
  }

  app.get('/pay/l/:token', { schema: pageSchema }, async (request, reply) => {
    const link = await read(request.params.token)
    if (link === null) return nothing(request, reply)
    const parts = await partsFor(request, link)
    const own = stateOf(link, parts.now) === 'open' ? null : await findOwn(deps, request, link)
    if (own !== null) return reply.redirect(`/pay/${own}`, 303)
    return sendLook(request, reply, parts.look, { html: linkPage(parts) })
  })

  app.get('/pay/l/:token/qr', { schema: pageSchema }, async (request, reply) => {
    const link = await read(request.params.token)
    if (link === null) return nothing(request, reply)
    const parts = await partsFor(request, link)
    return sendLook(request, reply, parts.look, { html: posterPage(parts) })
  })

  // Forms are posted urlencoded; only here, so the API still accepts only JSON.
  await app.register(async (scope) => {
    useForms(scope)
    scope.post<{ Params: { token: string }; Body: Record<string, string> }>(
      '/pay/l/:token',
      { schema: pageSchema },
      async (request, reply) => {
        const link = await read(request.params.token)
        if (link === null) return nothing(request, reply)
        const { body } = request
        const wish: Wish = {
          ...{ amount: typedIn(body, 'amount'), quantity: typedIn(body, 'quantity') },
          ...{ email: typedIn(body, 'email'), name: typedIn(body, 'name'), note: typedIn(body, 'note') },
        }
        const once = isToken(body.once ?? '') ? String(body.once) : null
        try {
          refuseForeignPage(request, deps.config.baseUrl)
          const checkout = await startFromLink(deps, link, {
            ...{ wish, client: clientOf(request.ip).slice(0, 100), once },
            payerLocale: localeOfHeader(request.headers['accept-language']),
          })
          const started = checkout.slice(checkout.lastIndexOf('/') + 1)
          keepOwn(deps, request, reply, { link, started })
          return reply.redirect(`/pay/${started}`, 303)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          const own = isRefusedNow(error) ? await findOwn(deps, request, link) : null
          if (own !== null) return reply.redirect(`/pay/${own}`, 303)
          const parts = await partsFor(request, link)
          if (error.retryAfterS !== null) reply.header('Retry-After', String(Math.ceil(error.retryAfterS)))
          const fresh = (await read(request.params.token)) ?? link
          const problem = problemOf(error, parts.look.language, fresh)
          const html = linkPage({ ...parts, link: fresh, typed: wish, problem })
          return sendLook(request, reply, parts.look, { html, status: error.entry.status })
        }
      },
    )
  })
}
