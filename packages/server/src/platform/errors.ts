// The errors that Florin throws on purpose. An AppError stops a request and becomes its answer; an OperatorError
// stops a start and is a sentence for the person who runs it. Anything else that is thrown is a bug or an outage.
import { type ErrorCode, type ErrorEntry, errorTable } from '@florin/protocol'

abstract class KnownError extends Error {
  override readonly name = this.constructor.name
  /** Where the reader finds more. */
  abstract readonly docs: string
}

export interface ErrorExtra {
  /** A public sentence that says more than the table's: what was wrong and what would be right. */
  message?: string
  /** The field at fault. */
  param?: string
  /** For the log only; never leaves. */
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

/** Settings that cannot be used: every fault at once. */
export class SettingsError extends OperatorError {
  readonly faults: readonly string[]
  constructor(what: string, faults: readonly string[], docs: string) {
    super(`${what} not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`, { docs })
    this.faults = faults
  }
}
