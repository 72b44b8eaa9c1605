// Moves sealed values from the former master key to the current one, a few rows at a time. It may be killed at any
// point and started again: rows that are sealed anew are not found again.

import { MINUTE_MS } from '@florin/protocol'
import { Gauge } from 'prom-client'
import { type Check, warning } from '../check.ts'
import type { Clock } from '../clock.ts'
import { metrics } from '../metrics.ts'
import type { Sealed, Secrets } from '../secrets.ts'
import type { Job, Log } from '../worker/job.ts'
import type { Sql } from './pool.ts'
import { type Tx, withTx } from './tx.ts'

const BATCH = 200

export interface SealedRow extends Sealed {
  id: string
}

/** A table with sealed values that are still needed. */
export interface SealedRows {
  /** In the plural, for messages: "webhook secrets". */
  what: string
  /** What the seal is bound to. */
  contextOf(id: string): string
  count(sql: Sql, now: Date): Promise<readonly { keyId: string; count: number }[]>
  /** By id, after `after`, those sealed by a key other than `keyId`. */
  list(sql: Sql, a: { keyId: string; after: string; limit: number; now: Date }): Promise<readonly SealedRow[]>
  /** Only while the row is still sealed by `from`: another process may have been faster. */
  replace(tx: Tx, a: { id: string; from: string; to: Sealed }): Promise<unknown>
}

interface ResealParts {
  sql: Sql
  clock: Clock
  secrets: Secrets
  log: Log
}

const sealedValues = new Gauge({
  name: 'florin_sealed_values',
  help: 'Values sealed under the current master key, under the former one, and under one that is not known here',
  labelNames: ['key'] as const,
  registers: [metrics],
})
const unreadable = new Gauge({
  name: 'florin_sealed_values_unreadable',
  help: 'Sealed values that no master key known here opens; each is a webhook that cannot be signed',
  registers: [metrics],
})

export interface Resealed {
  moved: number
  unreadable: number
}

/** One pass over one table. `onBatch` receives how many were moved so far. */
export async function reseal(
  { sql, clock, secrets }: Pick<ResealParts, 'sql' | 'clock' | 'secrets'>,
  rows: SealedRows,
  onBatch: (moved: number) => void,
  signal?: AbortSignal,
): Promise<Resealed> {
  const done: Resealed = { moved: 0, unreadable: 0 }
  let after = ''
  while (signal?.aborted !== true) {
    const batch = await rows.list(sql, { keyId: secrets.keyId, after, limit: BATCH, now: clock.now() })
    const opened = batch.flatMap((row) => {
      const plain = openOrNull(secrets, row, rows.contextOf(row.id))
      return plain === null ? [] : [{ row, to: secrets.seal(plain, rows.contextOf(row.id)) }]
    })
    await withTx(sql, (tx) =>
      Promise.all(opened.map(({ row, to }) => rows.replace(tx, { id: row.id, from: row.keyId, to }))),
    )
    done.moved += opened.length
    done.unreadable += batch.length - opened.length
    if (opened.length > 0) onBatch(done.moved)
    const last = batch.at(-1)
    if (last === undefined || batch.length < BATCH) break
    after = last.id
  }
  return done
}

function openOrNull(secrets: Secrets, sealed: Sealed, context: string): string | null {
  try {
    return secrets.open(sealed, context)
  } catch {
    return null
  }
}

/** Which key seals what in the tables: `former` is what MASTER_KEY_OLD is still needed for. */
export async function countSealed(
  { sql, clock, secrets }: Pick<ResealParts, 'sql' | 'clock' | 'secrets'>,
  tables: readonly SealedRows[],
): Promise<{ current: number; former: number; unknown: number }> {
  const counts = { current: 0, former: 0, unknown: 0 }
  for (const table of tables) {
    for (const { keyId, count } of await table.count(sql, clock.now())) {
      if (keyId === secrets.keyId) counts.current += count
      else if (secrets.knows(keyId)) counts.former += count
      else counts.unknown += count
    }
  }
  return counts
}

/**
 * Seals everything under the former key anew, at start and then every minute: a replica that still runs with the former
 * key alone writes under it until it is replaced.
 */
export function resealJob(parts: ResealParts, tables: readonly SealedRows[]): Job & Required<Pick<Job, 'checks'>> {
  let checks: readonly Check[] = []
  return {
    name: 'reseal',
    everyMs: MINUTE_MS,
    checks: () => checks,
    async run(signal) {
      let moved = 0
      let unread = 0
      for (const table of tables) {
        const say = (count: number): void => {
          if (count % (10 * BATCH) === 0)
            parts.log.info({ moved: count }, `sealing ${table.what} with the new master key`)
        }
        const done = await reseal(parts, table, say, signal)
        moved += done.moved
        unread += done.unreadable
      }
      const counts = await countSealed(parts, tables)
      for (const [key, count] of Object.entries(counts)) sealedValues.set({ key }, count)
      unreadable.set(unread)
      checks =
        unread === 0
          ? []
          : [
              warning(
                'sealed_values',
                `${unread} sealed values cannot be opened with the master keys given.`,
                'docs/operations.md#florinsealedunreadable',
              ),
            ]
      if (moved > 0 && counts.former === 0)
        parts.log.info({ moved }, 'all sealed values are under the new master key; MASTER_KEY_OLD is no longer needed')
      return 0
    },
  }
}
