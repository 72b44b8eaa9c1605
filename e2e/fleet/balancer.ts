// What stands before several API processes: asks each whether it is ready, gives every request to one that is, and tells what came
// back. A request whose process died is the caller's to send again.
import { setTimeout as wait } from 'node:timers/promises'

const LOOK_EVERY_MS = 100

export interface Reply<T> {
  status: number
  retryAfter: string | null
  body: T
}

export interface Balancer {
  /** Which processes there are; may change at any time. */
  use(urls: readonly string[]): void
  /** @returns null where the connection was cut, or nobody was there to take it. */
  ask<T>(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Reply<T> | null>
  stop(): Promise<void>
}

export function startBalancer(): Balancer {
  let known: readonly string[] = []
  let ready: string[] = []
  let turn = 0
  let isOver = false

  const look = async (): Promise<void> => {
    while (!isOver) {
      const asked = known
      const answers = await Promise.all(
        asked.map((url) =>
          fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
            async (answer) => {
              await answer.text()
              return answer.ok
            },
            () => false,
          ),
        ),
      )
      if (asked === known) ready = asked.filter((_, n) => answers[n])
      await wait(LOOK_EVERY_MS)
    }
  }
  const looking = look()
  return {
    use(urls) {
      known = urls
      ready = ready.filter((url) => urls.includes(url))
    },
    async ask<T>(method: string, path: string, headers: Record<string, string>, body?: unknown) {
      turn += 1
      // As balancers do: with none ready, all are tried.
      const among = ready.length > 0 ? ready : known
      const url = among[turn % among.length]
      return url === undefined ? null : send<T>(url, { method, path, headers, body })
    },
    async stop() {
      isOver = true
      await looking
    },
  }
}

interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
}

/** @returns null where the connection was cut, or a proxy on the way answered because no process did. */
export async function send<T>(url: string, { method, path, headers, body }: Request): Promise<Reply<T> | null> {
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await answer.text()
    if ([502, 504].includes(answer.status) && !answer.headers.has('x-request-id')) return null
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    const retryAfter = answer.headers.get('retry-after')
    return { status: answer.status, retryAfter, body: (isJson ? JSON.parse(text) : text) as T }
  } catch {
    return null
  }
}
