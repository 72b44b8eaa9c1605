// Copies the whole database into a file while Florin goes on working, and checks such a file.
import { createHash } from 'node:crypto'
import { assert } from '@florin/platform/assert'
import { OperatorError } from '@florin/platform/errors'
import { newId } from '@florin/platform/ids'
import { releaseVersion } from '@florin/platform/release'
import { connected, requireFlorin } from './connect.ts'
import { type Begin, type End, FORMAT, type Head, readParts } from './facts.ts'
import { writeBackup } from './file.ts'
import * as store from './store.ts'

export interface Summary {
  release: string
  at: string
  /** Id of the installation that was saved; null: no process of Florin had started on it. */
  installation: string | null
  tables: number
  bytes: number
  totals: store.Totals
  /** Their hash: the same for a copy of the file, another one for every other backup. */
  contents: string
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
export function counted(what: Progress['what'], tell: Tell) {
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

/** Writes one consistent copy into a new file. @throws OperatorError where there is nothing to save. */
export function backUp(url: string, path: string, tell: Tell = () => undefined): Promise<Summary> {
  return connected(url, async (client) => {
    await store.nameInstallation(client, newId('ins', await store.databaseTime(client)))
    await store.beginSnapshot(client)
    const tables = await requireFlorin(client)
    const head: Head = {
      ...{ format: FORMAT, release: releaseVersion, at: (await store.databaseTime(client)).toISOString() },
      installation: await store.findInstallation(client),
      migrations: await store.listMigrationKeys(client),
      partitions: await store.listPartitionDays(client),
      // They count on while the copy runs, and never back.
      sequences: await store.listSequences(client),
      totals: await store.readTotals(client),
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
      const contents = await writer.end()
      await client.query('commit')
      return summaryOf(head, { ...count.at, contents })
    } catch (error) {
      await writer.abandon()
      throw error
    }
  })
}

/** Reads a whole file and checks its form and every hash in it. @throws OperatorError */
export async function verify(
  path: string,
  tell: Tell = () => undefined,
): Promise<Summary & { head: Head; saved: Begin[] }> {
  let head: Head | null = null
  const saved: Begin[] = []
  const count = counted('reading through', tell)
  const parts = readParts(path)
  let next = await parts.next()
  for (; next.done !== true; next = await parts.next()) {
    const part = next.value
    if (part.kind === 'data') count.data(part.data.length)
    else if (part.kind === 'head') head = part.head
    else if (part.kind === 'begin') saved.push(part.table)
    else count.table()
  }
  assert(head !== null, 'a backup that was read has a head')
  return { ...summaryOf(head, { ...count.at, contents: next.value }), head, saved }
}

const summaryOf = (
  { release, at, installation, totals }: Head,
  a: { tables: number; bytes: number; contents: string },
): Summary => ({
  release,
  at,
  installation,
  tables: a.tables,
  bytes: a.bytes,
  totals,
  contents: a.contents,
})

/** Reads every row of a database that other means restored. @returns what its rows add up to. @throws OperatorError */
export const readThrough = (url: string, tell: Tell = () => undefined): Promise<store.Totals> =>
  connected(url, async (client) => {
    await store.beginSnapshot(client)
    const count = counted('reading through', tell)
    for (const table of await requireFlorin(client)) {
      for await (const chunk of store.readTable(client, table)) count.data(chunk.length)
      count.table()
    }
    return store.readTotals(client)
  })

/**
 * Made by other means than a restore: from now on it is a copy that sleeps.
 * @returns the id of the installation that it is a copy of; null: it had none.
 * @throws OperatorError, also where processes of Florin work on it: it is the one in use then.
 */
export const putToSleep = (url: string): Promise<string | null> =>
  connected(url, async (client) => {
    await requireFlorin(client)
    if (!(await store.isAsleep(client)) && (await store.isWorkedOn(client)))
      throw new OperatorError(
        'Processes of Florin are connected to this database, so it is the one in use and no copy. Set DATABASE_URL to the copy, or stop them.',
      )
    return store.putToSleep(client, newId('ins', await store.databaseTime(client)))
  })

/** @returns whether it was a copy that slept. @throws OperatorError */
export const wakeUp = (url: string): Promise<boolean> =>
  connected(url, async (client) => {
    await requireFlorin(client)
    return store.wakeUp(client)
  })
