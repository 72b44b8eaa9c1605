// HTTP to nodes and block hosts: bounded in time and size. Nothing of an answer or an address gets into an error.
import { type Answered, AnswerTooLong, type Ask, askServer } from '@florin/platform/ask'

/** A full block of Litecoin with its extension block in hexadecimal stays below this. */
const ANSWER_MAX_BYTES = 64 << 20

export class HostFailed extends Error {}

export interface HostAsk extends Omit<Ask, 'maxBytes'> {
  name: string
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
export async function askHost(a: HostAsk): Promise<Pick<Answered, 'status' | 'body'>> {
  try {
    return await askServer({ maxBytes: ANSWER_MAX_BYTES, ...a })
  } catch (error) {
    if (error instanceof AnswerTooLong) throw new HostFailed(`${a.name}: ${error.message}`)
    throw new HostFailed(
      `${a.name}: ${isTimeout(error) ? `no whole answer within ${a.timeoutMs / 1000} s` : away(error)}`,
    )
  }
}
