// What is measured of background jobs.
import { Counter, Gauge } from 'prom-client'
import { metrics } from '../metrics.ts'

// Not "job": that is what Prometheus itself calls whom it asked.
const labelNames = ['name'] as const
const registers = [metrics]

const succeeded = new Gauge({
  name: 'florin_job_last_success_timestamp_seconds',
  help: 'When a job of this process last ended without a failure; at first when it was started',
  labelNames,
  registers,
})
const intervals = new Gauge({
  name: 'florin_job_interval_seconds',
  help: 'How long a job rests when there was nothing to do',
  labelNames,
  registers,
})
const failures = new Counter({
  name: 'florin_job_failures_total',
  help: 'Runs of a job that failed; each is tried again',
  labelNames,
  registers,
})
const busy = new Counter({
  name: 'florin_job_seconds_total',
  help: 'How long a job was at work, waiting included',
  labelNames,
  registers,
})

export function measureSuccess(a: { job: string; everyMs: number }, at: Date): void {
  succeeded.set({ name: a.job }, at.getTime() / 1000)
  intervals.set({ name: a.job }, a.everyMs / 1000)
}

/** By name: how many loops of it run. A page that is closed and opened again has two for a moment. */
const loops = new Map<string, number>()

export function measureStart(job: string): void {
  loops.set(job, (loops.get(job) ?? 0) + 1)
}

/** A job that has ended is not late: some run only while a page or a stream is open. */
export function measureEnd(job: string): void {
  const left = (loops.get(job) ?? 1) - 1
  loops.set(job, left)
  if (left > 0) return
  loops.delete(job)
  succeeded.remove({ name: job })
  intervals.remove({ name: job })
}

export const measureFailure = (job: string): void => failures.inc({ name: job })
export const measureRun = (job: string, ms: number): void => busy.inc({ name: job }, ms / 1000)
