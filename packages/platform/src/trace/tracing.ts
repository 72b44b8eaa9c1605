// Traces by setting: spans go to whom startTracing was given, and without it there are none and nothing is paid for them.
import { type Scope, scopeNow, within } from './scope.ts'

type Attributes = Readonly<Record<string, string | number>>

export interface SpanStart {
  name: string
  kind: 'server' | 'client' | 'internal'
  /** The span that this one belongs under; null: it begins a trace. */
  parent: string | null
  attributes: Attributes
}

export interface Span {
  readonly traceparent: string
  /** @param failure what went wrong, in words that are no secret; null: nothing. */
  end(failure: string | null, attributes?: Attributes): void
}

export interface Tracer {
  start(span: SpanStart): Span
  /** Sends what is left. */
  end(): Promise<void>
}

let tracer: Tracer | null = null

/** For this process. @returns a function that ends it. */
export function useTracer(given: Tracer): () => Promise<void> {
  tracer = given
  return async () => {
    tracer = null
    await given.end()
  }
}

export const isTracing = (): boolean => tracer !== null

/** null: nobody wants it. */
export const startSpan = (span: SpanStart): Span | null => tracer?.start(span) ?? null

/** Runs under a span of its own. */
export async function traced<T>(start: SpanStart, run: () => Promise<T>): Promise<T> {
  const span = startSpan(start)
  if (span === null) return run()
  const scope: Scope = { requestId: scopeNow()?.requestId ?? null, traceparent: span.traceparent }
  try {
    const result = await within(scope, run)
    span.end(null)
    return result
  } catch (error) {
    // The message may hold what was asked for; the log has it.
    span.end(error instanceof Error ? error.name : 'failed')
    throw error
  }
}
