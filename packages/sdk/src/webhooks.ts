// What a webhook receiver needs: the one function that turns an untrusted request into a typed event.
// Nothing of the body is believed, not even that it is JSON, before the signature fits.
import { type SignatureVerdict, verify } from '@florin/protocol/signature'
import type { FlorinEvent, FlorinWebhook } from './types.ts'
import { headerOf, parsedEvent, type WebhookHeaders, WebhookVerificationError } from './webhook-event.ts'

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
  /** Unix seconds: the time of arrival, where a queue was between the request and this check. The machine's clock where left out. */
  now?: number | undefined
}

/**
 * Checks a webhook and returns its event.
 *
 * Webhooks can arrive more than once and in any order: drop an event whose `id` you have seen, and an order whose `version` is
 * below the one you have. Ship on `order.status`, once: an update of a higher version can arrive before `order.success`.
 *
 * An endpoint that chose updates (`order.updated.…`) says so: `verifyWebhook<FlorinWebhook>({ … })`.
 *
 * @throws WebhookVerificationError with a `reason` and a sentence that says what to mend
 * @example
 * const event = verifyWebhook({ rawBody, headers: request.headers, secret: process.env.FLORIN_WEBHOOK_SECRET })
 * const mine = await orders.find(event.order.external_id)
 * const isMine = mine?.orderNo === event.order.order_no && mine.amountUsd === event.order.amount_usd
 * if (event.order.status === 'success' && isMine) shipOnce(mine)
 */
export function verifyWebhook<Event extends FlorinWebhook = FlorinEvent>(input: VerifyWebhookInput): Event {
  const { rawBody, secret, toleranceSeconds } = input
  const header = input.headers == null ? input.signature : headerOf(input.headers)
  const secrets = Array.isArray(secret) ? secret : [secret]
  const now = input.now ?? Date.now() / 1_000
  const verdict: SignatureVerdict = verify({ header, body: rawBody, secrets, now, toleranceSeconds })
  if (!verdict.ok) throw new WebhookVerificationError(verdict.reason, verdict.message)
  return parsedEvent(rawBody) as Event
}
