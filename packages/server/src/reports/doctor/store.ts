// SQL of the doctor: what a server says of itself.
import type { Sql } from '@florin/platform/db/pool'

export interface Server {
  /** As PostgreSQL counts: 180001. */
  version: number
  encoding: string
  role: string
  isStandby: boolean
  now: Date
  isVacuuming: boolean
}

export async function readServer(sql: Sql): Promise<Server> {
  const [row] = await sql<Server[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      current_user::text as role, pg_is_in_recovery() as "isStandby", clock_timestamp() as now,
      current_setting('autovacuum')::boolean as "isVacuuming"`
  if (row === undefined) throw new Error('the server said nothing of itself')
  return row
}

interface Done {
  package: string
  number: number
  minCode: number
}

/** The migrations that were run; null: there is no Florin here. */
export async function listDone(sql: Sql): Promise<Done[] | null> {
  const [found] = await sql<{ is: boolean }[]>`select to_regclass('migrations') is not null as is`
  if (found?.is !== true) return null
  return sql<Done[]>`
    select package, number, min_code as "minCode" from migrations order by package, number limit 10000`
}
