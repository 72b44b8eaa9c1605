// What every server test stands on: a database of its own, a false clock, a mailbox, and the real app. All is closed
// by itself.

import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Clock } from '@florin/platform/clock'
import { openPool, type Sql } from '@florin/platform/db/pool'
import type { App } from '@florin/platform/http/server'
import type { Mail, Mailer } from '@florin/platform/mail/mailer'
import { makeSecrets } from '@florin/platform/secrets'
import { MINUTE_MS } from '@florin/protocol'
import { railsOf } from '@florin/rail-kit/sandbox/rail'
import { pino } from 'pino'
import { noHistory } from '../src/addresses/accounts/rules.ts'
import { buildApp } from '../src/app.ts'
import { findPicture } from '../src/brand/store.ts'
import { readConfig } from '../src/config.ts'
import type { Deps } from '../src/deps.ts'
import { orderEffects } from '../src/effects.ts'
import { noTips } from '../src/orders/view.ts'
import type { Config } from '../src/settings.ts'
import { makeWakes } from '../src/wakes.ts'
import { afterAllElse } from './databases/after.ts'
import { isReachedDirectly, ownDatabase } from './databases/databases.ts'
import { lentDatabase } from './databases/lent.ts'
import { MASTER_KEY } from './deploy/master-keys.ts'

export { ownDatabase }

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

/** Settings of a loopback install with every wait as in production and the flood wall down. */
export function testConfig(overrides: Partial<Config> = {}): Config {
  const config = readConfig(
    { PORT: '3000', MASTER_KEY, RATE_LIMITS: 'off', LOG_LEVEL: 'silent', FX_SOURCES: 'fixed' },
    [],
  )
  return { ...config, ...overrides }
}

export interface TestDeps {
  deps: Deps
  clock: FalseClock
  mailbox: Mailbox
  databaseUrl: string
}

async function openDatabase(t: TestContext, database?: string): Promise<{ databaseUrl: string; sql: Sql }> {
  const databaseUrl = database ?? (await ownDatabase(t))
  const applicationName = `test ${t.name}`.slice(0, 60)
  const sql = openPool({ url: databaseUrl, max: 8, acquireMs: MINUTE_MS, applicationName })
  afterAllElse(t, () => sql.end({ timeout: 5 }))
  return { databaseUrl, sql }
}

/** Real parts around a false clock, on a database of its own where none is named. */
export async function testDeps(t: TestContext, overrides: Partial<Config> = {}, database?: string): Promise<TestDeps> {
  const { databaseUrl, sql } =
    database === undefined && isReachedDirectly() ? await lentDatabase(t) : await openDatabase(t, database)
  const clock = falseClock()
  const mails = mailbox()
  const journalDir = join(tmpdir(), `florin-journal-${randomBytes(8).toString('hex')}`)
  t.after(() => rm(journalDir, { recursive: true, force: true }))
  const config = testConfig({ journalDir, ...overrides })
  const rails = railsOf(sql)
  const deps: Deps = {
    config,
    log: pino({ level: config.logLevel }),
    sql,
    lists: sql,
    databaseTrouble: () => sql`select 1`.then(() => null),
    clock,
    secrets: makeSecrets(MASTER_KEY),
    mailer: mails,
    logoOf: (id) => findPicture(sql, id, 'mailLogo'),
    rails,
    railJobs: [],
    tips: noTips,
    accountNetworks: {},
    accountHistory: noHistory,
    wake: makeWakes(),
    effects: orderEffects,
  }
  return { deps, clock, mailbox: mails, databaseUrl }
}

export interface TestApp extends TestDeps {
  app: App
}

/** The whole app over `inject`: `(await testApp(t)).app.inject({…})`. */
export async function testApp(t: TestContext, overrides: Partial<Config> = {}, database?: string): Promise<TestApp> {
  const made = await testDeps(t, overrides, database)
  const app = await buildApp(made.deps)
  t.after(() => app.close())
  await app.ready()
  return { ...made, app }
}
