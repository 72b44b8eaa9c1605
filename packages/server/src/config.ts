// Every setting: the only reader of process.env. All faults are named at once, before anything starts.
// What is relaxed for development is relaxed only on a loopback install (HOST and BASE_URL both loopback).
import { join, resolve } from 'node:path'
import { readDatabase } from '@florin/platform/db/setting'
import { SettingsError } from '@florin/platform/errors'
import { withFiles } from '@florin/platform/from-files'
import { isLoopbackHost } from '@florin/platform/http/loopback'
import { readBaseUrl, readTrustProxy } from '@florin/platform/http/setting'
import { readSecurityContact } from '@florin/platform/http/site/security-txt'
import { usualRequestsPerMinute } from '@florin/platform/limits/limits'
import { readMail } from '@florin/platform/mail/setting'
import { readMasterKey, refuseSamples } from '@florin/platform/secret-settings'
import { readOtlp } from '@florin/platform/trace/setting'
import { readVariables } from '@florin/platform/variables'
import { DAY_MS, FRESH_SIGN_IN_S, SECOND_MS, WEBHOOK_TIMEOUT_MS } from '@florin/protocol'
import { readFeeAddresses } from '@florin/rail-kit/settings/fee-addresses'
import { readFxOverrides, readFxSources } from './prices/sources/setting.ts'
import type { Config } from './settings.ts'
import { readRetryWaits, readTargets } from './webhooks/setting.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Every variable that is read; .env.example is compared with this list by a test. */
export const variables = [
  'PORT',
  'HOST',
  'BASE_URL',
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'DATA_DIR',
  'JOURNAL_DIR',
  'BACKUP_DIR',
  'BACKUP_DRILL_URL',
  'MASTER_KEY',
  'MASTER_KEY_OLD',
  'MODE',
  'SMTP_URL',
  'MAIL_FROM',
  'SIGNUP',
  'SIGNUP_ALLOW',
  'SIGNUP_MAILS_PER_HOUR',
  'OPERATOR_EMAILS',
  'SECURITY_CONTACT',
  'FRESH_SIGN_IN_S',
  'TRUST_PROXY',
  'FEE_BPS',
  'FEE_ADDRESSES',
  'FX_SOURCES',
  'FX_OVERRIDES',
  'RAILS_CONFIG',
  'RAILS',
  'WEBHOOK_RETRY_WAITS',
  'WEBHOOK_TIMEOUT_MS',
  'WEBHOOK_ALLOW',
  'WEBHOOK_ALLOW_PRIVATE',
  'WEBHOOK_OWN_ADDRESSES',
  'RETENTION_EVENTS',
  'RETENTION_ATTEMPTS',
  'RATE_LIMITS',
  'RATE_LIMIT_KEY',
  'RATE_LIMIT_MERCHANT',
  'RATE_LIMIT_ADDRESS',
  'DRAIN_DELAY_S',
  'METRICS_TOKEN',
  'LOG_LEVEL',
  'ACCESS_LOG',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
] as const

/** The environment of this process, where a variable may be in a file. */
export const ofProcess: Environment = withFiles(process.env)

/**
 * Reads and checks the settings of contract.md 9.
 * @throws SettingsError that names every fault at once.
 */
