// The job that writes large exports, piece by piece. It reads from the connections of lists and rests as a streamed export does;
// killed anywhere, any worker goes on behind the last piece.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { readOrderFilter } from '../../orders/filter.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { newId } from '../../platform/ids.ts'
import type { Job, Log } from '../../platform/worker/job.ts'
import { exportHead, exportPages } from '../export.ts'
import { addPiece, type ClaimedExport, claimExport, deleteExpired, giveUp } from './store.ts'

export const KEPT_MS = 7 * DAY_MS
/** What one piece is made of, at most: 4,000 rows, 3 MB before they are packed. */
const PAGES_A_PIECE = 16
/** A worker that is silent for so long is dead, or its database is. */
const CLAIM_MS = 2 * MINUTE_MS
const TRIES_MAX = 5

export type WriteDeps = { sql: Sql; lists: Sql; clock: Clock; log: Log }

export function exportFilesJob(deps: WriteDeps): Job {
  return { name: 'write-exports', everyMs: 2 * SECOND_MS, run: (signal) => writeNext(deps, { signal }) }
}

/** One piece of the export that waited longest; where none waits, one that has expired goes. */
export async function writeNext(deps: WriteDeps, a: { signal?: AbortSignal; pages?: number } = {}): Promise<number> {
  const now = deps.clock.now()
  const until = new Date(now.getTime() + CLAIM_MS)
  const claimed = await claimExport(deps.sql, { claim: newId('clm', now), now, until })
  if (claimed === null) return deleteExpired(deps.sql, now)
  try {
    await writePiece(deps, claimed, a)
  } catch (error) {
    if (claimed.tries < TRIES_MAX) throw error
    deps.log.error({ err: error, export: claimed.id }, 'an export was given up')
    await giveUp(deps.sql, claimed)
  }
  return 1
}

async function writePiece(
  deps: WriteDeps,
  claimed: ClaimedExport,
  { signal, pages = PAGES_A_PIECE }: { signal?: AbortSignal; pages?: number },
): Promise<void> {
  const { merchantId, merchantNo, livemode, query, pieces } = claimed
  const search = typeof query.q === 'string' ? query.q : null
  const filter = { ...readOrderFilter(query), merchantId, merchantNo, livemode, search }
  const texts = pieces === 0 ? [exportHead()] : []
  let [rows, read, after] = [0, 0, claimed.after]
  for await (const page of exportPages(deps.lists, filter, claimed.after)) {
    texts.push(page.text)
    rows += page.rows
    after = page.next
    if (++read === pages || signal?.aborted === true) break
  }
  const body = await promisify(gzip)(texts.join(''))
  await addPiece(deps.sql, claimed, { body, rows, after, isLast: after === null, now: deps.clock.now() })
}
