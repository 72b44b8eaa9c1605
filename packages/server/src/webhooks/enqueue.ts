// Temporary seam; the delivery engine's own file replaces it.
import type { EventKind } from '@florin/protocol'
import type { Tx } from '../platform/db/tx.ts'
export interface EventToDeliver {
  eventId: string
  eventCreatedAt: Date
  event: EventKind
  orderNo: string
  merchantId: string
  merchantNo: number
  apiKeyId: string
  livemode: boolean
  url: string
}
export async function enqueueDelivery(_tx: Tx, _e: EventToDeliver, _now: Date): Promise<void> {}
export function parseWebhookUrl(text: string, _a: { livemode: boolean; config: unknown }): string {
  return new URL(text).href
}
