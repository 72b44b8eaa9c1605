// Metrics of the delivery engine (florin_webhook_*). All from memory, never a count in SQL.
import { metrics } from '@florin/platform/metrics'
import { Counter, Gauge, Histogram } from 'prom-client'

const registers = [metrics]
const secondsUpTo3Hours = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300, 1800, 3600, 10_800]

export const attempts = new Counter({
  name: 'florin_webhook_attempts_total',
  help: 'Attempts that ended, by outcome code; "ok" is a 2xx',
  labelNames: ['outcome'] as const,
  registers,
})
export const latency = new Histogram({
  name: 'florin_webhook_delivery_seconds',
  help: 'From the commit of the event to its successful delivery',
  buckets: secondsUpTo3Hours,
  registers,
})
export const lag = new Histogram({
  name: 'florin_webhook_lag_seconds',
  help: 'How long after it was due a delivery was claimed',
  labelNames: ['class'] as const,
  buckets: secondsUpTo3Hours,
  registers,
})
export const claimSeconds = new Histogram({
  name: 'florin_webhook_claim_seconds',
  help: 'Time of one claim in the database',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2],
  registers,
})
export const flushSeconds = new Histogram({
  name: 'florin_webhook_flush_seconds',
  help: 'Time of one write of results to the database',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2],
  registers,
})
export const slotsInUse = new Gauge({
  name: 'florin_webhook_slots_in_use',
  help: 'Requests open now, by class of work',
  labelNames: ['class'] as const,
  registers,
})
export const lanes = new Gauge({
  name: 'florin_webhook_lanes',
  help: 'Receivers known to this process, by how they answered last',
  labelNames: ['kind'] as const,
  registers,
})
export const dead = new Counter({
  name: 'florin_webhook_dead_total',
  help: 'Deliveries that ended as dead',
  registers,
})
export const reaped = new Counter({
  name: 'florin_webhook_reaped_total',
  help: 'Leases that ended without a result',
  registers,
})
export const late = new Counter({
  name: 'florin_webhook_late_results_total',
  help: 'Results that came after their lease had ended',
  registers,
})
export const dropped = new Counter({
  name: 'florin_webhook_dropped_results_total',
  help: 'Results that could not be written before their lease ended; each is sent again',
  registers,
})
export const partitionsAhead = new Gauge({
  name: 'florin_partitions_ahead_days',
  help: 'Days until the last partition that is made ends; below 7 somebody must look',
  labelNames: ['table'] as const,
  registers,
})
export const oldestTransaction = new Gauge({
  name: 'florin_oldest_transaction_seconds',
  help: 'For how long the oldest transaction on the database has been open; claims get slower behind it',
  registers,
})
export const positionLag = new Gauge({
  name: 'florin_event_position_lag_seconds',
  help: 'For how long the oldest event without a position has been committed; what /v1/events shows is this much behind',
  registers,
})
