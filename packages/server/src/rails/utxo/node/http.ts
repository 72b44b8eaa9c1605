// HTTP to nodes and block hosts: bounded in time and size. Nothing of an answer or an address gets into an error.
import { request } from 'undici'

/** A full block of Litecoin with its extension block in hexadecimal stays below this. */
const ANSWER_MAX_BYTES = 64 << 20

export class HostFailed extends Error {}

export interface Ask {
  name: string
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  maxBytes?: number
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

const isTimeout = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'TimeoutError') || /TIMEOUT/.test(String(codeOf(error)))

function away(error: unknown): string {
  const code = codeOf(error)
  return typeof code === 'string' ? `it does not answer (${code})` : 'it does not answer'
}

/** @throws HostFailed */
export async function ask(a: Ask): Promise<{ status: number; body: Buffer }> {
  try {
    const { statusCode, body } = await request(a.url, {
      method: a.method ?? 'GET',
      headers: a.headers ?? {},
      ...(a.body === undefined ? {} : { body: a.body }),
      headersTimeout: a.timeoutMs,
      bodyTimeout: a.timeoutMs,
      signal: AbortSignal.timeout(a.timeoutMs),
    })
    const parts: Buffer[] = []
    let length = 0
    for await (const part of body) {
      length += (part as Buffer).length
      if (length > (a.maxBytes ?? ANSWER_MAX_BYTES)) throw new HostFailed(`${a.name}: its answer is too long`)
      parts.push(part as Buffer)
    }
    return { status: statusCode, body: Buffer.concat(parts) }
  } catch (error) {
    if (error instanceof HostFailed) throw error
    throw new HostFailed(
      `${a.name}: ${isTimeout(error) ? `no whole answer within ${a.timeoutMs / 1000} s` : away(error)}`,
    )
  }
}
