// A webhook before and after its signature is checked, without the check: what Node's and the web's way have in common.
import { SIGNATURE_HEADER, type SignatureReason } from '@florin/protocol/signature-header'
import type { FlorinEvent } from './types.ts'

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

export function headerOf(headers: WebhookHeaders): string | readonly string[] | null | undefined {
  if (headers === null || typeof headers !== 'object') return null
  if (typeof headers.get === 'function') return headers.get(SIGNATURE_HEADER)
  const wanted = SIGNATURE_HEADER.toLowerCase()
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
  return typeof found === 'function' ? null : found
}

export function parsedEvent(rawBody: Uint8Array | ArrayBuffer | string): FlorinEvent {
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
