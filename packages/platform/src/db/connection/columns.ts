// How column types are parsed: int8 as bigint, numeric as text, timestamps as Date, the rest as pg does.
import pg from 'pg'

// The type's OID, which pg's types have no name for.
const TEXT_ARRAY: number = 1009

const texts = pg.types.getTypeParser(TEXT_ARRAY as never) as (text: string) => (string | null)[]
const dateOf = (text: string): Date => new Date(text)
const asText = (text: string): string => text
const arrayOf =
  <T>(parse: (text: string) => T) =>
  (text: string): (T | null)[] =>
    texts(text).map((entry) => (entry === null ? null : parse(entry)))

/** By OID in pg_type, the same in every PostgreSQL. */
const parsers = new Map<number, (text: string) => unknown>([
  [20, BigInt],
  [1016, arrayOf(BigInt)],
  [1231, arrayOf(asText)], // numeric[]
  [1003, texts], // name[]
  [1082, dateOf],
  [1114, dateOf],
  [1184, dateOf],
  [1185, arrayOf(dateOf)], // timestamptz[]
  [1186, asText], // interval
])

export const columnTypes = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(type)) ?? pg.types.getTypeParser(type, format),
}
