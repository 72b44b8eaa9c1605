// A node's URL as a provider. What it answers is bounded and its errors become sentences; URLs hold keys, so only the host
// is ever named.
import { LookFault, type Provider } from './look.ts'
import { printable } from './proof.ts'

const TIMEOUT_MS = 20_000
/** Nothing that is asked here has a longer answer than a contract's code. */
const ANSWER_MAX_BYTES = 1_000_000

/** @throws LookFault for what is no http or https URL. */
export function rpcProvider(url: string): Provider & { host: string } {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new LookFault('A node is named by its URL, such as https://rpc.example/base or http://127.0.0.1:8545.')
  }
  const { host } = new URL(url)
  return {
    host,
    async request({ method, params = [] }) {
      const text = await send(url, host, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
      const { result, error } = readAnswer(text, host)
      if (error !== undefined) throw new RpcRefusal(host, error)
      return result
    },
  }
}

/** The node understood and refused; `data` is a revert's where there was one. */
export class RpcRefusal extends LookFault {
  readonly data: string | null

  constructor(host: string, error: { message?: unknown; data?: unknown }) {
    super(`${host} refused: ${printable(String(error.message ?? 'without a reason'), 300)}`)
    this.data = typeof error.data === 'string' ? error.data : null
  }
}

async function send(url: string, host: string, body: string): Promise<string> {
  try {
    const answer = await fetch(url, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body, redirect: 'error' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    let size = 0
    const parts: Uint8Array[] = []
    for await (const part of answer.body ?? []) {
      size += part.length
      if (size > ANSWER_MAX_BYTES) throw new LookFault(`${host} answers more than it was asked for.`)
      parts.push(part)
    }
    return new TextDecoder().decode(Buffer.concat(parts))
  } catch (error) {
    if (error instanceof LookFault) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new LookFault(`${host} does not answer: ${printable(cause.replaceAll(url, host), 300)}.`)
  }
}

function readAnswer(text: string, host: string): { result?: unknown; error?: { message?: unknown; data?: unknown } } {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null) return answer
  } catch {
    // Said below.
  }
  throw new LookFault(`${host} does not speak JSON-RPC.`)
}
