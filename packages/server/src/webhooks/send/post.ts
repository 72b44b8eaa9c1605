// What one delivery looks like on the wire (contract.md 6): the frozen bytes, the headers, a fresh time and signature.
import { webhookHeaders } from '@florin/protocol'
import { sign } from '@florin/protocol/signature'
import type { Outgoing } from './send.ts'

export interface Post {
  url: string
  event: string
  deliveryId: string
  /** 1 to 5. */
  attempt: number
  body: Uint8Array
  /** Live now, newest first. */
  secrets: readonly string[]
  /** The span that sends it; null or left out: nobody wants traces. */
  trace?: string | null
  now: Date
}

export function outgoing({ url, event, deliveryId, attempt, body, secrets, trace = null, now }: Post): Outgoing {
  const signature = sign({ secrets, body, timestamp: Math.floor(now.getTime() / 1000) })
  return {
    url,
    body,
    headers: [
      ...Object.entries(webhookHeaders({ event, deliveryId, attempt, signature })).flat(),
      ...(trace === null ? [] : ['traceparent', trace]),
    ],
  }
}
