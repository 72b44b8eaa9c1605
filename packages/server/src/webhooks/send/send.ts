// One POST (contract.md 6): one deadline over lookup, connect, TLS and headers; the final status line decides; a little
// of the body is read for the log and the rest is cut off. No redirect is followed, nothing is decompressed. Uses
// undici's dispatch rather than request(): the headers decide the outcome without a stream for each answer.
import type { IncomingHttpHeaders } from 'node:http'
import { performance } from 'node:perf_hooks'
import { remembered } from '@florin/platform/remembered'
import type { Dispatcher } from 'undici'
import type { Connection, Connections } from './connections.ts'
import { codeOfError, codeOfStatus, type OutcomeCode, type Phase, printable } from './outcome.ts'

export interface Outgoing {
  url: string
  /** The very bytes that were signed. */
  body: Uint8Array
  /** Name, value, name, value … */
  headers: string[]
}

/** Nothing was sent: a receiver could not tell such a webhook from a forged one. */
export const unsigned: Outcome = {
  httpStatus: null,
  error: 'secret_unreadable',
  latencyMs: 0,
  excerpt: null,
  detail: null,
}

/** Nothing was sent: the merchant wants nothing more there. */
export const toClosed: Outcome = { ...unsigned, error: 'endpoint_disabled' }

export interface Outcome {
  httpStatus: number | null
  /** null: a 2xx. */
  error: OutcomeCode | null
  /** Until the status line, or until the failure. */
  latencyMs: number
  /** The beginning of the answer, printable; null for none. */
  excerpt: string | null
  /** For the operator. */
  detail: string | null
}

const READ_MAX_BYTES = 4_096
const EXCERPT_MAX_BYTES = 1_024
/** How long reading the body may take once the outcome is known. */
const BODY_MS = 500

/**
 * Sends once; always returns an outcome, never throws, and never later than `timeoutMs` plus the half second of the
 * body.
 */
export function send(connections: Connections, outgoing: Outgoing, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const { origin, path } = placeOf(outgoing.url)
    new Exchange(connections, origin, path, outgoing, timeoutMs, resolve).start(connections.take(origin))
  })
}

// A receiver's URL is the same for all it is sent, and parsing it is a µs of processor time.
const PLACES_MAX = 1_000
const places = remembered<{ origin: string; path: string }>(PLACES_MAX)

const placeOf = (url: string) =>
  places(url, () => {
    const { origin, pathname, search } = new URL(url)
    return { origin, path: pathname + search }
  })

class Exchange implements Dispatcher.DispatchHandler {
  readonly #connections: Connections
  readonly #origin: string
  readonly #path: string
  readonly #outgoing: Outgoing
  readonly #settle: (outcome: Outcome) => void
  readonly #startedAt = performance.now()
  readonly #timeoutMs: number
  #timer: NodeJS.Timeout
  #connection: Connection | null = null
  #bytesBefore = 0
  #reconnected = false
  #done = false
  #closes = false
  #status: number | null = null
  #latencyMs = 0
  #chunks: Buffer[] = []
  #read = 0

  constructor(
    connections: Connections,
    origin: string,
    path: string,
    outgoing: Outgoing,
    timeoutMs: number,
    settle: (outcome: Outcome) => void,
  ) {
    this.#connections = connections
    this.#origin = origin
    this.#path = path
    this.#outgoing = outgoing
    this.#settle = settle
    this.#timeoutMs = timeoutMs
    this.#timer = setTimeout(() => this.#finish(`timeout_${this.#phase()}`, null, false), timeoutMs)
  }

  start(connection: Connection): void {
    this.#connection = connection
    this.#bytesBefore = connection.dial?.bytesRead() ?? 0
    const { headers, body } = this.#outgoing
    connection.client.dispatch({ path: this.#path, method: 'POST', headers, body }, this)
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    // 1xx answers may come without end; the deadline ends them.
    if (status < 200 || this.#done) return
    this.#status = status
    this.#closes = headers.connection === 'close'
    this.#latencyMs = this.#elapsed()
    clearTimeout(this.#timer)
    const leftMs = Math.max(1, Math.min(BODY_MS, this.#timeoutMs - this.#latencyMs))
    this.#timer = setTimeout(() => this.#finish(codeOfStatus(status), null, false), leftMs)
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#done) return
    if (this.#read < EXCERPT_MAX_BYTES) this.#chunks.push(chunk.subarray(0, EXCERPT_MAX_BYTES - this.#read))
    this.#read += chunk.length
    if (this.#read > READ_MAX_BYTES && this.#status !== null) this.#finish(codeOfStatus(this.#status), null, false)
  }

  onResponseEnd(): void {
    if (this.#status !== null) this.#finish(codeOfStatus(this.#status), null, !this.#closes)
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#done) return
    const connection = this.#connection
    const code = codeOfError(error, this.#phase())
    // The receiver closed an idle connection just as it was reused, which is not a failure of either side: retried
    // once, on a new connection, under the same deadline, and only if not one byte of an answer came.
    const isStale = connection !== null && connection.used > 0 && connection.dial?.bytesRead() === this.#bytesBefore
    if (this.#status !== null) {
      // The body broke off after the status line: the outcome stands.
      this.#finish(codeOfStatus(this.#status), null, false)
    } else if (isStale && !this.#reconnected && code === 'connect_reset') {
      this.#reconnected = true
      connection.kill()
      this.start(this.#connections.fresh(this.#origin))
    } else {
      this.#finish(code, error, false)
    }
  }

  #phase(): Phase {
    return this.#connection?.dial?.phase() ?? 'dns'
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#startedAt)
  }

  #finish(code: OutcomeCode | null, error: Error | null, reusable: boolean): void {
    if (this.#done) return
    this.#done = true
    clearTimeout(this.#timer)
    if (this.#connection !== null) {
      if (reusable) this.#connections.keep(this.#connection)
      else this.#connection.kill()
    }
    this.#settle({
      httpStatus: this.#status,
      error: code,
      latencyMs: this.#status === null ? this.#elapsed() : this.#latencyMs,
      excerpt: this.#chunks.length === 0 ? null : printable(Buffer.concat(this.#chunks), EXCERPT_MAX_BYTES),
      detail: error === null ? null : `${'code' in error ? `${error.code}: ` : ''}${error.message}`.slice(0, 300),
    })
  }
}
