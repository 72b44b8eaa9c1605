// How the playground answers: in the console's envelope, with errors from the closed table, as the real server does.
import { type ErrorCode, errorTable } from '@florin/protocol'

export class Refusal extends Error {
  readonly code: ErrorCode
  readonly param: string | null
  readonly retryAfterS: number | null
  constructor(code: ErrorCode, message?: string, a: { param?: string; retryAfterS?: number } = {}) {
    super(message ?? errorTable[code].message)
    this.code = code
    this.param = a.param ?? null
    this.retryAfterS = a.retryAfterS ?? null
  }
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

export const ok = (data: unknown): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code: 0, data }),
})

export function refused(refusal: Refusal, requestId: string): Answer {
  const entry = errorTable[refusal.code]
  const error = {
    type: entry.type,
    code: entry.code,
    message: refusal.message,
    param: refusal.param,
    request_id: requestId,
  }
  return {
    status: entry.status,
    headers: {
      'content-type': 'application/json',
      ...(refusal.retryAfterS === null ? {} : { 'retry-after': String(refusal.retryAfterS) }),
    },
    body: JSON.stringify({ code: entry.consoleCode, message: refusal.message, data: null, error }),
  }
}

/** One page of a list; the cursor is the place to go on at. */
export function pageOf<T>(rows: readonly T[], query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 20)
  const from = Number(query.get('cursor') ?? 0)
  const hasMore = rows.length > from + limit
  return { data: rows.slice(from, from + limit), has_more: hasMore, next_cursor: hasMore ? String(from + limit) : null }
}

export interface Call {
  method: string
  /** Below /api/v1/boss. */
  path: string[]
  query: URLSearchParams
  body: Record<string, unknown>
  origin: string
}

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export function found<T>(row: T | undefined, code: ErrorCode): T {
  if (row === undefined) throw new Refusal(code)
  return row
}
