// The change feed for the consoles that are open at this process: one poll for all of them, by position and by
// transaction, so that a change is reported whichever process made it and however late it committed.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import type { Log } from '@florin/platform/worker/job'
import { makePoller } from '@florin/platform/worker/poller'
import { type ConsoleChange, DAY_MS } from '@florin/protocol'
import type { Wakes } from '../wakes.ts'
import { type ChangeRow, type Changes, listChanges, type Seen, seenNow } from './changes.store.ts'

export interface Follower {
  merchantId: string
  /** Operators are notified of attention items of any merchant's order. */
  isOperator: boolean
}

export type Listener = (changes: readonly ConsoleChange[]) => void

export interface ChangeFeed {
  /**
   * Reports everything that commits from now on; the same change may be reported twice. @returns a function that stops.
   */
  follow(who: Follower, listener: Listener): Promise<() => void>
  close(): Promise<void>
}

/** Rows of one kind per poll. When there are more, all followers are told to refresh everything. */
const ROWS_MAX = 2_000
/** Changes reported to one follower per poll; more are reported as "of some order". */
export const CHANGES_MAX = 100

const kinds = ['order', 'delivery', 'attention'] as const

export function changeFeed(deps: { sql: Sql; clock: Clock; log: Log; wake: Wakes }): ChangeFeed {
  const followers = new Map<Listener, Follower>()
  // Rows reported before their transactions were seen to the end are remembered by name.
  let from: Seen | null = null
  let told = new Set<string>()
  const poller = makePoller(deps, {
    name: 'watch changes for consoles',
    wakes: [deps.wake.orders, deps.wake.deliveries, deps.wake.positions],
    look,
  })

  async function look(): Promise<void> {
    const since = from
    if (since === null) return
    const merchantIds = [...new Set([...followers.values()].map((who) => who.merchantId))]
    const notBefore = new Date(deps.clock.now().getTime() - DAY_MS)
    const found = await listChanges(deps.sql, { merchantIds, since, notBefore, limit: ROWS_MAX })
    const nameOf = (row: ChangeRow): string => `${row.kind} ${row.rowId} ${row.mark}`
    const news = found.rows.filter((row) => !told.has(nameOf(row)))
    // A new follower may have moved the start back meanwhile; then polling continues from there.
    if (from === since) from = found.seen
    told = new Set(found.rows.filter((row) => row.kind !== 'order' && row.mark >= found.seen.xmin).map(nameOf))
    const flooded = isSetBack(since, found) ? kinds : floodedKinds(found)
    for (const [listener, who] of followers) {
      const changes = collapse(
        flooded,
        news.filter((row) => concerns(who, row)),
      )
      if (changes.length > 0) listener(changes)
    }
  }

  return {
    async follow(who, listener) {
      const start = await seenNow(deps.sql)
      from =
        from === null ? start : { position: least(start.position, from.position), xmin: least(start.xmin, from.xmin) }
      followers.set(listener, who)
      const release = poller.hold()
      return () => {
        followers.delete(listener)
        release()
        if (followers.size > 0) return
        from = null
        told = new Set()
      }
    },
    close: () => poller.close(),
  }
}

const concerns = (who: Follower, row: ChangeRow): boolean =>
  row.merchantId === who.merchantId || (who.isOperator && row.kind === 'attention')

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** A backup was restored under this process: anything may differ from before. */
const isSetBack = (since: Seen, found: Changes): boolean =>
  found.seen.position < since.position || found.xmax < since.xmin

function floodedKinds(found: Changes): readonly ConsoleChange['kind'][] {
  return kinds.filter((kind) => found.rows.filter((row) => row.kind === kind).length >= ROWS_MAX)
}

/** Each change once; too many to report one by one are reported as a whole, for either mode. */
function collapse(flooded: readonly ConsoleChange['kind'][], rows: readonly ChangeRow[]): ConsoleChange[] {
  const changes = new Map<string, ConsoleChange>()
  const add = (change: ConsoleChange): unknown =>
    changes.set(`${change.kind} ${change.livemode} ${change.order_no}`, change)
  for (const kind of kinds) {
    const ofKind = rows.filter((row) => row.kind === kind)
    if (flooded.includes(kind)) for (const livemode of [true, false]) add({ kind, livemode, order_no: null })
    else if (ofKind.length > CHANGES_MAX) for (const { livemode } of ofKind) add({ kind, livemode, order_no: null })
    else for (const { livemode, orderNo } of ofKind) add({ kind, livemode, order_no: orderNo })
  }
  return [...changes.values()]
}
