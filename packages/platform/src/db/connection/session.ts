// One connection of node-postgres. It sends statements in order without waiting for the answer of one to send the next
// (pg's pipeline mode). Directly connected to PostgreSQL its settings are set once and statements are prepared by name. A
// pooler may give each transaction another session: behind one, each transaction sets what sessions do not start with
// (../role-settings.ts), and no statement is named.
import { hash } from 'node:crypto'
import type pg from 'pg'
import { DatabaseUnavailable, failureOf, isStalePlan } from '../failures.ts'
import type { Row, Statement, Text } from '../sql.ts'
import type { ServerOptions } from './client.ts'

/** How long PostgreSQL lets a connection wait; 0 is for ever. */
export interface Limits {
  statementMs: number
  lockMs: number
  idleInTransactionMs: number
}

export interface ConnectionOptions extends ServerOptions {
  limits: Limits
  /** Of PostgreSQL, from our own code, for every statement. */
  settings?: Readonly<Record<string, string>>
}

/** PostgreSQL itself answers after `statementMs`; a connection that is silent for this much longer is dead. */
const GRACE_MS = 2_000
const FIRST_ANSWER_MS = 5_000

/** `answerMs`: after how long without an answer the connection counts as dead, where that is not as for every statement. */
type TimedQuery = pg.QueryConfig & { answerMs?: number }

/** The PostgreSQL schema of all tables. */
export const SCHEMA = 'florin'

const noTime = (): void => undefined

export class Session {
  readonly #client: pg.Client
  readonly #limits: Limits
  readonly #settings: readonly (readonly [name: string, value: string])[]
  /** Sent after BEGIN. */
  #setLocal = ''
  readonly #onLost = new Set<(error: Error) => void>()
  #isDirect = false
  #lost: Error | null = null

  constructor(client: pg.Client, { limits, settings = {} }: Pick<ConnectionOptions, 'limits' | 'settings'>) {
    this.#client = client
    this.#limits = limits
    this.#settings = [
      ['TimeZone', 'UTC'],
      ['search_path', SCHEMA],
      ['statement_timeout', `${limits.statementMs}`],
      ['lock_timeout', `${limits.lockMs}`],
      ['idle_in_transaction_session_timeout', `${limits.idleInTransactionMs}`],
      ...Object.entries(settings),
    ]
    // Always has a listener: an unhandled error event ends the process.
    client.on('error', (error) => this.#lose(error))
    client.on('end', () => this.#lose(undefined))
  }

  /** False behind a pooler. */
  get isDirect(): boolean {
    return this.#isDirect
  }

  /** A statement of its own needs a transaction around it, which sets what the pooler's sessions do not start with. */
  get isSetLocally(): boolean {
    return this.#setLocal !== ''
  }

  /**
   * PostgreSQL numbers a new connection by its process; a pooler uses numbers of its own. The settings are set by the
   * same query, so this costs one round trip, and behind a pooler another one.
   */
  async open(): Promise<void> {
    const given = 'processID' in this.#client ? Number(this.#client.processID) : 0
    const settings = this.#settings.map(([name, value]) => `set_config('${name}', ${settingOf(name, value)}, false)`)
    const { rows } = await this.#send({
      text: `select case when pg_backend_pid() = ${given} then array[${settings.join(', ')}] end is not null as direct`,
      answerMs: FIRST_ANSWER_MS,
    })
    this.#isDirect = rows[0]?.direct === true
    if (!this.#isDirect) await this.#compare()
  }

  async #compare(): Promise<void> {
    const names = this.#settings.map(([name]) => `'${name}'`)
    const { rows } = await this.#send({
      text: `select name, setting as value from pg_settings where name in (${names.join(', ')})`,
      answerMs: FIRST_ANSWER_MS,
    })
    const given = new Map((rows as { name: string; value: string }[]).map(({ name, value }) => [name, value]))
    const others = this.#settings.filter(([name, value]) => !isGiven(name, value, given.get(name)))
    this.#setLocal = others.map(([name, value]) => `; set local ${name} = '${value}'`).join('')
  }

  async run({ said, text, values }: Statement): Promise<Row[]> {
    // Text without values may be several statements, which cannot be prepared.
    const isPrepared = this.#isDirect && values.length > 0
    const { rows } = await this.#send(isPrepared ? { name: nameOf(said), text, values } : { text, values })
    return rows
  }

  /**
   * A connection that is silent for so long is given up. pg could count the time of a query too (`query_timeout`), by a function
   * that is a property of the query. V8 keeps such a function, and with it the rows of its query, until the next full collection:
   * an export held 200 MB.
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
    await this.#send({ text: `begin ${mode}${this.#setLocal}` })
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

// A search path that has Florin's schema first is left as it is: a database may have more behind it.

const settingOf = (name: string, value: string): string =>
  name === 'search_path'
    ? `case split_part(current_setting('${name}'), ',', 1) when '${value}' then current_setting('${name}') else '${value}' end`
    : `'${value}'`

const isGiven = (name: string, value: string, given: string | undefined): boolean =>
  name === 'search_path' ? given?.split(',')[0] === value : given === value

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
