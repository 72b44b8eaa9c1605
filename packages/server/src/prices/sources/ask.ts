// Asks one source over HTTP: bounded in time and size, never redirected, and only where its settings say.
import { Agent, request } from 'undici'
import { type Adapter, type Answer, UnreadableAnswer } from './adapter.ts'

const TIMEOUT_MS = 10_000
const ANSWER_MAX_BYTES = 2_000_000
const RETRY_AFTER_MAX_S = 3_600

export interface Asked {
  answers: Answer[]
  /** Why there are none; null: there are. */
  fault: string | null
  /** The source asked not to be asked sooner. */
  retryAfterMs: number
}

/** One connection a source is enough; it is closed when idle. */
export const openAgent = (): Agent =>
  new Agent({ connections: 1, pipelining: 1, keepAliveTimeout: 5_000, connectTimeout: 5_000 })

export async function ask(
  adapter: Adapter,
  parts: { agent: Agent; now: () => Date; stop: AbortSignal; timeoutMs?: number },
): Promise<Asked> {
  let retryAfterMs = 0
  try {
    const texts: string[] = []
    for (const url of adapter.urls) {
      const answer = await get(url, adapter.type, parts)
      retryAfterMs = Math.max(retryAfterMs, answer.retryAfterMs)
      texts.push(answer.text())
    }
    const answers = adapter.read(texts, parts.now())
    return answers.length > 0
      ? { answers, fault: null, retryAfterMs }
      : { answers, fault: 'no rate of it can be read', retryAfterMs }
  } catch (error) {
    return { answers: [], fault: faultOf(error), retryAfterMs }
  }
}

async function get(
  url: string,
  type: Adapter['type'],
  { agent, stop, timeoutMs = TIMEOUT_MS }: { agent: Agent; stop: AbortSignal; timeoutMs?: number },
) {
  const { statusCode, headers, body } = await request(url, {
    dispatcher: agent,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    headers: {
      accept: type === 'json' ? 'application/json' : 'text/csv, application/vnd.sdmx.data+csv',
      'accept-encoding': 'identity',
      'user-agent': 'Florin (self-hosted payments)',
    },
  })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > ANSWER_MAX_BYTES) throw new UnreadableAnswer('the answer is too long')
    chunks.push(bytes)
  }
  const after = Number(headers['retry-after'])
  return {
    retryAfterMs: Number.isInteger(after) && after > 0 ? Math.min(after, RETRY_AFTER_MAX_S) * 1_000 : 0,
    text(): string {
      if (statusCode !== 200) throw new UnreadableAnswer(`it answered ${statusCode}`)
      const given = String(headers['content-type'] ?? '')
      if (!given.includes(type)) throw new UnreadableAnswer(`it answered ${given.slice(0, 40) || 'without a type'}`)
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    },
  }
}

/** In words: nothing of the answer beyond its type, and no address. */
function faultOf(error: unknown): string {
  if (error instanceof UnreadableAnswer) return error.message
  if (!(error instanceof Error)) return 'it cannot be asked'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return code === 'TimeoutError' ? 'it did not answer in time' : `it cannot be reached (${code})`
}
