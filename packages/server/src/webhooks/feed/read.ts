// Reads events after a position, for pages and streams alike: one look-up in the index of positions, in the one or two
// partitions that hold the next events.
import type { Sql } from '@florin/platform/db/pool'
import type { Db } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { idTime } from '@florin/platform/ids'
import type { Cursor, CursorParam } from './cursor.ts'
import {
  byIndex,
  eventsWithin,
  type FeedEvent,
  lastPosition,
  nextWindow,
  positionOf,
  type Reader,
} from './feed.store.ts'

/** After a position. If the event at that position is given, it is checked during the read. */
export interface Place {
  position: bigint
  eventId: string | null
  /** Where the place came in, for a refusal; left out, it is a page's. */
  param?: CursorParam
}

export const BEGINNING: Place = { position: 0n, eventId: null }

/**
 * @returns null where the event has no position yet: nothing after it can be read before it has one.
 * @throws AppError malformed_cursor for an event that is not this reader's, or was deleted.
 */
export async function placeOf(db: Db, reader: Reader, cursor: Cursor): Promise<Place | null> {
  const { eventId, param } = cursor
  if (cursor.position !== null) return { position: cursor.position, eventId, param }
  const position = await positionOf(db, { ...reader, eventId, around: idTime(eventId) })
  if (position === undefined)
    throw new AppError('malformed_cursor', {
      param,
      message: 'There is no such event, or it is too old: ask without it to begin with the oldest that is kept.',
    })
  return position === null ? null : { position, eventId: null }
}

/**
 * At most `limit` events after the position, none older than `since`.
 * @throws AppError cursor_ahead when the position was given out before a restore took it back.
 */
export function readOn(
  sql: Sql,
  reader: Reader,
  a: { behind: Place; since: Date; limit: number },
): Promise<FeedEvent[]> {
  const { since, limit } = a
  const { position, eventId } = a.behind
  return byIndex(sql, async (tx) => {
    const events: FeedEvent[] = []
    // The first row read is the event of the position itself, where that has to be checked.
    let isChecked = eventId === null
    let from = isChecked ? position + 1n : position
    while (events.length < limit) {
      const window = await nextWindow(tx, { from, since })
      if (window === null) break
      const wanted = limit - events.length + (isChecked ? 0 : 1)
      const rows = await eventsWithin(tx, { ...reader, window, since, limit: wanted })
      if (!isChecked) {
        if (rows[0]?.position === position && rows[0].id === eventId) rows.shift()
        else await checkPlace(tx, reader, a)
        isChecked = true
      }
      events.push(...rows.slice(0, limit - events.length))
      from = window.until + 1n
    }
    if (!isChecked) await checkPlace(tx, reader, a)
    return events
  })
}

/** For a position whose event is not among those shown: too old is fine, never given out is an error. */
async function checkPlace(db: Db, reader: Reader, a: { behind: Place; since: Date }): Promise<void> {
  const { position, eventId, param = 'after' } = a.behind
  if (eventId === null) return
  const around = idTime(eventId)
  const found = await positionOf(db, { ...reader, eventId, around })
  if (found === position) return
  if (found === undefined && around < a.since && position <= (await lastPosition(db))) return
  throw new AppError('cursor_ahead', { param })
}
