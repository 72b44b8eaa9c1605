// Making webhooks for a merchant's own tests: signed like real ones, so that the receiver under test runs unchanged.
import { type Order, sampleOrder, type WebhookKind, webhookHeaders, webhookKinds } from '@florin/protocol'
import { sign } from '@florin/protocol/signature'
import type { FlorinEvent } from './types.ts'

export interface SignTestWebhookInput {
  /** The secret that the receiver under test holds. */
  secret: string
  /** `order.success` where left out. */
  event?: WebhookKind | undefined
  /** The event's id; give the same one again to test that a duplicate is dropped. */
  id?: string | undefined
  /** Fields of the order that the test is about; the rest is filled in. */
  order?: Partial<Order> | undefined
  /** Unix seconds of the signature; now where left out. */
  timestamp?: number | undefined
}

export interface TestWebhook {
  rawBody: string
  headers: Record<string, string>
  event: FlorinEvent
}

let made = 0

/**
 * Makes a webhook such as Florin sends: headers, raw body, and the event in it.
 *
 * @example
 * const { rawBody, headers } = signTestWebhook({ secret, event: 'order.success', order: { external_id: 'A-1001' } })
 * const answer = await fetch('http://localhost:4000/webhooks/florin', { method: 'POST', headers, body: rawBody })
 */
export function signTestWebhook(input: SignTestWebhookInput): TestWebhook {
  const kind = input.event ?? 'order.success'
  if (!webhookKinds.includes(kind)) throw new TypeError(`event takes one of ${webhookKinds.join(', ')}.`)
  const timestamp = input.timestamp ?? Math.floor(Date.now() / 1_000)
  const at = new Date(timestamp * 1_000).toISOString()
  const number = String(++made).padStart(26, '0')
  const order: Order = { ...sampleOrder(kind, `ord_${number}`, at), ...input.order }
  const event = { id: input.id ?? `evt_${number}`, event: kind, created_at: at, order } as FlorinEvent
  const rawBody = JSON.stringify(event)
  const signature = sign({ secrets: [input.secret], body: new TextEncoder().encode(rawBody), timestamp })
  const named = webhookHeaders({ event: kind, deliveryId: `dlv_${number}`, attempt: 1, signature })
  // In small letters, as node:http hands them to a receiver.
  const headers = Object.fromEntries(Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]))
  return { rawBody, headers, event }
}
