// Rounds over all orders of the last months, open ones too. Each day a round begins, and compares them in parts by order number. It
// finds money that came to the address of an old order and left no log, and money that left without a settlement or refund. An order
// whose books agree with its addresses costs no write; one that differs gets looks of its own.
import { firstIdAt } from '@florin/platform/ids'
import type { Job } from '@florin/platform/worker/job'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { COMPARED_FOR_MS, ROUND_EVERY_MS, ROUND_MAX_MS } from './compare.ts'
import { lookAt, type ReconcileDeps } from './look.ts'
import { BATCH, LEASE_MS } from './reconcile.ts'
import { claimPart, enroll, listPart, savePart } from './store.ts'

const EVERY_MS = 15 * SECOND_MS
/** An order that is older has changed or expired too long ago, or has looks of its own after each change. */
const REACHES_BACK_MS = 180 * DAY_MS
const UNREAD_MS = MINUTE_MS
const AWAY_MS = HOUR_MS

export function roundsJob(deps: ReconcileDeps, limit = BATCH): Job {
  return {
    name: 'reconcile-rounds',
    everyMs: EVERY_MS,
    run: () => roundPart(deps, limit),
  }
}

/** One part of the round. @returns how many orders it passed, or 0 where the next part has to wait. */
async function roundPart(deps: ReconcileDeps, limit: number): Promise<number> {
  const now = deps.clock.now()
  const at = (ms: number): Date => new Date(now.getTime() + ms)
  const leasedUntil = at(LEASE_MS)
  const part = await claimPart(deps.sql, { now, leasedUntil })
  if (part === null) return 0
  const oldest = firstIdAt('ord', at(-REACHES_BACK_MS))
  const after = part.after > oldest ? part.after : oldest
  const orders = await listPart(deps.sql, { after, since: at(-COMPARED_FOR_MS), limit })
  const compared = orders.filter((order) => order.isCompared)
  const { planned, isUnread } = await lookAt(deps, compared, now)
  await enroll(deps.sql, compared, planned, now)
  // The round waits for a chain that cannot be read. One that is away for an hour no longer holds up the orders of all others.
  const since = part.unreadSince ?? (isUnread ? now : null)
  const unreadSince = since !== null && now.getTime() - since.getTime() >= AWAY_MS ? since : null
  if (isUnread && unreadSince === null) {
    await savePart(deps.sql, { after, dueAt: at(UNREAD_MS), unreadSince: since, leasedUntil })
    return 0
  }
  const last = orders.length < limit ? undefined : orders.at(-1)
  if (last === undefined) {
    const dueAt = new Date(Math.max(now.getTime(), part.beganAt.getTime() + ROUND_EVERY_MS))
    await savePart(deps.sql, { after: '', dueAt, unreadSince, leasedUntil })
    return 0
  }
  // The pace is a part every 15 seconds, 1.4 million orders a day. A round that would be late hurries.
  const isLate = now.getTime() - part.beganAt.getTime() > ROUND_MAX_MS / 2
  const waits = compared.length > 0 && !isLate
  await savePart(deps.sql, { after: last.orderNo, dueAt: waits ? at(EVERY_MS) : now, unreadSince, leasedUntil })
  return waits ? 0 : orders.length
}
