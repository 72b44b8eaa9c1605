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
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new HostFailed(`${a.name}: it does not answer${code}`)
  }
}
