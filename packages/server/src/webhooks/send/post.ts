// What one delivery looks like on the wire (contract.md 6): the frozen bytes, the headers, a fresh time and signature.
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
  now: Date
}

export function outgoing(post: Post): Outgoing {
  const timestamp = Math.floor(post.now.getTime() / 1000)
  return {
    url: post.url,
    body: post.body,
    headers: [
      'Content-Type',
      'application/json',
      'User-Agent',
      'Florin-Webhooks/1',
      'Accept-Encoding',
      'identity',
      'X-Service-Event',
      post.event,
      'X-Service-Signature',
      sign({ secrets: post.secrets, body: post.body, timestamp }),
      'X-Service-Delivery',
      post.deliveryId,
      'X-Service-Attempt',
      String(post.attempt),
    ],
  }
}
