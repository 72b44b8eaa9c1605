// The connections of a process: a bounded pool for each kind of work, so that none waits behind another. The limits
// combined make a process notice within 15 seconds that its database is silent.
import { ping, tryWriting } from './calls.ts'
import { isForbidden, isWriteRefused } from './failures.ts'
import { type Say, sayNothing } from './locks/turn.ts'
import { watchWaits } from './locks/waits.ts'
import { type Limits, openPool, type PoolOptions, type Sql, withoutLimits } from './pool.ts'

export interface Pools {
  /** Work that a payer, a sign-in or an order creation waits for. */
  payments: Sql
  /** Lists, searches, statistics and exports. */
  lists: Sql
  /** Background jobs. */
  work: Sql
  /**
   * What is wrong with the database, asked on a connection of its own and never later than two seconds; null: it answers and
   * writes. A write that was refused in this process counts until somebody asks with none since and a trial succeeds.
   */
  trouble(): Promise<string | null>
  end(options: { timeout: number }): Promise<void>
}

const readiness: Limits = { statementMs: 1_000, lockMs: 1_000, idleInTransactionMs: 1_000 }
const READY_WITHIN_MS = 1_500

const UNREACHABLE = 'not reachable'
const NO_WRITES = 'writes are refused: the disk is full, or this is a standby'

export type Kind = 'all' | 'api' | 'worker' | 'migrate'

/** The most connections of each pool. An API process has no jobs; what its start asks needs one. */
const sizes = (kind: Kind): { payments: number; lists: number; work: number } => ({
  payments: 10,
  lists: 4,
  work: { all: 8, api: 2, worker: 12, migrate: 2 }[kind],
})

/** How many connections a process opens at most. docs/operations.md has the sums. */
export function mostConnections(kind: Kind): number {
  const { payments, lists, work } = sizes(kind)
  const readiness = 1
  const claimsAndResults = kind === 'api' || kind === 'migrate' ? 0 : 2
  // Positions for streams; deliveries and orders for jobs.
  const listeners = { all: 3, api: 1, worker: 2, migrate: 0 }[kind]
  return payments + lists + work + readiness + claimsAndResults + listeners
}

/** @param kind what the process does; an unused pool opens no connection. */
export function openPools(url: string, kind: Kind): Pools {
  const applicationName = `florin ${kind}`
  const max = sizes(kind)
  let wasRefused = false
  let isInDoubt = false
  const onFailure = (error: unknown): void => {
    if (isWriteRefused(error)) wasRefused = true
  }
  const open = (name: string, options: Omit<PoolOptions, 'url' | 'applicationName'>): Sql =>
    openPool({
      url,
      applicationName: `${applicationName}${name}`,
      onFailure,
      measuredAs: name.trim() || 'payments',
      ...options,
    })
  const pools = {
    payments: open('', { max: max.payments, acquireMs: 3_000 }),
    lists: open(' lists', { max: max.lists, acquireMs: 3_000 }),
    work: open(' jobs', { max: max.work }),
  }
  const probe = openPool({
    url,
    applicationName: `${applicationName} readiness`,
    max: 1,
    limits: readiness,
    acquireMs: READY_WITHIN_MS,
  })
  let asking: Promise<string | null> | null = null

  async function look(): Promise<string | null> {
    const isRefused = wasRefused
    wasRefused = false
    isInDoubt ||= isRefused
    try {
      await (isInDoubt && !isRefused ? tryWriting(probe) : ping(probe))
    } catch (error) {
      if (isWriteRefused(error)) return NO_WRITES
      if (!isForbidden(error)) return UNREACHABLE
    }
    isInDoubt = isRefused
    return isRefused ? NO_WRITES : null
  }

  /** Many who ask at once are one question. */
  function ask(): Promise<string | null> {
    asking ??= look().finally(() => {
      asking = null
    })
    return asking
  }

  return {
    ...pools,
    async trouble() {
      const late = Promise.withResolvers<string>()
      const timer = setTimeout(() => late.resolve(UNREACHABLE), READY_WITHIN_MS)
      return Promise.race([ask(), late.promise]).finally(() => clearTimeout(timer))
    },
    async end(options) {
      await Promise.all([...Object.values(pools), probe].map((pool) => pool.end(options)))
    },
  }
}

/**
 * For schema changes, which may take long. Two connections: one holds the turn while an index is built on the other.
 * @param say is given a line for whatever its statements wait for longer than five seconds.
 */
export async function withoutHurry<T>(url: string, run: (sql: Sql) => Promise<T>, say: Say = sayNothing): Promise<T> {
  // Its sessions are found by it.
  const applicationName = `florin migrations ${process.pid}`
  const sql = openPool({ url, max: 2, applicationName, limits: withoutLimits })
  const watch = watchWaits(url, applicationName, say)
  try {
    return await run(sql)
  } finally {
    await Promise.all([watch.end(), sql.end({ timeout: 5 })])
  }
}
