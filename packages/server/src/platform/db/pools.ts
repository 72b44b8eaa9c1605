// The connections of a process, each kind of work with a bounded pool of its own, so that none waits behind another. All
// limits together make a process notice within 15 seconds that its database is silent.
import { ping } from './calls.ts'
import { type Limits, openPool, type Sql, withoutLimits } from './pool.ts'

export interface Pools {
  /** What somebody waits for who pays, signs in or creates an order. */
  payments: Sql
  /** Lists, searches, statistics and exports. */
  lists: Sql
  /** Background jobs. */
  work: Sql
  /** Whether the database answers, asked on a connection of its own; never later than two seconds. */
  isReady(): Promise<boolean>
  end(options: { timeout: number }): Promise<void>
}

const payments: Limits = { statementMs: 5_000, lockMs: 3_000, idleInTransactionMs: 10_000 }
const lists: Limits = { statementMs: 8_000, lockMs: 3_000, idleInTransactionMs: 10_000 }
const work: Limits = { statementMs: 10_000, lockMs: 5_000, idleInTransactionMs: 30_000 }
const readiness: Limits = { statementMs: 1_000, lockMs: 1_000, idleInTransactionMs: 1_000 }
const READY_WITHIN_MS = 1_500

/** @param kind what the process does; a pool that is not used opens no connection. */
export function openPools(url: string, kind: 'all' | 'api' | 'worker' | 'migrate'): Pools {
  const applicationName = `florin ${kind}`
  const pools = {
    payments: openPool({ url, applicationName, max: 10, limits: payments, acquireMs: 3_000 }),
    lists: openPool({ url, applicationName: `${applicationName} lists`, max: 4, limits: lists, acquireMs: 3_000 }),
    work: openPool({ url, applicationName: `${applicationName} jobs`, max: kind === 'worker' ? 12 : 8, limits: work }),
  }
  const probe = openPool({
    url,
    applicationName: `${applicationName} readiness`,
    max: 1,
    limits: readiness,
    acquireMs: READY_WITHIN_MS,
  })
  let asking: Promise<boolean> | null = null

  /** Many who ask at once are one question. */
  function ask(): Promise<boolean> {
    asking ??= ping(probe)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asking = null
      })
    return asking
  }

  return {
    ...pools,
    async isReady() {
      const late = Promise.withResolvers<boolean>()
      const timer = setTimeout(() => late.resolve(false), READY_WITHIN_MS)
      return Promise.race([ask(), late.promise]).finally(() => clearTimeout(timer))
    },
    async end(options) {
      await Promise.all([...Object.values(pools), probe].map((pool) => pool.end(options)))
    },
  }
}

/** For work on the schema, which may take its time. */
export async function withoutHurry<T>(url: string, run: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openPool({ url, max: 1, applicationName: 'florin migrations', limits: withoutLimits })
  try {
    return await run(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
