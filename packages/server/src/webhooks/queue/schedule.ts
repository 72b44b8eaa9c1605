// When an attempt is made and what follows from its outcome (contract.md 6). Pure: time and waits are arguments.
import { WEBHOOK_ATTEMPTS_MAX } from '@florin/protocol'

export type Verdict = { kind: 'succeeded' } | { kind: 'retry'; at: Date } | { kind: 'dead' }

/**
 * What becomes of a delivery after attempt `n` (1 to 5) ended at `endedAt`.
 * The wait counts from the end of the failure before, never from its start, so no attempt comes early.
 */
export function afterAttempt(a: { n: number; ok: boolean; endedAt: Date; waitsMs: readonly number[] }): Verdict {
  if (a.ok) return { kind: 'succeeded' }
  const waitMs = a.waitsMs[a.n - 1]
  if (a.n >= WEBHOOK_ATTEMPTS_MAX || waitMs === undefined) return { kind: 'dead' }
  return { kind: 'retry', at: new Date(a.endedAt.getTime() + waitMs) }
}
