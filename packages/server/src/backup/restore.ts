// Puts a backup into an empty database. Before it is committed, each table is read back and has to have the rows that were
// saved. No superuser is needed: the tables' owner may do all of it.
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { partitionedTables } from '../partitions.ts'
import { listMigrations, migrate } from '../platform/db/migrate.ts'
import { withoutHurry } from '../platform/db/pools.ts'
import { OperatorError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { type Begin, counted, type End, type Head, type Summary, type Tell, verify } from './backup.ts'
import { connected } from './connect.ts'
import { readBackup } from './file.ts'
import { differingBuckets, rowDifferences, rowSums } from './rows.ts'
import * as store from './store.ts'

/** What a restored table has that differs from the file. */
export interface Difference {
  table: string
  says: string
  /** Rows as COPY writes them, the first of them. */
  missing: string[]
  added: string[]
}

export interface RestoreOptions {
  /** The Florin that was saved is gone, and this is the one now. Else it is a copy that sleeps. */
  replaces: boolean
  /** Restores although tables differ from the file, for a last backup that there is. */
  acceptsDifferences?: boolean
  /** Keeps the differences, and returns where. */
  report?: (differences: readonly Difference[]) => Promise<string>
}

/**
 * Into a database that no merchant ever used. Killed anywhere, it can be run again.
 * @throws OperatorError
 */
export async function restore(
  url: string,
  path: string,
  options: RestoreOptions,
  tell: Tell = () => undefined,
): Promise<Summary> {
  const { head, ...summary } = await verify(path, tell)
  const known = new Set((await listMigrations()).map(({ number }) => number))
  const unknown = head.migrations.filter((number) => !known.has(number))
  if (unknown.length > 0)
    throw new OperatorError(
      `${path} was made by a newer release (${head.release}, migration ${unknown.at(-1)}). Restore it with that one.`,
    )
  if (await connected(url, store.isUsed))
    throw new OperatorError('This database is in use: merchants would be lost. Restore into an empty one.')
  const wanted = new Set(head.migrations)
  await withoutHurry(url, (sql) => migrate(sql, (number) => wanted.has(number)))
  await connected(url, async (client) => {
    const references = await store.listReferences(client)
    await store.beginFilling(client, await store.listTables(client), references)
    const differences = await fill(client, { path, head, tell })
    for (const reference of references) {
      const says = await store.addReference(client, reference)
      if (says !== null) differences.push({ table: reference.table, says, missing: [], added: [] })
    }
    differences.push(...compareTotals(head.totals, await store.readTotals(client)))
    if (differences.length > 0) await judge(differences, { path, ...options })
    if (options.replaces) await store.wakeUp(client)
    else await store.putToSleep(client, newId('ins', await store.databaseTime(client)))
    await store.endFilling(client, await store.listTables(client))
  })
  return summary
}

async function fill(client: pg.Client, { path, head, tell }: { path: string; head: Head; tell: Tell }) {
  for (const days of head.partitions) {
    const widthDays = partitionedTables.find(({ name }) => name === days.name)?.widthDays
    if (widthDays !== undefined) await store.makeOldPartitions(client, { ...days, widthDays })
  }
  const differences: Difference[] = []
  // Said as casts: what a loop assigns later is lost on the compiler.
  let target = null as Writable | null
  let table = null as Begin | null
  let saved = rowSums()
  const count = counted('restoring', tell)
  for await (const record of readBackup(path)) {
    if (record.kind === 'data') {
      saved.data(record.data)
      if (target?.write(record.data) === false) await new Promise((resolve) => target?.once('drain', resolve))
      count.data(record.data.length)
      continue
    }
    const fact = record.fact as Head | Begin | End
    if ('begin' in fact) {
      table = fact
      saved = rowSums()
      target = store.fillTable(client, fact)
    } else if ('end' in fact && target !== null && table !== null) {
      target.end()
      await finished(target)
      const found = rowSums()
      for await (const chunk of store.readTable(client, table)) found.data(chunk)
      const buckets = differingBuckets(saved, found)
      if (buckets.size > 0) differences.push(await describe(client, { path, table, saved, found, buckets }))
      count.table()
    }
  }
  for (const sequence of head.sequences) await store.setSequence(client, sequence)
  return differences
}

const BUCKETS_MAX = 64
const ROWS_MAX = 100

/** Reads both copies of the table again, for the rows themselves. */
async function describe(
  client: pg.Client,
  a: { path: string; table: Begin; saved: { rows: number }; found: { rows: number }; buckets: ReadonlySet<number> },
): Promise<Difference> {
  const { name } = a.table
  const rows = rowDifferences(new Set([...a.buckets].slice(0, BUCKETS_MAX)))
  let isThere = false
  for await (const record of readBackup(a.path)) {
    if (record.kind === 'data') {
      if (isThere) rows.saved(record.data)
      continue
    }
    const fact = record.fact as Head | Begin | End
    isThere = 'begin' in fact && fact.name === name
  }
  for await (const chunk of store.readTable(client, a.table)) rows.found(chunk)
  const [missing, added] = [rows.missing(), rows.added()]
  const atLeast = a.buckets.size <= BUCKETS_MAX ? '' : 'at least '
  return {
    table: name,
    says: `${a.saved.rows} rows were saved and ${a.found.rows} read back, of which ${atLeast}${Math.max(missing.length, added.length)} differ`,
    missing: missing.slice(0, ROWS_MAX),
    added: added.slice(0, ROWS_MAX),
  }
}

/** What the rows add up to, reckoned by the database before and after. */
function compareTotals(saved: store.Totals | undefined, found: store.Totals): Difference[] {
  // Another release may have counted other things.
  if (saved === undefined || saved.form !== found.form) return []
  return Object.keys({ ...saved, ...found })
    .filter((what) => saved[what] !== found[what])
    .map((what) => {
      const says = `${what}: ${saved[what] ?? 'nothing'} was saved, and ${found[what] ?? 'nothing'} reads back`
      return { table: 'totals', says, missing: [], added: [] }
    })
}

async function judge(differences: readonly Difference[], a: RestoreOptions & { path: string }): Promise<void> {
  const report = await a.report?.(differences)
  if (a.acceptsDifferences === true) return
  const named = differences.slice(0, 5).map(({ table, says }) => `${table}: ${says}`)
  const more = differences.length > named.length ? `; and ${differences.length - named.length} more` : ''
  throw new OperatorError(
    `Nothing was restored, because the database reads back other than ${a.path} has it. ${named.join('; ')}${more}. ` +
      `${report === undefined ? '' : `The rows are in ${report}. `}Restore another backup. If this is the last one, restore it with ` +
      '--accept-differences: every row is then kept as it reads back, and the report with it.',
  )
}
