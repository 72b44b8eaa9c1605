// A pool of connections that is lent to one test after another, with its database emptied in between. New connections
// with cold caches were half of what tests cost PostgreSQL.
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Listener } from '@florin/platform/db/connection/listen'
import { DatabaseUnavailable } from '@florin/platform/db/failures'
import { openPool, type Sql } from '@florin/platform/db/pool'
import { makeTag, type Tag } from '@florin/platform/db/sql'
import { MINUTE_MS } from '@florin/protocol'
import { afterAllElse } from './after.ts'
import { hasPassed, takeDatabase } from './databases.ts'

interface Lendable {
  database: Awaited<ReturnType<typeof takeDatabase>>
  pool: Sql
}

const free: Lendable[] = []

/** A fresh migrated database and a pool over it. After the test the pool runs nothing any more for whoever still has it. */
export async function lentDatabase(t: TestContext): Promise<{ databaseUrl: string; sql: Sql }> {
  const lendable = free.pop() ?? (await open())
  const { sql, takeBack } = lend(lendable.pool)
  afterAllElse(t, async () => {
    const isQuiet = await takeBack()
    // What a failed test left may be what made it fail.
    if (!hasPassed(t)) await lendable.pool.end({ timeout: 5 })
    else if (isQuiet && (await isAgainAsNew(lendable))) free.push(lendable)
    else {
      await lendable.database.giveBack()
      await lendable.pool.end({ timeout: 5 })
    }
  })
  return { databaseUrl: lendable.database.url, sql }
}

async function open(): Promise<Lendable> {
  const database = await takeDatabase()
  const pool = openPool({
    url: database.url,
    max: 8,
    acquireMs: MINUTE_MS,
    applicationName: `test ${database.name}`,
    allowExitOnIdle: true,
  })
  return { database, pool }
}

/** Nobody else is connected, no lock or temporary table is left, and the schema is as it was. The rows are gone. */
async function isAgainAsNew({ database, pool }: Lendable): Promise<boolean> {
  try {
    const [row] = await pool<{ others: number }[]>`
      select (select count(*)::int from pg_stat_activity
              where datname = current_database() and application_name <> ${`test ${database.name}`})
           + (select count(*)::int from pg_locks where locktype = 'advisory'
              and database = (select oid from pg_database where datname = current_database()))
           + (select count(*)::int from pg_class where relpersistence = 't' and relkind = 'r') as others`
    return row?.others === 0 && (await database.empty(pool))
  } catch {
    return false
  }
}

function lend(pool: Sql): { sql: Sql; takeBack(): Promise<boolean> } {
  const listeners = new Set<Listener>()
  const apart = new Set<Sql>()
  let running = 0
  let isOver = false
  // The pool's idle connections keep no process alive, and a test may wait for less.
  const awake = setInterval(() => undefined, MINUTE_MS)
  async function count<T>(work: () => Promise<T>): Promise<T> {
    if (isOver) throw new DatabaseUnavailable('CONNECTION_CLOSED', new Error('the test that had it is over'))
    running++
    try {
      return await work()
    } finally {
      running--
    }
  }
  async function end(): Promise<void> {
    isOver = true
    clearInterval(awake)
    await Promise.all([...listeners].map((listener) => listener.unlisten()))
    await Promise.all([...apart].map((other) => other.end({ timeout: 5 })))
  }
  const tag = makeTag(({ text, values }) => count(async () => [...(await pool.unsafe(text, values as never[]))]))
  const sql: Sql = Object.assign(tag, {
    begin: <T>(...args: [(tx: Tag) => Promise<T>] | [string, (tx: Tag) => Promise<T>]): Promise<T> =>
      count(() => (args.length === 1 ? pool.begin(args[0]) : pool.begin(...args))),
    listen(...args: Parameters<Sql['listen']>): Listener {
      const listener = pool.listen(...args)
      listeners.add(listener)
      return listener
    },
    isPooled: () => pool.isPooled(),
    apart(options: Parameters<Sql['apart']>[0]): Sql {
      const other = pool.apart(options)
      apart.add(other)
      return other
    },
    end,
  })
  return {
    sql,
    async takeBack() {
      await end()
      for (let looks = 0; running > 0 && looks < 50; looks++) await pause(10)
      return running === 0
    },
  }
}

// When nothing is left to do: for the other processes of the run. A test that had a cluster of its own has stopped it.
process.on('beforeExit', () => {
  for (const { database, pool } of free.splice(0)) {
    void pool
      .end()
      .then(() => database.offer())
      .catch(() => undefined)
  }
})
