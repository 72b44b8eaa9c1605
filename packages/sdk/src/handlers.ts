// Webhook receivers in one line, for servers on Node. What stands here of frameworks is only what is used of them, so none of them is a
// dependency.
import { answerWebhook, requestHandler, type WebhookHandlerOptions } from './answer-webhook.ts'
import type { FlorinEvent, FlorinWebhook } from './types.ts'
import { type WebhookHeaders, WebhookVerificationError } from './webhook-event.ts'
import { verifyWebhook } from './webhooks.ts'

export type { WebhookHandlerOptions } from './answer-webhook.ts'

/** Far more than an event has: who sends more is not Florin. */
const BODY_MAX_BYTES = 1_048_576

type Headers_ = Readonly<Record<string, string | string[] | undefined>>

interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly headers: Headers_
  /** Set where a parser has read the body already. */
  readonly body?: unknown
}

interface NodeResponse {
  statusCode: number
  end(text: string): unknown
}

/**
 * For Next.js (`export const POST = webhookHandler({ … })`), Remix, Bun, Deno, and whatever else hands over a web `Request`.
 * On Cloudflare Workers take it from `@florin/sdk/web`.
 */
export function webhookHandler<Event extends FlorinWebhook = FlorinEvent>(
  options: WebhookHandlerOptions<Event>,
): (request: Request) => Promise<Response> {
  return requestHandler(verifyWebhook, options)
}

/** For Hono. @example app.post('/webhooks/florin', honoWebhook({ secret, on: take })) */
export function honoWebhook<Event extends FlorinWebhook = FlorinEvent>(
  options: WebhookHandlerOptions<Event>,
): (context: { readonly req: { readonly raw: Request } }) => Promise<Response> {
  const handle = webhookHandler(options)
  return (context) => handle(context.req.raw)
}

/** For Node's own server. @example createServer(nodeWebhook({ secret, on: take })) */
export function nodeWebhook<Event extends FlorinWebhook = FlorinEvent>(
  options: WebhookHandlerOptions<Event>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    try {
      await answerNode(options, request, response)
    } catch (error) {
      console.error(error)
      response.statusCode = 500
      response.end('error')
    }
  }
}

/**
 * For Express. It reads the raw bytes itself: mount it before `express.json()`, or beside `express.raw()`.
 *
 * @example app.post('/webhooks/florin', expressWebhook({ secret, on: take }))
 */
export function expressWebhook<Event extends FlorinWebhook = FlorinEvent>(
  options: WebhookHandlerOptions<Event>,
): (request: NodeRequest, response: NodeResponse, next: (error: unknown) => void) => Promise<void> {
  return (request, response, next) => answerNode(options, request, response).catch(next)
}

export interface FastifyWebhookOptions<Event extends FlorinWebhook = FlorinEvent> extends WebhookHandlerOptions<Event> {
  path: string
}

interface FastifyScope {
  removeContentTypeParser(type: string): unknown
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parse: (request: unknown, body: Uint8Array) => Promise<Uint8Array>,
  ): unknown
  post(
    path: string,
    handle: (
      request: { body: unknown; headers: Headers_ },
      reply: { code(status: number): { send(text: string): unknown } },
    ) => Promise<unknown>,
  ): unknown
}

/**
 * For Fastify: a plugin of its own, so that the rest of the server keeps its JSON parser.
 *
 * @example await app.register(fastifyWebhook({ path: '/webhooks/florin', secret, on: take }))
 */
export function fastifyWebhook<Event extends FlorinWebhook = FlorinEvent>(
  options: FastifyWebhookOptions<Event>,
): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request, body) => body)
    scope.post(options.path, async ({ body, headers }, reply) => {
      const rawBody = body instanceof Uint8Array ? body : new Uint8Array()
      const { status, text } = await answerWebhook(verifyWebhook, options, { rawBody, headers })
      return reply.code(status).send(text)
    })
  }
}

async function answerNode<Event extends FlorinWebhook>(
  options: WebhookHandlerOptions<Event>,
  request: NodeRequest,
  response: NodeResponse,
): Promise<void> {
  const { status, text } = await answerWebhook(
    (input) => {
      // A parser came first: the bytes that were signed are gone, and nothing that is made of the object is them.
      if (input.rawBody === parsed) throw new WebhookVerificationError('body_parsed', PARSED)
      return verifyWebhook(input)
    },
    options,
    { rawBody: await bytesOf(request), headers: request.headers as WebhookHeaders },
  )
  response.statusCode = status
  response.end(text)
}

const parsed = new Uint8Array()
const PARSED =
  'The body was parsed before it came here. Mount this handler before app.use(express.json()), or give its path express.raw({ type: "application/json" }).'

async function bytesOf(request: NodeRequest): Promise<Uint8Array> {
  const { body } = request
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (typeof body === 'object' && body !== null && Object.keys(body).length > 0) return parsed
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    size += bytes.length
    if (size > BODY_MAX_BYTES) break
    chunks.push(bytes)
  }
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
