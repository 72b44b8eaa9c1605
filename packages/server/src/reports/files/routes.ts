// HTTP routes of exports that are written to a file (contract.md 5): asked for, looked at, fetched and deleted by the merchant's
// own sessions alone.
import type { Readable } from 'node:stream'
import { dayOf, type OrderExport } from '@florin/protocol'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { OrderFilterQuery, readOrderFilter, SearchQuery } from '../../orders/filter.ts'
import { attachment } from '../../platform/attachment.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { withTx } from '../../platform/db/tx.ts'
import { AppError } from '../../platform/errors.ts'
import { Envelope, envelope } from '../../platform/http/envelope.ts'
import { LivemodeQuery, readLivemode } from '../../platform/http/livemode.ts'
import type { PacedAnswers } from '../../platform/http/paced.ts'
import type { App } from '../../platform/http/server.ts'
import { idPattern, newId } from '../../platform/ids.ts'
import { findZone } from '../../platform/zone.store.ts'
import { isSessionOpen } from '../changes.store.ts'
import { deleteExport, type ExportFile, findExport, findPiece, insertExport, listExports } from './store.ts'
import { type TraceDeps, traceExport } from './trace.ts'
import { KEPT_MS } from './write.ts'

/** Files lie in the database: so many of a merchant, in both modes. */
export const EXPORTS_KEPT = 5

const closed = { additionalProperties: false }
const Time = Type.String({ format: 'date-time' })
const Params = Type.Object({ id: Type.String({ pattern: idPattern('exp') }) }, closed)
const tags = ['console: orders']
const security = [{ consoleToken: [] }]

const OrderExportSchema = Type.Object(
  {
    id: Type.String(),
    livemode: Type.Boolean(),
    status: Type.Enum(['writing', 'done', 'failed']),
    rows: Type.Integer(),
    bytes: Type.Integer(),
    ...{ created_at: Time, expires_at: Time },
  },
  { ...closed, title: 'OrderExport' },
)

export function exportFileRoutes(app: App, deps: TraceDeps, answers: PacedAnswers): void {
  const { sql, clock } = deps
  app.post(
    '/api/v1/boss/exports',
    {
      config: { act: 'harmless' },
      schema: {
        tags,
        summary: 'Have orders exported to a file',
        description: `What \`orders/export\` streams, written by a worker, for exports that take long. It is kept for seven days; an account has at most ${EXPORTS_KEPT}.`,
        security,
        querystring: Type.Object({ ...LivemodeQuery, ...OrderFilterQuery, ...SearchQuery }, closed),
        response: { 201: Envelope(OrderExportSchema) },
      },
    },
    async ({ merchant, query }, reply) => {
      // Refused now where it could not be read later.
      readOrderFilter(query)
      const now = clock.now()
      const { livemode, ...asked } = query
      const isLive = readLivemode({ livemode })
      const made = await withTx(sql, async (tx) => {
        const row = await insertExport(tx, {
          ...{ id: newId('exp', now), merchantId: merchant.id, livemode: isLive, query: asked },
          ...{ now, expiresAt: new Date(now.getTime() + KEPT_MS), most: EXPORTS_KEPT },
        })
        if (row !== null) await traceExport(deps, tx, merchant, { livemode: isLive, filters: asked })
        return row
      })
      deps.wake.mail.fire()
      if (made === null) {
        const message = `An account keeps ${EXPORTS_KEPT} exports, in both modes together. Delete one that is not needed.`
        throw new AppError('action_not_possible', { message })
      }
      return reply.code(201).send(envelope(viewExport(made)))
    },
  )

  app.get(
    '/api/v1/boss/exports',
    {
      schema: {
        tags,
        summary: 'List exports to files',
        description: 'Newest first, with how far each has come.',
        security,
        querystring: Type.Object(LivemodeQuery, closed),
        response: { 200: Envelope(Type.Array(OrderExportSchema)) },
      },
    },
    async ({ merchant, query }) => {
      const rows = await listExports(sql, { merchantId: merchant.id, livemode: readLivemode(query) })
      return envelope(rows.map(viewExport))
    },
  )

  app.get(
    '/api/v1/boss/exports/:id/file',
    {
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'Fetch the file of an export',
        description: 'The CSV, packed with gzip, once the export is `done`.',
        security,
        params: Params,
        response: { 200: Type.String({ description: 'application/gzip' }) },
      },
    },
    async ({ merchant, params }, reply) => {
      const found = await getExport(sql, { merchantId: merchant.id, id: params.id })
      if (found.status !== 'done') {
        throw new AppError('action_not_possible', { message: 'This export is not done yet.' })
      }
      const body = answers.open({
        holder: merchant.id,
        pages: piecesOf(sql, found),
        isAllowed: () => isSessionOpen(sql, merchant, clock.now()),
      })
      return sendFile(reply, found, dayOf(found.createdAt, await findZone(sql, merchant.id)), body)
    },
  )

  app.delete(
    '/api/v1/boss/exports/:id',
    {
      config: { act: 'harmless' },
      schema: {
        tags,
        summary: 'Delete an export',
        description: 'With its file. One that is being written is broken off.',
        security,
        params: Params,
        response: { 200: Envelope(Type.Object({ deleted: Type.Boolean() }, { ...closed, title: 'ExportDeleted' })) },
      },
    },
    async ({ merchant, params }) => {
      if (!(await deleteExport(sql, { merchantId: merchant.id, id: params.id }))) throw noSuch()
      return envelope({ deleted: true })
    },
  )
}

function sendFile(reply: FastifyReply, { livemode, bytes }: ExportFile, day: string, body: Readable): FastifyReply {
  const name = `florin-orders-${livemode ? 'live' : 'test'}-${day}.csv.gz`
  return reply
    .type('application/gzip')
    .header('Content-Length', String(bytes))
    .header('Content-Disposition', attachment(name))
    .send(body)
}

const noSuch = (): AppError => new AppError('not_found', { message: 'There is no such export.' })

async function getExport(sql: Sql, a: { merchantId: string; id: string }): Promise<ExportFile> {
  const found = await findExport(sql, a)
  if (found === null) throw noSuch()
  return found
}

/** One piece after the other, as the client reads. */
async function* piecesOf(sql: Sql, { id, pieces }: ExportFile): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < pieces; n++) {
    const piece = await findPiece(sql, { id, n })
    if (piece === null) throw new Error(`the export ${id} was deleted while it was fetched`)
    yield piece
  }
}

const viewExport = ({ id, livemode, status, rows, bytes, createdAt, expiresAt }: ExportFile): OrderExport => ({
  ...{ id, livemode, status, rows: Number(rows), bytes: Number(bytes) },
  ...{ created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() },
})
