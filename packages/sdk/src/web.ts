// The part of the library that needs nothing of Node: receiving webhooks where only web standards are, such as Cloudflare Workers.
import { verify } from '@florin/protocol/signature-web'
import { requestHandler, type WebhookHandlerOptions } from './answer-webhook.ts'
import type { FlorinEvent, FlorinWebhook } from './types.ts'
import { headerOf, parsedEvent, type WebhookHeaders, WebhookVerificationError } from './webhook-event.ts'

export type { WebhookHandlerOptions } from './answer-webhook.ts'
export type {
  FlorinEvent,
  FlorinWebhook,
  OrderExpiredEvent,
  OrderFailedEvent,
  OrderProcessingEvent,
  OrderRefundedEvent,
  OrderSuccessEvent,
  OrderUpdatedEvent,
} from './types.ts'
export { type WebhookHeaders, WebhookVerificationError, type WebhookVerificationReason } from './webhook-event.ts'

export interface VerifyWebhookInput {
  /** The request body as it arrived: bytes, or the text they decode to. Never the parsed object. */
  rawBody: Uint8Array | ArrayBuffer | string
  headers: WebhookHeaders
  /** The webhook secret, `whsec_…`; both, while one is being replaced. */
  secret: string | readonly string[]
  /** How old or how far ahead a signature may be; 300 where left out. */
  toleranceSeconds?: number | undefined
  /** Unix seconds: the time of arrival, where a queue was between the request and this check. The machine's clock where left out. */
  now?: number | undefined
}

/**
 * `verifyWebhook` of the library with WebCrypto in the place of Node's.
 *
 * @throws WebhookVerificationError with a `reason` and a sentence that says what to mend
 */
export async function verifyWebhook<Event extends FlorinWebhook = FlorinEvent>(
  input: VerifyWebhookInput,
): Promise<Event> {
  const { rawBody, secret, toleranceSeconds } = input
  const verdict = await verify({
    header: headerOf(input.headers),
    body: rawBody,
    secrets: Array.isArray(secret) ? secret : [secret],
    now: input.now ?? Date.now() / 1_000,
    toleranceSeconds,
  })
  if (!verdict.ok) throw new WebhookVerificationError(verdict.reason, verdict.message)
  return parsedEvent(rawBody) as Event
}

/** @example export default { fetch: (request, env) => webhookHandler({ secret: env.FLORIN_WEBHOOK_SECRET, on: take })(request) } */
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
