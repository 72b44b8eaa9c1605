// HTTP routes of the export (contract.md 5). It is streamed as the client reads; a merchant may run two at a time.
import type { Readable } from 'node:stream'
import { attachment } from '@florin/platform/attachment'
import { withTx } from '@florin/platform/db/tx'
import { LivemodeQuery, readLivemode } from '@florin/platform/http/livemode'
import type { PacedAnswers } from '@florin/platform/http/paced'
import type { App } from '@florin/platform/http/server'
import { idPattern } from '@florin/platform/ids'
import { findZone } from '@florin/platform/merchants.store'
import { dayOf } from '@florin/protocol'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { isSessionOpen } from '../login/store.ts'
import { OrderFilterQuery, readOrderFilter, SearchQuery } from '../orders/filter.ts'
import { exportOrders } from './export.ts'
import { type TraceDeps, traceExport } from './export-trace.ts'

/** @param answers shared by all exports of the process, so that together they keep to its limits. */
export function exportRoutes(app: App, deps: TraceDeps, answers: PacedAnswers): void {
  app.get(
    '/api/v1/boss/orders/export',
    {
      // A HEAD request would read all orders for nothing.
      exposeHeadRoute: false,
      schema: {
        tags: ['console: orders'],
        summary: 'Export orders as CSV',
        description:
          'One row an order, newest first, with the filters of the list. Amounts are in whole units; times have the offset of the merchant’s time zone. One that broke off goes on with `after`, the `order_no` of the last whole row.',
        security: [{ consoleToken: [] }],
        querystring: Type.Object(
          {
            ...{ format: Type.Literal('csv'), ...LivemodeQuery, ...OrderFilterQuery, ...SearchQuery },
            after: Type.Optional(
              Type.String({
                pattern: idPattern('ord'),
                description: 'Goes on behind this order, without the header row.',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: Type.String({ description: 'text/csv, UTF-8, with a header row' }) },
      },
    },
    async ({ merchant, query }, reply) => {
      const livemode = readLivemode(query)
      const own = { merchantId: merchant.id, merchantNo: merchant.no, livemode }
      const filter = { ...readOrderFilter(query), ...own, search: query.q ?? null }
      const body = answers.open({
        holder: merchant.id,
        pages: exportOrders(deps.sql, filter, query.after ?? null),
        isAllowed: () => isSessionOpen(deps.sql, merchant, deps.clock.now()),
      })
      const { format: _format, livemode: _mode, ...filters } = query
      try {
        await withTx(deps.sql, (tx) => traceExport(deps, tx, merchant, { livemode, filters }))
      } catch (error) {
        body.destroy()
        throw error
      }
      deps.wake.mail.fire()
      const day = dayOf(deps.clock.now(), await findZone(deps.sql, merchant.id))
      const name = `florin-orders-${livemode ? 'live' : 'test'}-${day}.csv`
      return sendCsv(reply, name, body)
    },
  )
}

function sendCsv(reply: FastifyReply, name: string, body: Readable): FastifyReply {
  return reply.type('text/csv; charset=utf-8').header('Content-Disposition', attachment(name)).send(body)
}
