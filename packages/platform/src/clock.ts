// The only reader of clocks in the server. All processes share the database's time: each reads it once and then counts
// on with its monotonic clock, so a wrong or jumping wall clock does no harm.
import { setTimeout as wait } from 'node:timers/promises'
import { readTime } from './db/calls.ts'
import type { Sql } from './db/pool.ts'

export interface Clock {
  now(): Date
  /** Resolves after `ms`, or at once when the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal ? { signal } : {}).catch(() => undefined)
}

/** The machine's own clock: for what runs before a database is connected. */
export const machineClock: Clock = { now: () => new Date(), sleep }

/** Milliseconds on the monotonic clock, for measuring how long something took. */
export function stopwatch(): () => number {
  const start = performance.now()
  return () => performance.now() - start
}

export interface DatabaseClock extends Clock {
  /** Reads the database's time again, and adopts a jump of the database's clock. */
  anchor(): Promise<void>
}

/** A clock that follows the database's time to within half a round trip. */
export async function databaseClock(sql: Sql): Promise<DatabaseClock> {
  let offset = 0
  const anchor = async (): Promise<void> => {
    const before = performance.now()
    const time = await readTime(sql)
    offset = time - (before + performance.now()) / 2
  }
  await anchor()
  return { now: () => new Date(offset + performance.now()), sleep, anchor }
}
