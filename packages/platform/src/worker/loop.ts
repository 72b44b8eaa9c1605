// Background jobs: each runs repeatedly at its own interval until the stop signal, and a failure never prevents the
// next run. A job bounds its own batch; a job that did something runs again at once.
import { type Clock, stopwatch } from '../clock.ts'
import { measureEnd, measureFailure, measureRun, measureStart, measureSuccess } from '../measure/jobs.ts'
import { type JobFailures, logFailures } from './failures.ts'
import type { Job, Log } from './job.ts'

export interface LastSuccess {
  at: number
  everyMs: number
}

export interface RunningJobs {
  /** Lets running batches end; resolves when all have. */
  stop(): Promise<void>
  /** By name: when the last successful run ended (monotonic ms), and the job's interval. */
  readonly lastSuccess: ReadonlyMap<string, LastSuccess>
}

export function startJobs(jobs: readonly Job[], parts: { clock: Clock; log: Log }): RunningJobs {
  const stopping = new AbortController()
  const lastSuccess = new Map<string, LastSuccess>()
  const failures = logFailures(parts.log)
  const loops = jobs.map((job) => runForever(job, { ...parts, failures }, stopping.signal, lastSuccess))
  return {
    lastSuccess,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

const LONGEST_PAUSE_MS = 5_000

/** A job that fails again and again rests longer each time, up to five seconds or its own pace. */
const pauseOf = ({ everyMs }: Job, failed: number): number =>
  failed === 0 ? everyMs : Math.max(everyMs, Math.min(100 * 2 ** Math.min(failed, 10), LONGEST_PAUSE_MS))

async function runForever(
  job: Job,
  parts: { clock: Clock; log: Log; failures: JobFailures },
  signal: AbortSignal,
  lastSuccess: Map<string, LastSuccess>,
): Promise<void> {
  let pause = new AbortController()
  let woken = false
  const stopListening = job.wakeOn?.(() => {
    // Aborting creates an error object each time, 20 µs that every request's wake would cost.
    if (woken) return
    woken = true
    pause.abort()
  })
  const onStop = (): void => pause.abort()
  signal.addEventListener('abort', onStop, { once: true })
  const succeeded = (): void => {
    lastSuccess.set(job.name, { at: performance.now(), everyMs: job.everyMs })
    measureSuccess({ job: job.name, everyMs: job.everyMs }, parts.clock.now())
  }
  measureStart(job.name)
  succeeded()
  let failed = 0
  while (!signal.aborted) {
    woken = false
    let did = 0
    const tookMs = stopwatch()
    try {
      did = await job.run(signal)
      succeeded()
      parts.failures.succeeded(job.name)
      failed = 0
    } catch (error) {
      parts.failures.failed(job.name, error)
      failed++
      measureFailure(job.name)
      did = 0
    }
    measureRun(job.name, tookMs())
    if (did > 0 || (woken && failed === 0) || signal.aborted) continue
    pause = new AbortController()
    // A fifth of jitter keeps replicas from polling in step.
    await parts.clock.sleep(pauseOf(job, failed) * (0.9 + Math.random() * 0.2), pause.signal)
  }
  stopListening?.()
  measureEnd(job.name)
  await job
    .end?.()
    .catch((error: unknown) =>
      parts.log.error({ err: error, job: job.name }, 'a background job failed to stop cleanly'),
    )
  signal.removeEventListener('abort', onStop)
}
