// One connection of node-postgres. It sends statements in order without waiting for the answer of one to send the next
// (pg's pipeline mode). Directly connected to PostgreSQL the limits are set once and statements are prepared by name. A
// pooler may give each transaction another session, so behind one the limits are set in each transaction and no
// statement is named.
import { hash } from 'node:crypto'
import pg from 'pg'
import { DatabaseUnavailable, failureOf, isStalePlan } from '../failures.ts'
import type { Row, Statement, Text } from '../sql.ts'
import { columnTypes } from './columns.ts'
import { type Hosts, hostsOf } from './hosts.ts'
import { Learned, PreparedQuery } from './query.ts'

/** How long PostgreSQL lets a connection wait; 0 is for ever. */
export interface Limits {
  statementMs: number
  lockMs: number
  idleInTransactionMs: number
}

export interface ConnectionOptions {
  url: string
  applicationName: string
  limits: Limits
  /** Of PostgreSQL, from our own code, for every statement. */
  settings?: Readonly<Record<string, string>>
}

/** PostgreSQL itself answers after `statementMs`; a connection that is silent for this much longer is dead. */
const GRACE_MS = 2_000
const FIRST_ANSWER_MS = 5_000

function clientConfig(
  options: Pick<ConnectionOptions, 'applicationName'>,
  host: string,
  connectMs: number,
): pg.ClientConfig {
  const url = new URL(host)
  // `sslmode=require` means what it means to psql: encrypted, whatever the certificate.
  if (url.searchParams.has('sslmode') && !url.searchParams.has('uselibpqcompat')) {
    url.searchParams.set('uselibpqcompat', 'true')
  }
  return {
    connectionString: url.href,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    pipeline: true,
    types: columnTypes,
  }
}

const noTime = (): void => undefined

/** A connection to the host that is thought the primary. It is made when its turn has come. */
export class HostClient extends pg.Client {
  readonly hosts: Hosts
  /** The URL of its host. */
  readonly origin: string
  readonly #turnMs: number
  readonly #gone = new AbortController()
  #endTurn: () => void = noTime

  /** @param connectMs for its turn to come and for the host to answer. */
  constructor(options: Pick<ConnectionOptions, 'url' | 'applicationName'>, connectMs: number) {
    const hosts = hostsOf(options.url)
    const origin = hosts.current()
    // Where there are several, a host is passed over for its own silence, never because its turn came late: what the turn leaves of
    // the time is the host's. Another one has the next of whoever still waits then.
    const turnMs = hosts.isSeveral ? connectMs / 3 : connectMs
    super(clientConfig(options, origin, hosts.isSeveral ? connectMs - turnMs : connectMs))
    this.hosts = hosts
    this.origin = origin
    this.#turnMs = turnMs
    // Also of one that never began, which its pool destroyed.
    this.connection.stream.once('close', () => {
      this.#gone.abort()
      this.endTurn()
    })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (callback !== undefined) {
      void this.#inTurn(callback as (error: Error | null, client: pg.Client) => void)
      return undefined
    }
    return new Promise((resolve, reject) => {
      void this.#inTurn((error) => (error === null ? resolve(this) : reject(error)))
    })
  }

  async #inTurn(callback: (error: Error | null, client: pg.Client) => void): Promise<void> {
    const { hosts, origin } = this
    const end = await hosts.turns.take(this.#turnMs, this.#gone.signal)
    // As pg says it.
    if (end === null) return callback(new Error('timeout expired'), this)
    this.#endTurn = end
    if (hosts.current() !== origin) return this.#failed(new Error('Connection terminated'), callback)
    super.connect((error: Error | null) => {
      if (!error) return callback(null, this)
      hosts.passOver(origin)
      this.#failed(error, callback)
    })
  }

  #failed(error: Error, callback: (error: Error, client: pg.Client) => void): void {
    this.endTurn()
    callback(error, this)
  }

  /** The connection is ready for use, or there is none. */
  endTurn(): void {
    this.#endTurn()
  }
}

/** `answerMs`: after how long without an answer the connection counts as dead, where that is not as for every statement. */
type TimedQuery = pg.QueryConfig & { answerMs?: number }

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

export class Session {
  readonly #client: HostClient
  readonly #limits: Limits
  readonly #settings: readonly (readonly [name: string, value: string])[]
  readonly #onLost = new Set<(error: Error) => void>()
  readonly #learned = new Learned()
  #isDirect = false
  #lost: Error | null = null

