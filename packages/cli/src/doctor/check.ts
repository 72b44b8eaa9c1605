// The words of an examination: a check, what it found, and the verdict. `unseen` is an honest fifth: the receiver answered
// as it should, and whether it also did as it should cannot be told from outside.
import type { Visit } from './visit.ts'

export const verdicts = ['good', 'unseen', 'warn', 'mend', 'skipped'] as const
export type Verdict = (typeof verdicts)[number]

/** What a check found. */
export interface Outcome {
  readonly verdict: Verdict
  /** What the receiver did. */
  readonly did: string
  /** How to mend it; with `warn` and `mend`. */
  readonly mend?: string
  /** A line or two of code that does it right. */
  readonly code?: string
}

export interface Check {
  readonly id: string
  readonly title: string
  /** What a receiver should do. */
  readonly should: string
  readonly why: string
  run(visit: Visit): Promise<Outcome>
}

export interface Finding extends Outcome {
  readonly id: string
  readonly title: string
  readonly should: string
  readonly why: string
}

export const good = (did: string): Outcome => ({ verdict: 'good', did })
export const unseen = (did: string): Outcome => ({ verdict: 'unseen', did })
export const warn = (did: string, mend: string, code?: string): Outcome => ({
  verdict: 'warn',
  did,
  mend,
  ...(code === undefined ? {} : { code }),
})
export const mend = (did: string, how: string, code?: string): Outcome => ({ ...warn(did, how, code), verdict: 'mend' })

/** The code that answers most findings, as the examples have it. */
export const verifyCode = 'const event = verifyWebhook({ rawBody, headers: request.headers, secret })'
/** Where whole receivers stand that pass every check. */
export const examples = 'examples/receiver-{node-http,express,fastify,hono,next}'
