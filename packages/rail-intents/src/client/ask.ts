// HTTP to the provider: bounded in time and size, never redirected. Nothing of an address, a key or an answer gets into
// an error but the provider's own `message`, cut short.
import { AnswerTooLong, type Ask, askServer, retryAfterS } from '@florin/platform/ask'
import { oneLine } from '@florin/platform/strangers/unlinked'

const ANSWER_MAX_BYTES = 4 << 20
const MESSAGE_MAX = 200
const RETRY_AFTER_MAX_S = 300

/** It did not answer as documented: network, time, a proxy's page, 5xx. Says nothing of the question's worth. */
export class ProviderAway extends Error {
  /** The provider asked to be left alone for so long. */
  readonly retryAfterMs: number | null
  constructor(message: string, retryAfterMs: number | null = null) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** It answered, and refused. */
export class ProviderRefused extends Error {
  readonly status: number
  /** Its own words, for people here; never shown to payers. */
  readonly says: string
  constructor(status: number, says: string) {
    super(`the provider refused (${status}): ${says}`)
    this.status = status
    this.says = says
  }
}

export type ProviderAsk = Pick<Ask, 'url' | 'method' | 'headers' | 'body' | 'timeoutMs'>

export const isOfProvider = (error: unknown): error is ProviderAway | ProviderRefused =>
  error instanceof ProviderAway || error instanceof ProviderRefused

/** @throws ProviderAway, ProviderRefused */
export async function askProvider(a: ProviderAsk): Promise<unknown> {
  const { status, text, retryAfterMs } = await send(a)
  if (status === 429) throw new ProviderAway('the provider asks for fewer questions', retryAfterMs)
  const json = parse(text)
  if (status >= 200 && status < 300) {
    if (json === undefined) throw new ProviderAway(`it answered ${status} with something that is not JSON`)
    return json
  }
  const says = messageOf(json)
  // Without a message of its own it was some proxy that refused.
  if (says === null || status >= 500) throw new ProviderAway(`it answered ${status}${says === null ? '' : `: ${says}`}`)
  throw new ProviderRefused(status, says)
}

async function send(a: ProviderAsk): Promise<{ status: number; text: string; retryAfterMs: number | null }> {
  try {
    const headers = { accept: 'application/json', ...a.headers }
    const answer = await askServer({ ...a, headers, maxBytes: ANSWER_MAX_BYTES })
    const seconds = retryAfterS(answer, RETRY_AFTER_MAX_S)
    const retryAfterMs = seconds === null ? null : seconds * 1000
    return { status: answer.status, text: answer.body.toString('utf8'), retryAfterMs }
  } catch (error) {
    if (error instanceof AnswerTooLong) throw new ProviderAway(error.message)
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new ProviderAway(`it does not answer${code}`)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || !('message' in json)) return null
  const { message } = json
  const text = Array.isArray(message) ? message.join('; ') : message
  return typeof text === 'string' && text !== '' ? oneLine(text).slice(0, MESSAGE_MAX) : null
}
