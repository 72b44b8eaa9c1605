// HTTP routes of the export (contract.md 5). It is streamed as the client reads; a merchant may run two at a time.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { OrderFilterQuery, readOrderFilter, SearchQuery } from '../orders/filter.ts'
import { attachment } from '../platform/attachment.ts'
import { withTx } from '../platform/db/tx.ts'
import { AppError } from '../platform/errors.ts'
import { LivemodeQuery, readLivemode } from '../platform/http/livemode.ts'
import type { App } from '../platform/http/server.ts'
import { idPattern } from '../platform/ids.ts'
import { exportOrders } from './export.ts'
import { type TraceDeps, traceExport } from './files/trace.ts'

/** An export is a long read of the database: one merchant's must not crowd out the others'. */
const EXPORTS_PER_MERCHANT = 2
/** Of all merchants, in a process: together they leave lists two of their four connections. */
const EXPORTS_PER_PROCESS = 4

export function exportRoutes(app: App, deps: TraceDeps & Pick<Deps, 'log'>): void {
  const running = new Map<string, number>()

  app.get(
    '/api/v1/boss/orders/export',
    {
      // A HEAD request would read all orders for nothing.
      exposeHeadRoute: false,
      schema: {
        tags: ['console: orders'],
        summary: 'Export orders as CSV',
        description:
          'One row an order, newest first, with the filters of the list. Amounts are in whole units. One that broke off goes on with `after`, the `order_no` of the last whole row.',
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
      const before = running.get(merchant.id) ?? 0
      if (before >= EXPORTS_PER_MERCHANT) {
        throw new AppError('rate_limited', {
          message: `${EXPORTS_PER_MERCHANT} exports are running already. Wait for one to end.`,
          retryAfterS: 10,
        })
      }
      if ([...running.values()].reduce((sum, n) => sum + n, 0) >= EXPORTS_PER_PROCESS) {
        throw new AppError('rate_limited', { message: 'Many exports are running. Try again shortly.', retryAfterS: 10 })
      }
      const { format, livemode: _mode, ...filters } = query
      await withTx(deps.sql, (tx) => traceExport(deps, tx, merchant, { livemode, filters }))
      deps.wake.mail.fire()
      running.set(merchant.id, (running.get(merchant.id) ?? 0) + 1)
      const body = Readable.from(exportOrders(deps.sql, filter, query.after ?? null))
      body.once('error', (error) => deps.log.error({ err: error }, 'an export failed'))
      body.once('close', () => {
        const left = (running.get(merchant.id) ?? 1) - 1
        if (left === 0) running.delete(merchant.id)
        else running.set(merchant.id, left)
      })
      const day = deps.clock.now().toISOString().slice(0, 10)
      const name = `florin-orders-${livemode ? 'live' : 'test'}-${day}.csv`
      return sendCsv(reply, name, body)
    },
  )
}

function sendCsv(reply: FastifyReply, name: string, body: Readable): FastifyReply {
  return reply.type('text/csv; charset=utf-8').header('Content-Disposition', attachment(name)).send(body)
}
