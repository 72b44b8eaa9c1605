// Construction: the only place that opens connections and reads keys. Everything else takes what it needs as its
// first argument, in platform types. Only app, jobs and main know Deps.

import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Check } from '@florin/platform/check'
import { type Clock, databaseClock } from '@florin/platform/clock'
import { asleepCheck, readInstallation, refuseAsleep } from '@florin/platform/db/installation'
import type { Say } from '@florin/platform/db/locks/turn'
import { checkMasterKey } from '@florin/platform/db/master-key'
import { migrate, requireSchema } from '@florin/platform/db/migrate'
import { preparePartitions } from '@florin/platform/db/partitions'
import type { Sql } from '@florin/platform/db/pool'
import { openPools, withoutHurry } from '@florin/platform/db/pools'
import { settleRole } from '@florin/platform/db/role-settings'
import { checkRoom } from '@florin/platform/db/room'
import { OperatorError } from '@florin/platform/errors'
import { isGuessableKey } from '@florin/platform/guessable'
import { type Mailer, smtpMailer, terminalMailer } from '@florin/platform/mail/mailer'
import { makeSecrets, newMasterKey, type Secrets } from '@florin/platform/secrets'
import type { Job } from '@florin/platform/worker/job'
import type { RailPackage } from '@florin/rail-kit/interface/plug'
import type { Rails } from '@florin/rail-kit/registry'
import type { FastifyBaseLogger } from 'fastify'
import type { AccountHistory, AccountNetworks } from './addresses/accounts/rules.ts'
import { findPicture } from './brand/store.ts'
import { composeRails, loadRails, readChains, readUtxoChains, restoreGivenAddresses } from './compose.ts'
import { orderEffects } from './effects.ts'
import { packageMigrations } from './migrations.ts'
import type { OrderEffect } from './orders/effects.ts'
import type { ChainTipOf } from './orders/view.ts'
import { partitionedTables } from './partitions.ts'
import { markAtStart } from './recovery/given.ts'
import { checkJournalFolder, PROBE_EVERY_MS, routeJournal } from './recovery/journal.ts'
import { ensureSeed } from './recovery/seed.ts'
import { sealedTables } from './sealed.ts'
import type { Config } from './settings.ts'
import { makeWakes, type Wakes } from './wakes.ts'

const NOT_EXPORTED =
  'The recovery seed was never exported: if the database is lost, the journal cannot be read. ' +
  'Run `npm run recovery -- export` and keep what it prints away from this machine.'

/** What an order page shows of confirmations may be this old. */
const HEADS_EVERY_MS = 2_000

export interface Deps {
  config: Config
  log: FastifyBaseLogger
  sql: Sql
  /** For lists, searches, statistics and exports, which may be slow and must hold up nobody else. */
  lists: Sql
  databaseTrouble(): Promise<string | null>
  clock: Clock
  secrets: Secrets
  mailer: Mailer
  /** A shop's logo as mails carry it. */
  logoOf(id: string): Promise<Uint8Array | null>
  rails: Rails
  /** What the rails do in the background. */
  railJobs: readonly Job[]
  /** How high watched chains stand. */
  tips: ChainTipOf
  /** Which network the accounts of wallets have to be of, by chain; left out: the main one. */
  accountNetworks: AccountNetworks
  accountHistory: AccountHistory
  wake: Wakes
  /** What a change of an order writes beside it. */
  effects: readonly OrderEffect[]
}

export interface OpenDeps {
  deps: Deps
  /** The same for background jobs: their statements run on connections of their own. */
  jobDeps: Deps
  /** What is wrong with this process though it works. */
  checks(): Check[]
  migrationsRun: string[]
  close(): Promise<void>
}

