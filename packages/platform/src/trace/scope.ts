// What the work at hand belongs to: a request, and a trace in the words of W3C (`traceparent`). It travels with the
// calls, so that every line of the log can say it and nobody has to pass it on.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Scope {
  requestId: string | null
  /** `00-<trace>-<span>-<flags>`; null: it belongs to no trace. */
  traceparent: string | null
}

const scopes = new AsyncLocalStorage<Scope>()

export const scopeNow = (): Scope | null => scopes.getStore() ?? null
export const within = <T>(scope: Scope, run: () => T): T => scopes.run(scope, run)

/** What a stranger sent is a traceparent or nothing: it is stored, sent on and logged. */
export function parseTraceparent(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const [, trace = '', span = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(text) ?? []
  return /[1-9a-f]/.test(trace) && /[1-9a-f]/.test(span) ? text : null
}

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)

/** For the log. */
export function scopeFields(): Record<string, string> {
  const scope = scopeNow()
  if (scope === null) return {}
  return {
    ...(scope.requestId === null ? {} : { request_id: scope.requestId }),
    ...(scope.traceparent === null ? {} : { trace_id: traceIdOf(scope.traceparent) }),
  }
}
