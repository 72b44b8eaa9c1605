// Databases of a migrated schema for tests. One is made by cloning a template, which copies some six hundred files, so a
// database that a test is done with is emptied and given to a later test, of whichever file, under another name. What
// tests of one process reach by a pool of ours (lent.ts) keeps its connections as well.
import { createHash, randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { listMigrations, migrate } from '@florin/platform/db/migrate'
import { makePartitions } from '@florin/platform/db/partitions'
import { openPool, type Sql, withoutLimits } from '@florin/platform/db/pool'
import pg from 'pg'
import { packageMigrations } from '../../src/migrations.ts'
import { partitionedTables } from '../../src/partitions.ts'
import { testCluster } from '../cluster.ts'
import { afterAllElse } from './after.ts'
import { emptyTables, fingerprint } from './empty.ts'

let wayTo = (url: string): string => url
let isDirect = true

/** For tests that run once more with something between them and PostgreSQL, such as a pooler. */
export function reachDatabases(way: (url: string) => string): void {
  wayTo = way
  isDirect = false
}

/** False where something stands between the tests and PostgreSQL. */
export const isReachedDirectly = (): boolean => isDirect

/** A fresh migrated database; its URL. After the test nobody reaches anything under that URL any more. */
export async function ownDatabase(t: TestContext): Promise<string> {
  const taken = await takeDatabase()
  afterAllElse(t, async () => {
    // What a failed test left may be what made it fail.
    if (hasPassed(t)) await taken.giveBack()
  })
  return wayTo(taken.url)
}

/** Typed for suites only, but every context has `passed`. */
export const hasPassed = (t: TestContext): boolean => (t as TestContext & { passed: boolean }).passed

export interface TakenDatabase {
  /** As PostgreSQL itself has it. */
  url: string
  name: string
  /** Under another name. Who still has the old URL reaches nothing by it. */
  giveBack(): Promise<void>
  /** Empties it through its own connections. @returns whether its schema is still as it was made. */
  empty(sql: Sql): Promise<boolean>
  /** For one that is empty and that nobody is connected to. */
  offer(): Promise<void>
}

export async function takeDatabase(): Promise<TakenDatabase> {
  const cluster = await testCluster()
  const template = await templateDatabase(cluster)
  const admin = adminOf(cluster)
  const { rows } = await admin.query<{ name: string }>(
    `delete from free_databases where name =
       (select name from free_databases where template = $1 limit 1 for update skip locked)
     returning name`,
    [template],
  )
  const name = rows[0]?.name ?? newName()
  if (rows.length === 0) await admin.query(`create database ${name} template ${template}`)
  const offer = (free: string): Promise<unknown> =>
    admin.query('insert into free_databases (name, template) values ($1, $2)', [free, template])
  const empty = async (sql: Sql): Promise<boolean> => {
    await emptyTables(sql)
    const schema = await fingerprint(sql)
    const { rowCount } = await admin.query('select from templates where name = $1 and schema = $2', [template, schema])
    return rowCount === 1
  }
  return {
    url: urlOf(cluster, name),
    name,
    empty,
    async giveBack() {
      const renamed = await shutOut(admin, name)
      // One whose schema a test has changed is left where it is.
      if (await withDatabase(urlOf(cluster, renamed), empty)) await offer(renamed)
    },
    offer: async () => void (await offer(name)),
  }
}

const newName = (): string => `t_${randomBytes(6).toString('hex')}`

const admins = new Map<string, pg.Pool>()

/** Stays open: three connections for each test cost more than what they do. It keeps no process from ending. */
function adminOf(cluster: string): pg.Pool {
  const admin =
    admins.get(cluster) ??
    new pg.Pool({ connectionString: cluster, max: 2, allowExitOnIdle: true, application_name: 'test databases' })
  // One that a test ended is replaced.
  if (!admins.has(cluster)) admin.on('error', () => undefined)
  admins.set(cluster, admin)
  return admin
}

/**
 * Whoever still holds the old URL, such as a pool or a worker that ends after the test, reaches nothing by it any more.
 * @returns the new name.
 */
async function shutOut(admin: pg.Pool, name: string): Promise<string> {
  const renamed = newName()
  // Workers that are still alive connect again at once.
  await admin.query(`alter database ${name} allow_connections false`)
  const rename = async (): Promise<void> => {
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    // PostgreSQL's own waits for the end of a session look every 100 ms, and it takes a few.
    for (let looks = 0; looks < 1_000; looks++) {
      const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1 limit 1', [name])
      if (rowCount === 0) break
      await pause(5)
    }
    await admin.query(`alter database ${name} rename to ${renamed}`)
  }
  // Once more for a session that was just being made.
  await rename().catch(rename)
  await admin.query(`alter database ${renamed} allow_connections true`)
  return renamed
}

let template: Promise<string> | null = null

function templateDatabase(cluster: string): Promise<string> {
  template ??= makeTemplate(cluster)
  return template
}

async function makeTemplate(cluster: string): Promise<string> {
  const text = (await listMigrations(packageMigrations)).map((migration) => migration.text).join('\n')
  // The day is part of it: partitions are made from today on.
  const day = new Date().toISOString().slice(0, 10)
  const name = `florin_template_${createHash('sha256').update(text).update(day).digest('hex').slice(0, 12)}`
  await withDatabase(cluster, async (sql) => {
    // One process makes the template, the others wait for it.
    await sql`select pg_advisory_lock(4711)`
    try {
      await sql`create table if not exists public.templates (name text primary key, schema text not null)`
      await sql`create table if not exists public.free_databases (name text primary key, template text not null)`
      const [found] = await sql`select 1 from public.templates where name = ${name}`
      if (found) return
      await sql.unsafe(`drop database if exists ${name} with (force)`)
      await sql.unsafe(`create database ${name}`)
      const prepare = async (target: Sql): Promise<string> => {
        await migrate(target, packageMigrations)
        await makePartitions(target, partitionedTables, new Date())
        return fingerprint(target)
      }
      const schema = await withDatabase(urlOf(cluster, name), prepare, 2)
      // Written only when it is complete, so what a killed run left is made anew.
      await sql`insert into public.templates (name, schema) values (${name}, ${schema})`
    } finally {
      await sql`select pg_advisory_unlock(4711)`
    }
  })
  return name
}

function urlOf(cluster: string, database: string): string {
  const url = new URL(cluster)
  url.pathname = `/${database}`
  return url.href
}

/** Connections for as long as the work takes: none may stand open when its database is cloned or renamed. */
async function withDatabase<T>(url: string, work: (sql: Sql) => Promise<T>, max = 1): Promise<T> {
  const sql = openPool({ url, max, applicationName: 'test databases', limits: withoutLimits })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
