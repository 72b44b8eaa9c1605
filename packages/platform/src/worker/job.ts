// The shape of a background job, and of the log it writes to.
import type { FastifyBaseLogger } from 'fastify'
import type { Check } from '../check.ts'

export type Log = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>

export interface Job {
  name: string
  /** Pause after a run that found nothing, or that failed. */
  everyMs: number
  /** Does one bounded batch; returns how much it did. */
  run(signal: AbortSignal): Promise<number>
  /** Called with a function that ends the pause early; returns a function that stops listening. */
  wakeOn?(wake: () => void): () => void
  /** What the last run found wrong though the job itself works. Shown by /readyz. */
  checks?(): readonly Check[]
  /** Called once after the last run: waits for what runs have started. */
  end?(): Promise<void>
}
