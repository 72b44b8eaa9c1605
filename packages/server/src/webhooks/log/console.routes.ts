// Delivery calls that only the console has (contract.md 5): replay and test event.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import type { App } from '@florin/platform/http/server'
import { parseMoment } from '@florin/platform/http/timestamp'
import { eventKinds, URL_MAX } from '@florin/protocol'
import { Type } from 'typebox'
import { findKey } from '../../keys/store.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import type { Sampler } from '../endpoints/sample.ts'
import { SampleSchema } from '../endpoints/view.ts'
import { parseWebhookUrl } from '../rules.ts'
import { findReplay } from './replay.store.ts'
import { startReplay } from './replay.ts'
import { ReplaySchema, viewReplay } from './view.ts'

const closed = { additionalProperties: false }
const security = [{ consoleToken: [] }]
const tags = ['console: deliveries']
const params = Type.Object({ id: Type.String() }, closed)
const Moment = Type.String({ maxLength: 40, description: 'ISO 8601, such as 2026-01-31T00:00:00Z' })

export function consoleDeliveryRoutes(
  app: App,
  deps: { sql: Sql; clock: Clock; config: Config; wake: Wakes },
  sampler: Sampler,
): void {
  app.post(
    '/api/v1/boss/deliveries/replay',
    {
      config: { act: 'harmless' },
      schema: {
        ...{ tags, summary: 'Send all deliveries of a range of time again', security },
        description:
          'At most 10000, oldest first, behind live traffic. What was itself sent again is left out. One at a time. Progress: GET …/replays/{id}.',
        body: Type.Object(
          {
            from: Moment,
            to: Moment,
            status: Type.Optional(Type.Enum(['dead', 'succeeded'], { description: 'dead when left out' })),
            livemode: Type.Optional(Type.Boolean({ description: 'Both modes when left out' })),
          },
          closed,
        ),
        response: { 200: Envelope(ReplaySchema) },
      },
    },
    async ({ merchant, body }) => {
      const range = {
        from: parseMoment(body.from, 'from'),
        to: parseMoment(body.to, 'to'),
        status: body.status ?? 'dead',
      }
      if (range.from >= range.to) {
        throw new AppError('validation_failed', { param: 'to', message: 'to takes a time after from.' })
      }
      const owner = { merchantNo: merchant.no, livemode: body.livemode ?? null }
      return envelope(viewReplay(await startReplay(deps, owner, range)))
    },
  )

  app.get(
    '/api/v1/boss/replays/:id',
    {
      schema: {
        tags,
        summary: 'How far a replay has come',
        security,
        params,
        response: { 200: Envelope(ReplaySchema) },
      },
    },
    async ({ merchant, params: { id } }) => {
      const row = await findReplay(deps.sql, id, merchant.no)
      if (row === null) throw new AppError('replay_not_found')
      return envelope(viewReplay(row))
    },
  )

  app.post(
    '/api/v1/boss/appkeys/:id/test-event',
    {
      config: { act: 'harmless' },
      schema: {
        tags: ['console: API keys'],
        summary: 'Send a marked, signed sample and see what came back',
        security,
        params,
        body: Type.Object({ url: Type.String({ maxLength: URL_MAX }), event: Type.Enum([...eventKinds]) }, closed),
        response: { 200: Envelope(SampleSchema) },
      },
    },
    async ({ merchant, params: { id }, body }) => {
      const key = await findKey(deps.sql, merchant.id, id)
      if (key === null) throw new AppError('api_key_not_found')
      const { livemode } = key
      const url = parseWebhookUrl(body.url, { ...deps.config, livemode, param: 'url' })
      return envelope(await sampler.send({ merchantId: merchant.id, signer: key.id, livemode, url, event: body.event }))
    },
  )
}
