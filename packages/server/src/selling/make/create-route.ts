// A POST that makes a thing, for both faces: /v1 and the console. The same Idempotency-Key gets the first answer again.
import { Envelope } from '@florin/platform/http/envelope'
import { type IdempotentRequest, readIdempotencyKey } from '@florin/platform/http/idempotency'
import { sendJson } from '@florin/platform/http/json'
import { LivemodeQuery, readLivemode } from '@florin/platform/http/livemode'
import type { App } from '@florin/platform/http/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import type { Made } from './once.ts'

export interface Maker {
  merchantId: string
  livemode: boolean
  /** As the audit log names it. */
  actor: string
  /** Whose Idempotency-Keys they are. */
  owner: string
  idempotent: IdempotentRequest | null
}

export function createRoute<B extends TSchema>(
  app: App,
  a: {
    /** Below /v1 and /api/v1/boss. */
    noun: string
    summary: string
    description?: string
    body: B
    response: TSchema
    make(maker: Maker, body: Static<B>): Promise<Made>
  },
): void {
  const about = {
    summary: a.summary,
    ...(a.description === undefined ? {} : { description: a.description }),
    body: a.body,
  }
  const send = (reply: FastifyReply, { json, replayed }: Made, wrap: (json: string) => string) => {
    if (replayed) reply.header('Idempotent-Replayed', 'true')
    return sendJson(reply.code(201), wrap(json))
  }
  app.post(
    `/v1/${a.noun}`,
    {
      config: { scope: 'orders:write', emptyIsAbsent: true },
      schema: {
        ...about,
        tags: ['selling'],
        security: [{ apiKey: [] }, { apiKeyBearer: [] }],
        response: { 201: a.response },
      },
    },
    async (request: FastifyRequest, reply) => {
      const { id, merchantId, livemode } = request.apiKey
      const idempotent = readIdempotencyKey(request, `${a.noun} `)
      const maker = { merchantId, livemode, actor: `api_key:${id}`, owner: id, idempotent }
      return send(reply, await a.make(maker, request.body as Static<B>), (json) => json)
    },
  )
  app.post(
    `/api/v1/boss/${a.noun}`,
    {
      config: { act: 'harmless', emptyIsAbsent: true },
      schema: {
        ...{ ...about, tags: ['console: selling'], security: [{ consoleToken: [] }] },
        querystring: Type.Object(LivemodeQuery, { additionalProperties: false }),
        response: { 201: Envelope(a.response) },
      },
    },
    async (request, reply) => {
      const { id: merchantId, email: actor } = request.merchant
      const livemode = readLivemode(request.query)
      const idempotent = readIdempotencyKey(request, `${a.noun} ${livemode} `)
      const maker = { merchantId, livemode, actor, owner: merchantId, idempotent }
      return send(reply, await a.make(maker, request.body as Static<B>), (json) => `{"code":0,"data":${json}}`)
    },
  )
}
