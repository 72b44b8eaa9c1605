// Logs why background jobs fail. An absent database fails every job, several times a second: that is one line when it begins and one
// when it is over. The same failure again is one line a minute.
import type { FastifyBaseLogger } from 'fastify'
import { stopwatch } from '../clock.ts'
import { isConnectionGone, isDatabaseDown, isWaitForConnection, isWriteRefused } from '../db/failures.ts'
import { OperatorError } from '../errors.ts'
import { makeRepeats } from './repeats.ts'

export interface JobFailures {
  failed(job: string, error: unknown): void
  succeeded(job: string): void
}

/** @param repeatMs for how long a failure that was logged is only counted. */
export function logFailures(log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>, repeatMs?: number): JobFailures {
  const repeats = makeRepeats(repeatMs)
  /** Jobs that lost the database and have not reached it since. */
  const cutOff = new Set<string>()
  let awayMs: (() => number) | null = null

  return {
    failed(job, error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (isWriteRefused(error) || (isConnectionGone(error) && !isWaitForConnection(error))) {
        // One connection may be ended while the others live: the second try of the job tells.
        const isAway = cutOff.has(job)
        cutOff.add(job)
        if (!isAway || awayMs !== null) return
        awayMs = stopwatch()
        log.error({ job, reason }, 'the database is away: background jobs wait for it')
        return
      }
      // A busy database fails many jobs at once, and a stack has nothing to add.
      if (isDatabaseDown(error)) {
        const times = repeats.unsaid('the database', reason)
        if (times !== null) log.warn({ job, reason, unlogged: times }, 'a background job waits for the database')
        return
      }
      const times = repeats.unsaid(job, reason)
      if (times === null) return
      // Of what is known and said in words a stack has nothing to add.
      if (times === 0) {
        const what = error instanceof OperatorError ? { reason, docs: error.docs } : { err: error }
        log.error({ job, ...what }, 'a background job failed; will retry')
      } else log.error({ job, reason, unlogged: times }, 'a background job still fails; will retry')
    },
    succeeded(job) {
      repeats.forget(job)
      if (!cutOff.delete(job) || awayMs === null) return
      log.info({ seconds: Math.round(awayMs() / 100) / 10 }, 'the database is back')
      awayMs = null
    },
  }
}
