// Sends a time range again: requested once, processed in steps that each commit what they sent and their progress, so a
// worker may die at any point. Its deliveries are a class of their own and never hold up live ones.
import type { Clock } from '@florin/platform/clock'
import { holdLock } from '@florin/platform/db/locks/advisory-locks'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { newId } from '@florin/platform/ids'
import type { Wakes } from '../../wakes.ts'
import { REPLAY } from '../queue/classes.ts'
import { laneOf } from '../rules.ts'
import {
  countRange,
  insertReplay,
  isReplaying,
  listRange,
  lockRunningReplay,
  type ReplayRow,
  saveProgress,
} from './replay.store.ts'
import { insertResends } from './resend.store.ts'
import type { Owner } from './store.ts'

const REPLAY_MAX = 10_000
const STEP = 200

/** The smallest id of its kind made at this time or later. */
const idFrom = (at: Date): string => newId('dlv', at).slice(0, 'dlv_'.length + 10)

/**
 * One at a time for a merchant: many side by side would send the same deliveries again and again.
 * @throws AppError action_not_possible
 */
export async function startReplay(
  deps: { sql: Sql; clock: Clock },
  owner: Owner,
  a: { from: Date; to: Date; status: 'dead' | 'succeeded' },
): Promise<ReplayRow> {
  const now = deps.clock.now()
  // Deliveries that this replay makes are outside of its own range.
  const toAt = a.to < now ? a.to : now
  const above = idFrom(a.from)
  const total = await countRange(deps.sql, { owner, status: a.status, above, until: idFrom(toAt), limit: REPLAY_MAX })
  const row: ReplayRow = {
    ...{ id: newId('rpl', now), merchantNo: owner.merchantNo, livemode: owner.livemode, status: a.status },
    ...{ fromAt: a.from, toAt, lastSeen: above, total, resent: 0, skipped: 0 },
    ...{ state: 'running', createdAt: now, finishedAt: null },
  }
  await withTx(deps.sql, async (tx) => {
    await holdLock(tx, 'replays of a merchant', String(owner.merchantNo))
    if (await isReplaying(tx, owner.merchantNo))
      throw new AppError('action_not_possible', {
        message: 'Another range is being sent again. Ask for this one once that replay is done.',
      })
    await insertReplay(tx, row)
  })
  return row
}

/** One step of one replay. @returns how many deliveries it processed. */
export async function stepReplay(deps: { sql: Sql; clock: Clock; wake: Wakes }): Promise<number> {
  const now = deps.clock.now()
  const looked = await withTx(deps.sql, async (tx) => {
    const row = await lockRunningReplay(tx)
    if (row === null) return 0
    const left = row.total - row.resent - row.skipped
    const range = {
      owner: row,
      status: row.status,
      above: row.lastSeen,
      until: idFrom(row.toAt),
      limit: Math.min(STEP, left),
    }
    const old = left > 0 ? await listRange(tx, range) : []
    const resends = old.map((each) => ({
      id: newId('dlv', now),
      from: each.id,
      lane: laneOf(each.merchantNo, each.url),
    }))
    const made = resends.length === 0 ? [] : await insertResends(tx, { resends, class: REPLAY, now })
    const isDone = old.length === left || old.length < STEP
    await saveProgress(tx, {
      ...row,
      lastSeen: old.at(-1)?.id ?? row.lastSeen,
      resent: row.resent + made.length,
      skipped: row.skipped + old.length - made.length,
      state: isDone ? 'done' : 'running',
      finishedAt: isDone ? now : null,
    })
    return Math.max(1, old.length)
  })
  if (looked > 0) deps.wake.deliveries.fire()
  return looked
}
