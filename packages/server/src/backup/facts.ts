// Records of a backup, checked: a head, then each table once, as its begin, its rows and its end. Whatever breaks that order is
// refused in a sentence, before a database gets anything of the file.
import { createHash } from 'node:crypto'
import { OperatorError } from '@florin/platform/errors'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { type BackupRecord, broken, readBackup } from './file.ts'

export const FORMAT = 1

const Name = Type.String({ minLength: 1 })
const Days = Type.Object({
  name: Name,
  from: Type.String({ pattern: '^\\d{8}$' }),
  until: Type.String({ pattern: '^\\d{8}$' }),
})
const Head = Type.Object({
  format: Type.Literal(FORMAT),
  release: Type.String(),
  /** When the database was as the file has it: ISO 8601. */
  at: Type.String(),
  /** Id of the installation that was saved; null: no process of Florin had started on it. */
  installation: Type.Union([Name, Type.Null()]),
  /** Each as `package/number`. */
  migrations: Type.Array(Name),
  partitions: Type.Array(Days),
  sequences: Type.Array(Type.Object({ name: Name, value: Type.String({ pattern: '^\\d+$' }) })),
  totals: Type.Record(Type.String(), Type.String()),
})
const Begin = Type.Object({ begin: Type.Literal(true), name: Name, columns: Type.Array(Name, { minItems: 1 }) })
const End = Type.Object({ end: Type.Literal(true), name: Name, bytes: Type.Integer(), sha256: Type.String() })

export type Head = Static<typeof Head>
export type Begin = Static<typeof Begin>
export type End = Static<typeof End>

export type Part =
  | { kind: 'head'; head: Head }
  | { kind: 'begin'; table: Begin }
  | { kind: 'data'; data: Buffer }
  | { kind: 'end'; table: Begin }

/** @returns at its end the hash of the contents. @throws OperatorError, at the latest after the last record. */
export async function* readParts(path: string): AsyncGenerator<Part, string> {
  const records = readBackup(path)
  const names = new Set<string>()
  let isBegun = false
  let table: Begin | null = null
  let hash = createHash('sha256')
  let size = 0
  try {
    let next = await records.next()
    for (; next.done !== true; next = await records.next()) {
      const part = partOf(path, next.value, isBegun)
      isBegun = true
      if (part.kind === 'data') {
        if (table === null) throw broken(path, 'it has rows of no table')
        hash.update(part.data)
        size += part.data.length
        yield part
      } else if (part.kind === 'head') yield part
      else if (part.kind === 'begin') {
        if (table !== null) throw broken(path, `its table ${table.name} has no end`)
        if (names.has(part.table.name)) throw broken(path, `it has the table ${part.table.name} twice`)
        names.add(part.table.name)
        table = part.table
        hash = createHash('sha256')
        size = 0
        yield part
      } else {
        if (table === null || part.end.name !== table.name)
          throw broken(path, `its table ${part.end.name} has no beginning`)
        if (hash.digest('hex') !== part.end.sha256 || size !== part.end.bytes)
          throw new OperatorError(`${path}: the table ${table.name} is not as it was saved. Take another backup.`)
        yield { kind: 'end', table }
        table = null
      }
    }
    if (!isBegun) throw broken(path, 'it is empty')
    if (table !== null) throw broken(path, `its table ${table.name} has no end`)
    return next.value
  } finally {
    await records.return('')
  }
}

type Read = Exclude<Part, { kind: 'end' }> | { kind: 'end'; end: End }

function partOf(path: string, record: BackupRecord, isBegun: boolean): Read {
  if (!isBegun) {
    if (record.kind === 'fact' && Check(Head, record.fact) && !Number.isNaN(Date.parse(record.fact.at)))
      return { kind: 'head', head: record.fact }
    throw new OperatorError(`${path} is of a form that this release does not know. Use the release that made it.`)
  }
  if (record.kind === 'data') return record
  if (Check(Begin, record.fact)) return { kind: 'begin', table: record.fact }
  if (Check(End, record.fact)) return { kind: 'end', end: record.fact }
  throw broken(path, 'a record is of an unknown form')
}
