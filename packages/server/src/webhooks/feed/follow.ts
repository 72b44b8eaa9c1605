// Polls for events after the position that a stream has reached.
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { PAGE_MAX } from '@florin/protocol'
import type { Cursor } from './cursor.ts'
import { type FeedEvent, lastPosition, type Reader } from './feed.store.ts'
import { type Place, placeOf, readOn } from './read.ts'

export type Follower = () => Promise<FeedEvent[]>

/**
 * @param a.cursor null: events from now on.
 * @throws AppError for a bad cursor, on the first read, so before the stream begins.
 */
export async function follow(sql: Sql, reader: Reader, a: { cursor: Cursor | null; since(): Date }): Promise<Follower> {
  let place: Place | null = a.cursor === null ? { position: await lastPosition(sql), eventId: null } : null
  let first: FeedEvent[] | null = await look()
  return async () => {
    const events = first ?? (await look())
    first = null
    return events
  }

  async function look(): Promise<FeedEvent[]> {
    const last = await lastPosition(sql)
    if (a.cursor !== null) place ??= await placeOf(sql, reader, a.cursor)
    if (place === null) return []
    // Most polls end here, for all streams alike: nothing new.
    if (place.eventId === null && place.position === last) return []
    // The database was set back under an open stream: its reader reconnects with its last cursor and gets the error.
    if (place.position > last) throw new AppError('cursor_ahead', { param: 'Last-Event-ID' })
    const events = await readOn(sql, reader, { behind: place, since: a.since(), limit: PAGE_MAX })
    const newest = events.at(-1)?.position ?? 0n
    const reached = events.length < PAGE_MAX && newest < last ? last : newest
    place = { position: reached, eventId: null }
    return events
  }
}
