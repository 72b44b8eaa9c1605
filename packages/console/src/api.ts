// Every request that the console makes. Whatever goes wrong leaves as one ApiError that carries the server's
// sentence and the request id; a refused token ends the session.
import type { ErrorBody, ErrorCode } from '@florin/protocol'
import { confirmationQuestion } from './login/confirmation-question.ts'
import { session } from './session.ts'

/** `network`: no answer came. `unreadable`: the answer was not one of ours. */
export type ApiErrorCode = ErrorCode | 'network' | 'unreadable'

export class ApiError extends Error {
  readonly code: ApiErrorCode
  /** HTTP status; 0 where there was none. */
  readonly status: number
  /** The field at fault. */
  readonly param: string | null
  readonly requestId: string | null
  readonly retryAfterS: number | null

  constructor(a: {
    code: ApiErrorCode
    message: string
    status: number
    param?: string | null
    requestId?: string | null
    retryAfterS?: number | null
  }) {
    super(a.message)
    this.name = 'ApiError'
    this.code = a.code
    this.status = a.status
    this.param = a.param ?? null
    this.requestId = a.requestId ?? null
    this.retryAfterS = a.retryAfterS ?? null
  }
}

export interface Page<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
  /** Of orders: where the look ended before the page was full; the next page goes on from there. */
  searched_until?: string | null
}

export type QueryValue = string | number | boolean | readonly string[] | null | undefined
export type Query = Readonly<Record<string, QueryValue>>

/** Parameters without a value are left out, lists repeat their name. */
export function withQuery(path: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue
    if (Array.isArray(value)) for (const each of value) params.append(name, each)
    else params.append(name, String(value))
  }
  const text = params.toString()
  return text === '' ? path : `${path}?${text}`
}

/** What an answer that is no success means. `body` is its text. */
export function errorOf(response: Pick<Response, 'status' | 'headers'>, body: string): ApiError {
  const requestId = response.headers.get('x-request-id')
  const after = Number(response.headers.get('retry-after'))
  const common = { status: response.status, requestId, retryAfterS: after > 0 ? after : null }
  const error = errorBody(body)
  if (error === null) {
    return new ApiError({
      ...common,
      code: 'unreadable',
      message: `The server answered ${response.status} in a form that the console cannot read.`,
    })
  }
  return new ApiError({
    ...common,
    code: error.code,
    message: error.message,
    param: error.param,
    requestId: requestId ?? error.request_id,
  })
}

function errorBody(text: string): ErrorBody | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('error' in value)) return null
    const error = value.error
    const isOurs = typeof error === 'object' && error !== null && 'code' in error && 'message' in error
    return isOurs ? (error as ErrorBody) : null
  } catch {
    return null
  }
}

async function send(method: string, url: string, init: { body?: unknown; signal?: AbortSignal; accept?: string }) {
  const file = init.body instanceof Blob ? init.body : null
  const token = session.get()?.token
  // A page that is just being left asks once more; without a session there is nothing to be told.
  if (token === undefined && url.startsWith('/api/v1/boss')) {
    throw new ApiError({ code: 'invalid_token', status: 401, message: 'Your session has ended.' })
  }
  const headers: Record<string, string> = { accept: init.accept ?? 'application/json' }
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  if (init.body !== undefined) headers['content-type'] = file?.type ?? 'application/json'
  let response: Response
  try {
    response = await fetch(url, {
      method,
      headers,
      // The cookie that tells this browser from one that has the token alone.
      credentials: 'same-origin',
      ...(init.body === undefined ? {} : { body: file ?? JSON.stringify(init.body) }),
      ...(init.signal === undefined ? {} : { signal: init.signal }),
    })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError({ code: 'network', status: 0, message: 'The server cannot be reached. Check the connection.' })
  }
  if (response.ok) return response
  const error = errorOf(response, await response.text().catch(() => ''))
  // Only the token that was refused is forgotten: a newer one may have been stored meanwhile.
  if (session.get()?.token === token) {
    if (error.code === 'invalid_token') session.end('expired')
    if (error.code === 'merchant_suspended' || error.code === 'merchant_closed') session.refuse(error.code)
  }
  throw error
}

/** What needs a fresh sign-in is sent again once the person has confirmed with a mailed code. */
async function sendConfirmed(method: string, url: string, init: { body?: unknown; signal?: AbortSignal }) {
  try {
    return await send(method, url, init)
  } catch (error) {
    const isAsked = error instanceof ApiError && error.code === 'confirmation_required'
    if (!isAsked || !(await confirmationQuestion.ask())) throw error
    return send(method, url, init)
  }
}

async function call<T>(method: string, url: string, init: { body?: unknown; signal?: AbortSignal } = {}): Promise<T> {
  const response = await sendConfirmed(method, url, init)
  const text = await response.text()
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'code' in value && value.code === 0 && 'data' in value) {
      return value.data as T
    }
  } catch {
    // Falls through to the one error for every unreadable answer.
  }
  throw errorOf(response, '')
}

const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })

/** Calls of the console: /api/v1/boss, in the envelope, whose `data` they answer with. */
export const boss = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
    call<T>('GET', withQuery(`/api/v1/boss${path}`, query), withSignal(signal)),
  post: <T>(path: string, body: object = {}): Promise<T> => call<T>('POST', `/api/v1/boss${path}`, { body }),
  put: <T>(path: string, body: object): Promise<T> => call<T>('PUT', `/api/v1/boss${path}`, { body }),
  /** The file itself is the body. */
  upload: <T>(path: string, file: Blob): Promise<T> => call<T>('PUT', `/api/v1/boss${path}`, { body: file }),
  patch: <T>(path: string, body: object): Promise<T> => call<T>('PATCH', `/api/v1/boss${path}`, { body }),
  delete: <T>(path: string): Promise<T> => call<T>('DELETE', `/api/v1/boss${path}`),
  /** An answer that is read as it arrives: the export and the stream. */
  open: (path: string, query: Query, a: { accept: string; signal: AbortSignal }): Promise<Response> =>
    send('GET', withQuery(`/api/v1/boss${path}`, query), a),
}

/** Calls outside the console's own: sign-in and the catalogue. */
export const open = {
  get: <T>(path: string, signal?: AbortSignal): Promise<T> => call<T>('GET', `/api/v1${path}`, withSignal(signal)),
  post: <T>(path: string, body: object): Promise<T> => call<T>('POST', `/api/v1${path}`, { body }),
}
