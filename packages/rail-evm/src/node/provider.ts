// One provider: a JSON-RPC call over HTTP, its answer bounded in size and time, and what is thought of the provider.
import { request } from 'undici'
import { BaseError, RpcRequestError } from 'viem'
import type { ProviderSettings } from '../settings/providers.ts'

export interface RpcCall {
  method: string
  params?: unknown
}

/**
 * laggard: behind others, and moving. frozen: behind, and standing still. liar: two others agreed on something else.
 * silent: it did not answer, or with something that is no answer.
 */
export type Verdict = 'ok' | 'laggard' | 'frozen' | 'liar' | 'wrong_chain' | 'silent'

export interface Provider extends Pick<ProviderSettings, 'name' | 'voice'> {
  ask(call: RpcCall): Promise<unknown>
  verdict: Verdict
  /** null while it is ok. */
  reason: string | null
  /** Until then it is asked last (silent), or not at all (liar, wrong_chain); null: it is not set aside. */
  asideUntil: Date | null
  /** How often in a row it was set aside: each time for longer. */
  timesAside: number
  /** How often in a row two others agreed on something else. */
  strikes: number
  tip: { height: bigint; since: Date } | null
  chainIdAt: Date | null
}

/** No answer that this service asks for comes near; a hostile one must not fill the memory. */
const ANSWER_MAX_BYTES = 10 * 1024 * 1024

export class ProviderSilent extends Error {}

export function openProvider({ url, name, voice }: ProviderSettings, timeoutMs: number): Provider {
  const { origin, href, username, password } = new URL(url)
  const login =
    username === ''
      ? {}
      : { authorization: `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}` }
  const target = username === '' ? href : href.replace(/\/\/[^@/]*@/, '//')
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...login }
  let id = 0
  return {
    ...{ name, voice, verdict: 'ok', reason: null, asideUntil: null, timesAside: 0, strikes: 0 },
    ...{ tip: null, chainIdAt: null },
    async ask({ method, params = [] }) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
      const { status, text } = await post(target, { headers, body, timeoutMs }).catch((error: unknown) => {
        // The cause may name the URL.
        const why = error instanceof ProviderSilent ? error.message : whyOf(error)
        throw new ProviderSilent(`${name}: ${why.replaceAll(origin, name)}`)
      })
      const answer = parse(text)
      if (answer?.error !== undefined) throw new RpcRequestError({ body: { method }, error: answer.error, url: name })
      if (status !== 200) throw new ProviderSilent(`${name}: it answered ${status}`)
      if (answer?.result === undefined) throw new ProviderSilent(`${name}: it answered something that is no JSON-RPC`)
      return answer.result
    },
  }
}

async function post(
  url: string,
  a: { headers: Record<string, string>; body: string; timeoutMs: number },
): Promise<{ status: number; text: string }> {
  const { statusCode, headers, body } = await request(url, {
    ...{ method: 'POST', headers: a.headers, body: a.body, signal: AbortSignal.timeout(a.timeoutMs) },
    ...{ headersTimeout: a.timeoutMs, bodyTimeout: a.timeoutMs },
  })
  const tooLong = new ProviderSilent(`its answer is longer than ${ANSWER_MAX_BYTES} bytes`)
  if (Number(headers['content-length'] ?? 0) > ANSWER_MAX_BYTES) {
    body.on('error', () => undefined).destroy()
    throw tooLong
  }
  const parts: Buffer[] = []
  let length = 0
  // Leaving the loop ends the connection.
  for await (const part of body as AsyncIterable<Buffer>) {
    length += part.length
    if (length > ANSWER_MAX_BYTES) throw tooLong
    parts.push(part)
  }
  return { status: statusCode, text: Buffer.concat(parts).toString('utf8') }
}

interface Answer {
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

function parse(text: string): Answer | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof json !== 'object' || json === null) return null
  const { result, error } = json as { result?: unknown; error?: unknown }
  if (typeof error !== 'object' || error === null) return { result }
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  return { error: { code: typeof code === 'number' ? code : -32_603, message: String(message), data } }
}

function whyOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time'
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return `it cannot be reached${code}`
}

/** A revert is the contract's answer, and every provider would return it. */
export function isContractsAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return codeOf(error) === 3 || /revert/i.test(error instanceof BaseError ? error.details : error.message)
}

/** Why, as the contract says it; empty where the provider does not tell. */
export function revertData(error: unknown): string {
  const data = error instanceof RpcRequestError ? error.data : null
  const text = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return typeof text === 'string' && /^0x[0-9a-f]*$/i.test(text) ? text.toLowerCase() : ''
}

/** An error about this one call, such as "unknown block", does not make a provider silent. */
export function isRefusal(error: unknown): boolean {
  const code = error instanceof Error ? codeOf(error) : null
  // -32005: too many requests.
  return code !== null && code !== -32_005 && code !== 429
}

function codeOf(error: Error): number | null {
  return 'code' in error && typeof error.code === 'number' ? error.code : null
}
