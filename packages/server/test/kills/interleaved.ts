// Runs several processes over one database, one statement at a time, in a sequence that the test chooses. Each process is a
// function of its own `sql`; a process that waits for another's lock is left alone until the lock is free.
import type { Sql } from '@florin/platform/db/pool'
import { through } from './through.ts'

type Process = (sql: Sql) => Promise<unknown>

interface Runner {
  /** Statements that wait for their turn, oldest first. */
  waiting: (() => void)[]
  isOver: boolean
  failure: unknown
}

/**
 * @param sql has a connection for every transaction that they could have open, and one more.
 * @param choose which of `n` processes that could go on runs its next statement.
 * @throws the first error of a process.
 */
export async function interleaved(
  sql: Sql,
  processes: readonly Process[],
  choose: (n: number) => number,
): Promise<void> {
  const runners = processes.map((run): Runner => {
    const runner: Runner = { waiting: [], isOver: false, failure: null }
    run(gated(sql, runner))
      .catch((error: unknown) => {
        runner.failure = error
      })
      .finally(() => {
        runner.isOver = true
      })
    return runner
  })
  for (;;) {
    await atRest(sql, runners)
    const ready = runners.filter((runner) => runner.waiting.length > 0)
    if (ready.length > 0) ready[choose(ready.length) % ready.length]?.waiting.shift()?.()
    if (runners.every((runner) => runner.isOver)) break
  }
  const failed = runners.find((runner) => runner.failure !== null)
  if (failed !== undefined) throw failed.failure
}

const gated = (sql: Sql, runner: Runner): Sql =>
  through(sql, async (_statement, run) => {
    await new Promise<void>((resolve) => runner.waiting.push(resolve))
    return run()
  })

/** Until every process waits for its turn or for a lock, or is over. */
async function atRest(sql: Sql, runners: readonly Runner[]): Promise<void> {
  const running = (): number => runners.filter((runner) => !runner.isOver && runner.waiting.length === 0).length
  while (running() > 0) {
    const [row] = await sql<{ blocked: number }[]>`
      select count(*)::int as blocked from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (running() <= (row?.blocked ?? 0) && runners.some((runner) => runner.waiting.length > 0)) return
  }
}
