// Puts a backup into an empty database. Before it is committed, each table is read back and has to have the rows that were
// saved. No superuser is needed: the tables' owner may do all of it.
import { finished } from 'node:stream/promises'
import { listMigrations, migrate, migrationKey } from '@florin/platform/db/migrate'
import { withoutHurry } from '@florin/platform/db/pools'
import { OperatorError } from '@florin/platform/errors'
import { newId } from '@florin/platform/ids'
import pg from 'pg'
import { packageMigrations } from '../migrations.ts'
import { partitionedTables } from '../partitions.ts'
import { counted, type Summary, type Tell, verify } from './backup.ts'
import { connected } from './connect.ts'
import { type Begin, type Head, readParts } from './facts.ts'
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
  const { head, saved, ...summary } = await verify(path, tell)
  const known = new Set((await listMigrations(packageMigrations)).map(migrationKey))
  const unknown = head.migrations.filter((key) => !known.has(key))
  if (unknown.length > 0)
    throw new OperatorError(
      `${path} was made by a newer release (${head.release}, migration ${unknown.at(-1)}). Restore it with that one.`,
    )
  if (await connected(url, store.isUsed))
    throw new OperatorError('This database is in use: merchants would be lost. Restore into an empty one.')
  const wanted = new Set(head.migrations)
  await withoutHurry(url, (sql) =>
    migrate(sql, packageMigrations, { isWanted: (migration) => wanted.has(migrationKey(migration)) }),
  )
  await connected(url, async (client) => {
    const references = await store.listReferences(client)
    const tables = await store.listTables(client)
    requireSameTables(path, saved, tables)
    await store.beginFilling(client, tables, references)
    const differences = await fill(client, { path, head, tell }).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error
      const where = error.where === undefined ? '' : ` (${error.where.split(':')[0]})`
      throw new OperatorError(`${path} was not restored. PostgreSQL refused it: ${error.message}${where}.`, {
        cause: error,
      })
    })
    for (const reference of references) {
      const says = await store.addReference(client, reference)
      if (says !== null) differences.push({ table: reference.table, says, missing: [], added: [] })
    }
    for (const one of await store.listSequencesBehind(client)) differences.push({ ...one, missing: [], added: [] })
    differences.push(...compareTotals(head.totals, await store.readTotals(client)))
    if (differences.length > 0) await judge(differences, { path, ...options })
    if (options.replaces) await store.wakeUp(client)
    else await store.putToSleep(client, newId('ins', await store.databaseTime(client)))
    await store.endFilling(client, await store.listTables(client))
  })
  return summary
}

/** @throws OperatorError where the file has other tables or columns than the release that it names. */
function requireSameTables(
  path: string,
  saved: readonly store.TableToCopy[],
  found: readonly store.TableToCopy[],
): void {
  const named = (tables: readonly store.TableToCopy[]): string[] =>
    tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => `${name}.${column}`)])
  const [has, needs] = [new Set(named(saved)), new Set(named(found))]
  const lacks = [...needs].find((name) => !has.has(name))
  const added = [...has].find((name) => !needs.has(name))
  if (lacks === undefined && added === undefined) return
  throw new OperatorError(
    `${path} was not restored. It ${lacks === undefined ? `has ${added}, which no release of Florin made` : `lacks ${lacks}`}. Restore another backup.`,
  )
}

async function fill(client: pg.Client, { path, head, tell }: { path: string; head: Head; tell: Tell }) {
  for (const days of head.partitions) {
    const widthDays = partitionedTables.find(({ name }) => name === days.name)?.widthDays
    if (widthDays !== undefined) await store.makeOldPartitions(client, { ...days, widthDays })
  }
  const differences: Difference[] = []
  // Cast, because the compiler does not see what the loop assigns.
  let target = null as Filling | null
  let saved = rowSums()
  const count = counted('restoring', tell)
  for await (const part of readParts(path)) {
    if (part.kind === 'begin') {
      saved = rowSums()
      target = filling(client, part.table)
    } else if (part.kind === 'data') {
      saved.data(part.data)
      await target?.write(part.data)
      count.data(part.data.length)
    } else if (part.kind === 'end') {
      const { table } = part
      await target?.end()
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

interface Filling {
  write(data: Buffer): Promise<void>
  end(): Promise<void>
}

/** A copy into a table. @throws pg.DatabaseError where PostgreSQL refuses a row, also from a write that waits. */
function filling(client: pg.Client, table: Begin): Filling {
  const target = store.fillTable(client, table)
  const ended = finished(target)
  ended.catch(() => undefined)
  return {
    async write(data) {
      if (target.write(data)) return
      await Promise.race([new Promise<void>((resolve) => void target.once('drain', resolve)), ended])
    },
    async end() {
      target.end()
      await ended
    },
  }
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
  for await (const part of readParts(a.path)) {
    if (part.kind === 'begin') isThere = part.table.name === name
    else if (part.kind === 'data' && isThere) rows.saved(part.data)
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
function compareTotals(saved: store.Totals, found: store.Totals): Difference[] {
  // Another release may have counted other things.
  if (saved.form !== found.form) return []
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
