// The connection pool: pg-pool behind the `sql` tag. A statement borrows a connection; a transaction keeps its own
// until it ends. A connection that was lost or has gone silent is replaced.
import pg from 'pg'
import { measurePool } from '../measure/pools.ts'
import { clientConfig } from './connection/client.ts'
import { type Listener, listen } from './connection/listen.ts'
import { type ConnectionOptions, type Limits, Session } from './connection/session.ts'
import { isAborted, isConnectionGone, isReadOnly, isSilence, isStalePlan, refusalOf } from './failures.ts'
import { makeTag, type Row, type Statement, type Tag } from './sql.ts'

export interface Sql extends Tag {
  /** `withTx` adds a retry after a conflict. `mode` is what may stand after BEGIN. */
  begin<T>(work: (tx: Tag) => Promise<T>): Promise<T>
  begin<T>(mode: string, work: (tx: Tag) => Promise<T>): Promise<T>
  listen(channel: string, onNotify: () => void, onTrouble: (error: Error) => void): Listener
  /** Whether a pooler stands before PostgreSQL. */
  isPooled(): Promise<boolean>
  /** Connections to the same database that have settings of their own; they end with these. */
  apart(options: { max: number; settings: Readonly<Record<string, string>> }): Sql
  /** Waits for running work, at most `timeout` seconds. */
  end(options?: { timeout: number }): Promise<void>
}

export interface PoolOptions extends Omit<ConnectionOptions, 'limits'> {
  max: number
  limits?: Limits
  /** How long to wait for a connection, free or new. */
  acquireMs?: number
  onNotice?: (notice: { message?: string | undefined }) => void
  onStatement?: (statement: Statement) => void
  /** Hears what the database answered to statements that failed. */
  onFailure?: (error: unknown) => void
  /** Its idle connections keep no process from ending. */
  allowExitOnIdle?: boolean
  /** What it is called in the metrics; omitted: it is not measured. */
  measuredAs?: string
}

/** The same for requests and jobs, so that sessions behind a pooler can start with them (role-settings.ts). */
export const defaultLimits: Limits = { statementMs: 8_000, lockMs: 3_000, idleInTransactionMs: 10_000 }
/** For migrations, which may take long. */
export const withoutLimits: Limits = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 }

const ACQUIRE_MS = 5_000
const LIFETIME_S = 60 * 60

export type { Limits }

interface Taken {
  session: Session
  giveBack(isBroken: boolean): void
}

