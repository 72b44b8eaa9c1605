// Metrics of what becomes of orders, by the process that committed it.
import type { OrderState } from '@florin/order-model/state'
import { metrics } from '@florin/platform/metrics'
import { Counter, Histogram } from 'prom-client'
import type { Change } from './changes.ts'

const registers = [metrics]
const upTo1Day = [5, 15, 60, 300, 900, 3600, 21_600, 86_400]
const modeOf = ({ livemode }: OrderState): string => (livemode ? 'live' : 'test')

const made = new Counter({
  name: 'florin_orders_created_total',
  help: 'Orders that were made',
  labelNames: ['mode'] as const,
  registers,
})
const changes = new Counter({
  name: 'florin_order_changes_total',
  help: 'Orders, payments, settlements and refunds that came to a status',
  labelNames: ['what', 'status', 'mode'] as const,
  registers,
})
const reached = new Histogram({
  name: 'florin_order_seconds',
  help: 'From the making of an order to processing and to success; the latter holds the time that the payer took',
  labelNames: ['to', 'mode'] as const,
  buckets: upTo1Day,
  registers,
})
const settled = new Histogram({
  name: 'florin_order_settling_seconds',
  help: 'From the first payment that was seen to success',
  labelNames: ['rail', 'mode'] as const,
  buckets: upTo1Day,
  registers,
})

export const measureMade = (order: OrderState): void => made.inc({ mode: modeOf(order) })

export function measureChanges(before: OrderState, after: OrderState, found: readonly Change[]): void {
  const mode = modeOf(after)
  for (const { what, fields } of found) {
    if (what === 'order' && before.status === after.status) continue
    changes.inc({ what, status: String(fields.status), mode })
  }
  const to = after.status
  if (to === before.status || (to !== 'processing' && to !== 'success')) return
  reached.observe({ to, mode }, (after.updatedAt.getTime() - after.createdAt.getTime()) / 1000)
  const [first] = after.payments
  if (to === 'success' && first !== undefined)
    settled.observe({ rail: after.rail, mode }, (after.updatedAt.getTime() - first.detectedAt.getTime()) / 1000)
}
