// When a failed call is sent again and after how long; chance is an argument.
import type { FlorinError } from './errors.ts'

/** The first wait; each further one doubles, up to the longest. */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000
/** A caller is better told than kept waiting longer than this. */
const LONGEST_RETRY_AFTER_S = 60

/**
 * How long to wait before the next try in milliseconds, or null to give up.
 *
 * @param error what the last try ended with
 * @param repeatable whether doing the call twice does no more than doing it once
 * @param retriesMade how often the call was sent again before
 * @param chance from 0 up to 1: spreads the clients that failed together
 */
export function retryWaitMs(
  error: FlorinError,
  repeatable: boolean,
  retriesMade: number,
  chance: number,
): number | null {
  if (!isWorthRepeating(error, repeatable)) return null
  const retryAfterS = error.retryAfterSeconds ?? 0
  if (retryAfterS > LONGEST_RETRY_AFTER_S) return null
  // Never earlier than asked, and never all at once.
  return retryAfterS * 1_000 + backoffMs(retriesMade, chance)
}

/** Doubles from try to try; half of it is left to chance. */
export function backoffMs(triesMade: number, chance: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(triesMade, 16), LONGEST_WAIT_MS) * (0.5 + chance / 2)
}

function isWorthRepeating(error: FlorinError, repeatable: boolean): boolean {
  // Refused before anything was done: safe for every call.
  if (error.status === 429 || error.code === 'idempotency_in_progress') return true
  if (error.status === 503 && error.code !== 'unexpected_answer') return true
  if (error.code === 'connection_failed' && wasNeverSent(error)) return true
  // What a proxy says, and silence, leave open whether the call was carried out.
  if (error.code === 'connection_failed' || error.code === 'timeout') return repeatable
  return repeatable && (error.status === 502 || error.status === 503 || error.status === 504)
}

function wasNeverSent(error: FlorinError): boolean {
  const cause = error.cause
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
}

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
