// One HTTP exchange with somebody else's server: bounded in time and size, never redirected, and not decompressed.
import { type Dispatcher, request } from 'undici'

export interface Ask {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** For the whole answer. */
  timeoutMs: number
  maxBytes: number
  dispatcher?: Dispatcher
  /** Ends it sooner. */
  stop?: AbortSignal
}

export interface Answered {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

export class AnswerTooLong extends Error {
  constructor() {
    super('its answer is too long')
  }
}

/** @throws AnswerTooLong, and whatever keeps the server from being reached */
export async function askServer(a: Ask): Promise<Answered> {
  const inTime = AbortSignal.timeout(a.timeoutMs)
  const { statusCode, headers, body } = await request(a.url, {
    method: a.method ?? 'GET',
    headers: { 'accept-encoding': 'identity', ...a.headers },
    ...(a.body === undefined ? {} : { body: a.body }),
    ...(a.dispatcher === undefined ? {} : { dispatcher: a.dispatcher }),
    headersTimeout: a.timeoutMs,
    bodyTimeout: a.timeoutMs,
    signal: a.stop === undefined ? inTime : AbortSignal.any([a.stop, inTime]),
  })
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    length += (part as Buffer).length
    if (length > a.maxBytes) throw new AnswerTooLong()
    parts.push(part as Buffer)
  }
  return { status: statusCode, headers, body: Buffer.concat(parts) }
}

/** In seconds, as most servers send it; null: it names no time. */
export function retryAfterS({ headers }: Pick<Answered, 'headers'>, max: number): number | null {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, max) : null
}
