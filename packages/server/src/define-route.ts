// A call that has two faces: /v1 for a merchant's server, and the console for the signed-in merchant, in its envelope.
// What it takes, does and answers is said once; who asks is a caller to it, whichever face they came by.
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { type Once, onceOf, readIdempotencyKey } from '@florin/platform/http/idempotency'
import { sendJson } from '@florin/platform/http/json'
import type { App } from '@florin/platform/http/server'
import type { Scope } from '@florin/protocol'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'

export interface Caller {
  merchantId: string
  /** The tenant of webhook fairness. */
  merchantNo: number
  /** null: both modes. */
  livemode: boolean | null
  /** As the audit log names them. */
  actor: string
  /** A signed-in merchant, and not a key. */
  isConsole: boolean
  /** The sign-in is fresh; a key's never is. */
  isFresh: boolean
}

interface Face<Q extends TProperties> {
  url: string
  tags: string[]
  /** Where they differ from the other face's. */
  summary?: string
  description?: string
  query?: Q
}

interface Route<P extends TObject, B extends TSchema, V extends TProperties, C extends TProperties> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  summary?: string
  description?: string
  params?: P
  body?: B
  response: TSchema
  /** Written out as it is, past the schema: for answers whose shape the tests prove and whose size makes it worth it. */
  isWrittenOut?: boolean
  /** It makes a thing, and takes an Idempotency-Key. */
  isMade?: boolean
  v1: Face<V> & { scope: Scope | readonly Scope[] }
  console: Face<C> & {
    /** The mode where no `livemode` in the query says it; left out, both. */
    livemode?: boolean
    act?: FastifyContextConfig['act']
  }
  answer(
    caller: Caller,
    input: {
      params: Static<P>
      query: Static<TObject<V>> & Partial<Static<TObject<C>>>
      body: Static<B>
      /** Of a route with `isMade`. */
      once: Once | null
    },
  ): Promise<unknown>
}

const closed = { additionalProperties: false }

export function defineRoute<
  P extends TObject = TObject,
  B extends TSchema = TSchema,
  V extends TProperties = Record<never, never>,
  C extends TProperties = Record<never, never>,
>(app: App, route: Route<P, B, V, C>): void {
  const { method, params, body, response } = route
  const { act } = route.console
  const making = route.isMade === true ? { emptyIsAbsent: true } : {}
  const schemaOf = (face: Face<V> | Face<C>, security: Record<string, string[]>[], answer: TSchema) => {
    const description = face.description ?? route.description
    return {
      ...{ tags: face.tags, summary: face.summary ?? route.summary ?? '', security },
      ...(description === undefined ? {} : { description }),
      ...(params === undefined ? {} : { params }),
      ...(face.query === undefined ? {} : { querystring: Type.Object(face.query, closed) }),
      ...(body === undefined ? {} : { body }),
      ...(route.isMade === true ? { 'x-idempotent': true } : {}),
      response: { 200: answer },
    }
  }
  const answer = async (
    caller: Caller,
    request: FastifyRequest,
    owner: string,
    reply: FastifyReply,
    wrap: (data: unknown) => unknown,
  ): Promise<unknown> => {
    // What the schemas let through is of their types.
    const { params, query, body } = request
    const idempotent = route.isMade === true ? readIdempotencyKey(request, `${route.v1.url} `) : null
    const input = {
      params,
      query,
      body,
      once: onceOf(owner, idempotent, () => void reply.header('Idempotent-Replayed', 'true')),
    }
    const data = wrap(await route.answer(caller, input as Parameters<typeof route.answer>[1]))
    return route.isWrittenOut === true ? sendJson(reply, JSON.stringify(data)) : data
  }
  app.route({
    ...{ method, url: route.v1.url, config: { scope: route.v1.scope, ...making } },
    schema: schemaOf(route.v1, [{ apiKey: [] }, { apiKeyBearer: [] }], response),
    handler: async (request, reply) => {
      const { id, merchantId, merchantNo, livemode } = request.apiKey
      return answer(
        { merchantId, merchantNo, livemode, actor: `api_key:${id}`, isConsole: false, isFresh: false },
        request,
        id,
        reply,
        (data) => data,
      )
    },
  })
  app.route({
    ...{ method, url: route.console.url, config: { ...(act === undefined ? {} : { act }), ...making } },
    schema: schemaOf(route.console, [{ consoleToken: [] }], Envelope(response)),
    handler: async (request, reply) => {
      const { id: merchantId, no: merchantNo, email: actor, isFresh } = request.merchant
      const said = (request.query as { livemode?: string }).livemode
      const livemode = said === undefined ? (route.console.livemode ?? null) : said === 'true'
      return answer(
        { merchantId, merchantNo, livemode, actor, isConsole: true, isFresh },
        request,
        merchantId,
        reply,
        envelope,
      )
    },
  })
}