export function openPool(options: PoolOptions): Sql {
  const connection = { ...options, limits: options.limits ?? defaultLimits }
  const sessions = new Map<pg.ClientBase, Session>()
  const inUse = new Set<Session>()
  const listeners = new Set<Listener>()
  const others = new Set<Sql>()
  const acquireMs = options.acquireMs ?? ACQUIRE_MS
  const pool = new pg.Pool({
    ...clientConfig(connection, acquireMs),
    max: options.max,
    allowExitOnIdle: options.allowExitOnIdle ?? false,
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: LIFETIME_S,
    async onConnect(client) {
      const session = new Session(client as pg.Client, connection)
      await session.open()
      sessions.set(client, session)
      client.on('end', () => sessions.delete(client))
      if (options.onNotice !== undefined) client.on('notice', options.onNotice)
    },
  })
  const meter =
    options.measuredAs === undefined
      ? null
      : measurePool(options.measuredAs, () => ({
          inUse: pool.totalCount - pool.idleCount,
          idle: pool.idleCount,
          waiting: pool.waitingCount,
        }))
  // An idle connection that is lost removes itself from the pool.
  pool.on('error', () => undefined)

  const take = (): Promise<Taken> =>
    new Promise((resolve, reject) => {
      pool.connect((error, client, release) => {
        const session = client === undefined ? undefined : sessions.get(client)
        if (session === undefined) {
          if (client !== undefined) release(true)
          return reject(refusalOf(error))
        }
        // It was dropped and is not removed from the pool yet.
        if (session.isLost) {
          release(true)
          return resolve(take())
        }
        inUse.add(session)
        resolve({
          session,
          giveBack(isBroken) {
            inUse.delete(session)
            release(isBroken)
          },
        })
      })
    })

  /** Where one connection is dead, the idle ones are likely dead as well; the next caller gets a new one. */
  function dropIdle(): void {
    for (const session of sessions.values()) if (!inUse.has(session)) session.destroy()
  }

  /** A connection that outlived a failover may lead to the standby; a new one leads to where the endpoint points now. */
  function dropIfDemoted(error: unknown): boolean {
    if (!isReadOnly(error)) return false
    dropIdle()
    return true
  }

  async function runOne(statement: Statement): Promise<Row[]> {
    options.onStatement?.(statement)
    const asked = performance.now()
    const { session, giveBack } = await take()
    meter?.waited(performance.now() - asked)
    const sent = performance.now()
    try {
      const rows = await (session.isSetLocally ? runInTransaction(session, statement) : session.run(statement))
      giveBack(false)
      meter?.ran(performance.now() - sent)
      return rows
    } catch (error) {
      meter?.failed()
      options.onFailure?.(error)
      giveBack(isConnectionGone(error) || dropIfDemoted(error))
      if (isSilence(error)) dropIdle()
      if (isStalePlan(error)) return runOne(statement)
      throw error
    }
  }

  async function runTransaction<T>(mode: string, work: (tx: Tag) => Promise<T>): Promise<T> {
    const asked = performance.now()
    const { session, giveBack } = await take()
    meter?.waited(performance.now() - asked)
    let failed: Error | null = null
    let over: Error | null = null
    const tag = makeTag((statement) => {
      if (over !== null) return Promise.reject(over)
      options.onStatement?.(statement)
      const sent = performance.now()
      const rows = session.run(statement)
      rows.then(
        () => meter?.ran(performance.now() - sent),
        (error: Error) => {
          failed ??= error
        },
      )
      return rows
    })
    const { promise: lost, reject: lose } = Promise.withResolvers<never>()
    lost.catch(() => undefined)
    const stopListening = session.onLost((error) => {
      over = error
      lose(error)
    })
    try {
      // Awaited: after a failed BEGIN, statements would be executed one by one.
      await session.begin(mode)
      // The work may not notice that its connection is gone; the caller that awaits the transaction does.
      const result = await Promise.race([work(tag), lost])
      over ??= new Error('This transaction is over.')
      if (failed !== null) throw failed as Error
      await session.commit()
      giveBack(false)
      return result
    } catch (thrown) {
      // Statements sent behind the one that failed are refused, and the work may have noticed one of these first.
      const error = isAborted(thrown) ? (failed ?? thrown) : thrown
      meter?.failed()
      options.onFailure?.(failed ?? error)
      over ??= new Error('This transaction is over.')
      const isUseless = dropIfDemoted(failed ?? error)
      await session.rollback().then(
        () => giveBack(isUseless),
        () => giveBack(true),
      )
      if (isSilence(error)) dropIdle()
      throw error
    } finally {
      stopListening()
    }
  }

  async function close(timeout: number | undefined): Promise<void> {
    meter?.close()
    await Promise.all([...listeners].map((listener) => listener.unlisten()))
    const ended = Promise.all([pool.end(), ...[...others].map((other) => other.end({ timeout: timeout ?? 5 }))])
    if (timeout === undefined) return void (await ended)
    const late = setTimeout(() => {
      for (const session of sessions.values()) session.destroy()
    }, timeout * 1000)
    await ended.finally(() => clearTimeout(late))
  }

  let closed: Promise<void> | null = null
  return Object.assign(makeTag(runOne), {
    begin: <T>(...args: [(tx: Tag) => Promise<T>] | [string, (tx: Tag) => Promise<T>]): Promise<T> =>
      args.length === 1 ? runTransaction('', args[0]) : runTransaction(args[0], args[1]),
    listen(channel: string, onNotify: () => void, onTrouble: (error: Error) => void): Listener {
      const listener = listen(connection, channel, onNotify, onTrouble)
      listeners.add(listener)
      return listener
    },
    async isPooled(): Promise<boolean> {
      const { session, giveBack } = await take()
      giveBack(false)
      return !session.isDirect
    },
    apart(own: { max: number; settings: Readonly<Record<string, string>> }): Sql {
      const other = openPool({ ...options, ...own })
      others.add(other)
      return other
    },
    end(a?: { timeout: number }): Promise<void> {
      closed ??= close(a?.timeout)
      return closed
    },
  })
}

/** In one packet. Only inside a transaction do settings reach the session that the pooler chooses. */
async function runInTransaction(session: Session, statement: Statement): Promise<Row[]> {
  const [began, ran, committed] = await Promise.allSettled([
    session.begin(''),
    session.run(statement),
    session.commit(),
  ])
  for (const step of [began, ran, committed]) if (step.status === 'rejected') throw step.reason
  return ran.status === 'fulfilled' ? ran.value : []
}
