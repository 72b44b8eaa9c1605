// The one error that stops a request. Codes come from the closed table of @florin/protocol.
import { type ErrorCode, type ErrorEntry, errorTable } from '@florin/protocol'

export interface ErrorExtra {
  /** A public sentence that says more than the table's: what was wrong and what would be right. */
  message?: string
  /** The field at fault. */
  param?: string
  /** For the log only; never leaves. */
  detail?: unknown
  retryAfterS?: number
}

export class AppError extends Error {
  readonly entry: ErrorEntry
  readonly param: string | null
  readonly detail: unknown
  readonly retryAfterS: number | null
  constructor(code: ErrorCode, extra: ErrorExtra = {}) {
    super(extra.message ?? errorTable[code].message)
    this.entry = errorTable[code]
    this.param = extra.param ?? null
    this.detail = extra.detail
    this.retryAfterS = extra.retryAfterS ?? null
  }
}
