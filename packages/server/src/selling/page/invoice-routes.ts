// GET and POST /pay/i/{token}: an invoice's page, its PDF, and the button that leads to the checkout of an order.
import { localeOfHeader } from '@florin/platform/accept-language'
import { attachment } from '@florin/platform/attachment'
import type { Clock } from '@florin/platform/clock'
import { AppError } from '@florin/platform/errors'
import { useForms } from '@florin/platform/http/json'
import { type App, clientOf } from '@florin/platform/http/server'
import type { Log } from '@florin/platform/worker/job'
import { makeThread } from '@florin/platform/worker/thread'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findLogo } from '../../brand/store.ts'
import { refuseForeignPage } from '../../checkout/browser.ts'
import { makeActLimit } from '../../checkout/door/limit.ts'
import { findInvoiceByToken, type InvoicePage } from '../invoices/store.ts'
import { statusAt } from '../invoices/view.ts'
import { startFromInvoice } from '../start/from-invoice.ts'
import { invoicePage } from './invoice-page.ts'
import type { PdfParts } from './invoice-pdf.ts'
import { nothingPage } from './link-page.ts'
import { type Looks, sendLook } from './look.ts'
import { problemOf } from './problem.ts'
import { isToken, pageSchema, type SellingDeps } from './routes.ts'

/** Drawing one takes a tenth of a second of a processor: what was drawn lately is kept. */
const KEPT_MAX = 50

export async function invoicePages(
  app: App,
  deps: SellingDeps & { clock: Clock; log: Log },
  looks: Looks,
): Promise<void> {
  const drawn = new Map<string, Promise<Uint8Array>>()
  const thread = makeThread<PdfParts, Uint8Array>(deps, new URL('./invoice-pdf.thread.ts', import.meta.url))
  app.addHook('onClose', () => thread.close())
  const countDrawing = makeActLimit(deps.clock)
  const read = (token: string): Promise<InvoicePage | null> =>
    isToken(token) ? findInvoiceByToken(deps.sql, token) : Promise.resolve(null)
  const partsFor = async (request: FastifyRequest, invoice: InvoicePage) => ({
    ...{ invoice, look: await looks.of(request, `/pay/i/${invoice.token}`, invoice.merchantId) },
    now: deps.clock.now(),
  })
  const nothing = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const look = await looks.of(request, '/', null)
    return sendLook(request, reply, look, { html: nothingPage(look), status: 404 })
  }

  app.get('/pay/i/:token', { schema: pageSchema }, async (request, reply) => {
    const invoice = await read(request.params.token)
    if (invoice === null) return nothing(request, reply)
    const parts = await partsFor(request, invoice)
    return sendLook(request, reply, parts.look, { html: invoicePage(parts) })
  })

  app.get('/pay/i/:token/pdf', { schema: pageSchema }, async (request, reply) => {
    const invoice = await read(request.params.token)
    if (invoice === null) return nothing(request, reply)
    const parts = await partsFor(request, invoice)
    const { id, number } = invoice
    // The brand's addresses change with the brand.
    const key = [
      id,
      statusAt(invoice, parts.now),
      parts.look.language,
      parts.look.brand.cardUrl,
      parts.look.brand.timeZone,
    ].join(' ')
    const known = drawn.get(key)
    if (known === undefined) {
      countDrawing(clientOf(request.ip))
      const logo = parts.look.brand.logo === null ? null : await findLogo(deps.sql, invoice.merchantId)
      const drawing = thread.run(invoice.merchantId, { ...parts, logo })
      drawn.set(key, drawing)
      drawing.catch(() => drawn.delete(key))
      for (const oldest of drawn.keys()) {
        if (drawn.size <= KEPT_MAX) break
        drawn.delete(oldest)
      }
    }
    const pdf = Buffer.from((await (known ?? drawn.get(key))) ?? [])
    return reply
      .type('application/pdf')
      .header('Content-Disposition', attachment(`${number}.pdf`))
      .serializer((body: unknown) => body as string)
      .send(pdf)
  })

  await app.register(async (scope) => {
    // The form has no fields; only here, so the API still accepts only JSON.
    useForms(scope)
    scope.post<{ Params: { token: string } }>('/pay/i/:token', { schema: pageSchema }, async (request, reply) => {
      const invoice = await read(request.params.token)
      if (invoice === null) return nothing(request, reply)
      try {
        refuseForeignPage(request, deps.config.baseUrl)
        const locale = localeOfHeader(request.headers['accept-language'])
        const token = await startFromInvoice(deps, invoice, clientOf(request.ip).slice(0, 100), locale)
        return reply.redirect(`/pay/${token}`, 303)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const parts = await partsFor(request, (await read(request.params.token)) ?? invoice)
        const { text } = problemOf(error, parts.look.language)
        if (error.retryAfterS !== null) reply.header('Retry-After', String(Math.ceil(error.retryAfterS)))
        const html = invoicePage({ ...parts, problem: text })
        return sendLook(request, reply, parts.look, { html, status: error.entry.status })
      }
    })
  })
}
