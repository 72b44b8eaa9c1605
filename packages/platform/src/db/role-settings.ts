// The settings that each session of Florin's role starts with where a pooler stands before PostgreSQL. A transaction may get any session
// there, so what a session does not start with has to be set in each transaction again. PostgreSQL gives a role's settings to new
// sessions only: each start looks at the pooler's sessions, and ends those from before.
import pg from 'pg'
import { OperatorError } from '../errors.ts'
import { clientConfig } from './connection/client.ts'
import { SCHEMA } from './connection/session.ts'
import { isConnectionGone, isForbidden } from './failures.ts'
import { inTurn, type Say, sayNothing } from './locks/turn.ts'
import { defaultLimits, openPool, type Sql } from './pool.ts'
import { type Tx, withTx } from './tx.ts'

/** By the names, and in the units, of `pg_settings`. */
const wanted: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  search_path: SCHEMA,
  statement_timeout: `${defaultLimits.statementMs}`,
  lock_timeout: `${defaultLimits.lockMs}`,
  idle_in_transaction_session_timeout: `${defaultLimits.idleInTransactionMs}`,
}

/**
 * So many transactions are open at once, and each for so long, that they get all sessions of an ordinary pool. No process has fewer
 * connections later (pools.ts), so a pooler that has room for its clients has room for these.
 */
const [AT_ONCE, HOLD_S, ROUNDS] = [16, 0.05, 5]
/** The pooler may have to make its sessions first. */
const CONNECT_MS = 60_000

/**
 * Gives its settings to the role of this URL, where a pooler needs them; a role may change its own.
 * @param say is given a line where another start is waited for.
 * @throws OperatorError with the SQL, where the role's settings cannot be changed or the pooler's sessions start with others.
 */
export async function settleRole(url: string, say: Say = sayNothing): Promise<void> {
  const sql = openPool({ url, max: AT_ONCE, applicationName: 'florin start', acquireMs: CONNECT_MS })
  try {
    if (!(await sql.isPooled())) return
    const commands = await commandsOf(sql)
    try {
      await inTurn(sql, 'role settings', (tx) => alterRole(tx, commands), say)
    } catch (error) {
      if (!isForbidden(error)) throw error
      throw refused('This role may not change its own settings.', commands, error)
    }
    for (let round = 1; ; round++) {
      const looks = await Promise.all(Array.from({ length: AT_ONCE }, () => lookAtSession(sql)))
      const other = looks.find((look) => look !== null)
      if (other === undefined) return void (await compareZone(url, say))
      const { name, value } = other
      if (round === ROUNDS)
        throw refused(`Sessions of the pooler start with ${name} ${value}, not ${wanted[name]}.`, commands)
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const refused = (why: string, commands: string, cause?: unknown): OperatorError =>
  new OperatorError(
    `${why} Run: ${commands}; and let the pooler connect anew (RECONNECT of pgbouncer). Then start this again.`,
    { docs: 'docs/operations.md#poolers', ...(cause === undefined ? {} : { cause }) },
  )

async function commandsOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ text: string }[]>`
    select string_agg(format('alter role %I in database %I set %s = %L', session_user, current_database(), name, value), '; ') as text
    from unnest(${Object.keys(wanted)}::text[], ${Object.values(wanted)}::text[]) as w (name, value)`
  return row?.text ?? ''
}

async function alterRole(tx: Tx, commands: string): Promise<void> {
  const pairs = Object.entries(wanted).map(([name, value]) => `${name}=${value}`)
  const set = await tx`
    select 1 from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase join pg_roles r on r.oid = s.setrole
    where d.datname = current_database() and r.rolname = session_user and s.setconfig @> ${pairs}::text[]`
  if (set.length === 0) await tx.unsafe(commands)
}

/** pgbouncer gives each client the time zone that it knew at its own start: then transactions set theirs, which is only slower. */
async function compareZone(url: string, say: Say): Promise<void> {
  const client = new pg.Client(clientConfig({ url, applicationName: 'florin start' }, CONNECT_MS))
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ zone: string }>("select current_setting('TimeZone') as zone")
  await client.end()
  const zone = rows[0]?.zone
  if (zone !== wanted.TimeZone)
    say(
      `The pooler asks for the time zone ${zone}, so each transaction sets ${wanted.TimeZone}. RECONNECT of pgbouncer ends that.`,
    )
}

interface Other {
  name: string
  value: string
}

/** @returns a setting with which the session of this transaction started, where it is not the wanted one. The session is ended then. */
async function lookAtSession(sql: Sql): Promise<Other | null> {
  let other: Other | undefined
  try {
    await withTx(sql, async (tx) => {
      const [found] = await tx<Other[]>`
        select w.name, s.reset_val as value
        from unnest(${Object.keys(wanted)}::text[], ${Object.values(wanted)}::text[]) as w (name, value)
          join pg_settings s on s.name = w.name
        where s.reset_val <> w.value limit 1`
      other = found
      // While this transaction is open, nobody else has this session.
      await (other === undefined ? tx`select pg_sleep(${HOLD_S})` : tx`select pg_terminate_backend(pg_backend_pid())`)
    })
  } catch (error) {
    if (other === undefined || !isConnectionGone(error)) throw error
  }
  return other ?? null
}
