// Copies the whole database while Florin goes on working, and puts such a copy into an empty one. What was restored is
// read back and has to be the bytes that were saved before it is committed.
import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { partitionedTables } from '../partitions.ts'
import { listMigrations, migrate } from '../platform/db/migrate.ts'
import { findWriter, withoutHurry } from '../platform/db/pools.ts'
import { OperatorError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { releaseVersion } from '../platform/release.ts'
import { readBackup, writeBackup } from './file.ts'
import * as store from './store.ts'

const FORMAT = 1

interface Head {
  format: number
  release: string
  at: string
  migrations: number[]
  partitions: { name: string; from: string; until: string }[]
  sequences: { name: string; value: string }[]
}
interface Begin extends store.TableToCopy {
  begin: true
}
interface End {
  end: true
  name: string
  bytes: number
  sha256: string
}

export interface Summary {
  release: string
  at: string
  tables: number
  bytes: number
}

/** How far it is: after each table, and within a large one each 64 MB. */
export interface Progress {
  what: 'saving' | 'reading through' | 'restoring'
  tables: number
  bytes: number
}
export type Tell = (progress: Progress) => void

const STEP_BYTES = 64 * 1024 * 1024

/** Counts what goes by. */
function counted(what: Progress['what'], tell: Tell) {
  const at: Progress = { what, tables: 0, bytes: 0 }
  let next = STEP_BYTES
  return {
    at,
    data(bytes: number): void {
      at.bytes += bytes
      if (at.bytes < next) return
      next = at.bytes + STEP_BYTES
      tell({ ...at })
    },
    table(): void {
      at.tables++
      tell({ ...at })
    },
  }
}

async function connected<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: await findWriter(url), application_name: 'florin backup' })
  // A connection that is lost also fails the query that waits for it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Writes one consistent copy into a new file. @throws OperatorError where there is nothing to save. */
export function backUp(url: string, path: string, tell: Tell = () => undefined): Promise<Summary> {
  return connected(url, async (client) => {
    await store.beginSnapshot(client)
    const tables = await requireFlorin(client)
    const head: Head = {
      ...{ format: FORMAT, release: releaseVersion, at: (await store.databaseTime(client)).toISOString() },
      migrations: await store.listMigrationNumbers(client),
      partitions: await store.listPartitionDays(client),
      // They count on while the copy runs, and never back.
      sequences: await store.listSequences(client),
    }
    const writer = writeBackup(path)
    const count = counted('saving', tell)
    try {
      await writer.fact(head)
      for (const table of tables) {
        await writer.fact({ begin: true, ...table } satisfies Begin)
        const hash = createHash('sha256')
        let size = 0
        for await (const chunk of store.readTable(client, table)) {
          hash.update(chunk)
          size += chunk.length
          await writer.data(chunk)
          count.data(chunk.length)
        }
        await writer.fact({ end: true, name: table.name, bytes: size, sha256: hash.digest('hex') } satisfies End)
        count.table()
      }
      await writer.end()
    } catch (error) {
      await writer.abandon()
      throw error
    }
    await client.query('commit')
    return { release: head.release, at: head.at, tables: tables.length, bytes: count.at.bytes }
  })
}

/** Reads a whole file and checks every hash in it. @throws OperatorError */
export async function verify(path: string, tell: Tell = () => undefined): Promise<Summary & { head: Head }> {
  let head: Head | null = null
  let hash = createHash('sha256')
  let size = 0
  const count = counted('reading through', tell)
  for await (const record of readBackup(path)) {
    if (record.kind === 'data') {
      hash.update(record.data)
      size += record.data.length
      count.data(record.data.length)
      continue
    }
    const fact = record.fact as Head | Begin | End
    if ('format' in fact) head = fact
    else if ('begin' in fact) [hash, size] = [createHash('sha256'), 0]
    else {
      if (hash.digest('hex') !== fact.sha256 || size !== fact.bytes)
        throw new OperatorError(`${path}: the table ${fact.name} is not as it was saved. Take another backup.`)
      count.table()
    }
  }
  if (head === null || head.format !== FORMAT)
    throw new OperatorError(`${path} is of a form that this release does not know. Use the release that made it.`)
  return { head, release: head.release, at: head.at, tables: count.at.tables, bytes: count.at.bytes }
}

/**
 * Into a database that no merchant ever used. Killed anywhere, it can be run again.
 * @param a.replaces the Florin that was saved is gone, and this is the one now. Else it is a copy that sleeps.
 * @throws OperatorError
 */
export async function restore(
  url: string,
  path: string,
  a: { replaces: boolean },
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
  await connected(url, (client) => fill(client, { path, head, ...a, tell }))
  return summary
}

/** Made by other means than a restore: from now on it is a copy that sleeps. @throws OperatorError */
export const putToSleep = (url: string): Promise<void> =>
  connected(url, async (client) => {
    await requireFlorin(client)
    await store.putToSleep(client, newId('ins', await store.databaseTime(client)))
  })

/** @returns whether it was a copy that slept. @throws OperatorError */
export const wakeUp = (url: string): Promise<boolean> =>
  connected(url, async (client) => {
    await requireFlorin(client)
    return store.wakeUp(client)
  })

async function requireFlorin(client: pg.Client): Promise<store.TableToCopy[]> {
  const tables = await store.listTables(client)
  if (tables.some(({ name }) => name === 'migrations')) return tables
  throw new OperatorError('There is no Florin in this database.')
}

async function fill(
  client: pg.Client,
  { path, head, replaces, tell }: { path: string; head: Head; replaces: boolean; tell: Tell },
): Promise<void> {
  await store.beginFilling(client, await store.listTables(client))
  for (const days of head.partitions) {
    const widthDays = partitionedTables.find(({ name }) => name === days.name)?.widthDays
    if (widthDays !== undefined) await store.makeOldPartitions(client, { ...days, widthDays })
  }
  // Said as casts: what a loop assigns later is lost on the compiler.
  let target = null as Writable | null
  let table = null as Begin | null
  const count = counted('restoring', tell)
  for await (const record of readBackup(path)) {
    if (record.kind === 'data') {
      if (target?.write(record.data) === false) await new Promise((resolve) => target?.once('drain', resolve))
      count.data(record.data.length)
      continue
    }
    const fact = record.fact as Head | Begin | End
    if ('begin' in fact) {
      table = fact
      target = store.fillTable(client, fact)
    } else if ('end' in fact && target !== null && table !== null) {
      target.end()
      await finished(target)
      await compare(client, table, fact)
      count.table()
    }
  }
  for (const sequence of head.sequences) await store.setSequence(client, sequence)
  if (replaces) await store.wakeUp(client)
  else await store.putToSleep(client, newId('ins', await store.databaseTime(client)))
  await client.query('commit')
}

async function compare(client: pg.Client, table: Begin, saved: End): Promise<void> {
  const hash = createHash('sha256')
  for await (const chunk of store.readTable(client, table)) hash.update(chunk)
  if (hash.digest('hex') !== saved.sha256)
    throw new OperatorError(`The table ${table.name} does not read back as it was saved; nothing was restored.`)
}
