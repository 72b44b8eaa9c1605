// What a webhook receiver needs: the one function that turns an untrusted request into a typed event.
// Nothing of the body is believed, not even that it is JSON, before the signature fits.
import { SIGNATURE_HEADER, type SignatureReason, type SignatureVerdict, verify } from '@florin/protocol/signature'
import type { FlorinEvent, FlorinWebhook } from './types.ts'

/** The reasons of a signature, and `not_an_event` for a genuine body that is no event of Florin. */
export type WebhookVerificationReason = SignatureReason | 'not_an_event'

/** Thrown by `verifyWebhook`. The message says what to mend and is safe to log; answer the request with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookVerificationReason

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The headers of a request in the forms that servers give them: a Fetch `Headers`, or a plain record as in Node. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyWebhookInput {
  /** The request body as it arrived: bytes, or the text they decode to. Never the parsed object. */
  rawBody: Uint8Array | ArrayBuffer | string
  /** All headers of the request … */
  headers?: WebhookHeaders | undefined
  /** … or the value of X-Service-Signature alone. */
  signature?: string | readonly string[] | null | undefined
  /** The webhook secret, `whsec_…`; both, while one is being replaced. */
  secret: string | readonly string[]
  /** How old or how far ahead a signature may be; 300 where left out. */
  toleranceSeconds?: number | undefined
  /** The present time in unix seconds, for tests; the machine's clock where left out. */
  now?: number | undefined
}

/**
 * Checks a webhook and returns its event.
 *
 * Webhooks can arrive more than once and out of order: drop an event whose `id` you have seen, and an order whose `version` is
 * below the one you have.
 *
 * An endpoint that chose updates (`order.updated.…`) says so: `verifyWebhook<FlorinWebhook>({ … })`.
 *
 * @throws WebhookVerificationError with a `reason` and a sentence that says what to mend
 * @example
 * const event = verifyWebhook({ rawBody, headers: request.headers, secret: process.env.FLORIN_WEBHOOK_SECRET })
 * const mine = await orders.find(event.order.external_id)
 * const isMine = mine?.orderNo === event.order.order_no && mine.amountUsd === event.order.amount_usd
 * if (event.event === 'order.success' && isMine) ship(mine)
 */
export function verifyWebhook<Event extends FlorinWebhook = FlorinEvent>(input: VerifyWebhookInput): Event {
  const { rawBody, secret, toleranceSeconds } = input
  const header = input.headers === undefined ? input.signature : headerOf(input.headers)
  const secrets = Array.isArray(secret) ? secret : [secret]
  const now = input.now ?? Date.now() / 1_000
  const verdict: SignatureVerdict = verify({ header, body: rawBody, secrets, now, toleranceSeconds })
  if (!verdict.ok) throw new WebhookVerificationError(verdict.reason, verdict.message)
  return parsedEvent(rawBody) as Event
}

function headerOf(headers: WebhookHeaders): string | readonly string[] | null | undefined {
  if (typeof headers.get === 'function') return headers.get(SIGNATURE_HEADER)
  const wanted = SIGNATURE_HEADER.toLowerCase()
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
  return typeof found === 'function' ? null : found
}

function parsedEvent(rawBody: VerifyWebhookInput['rawBody']): FlorinEvent {
  try {
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder('utf-8', { fatal: true }).decode(rawBody)
    const event: Partial<FlorinEvent> | null = JSON.parse(text)
    const { id, event: kind, order } = event ?? {}
    if (typeof id === 'string' && typeof kind === 'string' && typeof order?.order_no === 'string')
      return event as FlorinEvent
  } catch {
    // Falls through to the one refusal: it makes no difference how it fails to be an event.
  }
  throw new WebhookVerificationError('not_an_event', 'The signature fits, but the body is not an event of Florin.')
}
