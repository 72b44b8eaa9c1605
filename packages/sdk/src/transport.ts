// The way to the service: headers, time limits, retries. The only file that holds the API key, in a private field,
// and the key goes to the base URL alone: redirects are not followed.
import { errorOfAnswer, FlorinError, unexpectedAnswer } from './errors.ts'
import { pause, retryWaitMs } from './retry.ts'
import { VERSION } from './version.ts'

export interface FlorinOptions {
  /** An API key, `florin_live_…` or `florin_test_…`. Keep it on the server: never in a browser or an app. */
  apiKey: string
  /** Where Florin runs, for example `https://pay.shop.example`. */
  baseUrl: string
  /** How long one try may take, answer included, in milliseconds; 30000 where left out. */
  timeoutMs?: number | undefined
  /** How often a failed call is sent again; 3 where left out, 0 for never. */
  maxRetries?: number | undefined
  /** Replaces the global `fetch`, for a proxy for example. */
  fetch?: typeof globalThis.fetch | undefined
}

/** What any call takes as its last argument. */
export interface CallOptions {
  /** Ends the call, its waits included: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

type QueryValue = string | number | boolean | Date | readonly string[] | Readonly<Record<string, string>> | undefined
export type Query = Readonly<Record<string, QueryValue>>

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Whether carrying it out twice does no more than once. */
  readonly repeatable: boolean
  readonly query?: Query
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const TIMEOUT_DEFAULT_MS = 30_000
const RETRIES_DEFAULT = 3

export class Transport {
  readonly baseUrl: string
  readonly #apiKey: string
  readonly #fetch: typeof globalThis.fetch
  readonly #timeoutMs: number
  readonly #maxRetries: number

  constructor(options: FlorinOptions) {
    this.#apiKey = checkedKey(options.apiKey)
    this.baseUrl = checkedBaseUrl(options.baseUrl)
    // Looked up at each call, so that a test that replaces the global one is heard.
    this.#fetch = options.fetch ?? ((...request) => globalThis.fetch(...request))
    this.#timeoutMs = atLeast(1, 'timeoutMs', options.timeoutMs ?? TIMEOUT_DEFAULT_MS)
    this.#maxRetries = atLeast(0, 'maxRetries', options.maxRetries ?? RETRIES_DEFAULT)
  }

  /** Sends a call, again where that is right, and returns the JSON of its answer. */
  async send<Answer>(call: Call, options: CallOptions = {}): Promise<Answer> {
    // Before the tries: each sends the same bytes, and what cannot be written as JSON is no failure of the connection.
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    return this.#withRetries(call, options, async (signal) => {
      const response = await this.#request(call, signal, body)
      const text = await response.text()
      if (!response.ok) throw errorOfAnswer(response.status, response.headers, text)
      const answer = parsedAnswer(text)
      if (answer === undefined) throw unexpectedAnswer(response.status, response.headers)
      return answer as Answer
    })
  }

  /** Opens a call whose answer is a stream of events, read as they arrive: the time limit ends with its headers, `life` ends all of it. */
  async open(call: Call, life: AbortController): Promise<ReadableStream<Uint8Array>> {
    return this.#withRetries(call, { signal: life.signal }, async (limit) => {
      const controller = new AbortController()
      const onLimit = () => controller.abort(limit.reason)
      limit.addEventListener('abort', onLimit, { once: true })
      life.signal.addEventListener('abort', () => controller.abort(life.signal.reason), { once: true })
      try {
        const response = await this.#request(call, controller.signal)
        const isStream = /^text\/event-stream\b/.test(response.headers.get('content-type') ?? '')
        if (response.ok && response.body && isStream) return response.body
        throw errorOfAnswer(response.status, response.headers, await response.text())
      } finally {
        limit.removeEventListener('abort', onLimit)
      }
    })
  }

  async #withRetries<Result>(
    call: Call,
    options: CallOptions,
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const maxRetries = atLeast(0, 'maxRetries', options.maxRetries ?? this.#maxRetries)
    const timeoutMs = atLeast(1, 'timeoutMs', options.timeoutMs ?? this.#timeoutMs)
    for (let retries = 0; ; retries++) {
      try {
        return await withinLimit(run, timeoutMs, options.signal)
      } catch (reason) {
        options.signal?.throwIfAborted()
        const error = reason instanceof FlorinError ? reason : connectionFailed(reason, this.baseUrl)
        const waitMs = retries < maxRetries ? retryWaitMs(error, call.repeatable, retries, Math.random()) : null
        if (waitMs === null) throw error
        await pause(waitMs, options.signal)
      }
    }
  }

  #request(call: Call, signal: AbortSignal, body?: string): Promise<Response> {
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': `florin-sdk/${VERSION}`,
      'x-api-key': this.#apiKey,
      ...call.headers,
    }
    const init: RequestInit = { method: call.method, headers, signal, redirect: 'manual' }
    if (body !== undefined) {
      headers['content-type'] = 'application/json'
      init.body = body
    }
    const fetch = this.#fetch
    return fetch(`${this.baseUrl}${call.path}${queryText(call.query)}`, init)
  }
}

