// A client of node-postgres to one of the hosts, which connects when its turn has come.
import pg from 'pg'
import { columnTypes } from './columns.ts'
import { type Hosts, hostsOf } from './hosts.ts'

export interface HostOptions {
  url: string
  applicationName: string
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

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
  constructor(options: HostOptions, connectMs: number) {
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

function clientConfig(options: Pick<HostOptions, 'applicationName'>, host: string, connectMs: number): pg.ClientConfig {
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
