// A background job that works off one kind of task, one task at a time, with the network open and no transaction.
import type { Clock } from '../clock.ts'
import type { Sql } from '../db/pool.ts'
import type { Job, Log } from '../worker/job.ts'
import { claimTasks, endTasks, postponeTasks, type Task } from './store.ts'

export interface TaskWork<P extends object> {
  kind: string
  everyMs: number
  /** Longer than the work takes: a worker that died has its task done again after so long. */
  leaseMs: number
  /** Tasks a run. */
  batch: number
  /** When a task whose work failed is tried again. */
  againMs: number
  /** @returns when it is due again, and what changes in its payload; null: it is done. */
  run(task: Task<P>, signal: AbortSignal): Promise<{ runAt: Date; change?: Partial<P> } | null>
}

/** Each task is done at least once: what `run` commits must be fenced, or the same when it is done twice. */
export function taskJob<P extends object>(parts: { sql: Sql; clock: Clock; log: Log }, work: TaskWork<P>): Job {
  const { kind, everyMs, leaseMs, batch, againMs } = work
  /** Tasks that failed last time, so that an outage is logged once. */
  const failing = new Set<string>()
  return {
    name: kind,
    everyMs,
    async run(signal) {
      const tasks = await claimTasks<P>(parts.sql, kind, { now: parts.clock.now(), leaseMs, limit: batch })
      for (const task of tasks) {
        try {
          const next = await work.run(task, signal)
          if (next === null) await endTasks(parts.sql, [task])
          else await postponeTasks(parts.sql, [{ ...task, ...next }])
          if (failing.delete(task.subject)) parts.log.info({ subject: task.subject }, `${kind}: works again`)
        } catch (error) {
          if (!failing.has(task.subject))
            parts.log.warn({ err: error, subject: task.subject }, `${kind}: failed; will retry`)
          failing.add(task.subject)
          await postponeTasks(parts.sql, [{ ...task, runAt: new Date(parts.clock.now().getTime() + againMs) }])
        }
      }
      return tasks.length
    },
  }
}
