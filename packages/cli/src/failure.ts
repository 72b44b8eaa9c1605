// How a failure is told: one sentence that helps, and an exit code. 1: it did not work; 2: it was asked wrongly.
import { FlorinError } from './sdk.ts'

export class Failure extends Error {
  override readonly name: string = 'Failure'
  readonly exitCode: number = 1
  /** What a program is told beside the sentence. */
  readonly code: string = 'failed'
}

export class UsageFailure extends Failure {
  override readonly name = 'UsageFailure'
  override readonly exitCode = 2
  override readonly code = 'usage'
}

/** What the person at the keyboard can do about it, where the service's own sentence leaves that open. */
const hints: Readonly<Partial<Record<string, string>>> = {
  connection_failed: 'Is Florin running there? FLORIN_BASE_URL or --base-url says where to look.',
  timeout: 'Is this the address of Florin? FLORIN_BASE_URL or --base-url says where to look.',
  unexpected_answer: 'FLORIN_BASE_URL or --base-url says where to look.',
  invalid_api_key: 'FLORIN_API_KEY holds the key; make one in the console under "API keys".',
  scope_missing: 'Give the key this scope in the console, or use another key.',
  test_key_required: 'Use a key that begins with "florin_test_".',
  receiving_address_missing: 'The console has a page for receiving addresses.',
  settle_chain_required: 'Say it with --settle-chain.',
}

export interface Told {
  readonly exitCode: number
  readonly sentence: string
  readonly json: {
    code: string
    message: string
    status?: number | null
    param?: string | null
    request_id?: string | null
  }
}

/** How the library names what it refuses before it sends anything, and how it is named here. */
const typed: readonly (readonly [RegExp, string])[] = [
  [/^orderNo (?=is not an id)/, 'ORDER_NO '],
  [/^id (?=is not an id)/, 'ID '],
  [/^idempotencyKey (?=takes)/, '--idempotency-key '],
]

/** Anything that was thrown, as it is told. What nobody foresaw is told as such. */
export function tell(error: unknown): Told {
  if (error instanceof Failure) {
    return { exitCode: error.exitCode, sentence: error.message, json: { code: error.code, message: error.message } }
  }
  if (error instanceof FlorinError) {
    const { code, status, param, requestId } = error
    const hint = hints[code]
    const origin = requestId === null ? code : `${code}, request ${requestId}`
    return {
      exitCode: 1,
      sentence: `${error.message}${/[.?!]$/.test(error.message) ? '' : '.'}${hint === undefined ? '' : ` ${hint}`} (${origin})`,
      json: { code, message: error.message, status, param, request_id: requestId },
    }
  }
  if (error instanceof TypeError) {
    const known = typed.find(([pattern]) => pattern.test(error.message))
    if (known !== undefined) return tell(new UsageFailure(error.message.replace(...known)))
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    exitCode: 1,
    sentence: `This is a mistake in florin itself: ${message}`,
    json: { code: 'internal', message },
  }
}
