import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { LivemodeQuery, OptionalLivemodeQuery } from '@florin/platform/http/livemode'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import { idPattern, newId, randomBase62 } from '@florin/platform/ids'
import { findZone } from '@florin/platform/merchants.store'
import { dayOf, invoiceStatuses } from '@florin/protocol'
import { Type } from 'typebox'
import { defineRoute } from '../../define-route.ts'
import type { OrderDeps } from '../../orders/advance.ts'
import { requireWorkable } from '../../orders/create/workable.ts'
import { createRoute } from '../make/create-route.ts'
import { makeOnce } from '../make/once.ts'
import { CreateInvoiceBody, numberText, orderTermsOf, parseInvoice } from './rules.ts'
import { sendInvoice } from './send.ts'
import * as store from './store.ts'
import { InvoiceSchema, invoiceView } from './view.ts'
import { voidInvoice } from './void.ts'

const closed = { additionalProperties: false }
const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }, closed)
const pattern = new RegExp(idPattern('inv'))
const StatusQuery = { status: Type.Optional(Type.Enum([...invoiceStatuses])) }
const invoiceOrder = 'Newest first; open and overdue ones by their due date, the earliest first.'
const NoBody = Type.Optional(Type.Object({}, closed))

export type InvoiceDeps = OrderDeps & { lists: Sql }

export function invoiceRoutes(app: App, deps: InvoiceDeps): void {
  const view = (invoice: store.InvoiceRow) =>
    invoiceView(invoice, { baseUrl: deps.config.baseUrl, now: deps.clock.now() })
  const tags = { v1: ['selling'], console: ['console: selling'] }
  const getOwn = async (owner: store.Owner, id: string): Promise<store.InvoiceRow> => {
    const invoice = pattern.test(id) ? await store.findInvoice(deps.sql, { ...owner, id }) : null
    if (invoice === null) throw new AppError('invoice_not_found')
    return invoice
  }
  const locked = async (tx: Tx, id: string): Promise<store.InvoiceRow> => {
    const invoice = await store.lockInvoice(tx, id)
    if (invoice === null) throw new AppError('invoice_not_found')
    return invoice
  }

  createRoute(app, {
    ...{ noun: 'invoices', summary: 'Make an invoice', body: CreateInvoiceBody, response: InvoiceSchema },
    description: 'A page and a PDF that say what is owed. Who starts to pay gets the rate of that moment.',
    async make({ merchantId, livemode, actor, owner, idempotent }, body) {
      const now = deps.clock.now()
      const { ownNumber, ...terms } = parseInvoice(body, now, await findZone(deps.sql, merchantId))
      const id = newId('inv', now)
      const made = await makeOnce(deps.sql, { owner, idempotent, id, now }, async (tx) => {
        const number = ownNumber ?? numberText(await store.nextNumber(tx, { merchantId, livemode }), livemode)
        const row = { ...terms, id, merchantId, livemode, token: randomBase62(22), number, createdAt: now }
        if (!(await store.insertInvoice(tx, row))) throw new AppError('invoice_number_taken', { param: 'number' })
        const detail = { number, livemode }
        await recordAudit(tx, { merchantId, actor, action: 'invoice.created', subject: id, detail }, now)
        await requireWorkable(deps, tx, { merchantId, livemode }, orderTermsOf(terms), now)
        if (body.send === true) await sendInvoice(deps, tx, await locked(tx, id), now)
        return view(await locked(tx, id))
      })
      if (body.send === true) deps.wake.mail.fire()
      return made
    },
  })

  defineRoute(app, {
    ...{ method: 'GET', summary: 'List invoices', description: invoiceOrder, response: Page(InvoiceSchema) },
    v1: { url: '/v1/invoices', scope: 'orders:read', tags: tags.v1, query: { ...PageQuery, ...StatusQuery } },
    console: {
      ...{ url: '/api/v1/boss/invoices', tags: tags.console },
      query: { ...LivemodeQuery, ...PageQuery, ...StatusQuery },
    },
    async answer({ merchantId, livemode }, { query }) {
      const limit = readLimit(query)
      const rows = await store.listInvoices(deps.lists, {
        ...{ merchantId, livemode: livemode === true, status: query.status ?? null },
        ...{
          today: dayOf(deps.clock.now(), await findZone(deps.lists, merchantId)),
          after: readIdCursor(query.cursor, 'inv'),
          limit: limit + 1,
        },
      })
      return pageOf(rows, limit, view, (invoice) => [invoice.id])
    },
  })

  const one = { params: Params, response: InvoiceSchema }
  defineRoute(app, {
    ...{ method: 'GET', summary: 'Read an invoice', ...one },
    v1: { url: '/v1/invoices/:id', scope: 'orders:read', tags: tags.v1 },
    console: { url: '/api/v1/boss/invoices/:id', query: OptionalLivemodeQuery, tags: tags.console },
    answer: async (caller, { params }) => view(await getOwn(caller, params.id)),
  })

  defineRoute(app, {
    ...{ method: 'POST', summary: 'Mail an invoice to its payer', ...one, body: NoBody },
    description:
      'Once an hour and five times in all; of a test invoice to the merchant. 429 where the mailbox had enough.',
    v1: { url: '/v1/invoices/:id/send', scope: 'orders:write', tags: tags.v1 },
    console: {
      ...{ url: '/api/v1/boss/invoices/:id/send', query: OptionalLivemodeQuery, tags: tags.console, act: 'harmless' },
    },
    async answer(caller, { params }) {
      const now = deps.clock.now()
      const { id, merchantId } = await getOwn(caller, params.id)
      await withTx(deps.sql, async (tx) => {
        const invoice = await locked(tx, id)
        await sendInvoice(deps, tx, invoice, now)
        // Nobody is asked for what cannot be paid.
        await requireWorkable(deps, tx, invoice, orderTermsOf(invoice), now)
        const entry = { merchantId, actor: caller.actor, action: 'invoice.sent', subject: id, detail: {} }
        await recordAudit(tx, entry, now)
      })
      deps.wake.mail.fire()
      return view(await getOwn(caller, id))
    },
  })

  defineRoute(app, {
    ...{ method: 'POST', summary: 'Take an invoice back', ...one, body: NoBody },
    description: 'Unless it is paid or being paid. A payment that was started and got nothing is canceled.',
    v1: { url: '/v1/invoices/:id/void', scope: 'orders:write', tags: tags.v1 },
    console: {
      ...{ url: '/api/v1/boss/invoices/:id/void', query: OptionalLivemodeQuery, tags: tags.console, act: 'harmless' },
    },
    async answer(caller, { params }) {
      const { id } = await getOwn(caller, params.id)
      await voidInvoice(deps, id, caller.actor)
      return view(await getOwn(caller, id))
    },
  })
}
