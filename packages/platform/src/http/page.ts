// The paging of every list: `limit` 1–100 and an opaque cursor; answers {data, has_more, next_cursor}.

import { PAGE_DEFAULT, PAGE_MAX } from '@florin/protocol'
import { type TSchema, Type } from 'typebox'
import { AppError } from '../errors.ts'
import { idPattern } from '../ids.ts'

/** Query parameters arrive as text; they are not coerced but matched. */
export const PageQuery = {
  limit: Type.Optional(
    Type.String({
      maxLength: 20,
      description: `1 to ${PAGE_MAX}; ${PAGE_DEFAULT} when left out`,
      'x-document': { type: 'integer', minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT },
    }),
  ),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' })),
}

export const Page = <T extends TSchema>(item: T) =>
  Type.Object(
    { data: Type.Array(item), has_more: Type.Boolean(), next_cursor: Type.Union([Type.String(), Type.Null()]) },
    { additionalProperties: false },
  )

/** Of a list that looks at a bounded number of rows for a page. */
export const SearchedPage = <T extends TSchema>(item: T) =>
  Type.Object(
    {
      ...Page(item).properties,
      searched_until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description:
          'Where the filters together fit few, a page may end before it is full: it looked no further than what was made at this moment. next_cursor goes on from there. null: the page is full, or the list ends with it.',
      }),
    },
    { additionalProperties: false },
  )

/** @param a.next the id that the next page begins behind; null: there is none. */
export const searchedPage = <T>(data: T[], a: { next: string | null; searchedUntil: Date | null }) => ({
  data,
  has_more: a.next !== null,
  next_cursor: a.next === null ? null : writeCursor([a.next]),
  searched_until: a.searchedUntil?.toISOString() ?? null,
})

export interface PageOf<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

export function readLimit(query: { limit?: string }): number {
  if (query.limit === undefined) return PAGE_DEFAULT
  const limit = /^[0-9]+$/.test(query.limit) ? Number(query.limit) : 0
  if (limit < 1 || limit > PAGE_MAX) {
    throw new AppError('validation_failed', {
      param: 'limit',
      message: `limit takes a whole number from 1 to ${PAGE_MAX}. Left out, it is ${PAGE_DEFAULT}. next_cursor leads to the rest.`,
    })
  }
  return limit
}

/** A cursor is the sort key of the last row shown, as base64url JSON: readable by us, opaque to others. */
export function writeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** @param param what the call names it. @throws AppError malformed_cursor */
export function readCursor<T>(
  cursor: string | undefined,
  check: (value: unknown) => value is T,
  param = 'cursor',
): T | null {
  if (cursor === undefined) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (check(value)) return value
  } catch {
    // falls through to the one answer for every unreadable cursor
  }
  throw new AppError('malformed_cursor', {
    param,
    ...(param === 'cursor' ? {} : { message: `${param} takes a next_cursor of this list, or the id of an event.` }),
  })
}

/**
 * The cursor of a list that is sorted by id alone.
 * @param prefix what the ids of this list begin with: the cursor of another list is refused.
 */
export function readIdCursor(cursor: string | undefined, prefix: string): string | null {
  // Only characters of an id: a forged cursor must not carry anything else into a query.
  const id = new RegExp(idPattern(prefix))
  const isOfThisList = (value: unknown): value is [string] =>
    Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' && id.test(value[0])
  return readCursor(cursor, isOfThisList)?.[0] ?? null
}

/** Rows were fetched with limit + 1: the extra one only says that there is more. */
export function pageOf<R, T>(
  rows: readonly R[],
  limit: number,
  render: (row: R) => T,
  keyOf: (row: R) => readonly (string | number)[],
): PageOf<T> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit
  return {
    data: shown.map(render),
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? writeCursor(keyOf(last)) : null,
  }
}
