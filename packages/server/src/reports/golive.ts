// What has to hold of an installation, beside its chains, before real money comes.
import { isAbsolute, relative } from 'node:path'
import { type Check, ok, warning } from '@florin/platform/check'
import type { Clock } from '@florin/platform/clock'
import { readInstallation } from '@florin/platform/db/installation'
import type { Sql } from '@florin/platform/db/pool'
import { guessablePasswords } from '@florin/platform/secret-settings'
import { isWide } from '@florin/platform/wide-ranges'
import { HOUR_MS } from '@florin/protocol'
import { findBackups } from '../backup/newest.ts'
import { findSeed } from '../recovery/seed.store.ts'
import type { Config } from '../settings.ts'

const BACKUP_MAX_H = 48

type Parts = { config: Config; sql: Sql; clock: Clock }

export async function examineInstall(parts: Parts): Promise<Check[]> {
  const { config } = parts
  return [
    config.baseUrl.startsWith('https:')
      ? ok('base_url', `It is reached at ${config.baseUrl}.`)
      : warning(
          'base_url',
          `BASE_URL is ${config.baseUrl}: codes, tokens and keys travel in the clear.`,
          'Put a proxy with TLS before Florin, and set BASE_URL to its https:// address.',
        ),
    config.smtpUrl === null
      ? warning('smtp', 'Mail is shown on the terminal.', 'Set SMTP_URL to where mail is handed over.')
      : ok('smtp', 'Mail is handed over by SMTP.'),
    config.masterKey === null
      ? warning(
          'master_key',
          'The master key is the one that Florin made in DATA_DIR, beside what it seals.',
          'Put it into MASTER_KEY from where you keep secrets, keep a copy elsewhere, and take the file away.',
        )
      : ok('master_key', 'The master key comes from the environment.'),
    ...examineSettings(config),
    journalPoint(config),
    await seedPoint(parts),
    await backupPoint(parts),
  ]
}

/** Settings that are taken and that somebody should look at; a start logs the open ones too. */
export function examineSettings(config: Config): Check[] {
  const guessable = guessablePasswords({
    DATABASE_URL: config.databaseUrl,
    MIGRATE_DATABASE_URL: config.migrateDatabaseUrl,
    BACKUP_DRILL_URL: config.backupDrillUrl,
    SMTP_URL: config.smtpUrl,
  })
  const wide = config.webhookAllow.filter(isWide)
  return [
    guessable.length === 0
      ? ok('passwords', 'No password in the settings can be guessed by its pattern.')
      : warning(
          'passwords',
          `The password in ${guessable.join(' and ')} can be guessed.`,
          'Set a long random password there and at the service that it is for.',
        ),
    wide.length === 0
      ? ok('webhook_allow', 'WEBHOOK_ALLOW names no wide range of addresses.')
      : warning(
          'webhook_allow',
          `WEBHOOK_ALLOW has ${wide.join(', ')}: webhooks of any merchant reach every service there.`,
          'Name the hosts that webhooks may go to.',
        ),
  ]
}

function journalPoint({ journalDir, dataDir }: Config): Check {
  const path = relative(dataDir, journalDir)
  const isInside = path === '' || !(path.startsWith('..') || isAbsolute(path))
  if (!isInside) return ok('journal', `The journal is in ${journalDir}.`)
  return warning(
    'journal',
    'The journal lies with the database: who loses one loses both.',
    'Set JOURNAL_DIR to a folder on another disk, and move there what is in the old one.',
  )
}

async function seedPoint({ sql }: Parts): Promise<Check> {
  const exportedAt = (await findSeed(sql))?.exportedAt ?? null
  if (exportedAt !== null) return ok('recovery_seed', `It was exported on ${exportedAt.toISOString()}.`)
  return warning(
    'recovery_seed',
    'The recovery seed was never exported: without it nobody reads the journal.',
    'Run `npm run recovery -- export --out FILE`, and keep the file away from this machine.',
  )
}

async function backupPoint({ config: { backupDir }, sql, clock }: Parts): Promise<Check> {
  const how = 'Set BACKUP_DIR to the folder, and have a job run `npm run backup` every day.'
  if (backupDir === null) return warning('backups', 'It is not said where backups of the database are.', how)
  const { id } = await readInstallation(sql, clock.now())
  const { newest, drilled } = await findBackups(backupDir, id).catch(() => ({ newest: null, drilled: null }))
  const hours = (at: number): number => Math.floor((clock.now().getTime() - at) / HOUR_MS)
  if (newest === null)
    return warning(
      'backups',
      `Nothing in ${backupDir} reads as a whole backup of this installation (${id}).`,
      'Make one now: `npm run backup`, every day.',
    )
  const isTried = drilled !== null && hours(drilled) < BACKUP_MAX_H
  if (isTried) return ok('backups', `The newest one in ${backupDir} that was tried is ${hours(drilled)} h old.`)
  const tried =
    drilled === null ? 'no restore was tried' : `the newest whose restore was tried is ${hours(drilled)} hours old`
  return warning(
    'backups',
    `The newest backup in ${backupDir} is ${hours(newest)} hours old, and ${tried}.`,
    'Run `npm run backup`, which tries a restore, every day; for backups of other tools: docs/operations.md#drills.',
  )
}
