// The errors that Florin throws on purpose. An AppError stops a request and becomes its answer; an OperatorError stops
// the start with a sentence for the operator. Anything else that is thrown is a bug or an outage.
import { type ErrorCode, type ErrorEntry, errorTable } from '@florin/protocol'

abstract class KnownError extends Error {
  override readonly name = this.constructor.name
  /** Link to further documentation. */
  abstract readonly docs: string
}

export interface ErrorExtra {
  /** A public message that says more than the table's: what was wrong and what would be right. */
  message?: string
  /** The invalid field. */
  param?: string
  /** For the log only; never sent. */
  cause?: unknown
  retryAfterS?: number
}

/** Codes come from the closed table of @florin/protocol. */
export class AppError extends KnownError {
  readonly docs = '/docs'
  readonly entry: ErrorEntry
  readonly param: string | null
  readonly retryAfterS: number | null
  constructor(code: ErrorCode, extra: ErrorExtra = {}) {
    super(extra.message ?? errorTable[code].message, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.entry = errorTable[code]
    this.param = extra.param ?? null
    this.retryAfterS = extra.retryAfterS ?? null
  }
}

/** The message says what is wrong and what to do about it; it never holds a secret. */
export class OperatorError extends KnownError {
  readonly docs: string
  constructor(message: string, extra: { docs?: string; cause?: unknown } = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.docs = extra.docs ?? 'docs/operations.md'
  }
}

/** Invalid settings: every fault at once. */
export class SettingsError extends OperatorError {
  readonly faults: readonly string[]
  constructor(what: string, faults: readonly string[], docs: string) {
    super(`${what} not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`, { docs })
    this.faults = faults
  }
}
