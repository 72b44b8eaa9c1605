// The journal of this process: what binds a leg is on disk here before the payer is shown the address.
import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type JournalRecord, journalWriter, refOf } from '@florin/exit/journal'
import { type Check, fault } from '@florin/platform/check'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { OperatorError } from '@florin/platform/errors'
import { metrics } from '@florin/platform/metrics'
import type { Log } from '@florin/platform/worker/job'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { Counter } from 'prom-client'
import { deleteTrouble, listTroubles, saveTrouble } from './trouble.store.ts'

const failures = new Counter({
  name: 'florin_journal_failures_total',
  help: 'Pay addresses that were not shown because the journal could not be written',
  registers: [metrics],
})

export interface ProcessJournal {
  /** The ref of a leg's route, which the recovery seed makes of the leg's reference. */
  refOf(legRef: string): `0x${string}`
  /** Resolves once the record is on disk. @throws when it cannot be written; its address must not be shown then. */
  write(record: JournalRecord): Promise<void>
  /** Where it cannot be written now, on any host. */
  checks(): Promise<readonly Check[]>
  /** Tries whether the folder can be written, and says so to all processes. Called every PROBE_EVERY_MS. */
  probe(): Promise<void>
  /** A check where this process cannot write the journal. */
  own(): Check[]
  close(): Promise<void>
}

export const PROBE_EVERY_MS = 30 * SECOND_MS
/** A process that has said nothing for so long is gone. */
const SILENT_MS = 3 * MINUTE_MS

export function routeJournal(a: { dir: string; seed: Uint8Array; clock: Clock; log: Log; sql: Sql }): ProcessJournal {
  const writer = journalWriter({ dir: a.dir, seed: a.seed, now: () => a.clock.now() })
  const host = hostname()
  let failure: string | null = null
  let isKnown = true
  /** The database hears of it when it changes, and while it lasts. */
  const say = async (now: string | null): Promise<void> => {
    const changed = failure !== now || !isKnown
    failure = now
    if (now === null && !changed) return
    isKnown = false
    if (now === null) await deleteTrouble(a.sql, host)
    else await saveTrouble(a.sql, { host, folder: a.dir, failure: now, now: a.clock.now() })
    isKnown = true
  }
  return {
    refOf: (legRef) => refOf(a.seed, legRef),
    async write(record) {
      try {
        await writer.append(record)
      } catch (error) {
        failures.inc()
        a.log.error({ err: error, dir: a.dir }, 'the journal cannot be written: no pay address is shown until it can')
        await say(codeOf(error)).catch(() => undefined)
        throw error
      }
    },
    async probe() {
      const found = await probeFolder(a.dir)
      await say(found).catch((error: unknown) => a.log.warn({ err: error }, 'the state of the journal was not said'))
    },
    own: () => (failure === null ? [] : [checkOf({ host, folder: a.dir, failure, since: null })]),
    async checks() {
      return (await listTroubles(a.sql, new Date(a.clock.now().getTime() - SILENT_MS))).map(checkOf)
    },
    close: () => writer.close(),
  }
}

const checkOf = (a: { host: string; folder: string; failure: string; since: Date | null }): Check => ({
  ...fault(
    ['journal', a.host],
    `The journal in ${a.folder} on ${a.host} cannot be written (${a.failure}): no pay address is shown there.`,
    'Make room on that disk, or give the folder back to the user that Florin runs as: addresses are shown again by themselves.',
  ),
  since: a.since,
})

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')

/** A few bytes are written and taken away again: a full disk lets files be opened. @returns why it fails, or null. */
async function probeFolder(dir: string): Promise<string | null> {
  const path = join(dir, `.probe-${process.pid}`)
  try {
    await writeFile(path, 'x'.repeat(4_096), { mode: 0o600, flush: true })
    return null
  } catch (error) {
    return codeOf(error)
  } finally {
    await rm(path, { force: true }).catch(() => undefined)
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
