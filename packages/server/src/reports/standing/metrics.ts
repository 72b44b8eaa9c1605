// Metrics of what stands in the database now, by the processes that run jobs: each shows the same.
import { metrics } from '@florin/platform/metrics'
import { Gauge } from 'prom-client'
import type { OpenOrders } from '../../orders/figures.store.ts'
import type { LateQueue } from '../../webhooks/late.store.ts'
import type { Queue } from './store.ts'

const registers = [metrics]

const orders = new Gauge({
  name: 'florin_orders_open',
  help: 'Orders that are pending or processing, by how long ago they were made; counted up to 20,000 of each',
  labelNames: ['status', 'mode', 'age'] as const,
  registers,
})
const lengths = new Gauge({
  name: 'florin_queue_length',
  help: 'What waits, by queue: facts, hand_overs, settlements, refunds, deliveries, mails; counted up to 20,000 of each',
  labelNames: ['queue'] as const,
  registers,
})
const ages = new Gauge({
  name: 'florin_queue_oldest_seconds',
  help: 'For how long the entry of a queue is due that waits longest; of settlements and refunds, since they were begun',
  labelNames: ['queue'] as const,
  registers,
})
const late = new Gauge({
  name: 'florin_webhooks_late',
  help: 'Webhooks that are due for more than a minute and not sent; counted up to some 20,000',
  registers,
})
const lateAge = new Gauge({
  name: 'florin_webhooks_late_oldest_seconds',
  help: 'For how long the oldest late webhook is due; 0 where none is late',
  registers,
})
const backup = new Gauge({
  name: 'florin_backup_age_seconds',
  help: 'Age of the newest backup in BACKUP_DIR whose restore was tried; infinite where there is none, absent where BACKUP_DIR is not set',
  labelNames: ['folder'] as const,
  registers,
})

export function measureOrders(rows: readonly OpenOrders[]): void {
  orders.reset()
  for (const { status, livemode, age, count } of rows)
    orders.set({ status, mode: livemode ? 'live' : 'test', age }, count)
}

export function measureQueues(rows: readonly Queue[], now: Date): void {
  for (const { queue, count, since } of rows) {
    lengths.set({ queue }, count)
    ages.set({ queue }, since === null ? 0 : Math.max(0, now.getTime() - since.getTime()) / 1000)
  }
}

export function measureLateWebhooks({ count, since }: LateQueue, now: Date): void {
  late.set(count)
  lateAge.set(since === null ? 0 : (now.getTime() - since.getTime()) / 1000)
}

/** @param madeAtMs of the newest backup whose restore was tried; null: there is none. */
export function measureBackup(madeAtMs: number | null, now: Date): void {
  const ageMs = madeAtMs === null ? Number.POSITIVE_INFINITY : Math.max(0, now.getTime() - madeAtMs)
  backup.set({ folder: 'backup' }, ageMs / 1000)
}
