// Looking at the plans that PostgreSQL really used, by its own auto_explain: nothing is explained in the test's
// words, so a statement cannot drift from its test.
import type { TestContext } from 'node:test'
import { openPool, type Sql } from '@florin/platform/db/pool'
import { eventually } from './deliveries.ts'

export interface Plan {
  query: string
  text: string
  /** Pages looked at, all nodes together. */
  buffers: number
}

export interface Explained {
  sql: Sql
  /** The plans since the last call. */
  taken(): Plan[]
}

/** One connection whose every statement leaves its plan, with rows and buffers as they came out. */
export async function explained(t: Pick<TestContext, 'after'>, databaseUrl: string): Promise<Explained> {
  let plans: Plan[] = []
  // Before PostgreSQL 16 a plan does not name the parameters of its statement.
  let marker = 'Query Parameters:'
  const sql = openPool({
    url: databaseUrl,
    max: 1,
    applicationName: 'plans',
    onNotice(notice) {
      const [query = '', text] = (notice.message ?? '').split(marker)
      if (text === undefined) return
      // The first line of a plan counts for all below it.
      plans.push({
        query,
        text,
        buffers: Number(/shared hit=(\d+)/.exec(text)?.[1] ?? 0) + Number(/ read=(\d+)/.exec(text)?.[1] ?? 0),
      })
    },
  })
  t.after(() => sql.end({ timeout: 5 }))
  const [server] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`
  if ((server?.version ?? 0) < 160_000) marker = 'Query Text:'
  await sql.unsafe(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on;
    set auto_explain.log_buffers = on; set auto_explain.log_timing = off; set auto_explain.log_level = notice`)
  // What would run on connections of its own runs on this one, under the same settings.
  const apart: Sql['apart'] = ({ settings }) => {
    for (const [name, value] of Object.entries(settings)) sql.unsafe(`set ${name} = '${value}'`).execute()
    return sql
  }
  return {
    sql: Object.assign(sql, { apart }),
    taken() {
      const seen = plans
      plans = []
      return seen
    },
  }
}

/**
 * Vacuums until every page is marked as seen by all. Once is not enough: a snapshot that anybody still holds, such as
 * the server's own vacuum worker, leaves pages unmarked, and a plan made then goes to the table.
 */
export async function vacuumed(sql: Sql, tables: readonly string[]): Promise<void> {
  const marked = async () => {
    for (const table of tables) await sql`vacuum analyze ${sql(table)}`
    return sql<{ whole: boolean }[]>`
      select relallvisible = relpages as whole from pg_class where oid = any(${tables as string[]}::regclass[])`
  }
  await eventually(marked, (rows) => rows.every((row) => row.whole))
}
