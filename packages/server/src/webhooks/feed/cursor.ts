// Cursors of the event feed, at the end of a page and in the id of a streamed event. A cursor holds a position and the
// event that has it, so a cursor from before a restore can be told from a current one.
import { AppError } from '@florin/platform/errors'
import { readCursor, writeCursor } from '@florin/platform/http/page'
import { idPattern } from '@florin/platform/ids'

/** After this event; the position is null where it must be looked up. */
export interface Cursor {
  position: bigint | null
  eventId: string
  /** What a refusal names. */
  param: CursorParam
}

/** Where a cursor came in: the parameter of a page, or the header of a stream. */
export type CursorParam = 'after' | 'Last-Event-ID'

export const cursorOf = (at: { position: bigint; id: string }): string => writeCursor(['at', `${at.position}`, at.id])

const eventId = new RegExp(idPattern('evt'))
const isPosition = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d{0,17}$/.test(value)
const isEventId = (value: unknown): value is string => typeof value === 'string' && eventId.test(value)

type Given = ['at', string, string]

const isGiven = (value: unknown): value is Given =>
  Array.isArray(value) && value.length === 3 && value[0] === 'at' && isPosition(value[1]) && isEventId(value[2])

/** @throws AppError malformed_cursor for anything but one of our cursors or an event id. */
export function parseCursor(text: string, param: CursorParam): Cursor {
  if (eventId.test(text)) return { position: null, eventId: text, param }
  const given = readCursor(text, isGiven, param)
  if (given === null) throw new AppError('malformed_cursor', { param })
  return { position: BigInt(given[1]), eventId: given[2], param }
}