  constructor(client: HostClient, { limits, settings = {} }: Pick<ConnectionOptions, 'limits' | 'settings'>) {
    this.#client = client
    this.#limits = limits
    this.#settings = [
      ['TimeZone', 'UTC'],
      ['statement_timeout', `${limits.statementMs}`],
      ['lock_timeout', `${limits.lockMs}`],
      ['idle_in_transaction_session_timeout', `${limits.idleInTransactionMs}`],
      ...Object.entries(settings),
    ]
    // Always has a listener: an unhandled error event ends the process.
    client.on('error', (error) => this.#lose(error))
    client.on('end', () => this.#lose(undefined))
  }

  /** This server only reads: another one is the primary now, or becomes it. */
  passOver(): void {
    this.#client.hosts.passOver(this.#client.origin)
  }

  /** False behind a pooler. */
  get isDirect(): boolean {
    return this.#isDirect
  }

  /**
   * PostgreSQL numbers a new connection by its process; a pooler uses numbers of its own. The limits are set by the
   * same query, so this costs one round trip.
   */
  async open(): Promise<void> {
    try {
      await this.#learn()
    } finally {
      this.#client.endTurn()
    }
  }

  async #learn(): Promise<void> {
    const given = 'processID' in this.#client ? Number(this.#client.processID) : 0
    const settings = this.#settings.map(([name, value]) => `set_config('${name}', '${value}', false)`)
    const { hosts } = this.#client
    const { rows } = await this.#first({
      text: `select case when pg_backend_pid() = ${given} then array[${settings.join(', ')}] end is not null as direct,
        current_setting('transaction_read_only') = 'on' as reads`,
      answerMs: FIRST_ANSWER_MS,
    })
    if (hosts.isSeveral && rows[0]?.reads === true) {
      this.passOver()
      throw new DatabaseUnavailable('CONNECTION_REFUSED', new Error('This host is a standby.'))
    }
    hosts.found()
    this.#isDirect = rows[0]?.direct === true
  }

  /** A host that takes connections and says nothing is passed over like one that takes none. */
  async #first(query: TimedQuery): Promise<pg.QueryResult> {
    try {
      return await this.#send(query)
    } catch (error) {
      this.passOver()
      throw error
    }
  }

  async run(statement: Statement): Promise<Row[]> {
    // Text without values may be several statements, which cannot be prepared.
    if (this.#isDirect && statement.values.length > 0) return this.#runPrepared(statement)
    const result = await this.#send({ text: statement.text, values: statement.values })
    return result.rows
  }

  #runPrepared({ said, values }: Statement): Promise<Row[]> {
    if (this.#lost !== null) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      const answered = this.#within(this.#timeoutMs, reject)
      const a = { name: nameOf(said), text: said.whole, values }
      this.#client.query(
        new PreparedQuery(a, this.#learned, (error, rows) => {
          answered()
          if (error) reject(this.#refused(error))
          else resolve(rows)
        }),
      )
    })
  }

  /**
   * A connection that is silent for so long is given up. pg could count the time of a query too (`query_timeout`), by a function
   * that is a property of the query: what is said of such functions in query.ts, and an export held 200 MB by it.
   * @returns is called when the answer is there.
   */
  #within(answerMs: number | undefined, reject: (error: Error) => void): () => void {
    if (answerMs === undefined) return noTime
    const timer = setTimeout(() => {
      reject(new DatabaseUnavailable('QUERY_TIMEOUT'))
      this.#client.connection.stream.destroy()
    }, answerMs)
    return () => clearTimeout(timer)
  }

  #refused(error: unknown): Error {
    if (isStalePlan(error)) forgetNames()
    return failureOf(error)
  }

  /** `mode` is what may stand after BEGIN. */
  async begin(mode: string): Promise<void> {
    const settings = this.#settings.map(([name, value]) => `; set local ${name} = '${value}'`)
    await this.#send({ text: `begin ${mode}${this.#isDirect ? '' : settings.join('')}` })
  }

  /** PostgreSQL answers COMMIT after a failed statement with a silent ROLLBACK; here it is an error. */
  async commit(): Promise<void> {
    const { command } = await this.#send({ text: 'commit' })
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements failed.')
  }

  async rollback(): Promise<void> {
    await this.#send({ text: 'rollback' })
  }

  async listen(channel: string, withinMs: number): Promise<void> {
    await this.#send({ text: `listen "${channel}"`, answerMs: withinMs })
  }

  #send({ answerMs = this.#timeoutMs, ...query }: TimedQuery): Promise<pg.QueryResult> {
    if (this.#lost !== null) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      const answered = this.#within(answerMs, reject)
      void this.#client.query(query, (error: Error | null, result: pg.QueryResult | pg.QueryResult[]) => {
        answered()
        const last = Array.isArray(result) ? result.at(-1) : result
        if (!error && last !== undefined) return resolve(last)
        reject(this.#refused(error))
      })
    })
  }

  get #timeoutMs(): number | undefined {
    const { statementMs } = this.#limits
    return statementMs === 0 ? undefined : statementMs + GRACE_MS
  }

  #lose(cause: unknown): void {
    if (this.#lost !== null) return
    this.#lost = new DatabaseUnavailable('CONNECTION_CLOSED', cause)
    for (const listener of this.#onLost) listener(this.#lost)
  }

  /** @returns a function that stops listening. */
  onLost(listener: (error: Error) => void): () => void {
    this.#onLost.add(listener)
    if (this.#lost !== null) listener(this.#lost)
    return () => this.#onLost.delete(listener)
  }

  get isLost(): boolean {
    return this.#lost !== null
  }

  /** Closes at once, without the protocol's goodbye: the other side may be gone. */
  destroy(): void {
    this.#client.connection.stream.destroy()
    this.#lose(undefined)
  }
}

let generation = 0

/** A text has the same name on every connection, each of which prepares it once. */
function nameOf(said: Text): string {
  if (said.name?.generation !== generation) {
    said.name = { generation, text: `${generation}_${hash('sha256', said.whole, 'base64url').slice(0, 22)}` }
  }
  return said.name.text
}

/** Under new names every statement is prepared anew. */
function forgetNames(): void {
  generation++
}
