// What every server test stands on: a database of its own cloned from a migrated template, a false clock, a
// mailbox, and the real app. All is closed by itself; the database of a failed test is kept and named.
import { createHash, randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { Deps } from '../src/deps.ts'
import { noHeads } from '../src/orders/view.ts'
import { partitionedTables } from '../src/partitions.ts'
import type { Clock } from '../src/platform/clock.ts'
import { driver } from '../src/platform/db/driver.ts'
import { listMigrations, migrate } from '../src/platform/db/migrate.ts'
import { makePartitions } from '../src/platform/db/partitions.ts'
import { openPool, type Sql } from '../src/platform/db/pool.ts'
import type { App } from '../src/platform/http/server.ts'
import type { Mail, Mailer } from '../src/platform/mail/mailer.ts'
import { makeSecrets } from '../src/platform/secrets.ts'
import { makeWake } from '../src/platform/worker/wake.ts'
import { makeRails } from '../src/rails/registry.ts'
import { sandboxRail } from '../src/rails/sandbox/rail.ts'
import { testCluster } from './cluster.ts'

export interface FalseClock extends Clock {
  advance(ms: number): void
}

/** Time that moves only when a test moves it. It starts at the real time, since tokens are checked by libraries. */
export function falseClock(start = Date.now()): FalseClock {
  let time = start
  const sleepers = new Set<() => void>()
  return {
    now: () => new Date(time),
    advance(ms) {
      time += ms
      for (const check of [...sleepers]) check()
    },
    sleep(ms, signal) {
      const until = time + ms
      return new Promise((resolve) => {
        const check = (): void => {
          if (time < until && signal?.aborted !== true) return
          sleepers.delete(check)
          resolve()
        }
        sleepers.add(check)
        signal?.addEventListener('abort', check, { once: true })
        check()
      })
    },
  }
}

export interface Mailbox extends Mailer {
  readonly mails: Mail[]
}

export function mailbox(): Mailbox {
  const mails: Mail[] = []
  return { mails, send: async (mail) => void mails.push(mail), close: () => undefined }
}

const masterKey = '5e'.repeat(32)

/** Settings of a loopback install with every wait as in production and the flood wall down. */
export function testConfig(overrides: Partial<Config> = {}): Config {
  const config = readConfig({ PORT: '3000', MASTER_KEY: masterKey, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }, [])
  return { ...config, ...overrides }
}

export interface TestDeps {
  deps: Deps
  clock: FalseClock
  mailbox: Mailbox
  databaseUrl: string
}

/** Real parts around a false clock, on a database of its own. */
export async function testDeps(t: TestContext, overrides: Partial<Config> = {}): Promise<TestDeps> {
  const databaseUrl = await ownDatabase(t)
  const sql = openPool({ url: databaseUrl, max: 8, applicationName: `test ${t.name}`.slice(0, 60) })
  t.after(() => sql.end({ timeout: 5 }))
  const clock = falseClock()
  const mails = mailbox()
  const config = testConfig(overrides)
  const rails = makeRails([sandboxRail({ sql })])
  const deps: Deps = {
    config,
    log: pino({ level: config.logLevel }),
    sql,
    clock,
    secrets: makeSecrets(masterKey),
    mailer: mails,
    rails,
    railJobs: [],
    heads: noHeads,
    wake: { mail: makeWake(), facts: makeWake(), deliveries: makeWake() },
  }
  return { deps, clock, mailbox: mails, databaseUrl }
}

export interface TestApp extends TestDeps {
  app: App
}

/** The whole app over `inject`: `(await testApp(t)).app.inject({…})`. */
export async function testApp(t: TestContext, overrides: Partial<Config> = {}): Promise<TestApp> {
  const made = await testDeps(t, overrides)
  const app = await buildApp(made.deps)
  t.after(() => app.close())
  await app.ready()
  return { ...made, app }
}

/** A fresh migrated database; its URL. Dropped after the test, unless the test failed. */
export async function ownDatabase(t: TestContext): Promise<string> {
  const cluster = await testCluster()
  const template = await templateDatabase(cluster)
  const name = `t_${randomBytes(6).toString('hex')}`
  await withAdmin(cluster, (sql) => sql.unsafe(`create database ${name} template ${template}`))
  t.after(async () => {
    // Typed for suites only, but every context has it.
    if (!(t as TestContext & { passed: boolean }).passed) return t.diagnostic(`the database ${name} is kept for a look`)
    await withAdmin(cluster, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`))
  })
  return urlOf(cluster, name)
}

async function templateDatabase(cluster: string): Promise<string> {
  const text = (await listMigrations()).map((migration) => migration.text).join('\n')
  // The day is part of it: partitions are made from today on.
  const day = new Date().toISOString().slice(0, 10)
  const name = `florin_template_${createHash('sha256').update(text).update(day).digest('hex').slice(0, 12)}`
  await withAdmin(cluster, async (sql) => {
    // One process makes the template, the others wait for it.
    await sql`select pg_advisory_lock(4711)`
    try {
      const [found] = await sql`select 1 from pg_database where datname = ${name}`
      if (found) return
      await sql.unsafe(`create database ${name}_making`)
      const target = openPool({ url: urlOf(cluster, `${name}_making`), max: 1, applicationName: 'template' })
      await migrate(target)
      await makePartitions(target, partitionedTables, new Date())
      await target.end()
      // Renamed only when complete, so a killed run leaves no half-made template under the name.
      await sql.unsafe(`alter database ${name}_making rename to ${name}`)
    } catch (error) {
      await sql.unsafe(`drop database if exists ${name}_making with (force)`)
      throw error
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

async function withAdmin<T>(cluster: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = driver(cluster, { max: 1, onnotice: () => undefined, types: { bigint: driver.BigInt } })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
