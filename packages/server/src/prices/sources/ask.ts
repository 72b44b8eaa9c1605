// Asks one source over HTTP: bounded in time and size, never redirected, and only where its settings say.
import { AnswerTooLong, askServer, retryAfterS } from '@florin/platform/ask'
import { Agent } from 'undici'
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
  const answer = await askServer({
    ...{ url, dispatcher: agent, stop, timeoutMs, maxBytes: ANSWER_MAX_BYTES },
    headers: {
      accept: type === 'json' ? 'application/json' : 'text/csv, application/vnd.sdmx.data+csv',
      'user-agent': 'Florin (self-hosted payments)',
    },
  })
  return {
    retryAfterMs: (retryAfterS(answer, RETRY_AFTER_MAX_S) ?? 0) * 1_000,
    text(): string {
      if (answer.status !== 200) throw new UnreadableAnswer(`it answered ${answer.status}`)
      const given = String(answer.headers['content-type'] ?? '')
      if (!given.includes(type)) throw new UnreadableAnswer(`it answered ${given.slice(0, 40) || 'without a type'}`)
      return new TextDecoder('utf-8', { fatal: true }).decode(answer.body)
    },
  }
}

/** In words: nothing of the answer beyond its type, and no address. */
function faultOf(error: unknown): string {
  if (error instanceof UnreadableAnswer || error instanceof AnswerTooLong) return error.message
  if (!(error instanceof Error)) return 'it cannot be asked'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return code === 'TimeoutError' ? 'it did not answer in time' : `it cannot be reached (${code})`
}
