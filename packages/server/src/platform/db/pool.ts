// The connection pool. SQL is tagged text, prepared and pipelined by postgres.js.
// bigint columns arrive as bigint, numeric as text (stores turn it into bigint), timestamps as Date.
import type postgres from 'postgres'
import { driver } from './driver.ts'

export type Sql = postgres.Sql<{ bigint: bigint }>

export interface PoolOptions {
  url: string
  max: number
  applicationName: string
  onNotice?: (notice: postgres.Notice) => void
}

export function openPool(options: PoolOptions): Sql {
  return driver(options.url, {
    max: options.max,
    // A database that is down answers a request with 503 within this time instead of holding it.
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: 60 * 60,
    // After an outage the pool tries again soon: a restarted database is used within a second.
    backoff: (attempt) => Math.min(1, 0.05 * 2 ** attempt),
    types: { bigint: driver.BigInt },
    onnotice: options.onNotice ?? (() => undefined),
    connection: { application_name: options.applicationName, TimeZone: 'UTC' },
  })
}

/** True when the failure is the database's absence, not the statement's fault. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  return (
    /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT|EHOSTUNREACH)/.test(error.code) ||
    // admin shutdown, crash shutdown, cannot connect now, too many connections, read-only standby
    /^(57P0[123]|53300|25006|08\d{3})$/.test(error.code)
  )
}
