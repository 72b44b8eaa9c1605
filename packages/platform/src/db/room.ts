// Whether PostgreSQL has room for the connections of all processes: looked at by each start, since a process opens most of its
// connections only under load.
import { connectionsMax } from '../measure/pools.ts'
import { countConnections } from './calls.ts'
import type { Say } from './locks/turn.ts'
import type { Sql } from './pool.ts'
import { type Kind, mostConnections } from './pools.ts'

/** @param say is given a line where the processes that run, and this one, may open more connections than there are. */
export async function checkRoom(sql: Sql, kind: Kind, say: Say): Promise<void> {
  const own = mostConnections(kind)
  connectionsMax.set(own)
  // A pooler shares few connections among all processes.
  if (await sql.isPooled()) return
  const { inUse, usable } = await countConnections(sql)
  const others = (await listOthers(sql)).map((each) => mostConnections(each)).reduce((sum, n) => sum + n, 0)
  const most = Math.max(own + others, inUse)
  if (most > usable)
    say(
      `Florin's processes may open ${most} connections, this one ${own} of them, and PostgreSQL has ${usable} for them. ` +
        'Raise max_connections, or put a pooler before PostgreSQL (docs/operations.md#connections).',
    )
}

/** The kinds of the processes that serve this database: each has one connection that is asked for its readiness. */
async function listOthers(sql: Sql): Promise<Kind[]> {
  const rows = await sql<{ kind: Kind }[]>`
    select split_part(application_name, ' ', 2) as kind from pg_stat_activity
    where datname = current_database() and application_name ~ '^florin (all|api|worker) readiness$' limit 1000`
  return rows.map(({ kind }) => kind)
}