export function readConfig(
  environment: Environment = ofProcess,
  argv: readonly string[] = process.argv.slice(2),
): Config {
  const faults: string[] = []
  const { text, oneOf, integer, list, days } = readVariables<(typeof variables)[number]>(environment, faults)

  const port = integer('PORT', 3000, 0, 65_535)
  const host = text('HOST') ?? '127.0.0.1'
  const baseUrl = readBaseUrl(text('BASE_URL') ?? `http://localhost:${port}`, faults)
  const isLoopbackInstall = isLoopbackHost(host) && isLoopbackHost(new URL(baseUrl).hostname)

  const { databaseUrl, migrateDatabaseUrl } = readDatabase(text, faults)
  const backupDrillUrl = text('BACKUP_DRILL_URL')
  if (backupDrillUrl !== null && !(/^postgres(ql)?:/.test(backupDrillUrl) && URL.canParse(backupDrillUrl)))
    faults.push('BACKUP_DRILL_URL must be one URL that starts with postgres:// or postgresql://.')
  const masterKey = readMasterKey('MASTER_KEY', text('MASTER_KEY'), faults)
  // A former key may be a bad one: it is on its way out.
  const masterKeyOld = readMasterKey('MASTER_KEY_OLD', text('MASTER_KEY_OLD'), faults)
  if (databaseUrl !== null && masterKey === null && !isLoopbackInstall) {
    faults.push(
      'MASTER_KEY is required with DATABASE_URL: 64 hexadecimal characters, such as `openssl rand -hex 32` prints.',
    )
  }

  const fxSources = readFxSources(
    { text: text('FX_SOURCES'), isLoopbackInstall, devnet: argv.includes('--devnet') },
    faults,
  )

  const signupAllow = list('SIGNUP_ALLOW')
  const signupText = text('SIGNUP')
  if (signupText === null && !isLoopbackInstall) faults.push('SIGNUP must be said: open, closed or allowlist.')
  const signupKind = oneOf('SIGNUP', ['open', 'closed', 'allowlist'] as const, isLoopbackInstall ? 'open' : 'closed')
  if (signupKind === 'allowlist' && signupAllow.length === 0) {
    faults.push('SIGNUP=allowlist needs SIGNUP_ALLOW, such as "*@shop.example,ann@other.example".')
  }

  for (const pattern of signupAllow) {
    if (!/^[^@]+@[^@]+$/.test(pattern)) {
      faults.push(`SIGNUP_ALLOW has "${pattern}"; it takes addresses and whole domains written *@shop.example.`)
    }
  }
  const operatorEmails = list('OPERATOR_EMAILS').map((email) => email.toLowerCase())
  for (const email of operatorEmails) {
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) faults.push(`OPERATOR_EMAILS has "${email}", which is not an email address.`)
  }
  const freshSignInS = integer('FRESH_SIGN_IN_S', FRESH_SIGN_IN_S, 1, DAY_MS / SECOND_MS)
  if (freshSignInS < FRESH_SIGN_IN_S && !isLoopbackInstall) {
    faults.push(`FRESH_SIGN_IN_S may be less than ${FRESH_SIGN_IN_S} only on a loopback install.`)
  }

  const rateLimits = oneOf('RATE_LIMITS', ['on', 'off'] as const, 'on') === 'on'
  if (!rateLimits && !isLoopbackInstall) faults.push('RATE_LIMITS=off is allowed only on a loopback install.')
  const allowPrivate =
    oneOf('WEBHOOK_ALLOW_PRIVATE', ['true', 'false'] as const, isLoopbackInstall ? 'true' : 'false') === 'true'
  if (allowPrivate && !isLoopbackInstall) {
    faults.push('WEBHOOK_ALLOW_PRIVATE=true is allowed only on a loopback install. Name single hosts in WEBHOOK_ALLOW.')
  }

  const metricsToken = text('METRICS_TOKEN')
  if (!isLoopbackInstall) {
    const databases = {
      DATABASE_URL: databaseUrl,
      MIGRATE_DATABASE_URL: migrateDatabaseUrl,
      BACKUP_DRILL_URL: backupDrillUrl,
    }
    refuseSamples({ ...databases, SMTP_URL: text('SMTP_URL'), METRICS_TOKEN: metricsToken }, faults)
  }

  const dataDir = resolve(text('DATA_DIR') ?? './data')
  const config: Config = {
    port,
    host,
    baseUrl,
    isLoopbackInstall,
    databaseUrl,
    migrateDatabaseUrl,
    dataDir,
    journalDir: resolve(text('JOURNAL_DIR') ?? join(dataDir, 'journal')),
    backupDir: text('BACKUP_DIR') === null ? null : resolve(text('BACKUP_DIR') ?? ''),
    backupDrillUrl,
    masterKey,
    masterKeyOld,
    mode: oneOf('MODE', ['all', 'api', 'worker', 'migrate'] as const, 'all'),
    ...readMail({ smtpUrl: text('SMTP_URL'), mailFrom: text('MAIL_FROM'), baseUrl, isLoopbackInstall }, faults),
    signup: signupKind === 'allowlist' ? { kind: signupKind, patterns: signupAllow } : { kind: signupKind },
    signupMailsPerHour: integer('SIGNUP_MAILS_PER_HOUR', 200, 1, 100_000),
    operatorEmails,
    securityContact: readSecurityContact(list('SECURITY_CONTACT'), faults),
    freshSignInMs: freshSignInS * SECOND_MS,
    trustProxy: readTrustProxy({ ranges: list('TRUST_PROXY'), isLoopbackInstall }, faults),
    feeBps: integer('FEE_BPS', 0, 0, 1_000),
    feeAddresses: readFeeAddresses(text('FEE_ADDRESSES'), faults),
    fxSources,
    fxOverrides: readFxOverrides(text('FX_OVERRIDES'), fxSources, faults),
    railsConfig: text('RAILS_CONFIG'),
    rails: list('RAILS'),
    webhookRetryWaitsMs: readRetryWaits({ waits: text('WEBHOOK_RETRY_WAITS'), isLoopbackInstall }, faults),
    webhookTimeoutMs: integer('WEBHOOK_TIMEOUT_MS', WEBHOOK_TIMEOUT_MS, 100, WEBHOOK_TIMEOUT_MS),
    ...readTargets(
      {
        webhookAllow: list('WEBHOOK_ALLOW'),
        webhookAllowPrivate: allowPrivate,
        webhookOwnAddresses: list('WEBHOOK_OWN_ADDRESSES'),
      },
      isLoopbackInstall,
      faults,
    ),
    retentionEventsMs: days('RETENTION_EVENTS', 90),
    retentionAttemptsMs: days('RETENTION_ATTEMPTS', 30),
    rateLimits,
    requestsPerMinute: {
      key: integer('RATE_LIMIT_KEY', usualRequestsPerMinute.key, 60, 10_000_000),
      merchant: integer('RATE_LIMIT_MERCHANT', usualRequestsPerMinute.merchant, 60, 10_000_000),
      address: integer('RATE_LIMIT_ADDRESS', usualRequestsPerMinute.address, 60, 10_000_000),
    },
    drainDelayMs: integer('DRAIN_DELAY_S', isLoopbackInstall ? 0 : 5, 0, 120) * SECOND_MS,
    metricsToken,
    logLevel: oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const, 'info'),
    accessLog: oneOf('ACCESS_LOG', ['on', 'off'] as const, 'off') === 'on',
    otlp: readOtlp(
      {
        url: text('OTEL_EXPORTER_OTLP_ENDPOINT'),
        headers: list('OTEL_EXPORTER_OTLP_HEADERS'),
        service: text('OTEL_SERVICE_NAME'),
      },
      faults,
    ),
    devnet: argv.includes('--devnet'),
  }
  if (faults.length > 0) throw new SettingsError('The settings are', faults, 'docs/operations.md#settings')
  return Object.freeze(config)
}
