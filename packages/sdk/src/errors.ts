// What a failed call throws. An error carries what the service said and never the request, so it never carries the key.
import { type ErrorBody, type ErrorCode, type ErrorType, errorCures } from '@florin/protocol'

/** A code of the service's table, or one of the three that arise on the way to it. Later versions may add codes. */
export type FlorinErrorCode = ErrorCode | 'connection_failed' | 'timeout' | 'unexpected_answer'
export type FlorinErrorType = ErrorType | 'connection'

interface Details {
  code: FlorinErrorCode
  type: FlorinErrorType
  status?: number | null
  param?: string | null
  requestId?: string | null
  retryAfterSeconds?: number | null
  cause?: unknown
}

/**
 * What every failed call throws, after the retries it deserved.
 *
 * @example
 * try {
 *   await florin.orders.create({ amount_usd: 20 })
 * } catch (error) {
 *   if (error instanceof FlorinError && error.code === 'receiving_address_missing') …
 *   else throw error
 * }
 */
export class FlorinError extends Error {
  override readonly name = 'FlorinError'
  /** What went wrong, for a program to branch on. */
  readonly code: FlorinErrorCode
  /** The family of the code; `connection` where no answer of the service came. */
  readonly type: FlorinErrorType
  /** The HTTP status, or null where there was no answer. */
  readonly status: number | null
  /** The field at fault, or null. */
  readonly param: string | null
  /** Names the request in the service's logs: give it to support. */
  readonly requestId: string | null
  /** How long the service asked to wait, in seconds, or null. */
  readonly retryAfterSeconds: number | null

  /**
   * What to do about it, in a sentence or two, also where the message says no more than what was wrong; null for a code of a later
   * version.
   *
   * @example console.error(error.message, error.cure)
   */
  get cure(): string | null {
    return { ...ownCures, ...errorCures }[this.code] ?? null
  }

  constructor(message: string, details: Details) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code
    this.type = details.type
    this.status = details.status ?? null
    this.param = details.param ?? null
    this.requestId = details.requestId ?? null
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
  }
}

const ownCures: Readonly<Record<Exclude<FlorinErrorCode, ErrorCode>, string>> = {
  connection_failed:
    'Look whether the service runs and whether baseUrl leads to it: its /healthz answers without a key.',
  timeout: 'Try again; the call may have been carried out. With an idempotencyKey the same call gets the first answer.',
  unexpected_answer:
    'Look at baseUrl, and at what stands between here and there: a proxy, a sign-in page, another service.',
}

/** Turns an answer that is no success into an error. `text` is its body. */
export function errorOfAnswer(status: number, headers: Headers, text: string): FlorinError {
  const requestId = headers.get('x-request-id')
  const retryAfterSeconds = parseRetryAfter(headers.get('retry-after'), Date.now())
  const body = errorBody(text)
  if (body) {
    const { code, type, message, param } = body
    return new FlorinError(message, {
      code,
      type,
      param,
      status,
      requestId: requestId ?? body.request_id,
      retryAfterSeconds,
    })
  }
  return unexpectedAnswer(status, headers, retryAfterSeconds)
}

/** An answer that the service did not write: a proxy's page, a redirect, a wrong base URL. */
export function unexpectedAnswer(
  status: number,
  headers: Headers,
  retryAfterSeconds: number | null = null,
): FlorinError {
  const target = headers.get('location')
  const message =
    status >= 300 && status < 400
      ? `The base URL answers with a redirect (${status})${target ? ` to ${target}` : ''}. The API key is never sent along a redirect: set baseUrl to the final address.`
      : `The answer (HTTP ${status}) is not one that Florin gives. Check baseUrl, and what stands between here and there.`
  const requestId = headers.get('x-request-id')
  return new FlorinError(message, {
    code: 'unexpected_answer',
    type: 'connection',
    status,
    requestId,
    retryAfterSeconds,
  })
}

function errorBody(text: string): ErrorBody | null {
  try {
    const error: Partial<ErrorBody> | undefined = JSON.parse(text)?.error
    const isOurs =
      typeof error?.code === 'string' && typeof error.type === 'string' && typeof error.message === 'string'
    return isOurs ? ({ param: null, request_id: null, ...error } as unknown as ErrorBody) : null
  } catch {
    return null
  }
}

/** Retry-After in seconds from now; it is written as seconds or as a date (RFC 9110 10.2.3). */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1_000))
}
