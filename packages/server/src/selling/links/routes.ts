// The calls of payment links (contract.md 4.7): /v1 and the console.
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { LivemodeQuery, OptionalLivemodeQuery } from '@florin/platform/http/livemode'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import { idPattern, newId, randomBase62 } from '@florin/platform/ids'
import type { Rails } from '@florin/rail-kit/registry'
import { Type } from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { requireWorkable } from '../../orders/create/workable.ts'
import type { Config } from '../../settings.ts'
import { createRoute } from '../make/create-route.ts'
import { makeOnce } from '../make/once.ts'
import { ChangeLinkBody, CreateLinkBody, orderTermsOf, parseChange, parseLink } from './rules.ts'
import { findLink, insertLink, listLinks, lockLink, type Owner, type PaymentLinkRow, updateLink } from './store.ts'
import { LinkSchema, linkView } from './view.ts'

const closed = { additionalProperties: false }
const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }, closed)
const pattern = new RegExp(idPattern('plk'))
const ActiveQuery = { active: Type.Optional(Type.Enum(['true', 'false'])) }

export function linkRoutes(app: App, deps: { sql: Sql; lists: Sql; clock: Clock; config: Config; rails: Rails }): void {
  const view = (link: PaymentLinkRow) => linkView(link, { baseUrl: deps.config.baseUrl, now: deps.clock.now() })
  const tags = { v1: ['selling'], console: ['console: selling'] }
  const getOwn = async (owner: Owner, id: string): Promise<PaymentLinkRow> => {
    const link = pattern.test(id) ? await findLink(deps.sql, { ...owner, id }) : null
    if (link === null) throw new AppError('payment_link_not_found')
    return link
  }

  createRoute(app, {
    ...{ noun: 'payment_links', summary: 'Make a payment link', body: CreateLinkBody, response: LinkSchema },
    description: 'A page to share. Each visit that starts to pay makes an order, priced at that moment.',
    make({ merchantId, livemode, actor, owner, idempotent }, body) {
      const now = deps.clock.now()
      const terms = parseLink(body, now)
      const id = newId('plk', now)
      const link = { ...terms, id, merchantId, livemode, token: randomBase62(22), createdAt: now, updatedAt: now }
      return makeOnce(deps.sql, { owner, idempotent, id, now }, async (tx) => {
        await requireWorkable(deps, tx, link, orderTermsOf(link), now)
        await insertLink(tx, link)
        const detail = { title: link.title, livemode }
        await recordAudit(tx, { merchantId, actor, action: 'payment_link.created', subject: id, detail }, now)
        return view({ ...link, taken: 0, ordersPaid: 0 })
      })
    },
  })

  defineRoute(app, {
    ...{ method: 'GET', summary: 'List payment links', description: 'Newest first.', response: Page(LinkSchema) },
    v1: {
      ...{ url: '/v1/payment_links', scope: 'orders:read', tags: tags.v1 },
      query: { ...PageQuery, ...ActiveQuery },
    },
    console: {
      ...{ url: '/api/v1/boss/payment_links', tags: tags.console },
      query: { ...LivemodeQuery, ...PageQuery, ...ActiveQuery },
    },
    async answer({ merchantId, livemode }, { query }) {
      const limit = readLimit(query)
      const rows = await listLinks(deps.lists, {
        ...{ merchantId, livemode: livemode === true, below: readIdCursor(query.cursor, 'plk'), limit: limit + 1 },
        active: query.active === undefined ? null : query.active === 'true',
      })
      return pageOf(rows, limit, view, (link) => [link.id])
    },
  })

  defineRoute(app, {
    ...{ method: 'GET', summary: 'Read a payment link', params: Params, response: LinkSchema },
    v1: { url: '/v1/payment_links/:id', scope: 'orders:read', tags: tags.v1 },
    console: { url: '/api/v1/boss/payment_links/:id', query: OptionalLivemodeQuery, tags: tags.console },
    answer: async (caller, { params }) => view(await getOwn(caller, params.id)),
  })

  defineRoute(app, {
    ...{ method: 'POST', summary: 'Change a payment link', params: Params, body: ChangeLinkBody, response: LinkSchema },
    description:
      'What is named changes, null takes away. Amount, currency and where it settles stay: make another link. Payments that were started go on.',
    v1: { url: '/v1/payment_links/:id', scope: 'orders:write', tags: tags.v1 },
    console: {
      ...{ url: '/api/v1/boss/payment_links/:id', query: OptionalLivemodeQuery, tags: tags.console, act: 'harmless' },
    },
    async answer(caller, { params, body }) {
      const now = deps.clock.now()
      const changes = parseChange(body, now)
      const { id, merchantId } = await getOwn(caller, params.id)
      return withTx(deps.sql, async (tx) => {
        const link = await lockLink(tx, id)
        if (link === null) throw new AppError('payment_link_not_found')
        // Late money on orders of a link without a stock settles; with one it would be sold twice.
        if (link.stock === null && typeof changes.stock === 'number') {
          throw new AppError('validation_failed', {
            param: 'stock',
            message: 'This link was made without a stock. Make another link with one.',
          })
        }
        const after = { ...link, ...changes, updatedAt: now }
        // Who closes a link that cannot work is not held up.
        if (after.active) await requireWorkable(deps, tx, after, orderTermsOf(after), now)
        await updateLink(tx, after)
        const detail = { changed: Object.keys(body).join(' ') }
        const { actor } = caller
        await recordAudit(tx, { merchantId, actor, action: 'payment_link.changed', subject: id, detail }, now)
        return view(after)
      })
    },
  })
}
