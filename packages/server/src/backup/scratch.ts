// The database that a backup is restored into for practice. The embedded PostgreSQL is started for it in a folder of its own, so the
// database in use has no part in it; BACKUP_DRILL_URL names another server. What a killed drill left is removed by the next one.
import { mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedRefused, startEphemeral } from '@florin/embedded-postgres'
import { OperatorError } from '@florin/platform/errors'
import type { Config } from '../settings.ts'
import { connected } from './connect.ts'
import * as store from './scratch.store.ts'

export interface Scratch {
  url: string
  remove(): Promise<void>
}

type Settings = Pick<Config, 'dataDir' | 'backupDrillUrl'>

/** Tables with their indexes take this many times the text of their rows, and the log of PostgreSQL its share. */
const ROOM_TIMES = 3
const ROOM_LEAST_BYTES = 256 * 1024 * 1024

/** @param bytes of the rows' text. @throws OperatorError with what is missing. */
export function openScratch(settings: Settings, bytes: number): Promise<Scratch> {
  const { backupDrillUrl: url } = settings
  return url === null ? startCluster(settings.dataDir, bytes) : makeDatabase(url)
}

async function startCluster(dataDir: string, bytes: number): Promise<Scratch> {
  const parent = join(dataDir, 'drill')
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(parent)
  const [free, needed] = [bavail * bsize, ROOM_LEAST_BYTES + bytes * ROOM_TIMES]
  if (free < needed)
    throw new OperatorError(
      `A drill needs ${gigabytes(needed)} in ${parent}, and ${gigabytes(free)} are free there: make room, or set BACKUP_DRILL_URL ` +
        'to another PostgreSQL whose role may create databases.',
    )
  const log = { info: () => undefined, warn: () => undefined }
  try {
    const cluster = await startEphemeral({ parent, log })
    return { url: cluster.url, remove: () => cluster.stop() }
  } catch (error) {
    if (!(error instanceof EmbeddedRefused)) throw error
    throw new OperatorError(
      'The embedded PostgreSQL does not start for the drill. Set BACKUP_DRILL_URL to a PostgreSQL whose role may create databases. ' +
        error.message,
      { cause: error },
    )
  }
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

async function makeDatabase(server: string): Promise<Scratch> {
  const name = await connected(server, async (client) => {
    if (!(await store.mayCreateDatabases(client)))
      throw new OperatorError(
        `The role of BACKUP_DRILL_URL may not create databases: alter role "${client.user}" createdb.`,
      )
    for (const left of await store.listScratch(client)) await store.dropScratch(client, left)
    return store.createScratch(client)
  })
  const url = new URL(server)
  url.pathname = `/${name}`
  // A database that somebody is connected to is not dropped: other drills know by this that it is in use.
  const ready = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = connected(url.href, async () => {
    ready.resolve()
    await held.promise
  })
  await Promise.race([ready.promise, holding])
  return {
    url: url.href,
    async remove() {
      held.resolve()
      await holding
      await connected(server, (client) => store.dropScratch(client, name))
    },
  }
}