/** Runs one try; ends it after `timeoutMs` or with the caller's signal, whichever is first. */
async function withinLimit<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  timeoutMs: number,
  outer: AbortSignal | undefined,
): Promise<Result> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer?.reason)
  const onTimeout = () => {
    const message = `Florin did not answer within ${timeoutMs} ms.`
    controller.abort(new FlorinError(message, { code: 'timeout', type: 'connection' }))
  }
  const timer = setTimeout(onTimeout, timeoutMs)
  outer?.addEventListener('abort', onAbort, { once: true })
  try {
    return await run(controller.signal)
  } catch (reason) {
    // Which error an abort surfaces as differs between the stages of a request; the reason given does not.
    controller.signal.throwIfAborted()
    throw reason
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', onAbort)
  }
}

function connectionFailed(reason: unknown, baseUrl: string): FlorinError {
  // fetch wraps what happened ("fetch failed"); the cause says it.
  const cause = reason instanceof Error && reason.cause !== undefined ? reason.cause : reason
  const what = cause instanceof Error ? cause.message || cause.name : String(cause)
  const message = `The connection to ${baseUrl} failed: ${what}`
  return new FlorinError(message, { code: 'connection_failed', type: 'connection', cause })
}

function parsedAnswer(text: string): object | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? answer : undefined
  } catch {
    return undefined
  }
}

function queryText(query: Query = {}): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const isObject = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
    if (isObject) {
      for (const [key, each] of Object.entries(value)) text.append(`${name}[${key}]`, String(each))
      continue
    }
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) text.append(name, each instanceof Date ? each.toISOString() : String(each))
    }
  }
  return text.size > 0 ? `?${text}` : ''
}

/** Refuses what is no API key before it gets into a header, where an error would print it. */
function checkedKey(key: unknown): string {
  if (typeof key !== 'string' || key === '') {
    throw new TypeError('apiKey is missing. Is the setting that should hold it empty?')
  }
  if (key.startsWith('whsec_')) throw new TypeError('apiKey is a webhook secret; it takes the key, "florin_live_…".')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey has white space or other foreign characters in it.')
  return key
}

function checkedBaseUrl(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new TypeError('baseUrl takes an address such as "https://pay.shop.example", without query and credentials.')
  }
  const base = url.href.replace(/\/+$/, '')
  if (base.endsWith('/v1')) throw new TypeError('baseUrl goes without "/v1" at its end.')
  return base
}

function atLeast(least: number, name: string, value: number): number {
  if (!(Number.isFinite(value) && value >= least)) throw new TypeError(`${name} takes a number, ${least} or more.`)
  return value
}
