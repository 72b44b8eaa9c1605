// Finding a PostgreSQL that another process runs, for reading beside it.
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type App, defaultApp } from './app.ts'
import { readAccess } from './cluster.ts'
import { answers } from './probe.ts'
import { urlOf } from './start.ts'

/** The URL of the cluster of a data folder while it serves; null: nobody runs it now. Takes no lock and starts nothing. */
export async function findRunning(a: { dataDir: string; app?: App }): Promise<string | null> {
  const { id: user } = a.app ?? defaultApp
  const dataDir = await realpath(resolve(a.dataDir)).catch(() => null)
  if (dataDir === null) return null
  const access = await readAccess(join(dataDir, 'postgres.json'), join(dataDir, 'postgres')).catch(() => null)
  if (access === null || access.port === null) return null
  const isServed = await answers({ port: access.port, user, withinMs: 2_000 })
  return isServed ? urlOf({ superuser: user, password: access.password }, access.port) : null
}
