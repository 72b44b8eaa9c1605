// One POST to a receiver, as the service makes it (contract.md 6): the bytes and headers as given, one deadline
// over lookup, connection, TLS and headers, no redirect followed, a bounded look at the answer's body.
// node:http and not fetch: fetch adds headers of its own and hides whether a connection was used again.
import type { ClientRequest, Agent as HttpAgent, IncomingMessage } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'

export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** From the start until the status line and headers are there. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** What came of it; never thrown. */
export type Answer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly latencyMs: number
      /** The beginning of the body. */
      readonly text: string
      /** Where a redirect leads. */
      readonly location: string | null
      readonly isReusedConnection: boolean
    }
  | { readonly kind: 'timeout'; readonly latencyMs: number }
  /** No answer: `code` is the system's, such as ECONNREFUSED. */
  | { readonly kind: 'broken'; readonly latencyMs: number; readonly code: string; readonly message: string }
  | { readonly kind: 'stopped'; readonly latencyMs: number }

/** Connections that are kept open between posts. */
export interface Connections {
  readonly http: typeof import('node:http')
  readonly https: typeof import('node:https')
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent }
}

/** Node's HTTP is loaded only here: it is half of the time that the program takes to start, and most commands do without. */
export async function openConnections(): Promise<Connections> {
  const [http, https] = await Promise.all([import('node:http'), import('node:https')])
  const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }
  return { http, https, agents }
}

export function closeConnections({ agents }: Connections): void {
  agents.http.destroy()
  agents.https.destroy()
}

/** Of the body, no more than this is read, and no longer than this is waited for it. */
const READ_MAX_BYTES = 4_096
const READ_MS = 500

export const isAccepted = (answer: Answer): boolean =>
  answer.kind === 'answered' && answer.status >= 200 && answer.status < 300

/**
 * Sends once, and once more on another connection where a kept one turns out to have been closed by the receiver, which is
 * nobody's failure.
 */
export async function post(connections: Connections, outgoing: Post): Promise<Answer> {
  const startedAt = performance.now()
  const isSecure = outgoing.url.protocol === 'https:'
  const controller = new AbortController()
  const stop = () => controller.abort('stopped')
  if (outgoing.signal?.aborted) stop()
  outgoing.signal?.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(() => controller.abort('timeout'), outgoing.timeoutMs)
  const elapsed = () => Math.round(performance.now() - startedAt)
  try {
    for (;;) {
      const request = (isSecure ? connections.https : connections.http).request(outgoing.url, {
        method: 'POST',
        agent: isSecure ? connections.agents.https : connections.agents.http,
        headers: { ...outgoing.headers, 'Content-Length': String(outgoing.body.byteLength) },
        signal: controller.signal,
      })
      try {
        const response = await answered(request, outgoing.body)
        const latencyMs = elapsed()
        clearTimeout(timer)
        return {
          kind: 'answered',
          status: response.statusCode ?? 0,
          latencyMs,
          text: await beginning(response),
          location: response.headers.location ?? null,
          isReusedConnection: request.reusedSocket,
        }
      } catch (error) {
        if (controller.signal.aborted) throw error
        // Each try takes a dead connection out of the pool, so this ends.
        if (!(request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(codeOf(error)))) throw error
      }
    }
  } catch (error) {
    const latencyMs = elapsed()
    if (controller.signal.aborted)
      return { kind: controller.signal.reason === 'timeout' ? 'timeout' : 'stopped', latencyMs }
    // With several addresses Node reports all failures at once; the first will do.
    const first: unknown = error instanceof AggregateError ? error.errors[0] : error
    const message = first instanceof Error ? first.message : String(first)
    return { kind: 'broken', latencyMs, code: codeOf(first), message }
  } finally {
    clearTimeout(timer)
    outgoing.signal?.removeEventListener('abort', stop)
  }
}

function answered(request: ClientRequest, body: Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve)
    // It stays after the answer: a connection that breaks later must not end the program.
    request.on('error', reject)
    request.end(body)
  })
}

async function beginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => response.destroy(), READ_MS)
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= READ_MAX_BYTES) break
    }
  } catch {
    // The status line has decided; a body that breaks off changes nothing.
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks).subarray(0, READ_MAX_BYTES).toString('utf8')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN'
}

/** The outcome in a word or two: `200`, `timeout`, `ECONNREFUSED`. */
export function inShort(answer: Answer): string {
  if (answer.kind === 'answered') return String(answer.status)
  return answer.kind === 'broken' ? answer.code : answer.kind
}
