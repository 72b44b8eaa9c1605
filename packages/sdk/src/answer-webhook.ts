// What every handler of webhooks does: verify, hand the event over, answer. A body that cannot be trusted is a 400 with the reason; what
// `on` throws is the framework's to answer, so that Florin sends the event again.
import type { FlorinEvent, FlorinWebhook } from './types.ts'
import { type WebhookHeaders, WebhookVerificationError } from './webhook-event.ts'

export interface WebhookHandlerOptions<Event extends FlorinWebhook = FlorinEvent> {
  /** The webhook secret, `whsec_…`; both, while one is being replaced. */
  secret: string | readonly string[]
  /**
   * Takes the event; a 200 is answered once it has. Note the event and do slow work afterwards: Florin waits 10 seconds.
   * Events arrive more than once and in any order: drop an `event.id` that you have seen, and an `order.version` below the one
   * you have. Ship on `order.status`, once.
   */
  on(event: Event): unknown
  /** Hears of what was refused, with a sentence that says what to mend; `console.error` where left out. */
  onRefused?: ((error: WebhookVerificationError) => void) | undefined
  /** How old or how far ahead a signature may be; 300 where left out. */
  toleranceSeconds?: number | undefined
}

export interface Answer {
  readonly status: 200 | 400
  readonly text: string
}

type Verify = (input: {
  rawBody: Uint8Array
  headers: WebhookHeaders
  secret: string | readonly string[]
  toleranceSeconds?: number | undefined
}) => FlorinEvent | Promise<FlorinEvent>

/** @throws what `on` throws. */
export async function answerWebhook<Event extends FlorinWebhook>(
  verify: Verify,
  { secret, on, onRefused, toleranceSeconds }: WebhookHandlerOptions<Event>,
  request: { rawBody: Uint8Array; headers: WebhookHeaders },
): Promise<Answer> {
  let event: FlorinEvent
  try {
    event = await verify({ ...request, secret, toleranceSeconds })
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    if (onRefused === undefined) console.error(`A webhook was refused (${error.reason}): ${error.message}`)
    else onRefused(error)
    return { status: 400, text: error.reason }
  }
  await on(event as Event)
  return { status: 200, text: 'ok' }
}

/** A handler for whatever hands over a web `Request`. */
export function requestHandler<Event extends FlorinWebhook>(
  verify: Verify,
  options: WebhookHandlerOptions<Event>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const rawBody = new Uint8Array(await request.arrayBuffer())
    const { status, text } = await answerWebhook(verify, options, { rawBody, headers: request.headers })
    return new Response(text, { status })
  }
}
