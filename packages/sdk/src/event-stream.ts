// Following events live. It resumes behind the last event that was dealt with, however often the connection breaks,
// so an event may come twice but none is left out.
import { serverMessages } from '@florin/protocol'
import { FlorinError } from './errors.ts'
import { backoffMs, pause } from './retry.ts'
import type { Transport } from './transport.ts'
import type { FlorinEvent } from './types.ts'

export interface StreamOptions {
  /** Where to go on: the `cursor` of an earlier stream or of a list of events. Left out, it begins with what happens next. */
  after?: string | undefined
  /** Ends the stream: the iteration finishes as if there were no more events. */
  signal?: AbortSignal | undefined
  /** How long the stream may be silent before it is opened anew, in milliseconds; 60000 where left out. */
  idleTimeoutMs?: number | undefined
}

const IDLE_TIMEOUT_DEFAULT_MS = 60_000

export class EventStream implements AsyncIterable<FlorinEvent> {
  readonly #transport: Transport
  readonly #options: StreamOptions
  #cursor: string | null
  #reconnectMs = 0
  #connected = false

  constructor(transport: Transport, options: StreamOptions) {
    this.#transport = transport
    this.#options = options
    this.#cursor = options.after ?? null
  }

  /** Behind the last event whose loop body has ended. Store it, and pass it as `after` to go on from there. */
  get cursor(): string | null {
    return this.#cursor
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FlorinEvent, void, undefined> {
    const { signal } = this.#options
    let breaks = 0
    while (!signal?.aborted) {
      try {
        for await (const event of this.#connection()) {
          breaks = 0
          yield event
        }
      } catch (error) {
        if (signal?.aborted) return
        if (error instanceof FlorinError && !(this.#connected && isPassing(error))) throw error
      }
      await pause(this.#reconnectMs + backoffMs(breaks++, Math.random()), signal).catch(() => {})
    }
  }

  /** The events of one connection. It throws a FlorinError where another connection would fare no better. */
  async *#connection(): AsyncGenerator<FlorinEvent, void, undefined> {
    const { signal, idleTimeoutMs = IDLE_TIMEOUT_DEFAULT_MS } = this.#options
    const life = new AbortController()
    const end = () => life.abort()
    signal?.addEventListener('abort', end, { once: true })
    let idle: ReturnType<typeof setTimeout> | undefined
    // Runs only while the service is waited for, never while the loop body works.
    const listen = () => {
      clearTimeout(idle)
      idle = setTimeout(end, idleTimeoutMs)
    }
    try {
      const stream = await this.#transport.open(this.#call(), life)
      this.#connected = true
      listen()
      for await (const message of serverMessages(stream, listen)) {
        clearTimeout(idle)
        this.#reconnectMs = message.retryMs ?? this.#reconnectMs
        const event = parsedEvent(message.data)
        if (event) yield event
        // Only now: had the loop body thrown, this event would be wanted again.
        this.#cursor = message.id ?? this.#cursor
        listen()
      }
    } finally {
      clearTimeout(idle)
      signal?.removeEventListener('abort', end)
      life.abort()
    }
  }

  #call() {
    const cursor = this.#cursor
    return {
      method: 'GET',
      path: '/v1/events/stream',
      repeatable: true,
      query: { after: cursor ?? undefined },
      headers: { accept: 'text/event-stream', ...(cursor === null ? {} : { 'last-event-id': cursor }) },
    } as const
  }
}

/** Whether it is worth waiting for: the service is being restarted, or something on the way is broken for a while. */
function isPassing(error: FlorinError): boolean {
  return error.status === null || error.status >= 500 || error.status === 429
}

function parsedEvent(data: string): FlorinEvent | null {
  if (data === '') return null
  try {
    return JSON.parse(data)
  } catch (cause) {
    const message = 'An event on the stream is not JSON.'
    throw new FlorinError(message, { code: 'unexpected_answer', type: 'connection', status: 200, cause })
  }
}