/** Opens the connections, brings the schema up to date, checks the master key against the database. */
export async function openDeps(a: { config: Config; log: FastifyBaseLogger; databaseUrl: string }): Promise<OpenDeps> {
  const { config, log } = a
  const say = (line: string): void => log.warn(line)
  const packages = await loadRails(config)
  const migrationsRun = await bringSchema(a, packages, say)
  await settleRole(a.databaseUrl, say)
  const pools = openPools(a.databaseUrl, config.mode)
  const { payments: sql, lists, work } = pools
  try {
    const clock = await databaseClock(sql)
    if (config.mode !== 'migrate') await checkRoom(work, config.mode, say)
    // The role of an API process need not be allowed to.
    if (config.mode !== 'api')
      await withoutHurry(a.databaseUrl, (slow) => preparePartitions(slow, partitionedTables, clock.now(), say), say)
    const secrets = makeSecrets(await readMasterKey(config), config.masterKeyOld)
    await checkMasterKey(work, secrets, { rows: sealedTables, now: clock.now() })
    const installation = await readInstallation(work, clock.now())
    const asleep = asleepCheck(installation)
    if (config.mode === 'all' || config.mode === 'worker') refuseAsleep(installation)
    if (asleep !== null) log.warn(asleep.summary)
    const wake = makeWakes()
    // A copy shows no pay address: the other one gives out the same.
    const money = asleep === null ? config : { ...config, railsConfig: null }
    const chains = readChains(money)
    const { seed, exportedAt } = await ensureSeed(work, secrets, clock.now())
    const journal = routeJournal({ dir: config.journalDir, seed, clock, log, sql: work })
    const coins = readUtxoChains(money)
    const isJournaled = chains.length + coins.length > 0 && (config.mode === 'all' || config.mode === 'api')
    if (isJournaled) {
      await checkJournalFolder(config.journalDir)
      if (exportedAt === null && !config.devnet) log.warn(NOT_EXPORTED)
      await journal.probe()
      if (coins.length > 0)
        await markAtStart(work, { dir: config.journalDir, seed, log, restore: restoreGivenAddresses })
    }
    // Whoever shows addresses writes the journal.
    const probing = isJournaled ? setInterval(() => void journal.probe(), PROBE_EVERY_MS).unref() : null
    const real = await composeRails(
      money,
      { chains, coins },
      asleep === null ? packages : [],
      { sql, clock, log, wake, journal },
      work,
    )
    if (config.mode !== 'migrate') for (const plug of real.plugs) await plug.check()
    const mailer =
      config.smtpUrl === null
        ? terminalMailer((text) => process.stdout.write(text))
        : smtpMailer(config.smtpUrl, config.mailFrom)
    // The database's clock may be stepped; a minute is the longest a replica keeps the old time.
    const anchoring = setInterval(() => void clock.anchor().catch(() => undefined), 60_000)
    anchoring.unref()
    const count = async (): Promise<void> => {
      for (const plug of real.plugs) await plug.tips?.refresh()
    }
    await count()
    const counting = setInterval(() => void count().catch(() => undefined), HEADS_EVERY_MS)
    counting.unref()
    if (real.plugs.length === 0) clearInterval(counting)
    const deps: Deps = {
      config,
      log,
      sql,
      lists,
      databaseTrouble: pools.trouble,
      clock,
      secrets,
      mailer,
      logoOf: (id) => findPicture(sql, id, 'mailLogo'),
      rails: real.rails,
      railJobs: real.plugs.flatMap((plug) => plug.jobs),
      tips: (chain, livemode) =>
        real.plugs.map((plug) => plug.tips?.tips(chain, livemode) ?? null).find((height) => height !== null) ?? null,
      accountNetworks: real.accountNetworks,
      accountHistory: real.accountHistory,
      wake,
      effects: orderEffects,
    }
    return {
      deps,
      jobDeps: { ...deps, sql: work },
      checks: () => [...journal.own(), ...(asleep === null ? [] : [asleep])],
      migrationsRun,
      async close() {
        clearInterval(anchoring)
        clearInterval(counting)
        if (probing !== null) clearInterval(probing)
        mailer.close()
        await journal.close()
        await pools.end({ timeout: 5 })
      },
    }
  } catch (error) {
    await pools.end({ timeout: 1 })
    throw error
  }
}

/**
 * `MODE=migrate` and `MODE=all` change the schema; where it is out of date, others are refused.
 * @returns the migrations that ran.
 */
async function bringSchema(
  { config, databaseUrl }: { config: Config; databaseUrl: string },
  packages: readonly RailPackage[],
  say: Say,
): Promise<string[]> {
  const isChanged = config.mode === 'migrate' || config.mode === 'all'
  const ran = isChanged
    ? await withoutHurry(config.migrateDatabaseUrl ?? databaseUrl, (slow) => migrateAll(slow, packages, say), say)
    : []
  if (!isChanged || config.migrateDatabaseUrl !== null)
    await withoutHurry(databaseUrl, (slow) => requireSchema(slow, packageMigrations), say)
  return ran
}

async function migrateAll(sql: Sql, packages: readonly RailPackage[], say: Say): Promise<string[]> {
  const ran = await migrate(sql, packageMigrations, { say })
  for (const { migrate: more } of packages) await more?.(sql)
  return ran
}

/** The one given, or the install's own. */
export async function readMasterKey(config: Config): Promise<string> {
  return config.masterKey ?? (await ownMasterKey(config.dataDir))
}

/** The key of an install that was given none: made once, readable by its owner only. */
async function ownMasterKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'master.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(`${path}.new`))
    throw new OperatorError('A change of the master key was not finished: `npm run rekey` finishes it.')
  try {
    // wx: of two starters one makes the key and both read the same.
    await writeFile(path, `${newMasterKey()}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const key = (await readFile(path, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new OperatorError(`${path} does not hold a master key: 64 hexadecimal characters. Put the right one back.`)
  if (isGuessableKey(key))
    throw new OperatorError(
      `The master key in ${path} is not random, so it can be guessed. \`npm run rekey\` makes another.`,
    )
  return key
}
