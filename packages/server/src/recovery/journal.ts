// The journal of this process: what binds a leg is on disk here before the payer is shown the address.
import { access, constants, mkdir } from 'node:fs/promises'
import { journalWriter, refOf } from '@florin/exit/journal'
import { Counter } from 'prom-client'
import type { Clock } from '../platform/clock.ts'
import { OperatorError } from '../platform/errors.ts'
import { metrics } from '../platform/metrics.ts'
import type { Log } from '../platform/worker/loop.ts'
import type { RouteJournal } from '../rails/forwarder/context.ts'

const failures = new Counter({
  name: 'florin_journal_failures_total',
  help: 'Pay addresses that were not shown because the journal could not be written',
  registers: [metrics],
})

export interface ProcessJournal extends RouteJournal {
  close(): Promise<void>
}

export function routeJournal(a: { dir: string; seed: Uint8Array; clock: Clock; log: Log }): ProcessJournal {
  const writer = journalWriter({ dir: a.dir, seed: a.seed, now: () => a.clock.now() })
  return {
    refOf: (legRef) => refOf(a.seed, legRef),
    async write(entry) {
      try {
        await writer.append(entry)
      } catch (error) {
        failures.inc()
        a.log.error({ err: error, dir: a.dir }, 'the journal cannot be written: no pay address is shown until it can')
        throw error
      }
    },
    close: () => writer.close(),
  }
}

/** @throws OperatorError when the folder cannot be used at all, which no waiting mends. */
export async function checkJournalFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await access(dir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    // A disk that is full now may have room later.
    if (code === 'ENOSPC' || code === 'EDQUOT') return
    throw new OperatorError(
      `The journal cannot be kept in ${dir} (${code}). Every pay address is written there before it is shown: set JOURNAL_DIR to a ` +
        'folder that Florin may write, best on another disk than the database.',
      { cause, docs: 'docs/operations.md#the-journal-and-the-recovery-seed' },
    )
  }
}
