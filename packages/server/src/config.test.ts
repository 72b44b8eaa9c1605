import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { SettingsError } from '@florin/platform/errors'
import { withFiles } from '@florin/platform/from-files'
import { newMasterKey } from '@florin/platform/secrets'
import { DAY_MS } from '@florin/protocol'
import fc from 'fast-check'
import { masterKeyOf } from '../test/deploy/master-keys.ts'
import { readConfig, variables } from './config.ts'
import { examineSettings } from './reports/golive.ts'

type Environment = Record<string, string>
const key = masterKeyOf('settings')
/** An install that is reached from outside, with all that it must say. */
const outside: Environment = {
  HOST: '0.0.0.0',
  BASE_URL: 'https://pay.shop.example',
  SMTP_URL: 'smtps://mail.shop.example',
  SIGNUP: 'closed',
}

function faultsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment, [])
    return []
  } catch (error) {
    assert(error instanceof SettingsError)
    for (const fault of error.faults) assert.ok(error.message.includes(fault))
    return error.faults
  }
}

test('a loopback install needs no settings', () => {
  const config = readConfig({}, [])
  assert.deepEqual(config, {
    port: 3000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:3000',
    isLoopbackInstall: true,
    databaseUrl: null,
    migrateDatabaseUrl: null,
    dataDir: resolve('data'),
    journalDir: resolve('data/journal'),
    backupDir: null,
    backupDrillUrl: null,
    masterKey: null,
    masterKeyOld: null,
    mode: 'all',
    smtpUrl: null,
    mailFrom: 'Florin <florin@localhost>',
    signup: { kind: 'open' },
    signupMailsPerHour: 200,
    operatorEmails: [],
    securityContact: [],
    freshSignInMs: 900_000,
    trustProxy: [],
    feeBps: 0,
    feeAddresses: {},
    fxSources: ['ecb', 'frankfurter', 'boc', 'cnb', 'coinbase', 'kraken'].map((id) => ({ id, url: null })),
    fxOverrides: new Map(),
    railsConfig: null,
    rails: [],
    webhookRetryWaitsMs: [60_000, 300_000, 1_800_000, 7_200_000],
    webhookTimeoutMs: 10_000,
    webhookAllow: [],
    webhookAllowPrivate: true,
    webhookOwnAddresses: [],
    retentionEventsMs: 90 * DAY_MS,
    retentionAttemptsMs: 30 * DAY_MS,
    rateLimits: true,
    requestsPerMinute: { key: 3_000, merchant: 9_000, address: 3_000 },
    drainDelayMs: 0,
    metricsToken: null,
    logLevel: 'info',
    accessLog: false,
    otlp: null,
    devnet: false,
  })
  // Settings that are empty are settings that are not there.
  assert.deepEqual(readConfig(Object.fromEntries(variables.map((name) => [name, ' '])), []), config)
  assert.equal(readConfig({}, ['--devnet']).devnet, true)
})

test('every variable is read', () => {
  const config = readConfig(
    {
      ...outside,
      PORT: '8080',
      BASE_URL: 'https://pay.shop.example/',
      DATABASE_URL: 'postgresql://db.internal/florin',
      MIGRATE_DATABASE_URL: 'postgres://owner@db.internal:5433/florin',
      DATA_DIR: '/var/lib/florin',
      JOURNAL_DIR: '/mnt/other/journal',
      BACKUP_DIR: '/mnt/backups',
      BACKUP_DRILL_URL: 'postgres://drill:Vq3ZkL9wT2@db-2/postgres',
      MASTER_KEY: key.toUpperCase(),
      MASTER_KEY_OLD: 'cd'.repeat(32),
      MODE: 'worker',
      MAIL_FROM: 'Shop <pay@shop.example>',
      SIGNUP: 'allowlist',
      SIGNUP_ALLOW: '*@shop.example, ann@other.example,',
      SIGNUP_MAILS_PER_HOUR: '9',
      OPERATOR_EMAILS: 'Boss@Shop.example',
      SECURITY_CONTACT: 'security@shop.example, https://shop.example/security',
      FRESH_SIGN_IN_S: '3600',
      TRUST_PROXY: '10.0.0.0/8, 2001:db8::/32,192.0.2.1',
      FEE_BPS: '25',
      FEE_ADDRESSES: 'eth=0xabc, base = 0xdef',
      FX_SOURCES: 'ecb, bank=https://rates.example/usd.json',
      FX_OVERRIDES: 'LBP=89500, ARS=bank',
      RAILS_CONFIG: '/etc/florin/rails.json',
      RAILS: 'florin-toy-rail, ./rails/own.js',
      WEBHOOK_RETRY_WAITS: '60, 300, 1800, 9000',
      WEBHOOK_TIMEOUT_MS: '5000',
      WEBHOOK_ALLOW: 'shop.internal:8080,10.0.0.0/8',
      WEBHOOK_ALLOW_PRIVATE: 'false',
      WEBHOOK_OWN_ADDRESSES: '198.51.100.7, 2001:db8::/48',
      RETENTION_EVENTS: '7 d',
      RETENTION_ATTEMPTS: '3',
      RATE_LIMITS: 'on',
      RATE_LIMIT_KEY: '60000',
      RATE_LIMIT_MERCHANT: '90000',
      RATE_LIMIT_ADDRESS: '120000',
      DRAIN_DELAY_S: '7',
      METRICS_TOKEN: 'a token of 24 characters',
      LOG_LEVEL: 'warn',
      ACCESS_LOG: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer abc, x-tenant = shop',
      OTEL_SERVICE_NAME: 'pay',
    },
    [],
  )
  assert.deepEqual(config, {
    port: 8080,
    host: '0.0.0.0',
    baseUrl: 'https://pay.shop.example',
    isLoopbackInstall: false,
    databaseUrl: 'postgresql://db.internal/florin',
    migrateDatabaseUrl: 'postgres://owner@db.internal:5433/florin',
    dataDir: '/var/lib/florin',
    journalDir: '/mnt/other/journal',
    backupDir: '/mnt/backups',
    backupDrillUrl: 'postgres://drill:Vq3ZkL9wT2@db-2/postgres',
    masterKey: key,
    masterKeyOld: 'cd'.repeat(32),
    mode: 'worker',
    smtpUrl: 'smtps://mail.shop.example',
    mailFrom: 'Shop <pay@shop.example>',
    signup: { kind: 'allowlist', patterns: ['*@shop.example', 'ann@other.example'] },
    signupMailsPerHour: 9,
    operatorEmails: ['boss@shop.example'],
    securityContact: ['mailto:security@shop.example', 'https://shop.example/security'],
    freshSignInMs: 3_600_000,
    trustProxy: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'],
    feeBps: 25,
    feeAddresses: { eth: '0xabc', base: '0xdef' },
    fxSources: [
      { id: 'ecb', url: null },
      { id: 'bank', url: 'https://rates.example/usd.json' },
    ],
    fxOverrides: new Map([
      ['LBP', { kind: 'rate', rate: '89500' }],
      ['ARS', { kind: 'source', source: 'bank' }],
    ]),
    railsConfig: '/etc/florin/rails.json',
    rails: ['florin-toy-rail', './rails/own.js'],
    webhookRetryWaitsMs: [60_000, 300_000, 1_800_000, 9_000_000],
    webhookTimeoutMs: 5000,
    webhookAllow: ['shop.internal:8080', '10.0.0.0/8'],
    webhookAllowPrivate: false,
    webhookOwnAddresses: ['198.51.100.7', '2001:db8::/48'],
    retentionEventsMs: 7 * DAY_MS,
    retentionAttemptsMs: 3 * DAY_MS,
    rateLimits: true,
    requestsPerMinute: { key: 60_000, merchant: 90_000, address: 120_000 },
    drainDelayMs: 7000,
    metricsToken: 'a token of 24 characters',
    logLevel: 'warn',
    accessLog: true,
    otlp: {
      url: 'http://collector:4318/v1/traces',
      headers: { authorization: 'Bearer abc', 'x-tenant': 'shop' },
      service: 'pay',
    },
    devnet: false,
  })
})

test('all faults are named at once, each with its variable', () => {
  const bad: Environment = {
    PORT: '65536',
    BASE_URL: 'pay.shop.example',
    DATABASE_URL: 'mysql://localhost/florin',
    MASTER_KEY: 'short',
    MASTER_KEY_OLD: 'x'.repeat(64),
    MODE: 'both',
    SMTP_URL: 'mail.shop.example:25',
    MAIL_FROM: 'nobody',
    SIGNUP: 'maybe',
    SIGNUP_ALLOW: 'shop.example',
    OPERATOR_EMAILS: 'boss',
    TRUST_PROXY: '10.0.0.0/33,proxy.internal',
    FEE_BPS: '1001',
    FEE_ADDRESSES: '0xabc',
    FX_SOURCES: 'ecb,ecb,fixer,Bank=https://rates.example,bank=ftp://rates.example',
    FX_OVERRIDES: 'LBP=0,ARS=yadio,EUR=0.9,EUR=1,XAU=1,JPY',
    WEBHOOK_RETRY_WAITS: '1,2,3',
    WEBHOOK_TIMEOUT_MS: '10001',
    WEBHOOK_ALLOW_PRIVATE: 'yes',
    RETENTION_EVENTS: '0 d',
    RETENTION_ATTEMPTS: 'long',
    RATE_LIMITS: 'none',
    LOG_LEVEL: 'loud',
  }
  const faults = faultsOf(bad)
  for (const name of Object.keys(bad)) {
    assert.ok(
      faults.some((fault) => fault.startsWith(`${name} `)),
      `no fault names ${name}: ${faults.join('\n')}`,
    )
    assert.equal(
      faultsOf({ [name]: bad[name] ?? '' }).every((fault) => fault.startsWith(`${name} `)),
      true,
      name,
    )
  }
  assert.equal(faults.filter((fault) => fault.startsWith('TRUST_PROXY ')).length, 2)
  assert.equal(faults.filter((fault) => fault.startsWith('FX_SOURCES ')).length, 4)
  assert.equal(faults.filter((fault) => fault.startsWith('FX_OVERRIDES ')).length, 5)
  assert.match(faultsOf({ FX_SOURCES: 'off', FX_OVERRIDES: 'LBP=89500' }).join(), /FX_OVERRIDES .*FX_SOURCES is off/)
})

test('numbers are whole numbers in their range, nothing else', () => {
  for (const value of ['-1', '1.5', '1e3', '0x10', '3000;', 'NaN', '9'.repeat(20)]) {
    assert.equal(faultsOf({ PORT: value }).length, 1, value)
  }
  assert.equal(readConfig({ PORT: '0' }, []).port, 0)
})

test('a database for migrations alone is refused, and one that cannot be read is named', () => {
  assert.match(faultsOf({ MIGRATE_DATABASE_URL: 'postgres://db/florin' }).join(), /there is no DATABASE_URL/)
  const both = { ...outside, DATABASE_URL: 'postgres://pooler/florin', MASTER_KEY: key }
  const sample = 'postgres://florin_owner:PASSWORD@db/florin'
  assert.match(faultsOf({ ...both, MIGRATE_DATABASE_URL: sample }).join(), /MIGRATE_DATABASE_URL has the password/)
  assert.match(faultsOf({ ...both, MIGRATE_DATABASE_URL: 'mysql://db' }).join(), /MIGRATE_DATABASE_URL must start with/)
  assert.match(faultsOf({ ...both, MIGRATE_DATABASE_URL: 'postgres://a b/' }).join(), /MIGRATE_DATABASE_URL cannot be/)
})

test('a database address of several hosts: refused in one sentence, without the password', () => {
  const several = [
    'ann:pa%2Css@one:5433,two:5432/florin',
    'ann:pass@one,two/florin',
    'ann:pass@one/florin?host=one%2Ctwo',
  ]
  const choosing = ['ann:pass@one/florin?sslmode=require&target_session_attrs=read-write']
  for (const name of ['DATABASE_URL', 'MIGRATE_DATABASE_URL'])
    for (const rest of [...several, ...choosing]) {
      const both = { DATABASE_URL: 'postgres://pooler/florin', [name]: `postgres://${rest}` }
      const [fault = '', ...others] = faultsOf(both)
      assert.match(fault, new RegExp(`^${name} has to name one host: .*HAProxy.*pooler.*managed service.*\\.$`), rest)
      assert.deepEqual([others, /pa(ss|%2C)/.test(fault)], [[], false])
    }
  const one = ['ann:pa,ss@[::1]:5433/florin', 'ann@db/florin?host=/run/postgresql&application_name=a,b', 'db/florin']
  for (const rest of one) assert.deepEqual(faultsOf({ DATABASE_URL: `postgres://${rest}` }), [], rest)
})

test('what is a secret is not echoed, even when it is wrong', () => {
  const faults = faultsOf({
    MASTER_KEY: `${key}0`,
    DATABASE_URL: 'mysql://florin:database-password@localhost/florin',
    SMTP_URL: 'http://florin:mail-password@localhost',
    FX_SOURCES: 'https://u:rate-password@rates.example,bank=https://u:rate-password@rates.example',
  }).join('\n')
  for (const secret of [key, 'database-password', 'mail-password', 'rate-password'])
    assert.equal(faults.includes(secret), false)
})

test('master keys that a sample shows or a hand typed are refused, and the former key may be such a one', () => {
  const row = (byteAt: (n: number) => number): string =>
    Buffer.from(Array.from({ length: 32 }, (_, n) => byteAt(n) & 255)).toString('hex')
  const rows = [
    ...[(n: number) => n, (n: number) => 0x1f - n, (n: number) => 0x11 * n, (n: number) => 0xf0 + 7 * n],
    ...[(n: number) => (n % 2 === 0 ? n : 0xff - n), (n: number) => (n < 16 ? n : n + 0x50)],
  ].map(row)
  const typed = [
    ...['00', 'ff', 'ab', '5e'].map((byte) => byte.repeat(32)),
    '0123456789abcdef'.repeat(4),
    'deadbeef'.repeat(8),
    key.slice(0, 32).repeat(2),
    `${'00'.repeat(31)}01`,
    `${'00'.repeat(18)}${key.slice(0, 28)}`,
    ...rows,
  ]
  for (const MASTER_KEY of typed) {
    for (const environment of [{ MASTER_KEY }, { ...outside, MASTER_KEY: MASTER_KEY.toUpperCase() }]) {
      const faults = faultsOf(environment).join()
      assert.match(faults, /^MASTER_KEY is not random.*openssl rand -hex 32.*MASTER_KEY_OLD/, MASTER_KEY)
      assert.ok(!faults.toLowerCase().includes(MASTER_KEY))
    }
    // The way out of a key that was taken before.
    assert.deepEqual(faultsOf({ MASTER_KEY: key, MASTER_KEY_OLD: MASTER_KEY }), [])
  }
  fc.assert(
    fc.property(fc.constant(null), () => {
      assert.deepEqual(faultsOf({ MASTER_KEY: newMasterKey() }), [])
    }),
  )
  // Every row with one step, from any start.
  fc.assert(
    fc.property(fc.nat(255), fc.nat(255), (start, step) => {
      assert.match(faultsOf({ MASTER_KEY: row((n) => start + step * n) }).join(), /^MASTER_KEY is not random/)
    }),
  )
})

test('off loopback a token that can be guessed and ranges that hold everybody are refused; passwords are reported', () => {
  const off = { ...outside, MASTER_KEY: key }
  for (const [name, value] of [
    ...['aaaaaaaaaaaaaaaa', 'abcdefghijklmnop', '1234567890123456', 'abababababababab', 'secret0000000000'].map(
      (token) => ['METRICS_TOKEN', token] as const,
    ),
    ...[
      ...['0.0.0.0/0', '::/0', '128.0.0.0/1', '::ffff:0:0/96', '::/64', '2000::/3'],
      // Public networks of many operators, and all of IPv4 in forms of IPv6.
      ...['8.0.0.0/8', '203.0.0.0/8', '172.0.0.0/8', '192.0.0.0/8', '52.0.0.0/11', '2600::/12', '2a00::/16'],
      ...[
        '64:ff9b::/96',
        '64:ff9b::/32',
        '64:ff9b::800:0/104',
        '2002::/16',
        '2002:800::/24',
        '::ffff:0:0:0/96',
        '::/96',
      ],
      ...['::ffff:8.0.0.0/104', '::ffff:0:8.0.0.0/104', '::8.0.0.0/104'],
    ].flatMap((range) => [
      ['TRUST_PROXY', range] as const,
      ['WEBHOOK_ALLOW', range] as const,
      ['WEBHOOK_OWN_ADDRESSES', range] as const,
    ]),
  ]) {
    const faults = faultsOf({ ...off, [name]: value })
    assert.equal(faults.length, 1, `${name}=${value}`)
    assert.match(faults[0] ?? '', new RegExp(`^${name} `))
    assert.deepEqual(faultsOf({ [name]: value }), [], 'on loopback nobody is let in by it')
  }
  fc.assert(
    fc.property(fc.constant(null), () => {
      assert.deepEqual(faultsOf({ ...off, METRICS_TOKEN: newMasterKey().slice(0, 16) }), [])
    }),
  )
  for (const range of [
    '10.0.0.0/8',
    '172.16.0.0/12',
    'fc00::/7',
    'fd00:1234::/32',
    '103.21.244.0/22',
    '2400:cb00::/32',
    '104.16.0.0/13',
    '2600:9000::/28',
    '64:ff9b::a00:0/104',
    '2002:a00::/24',
    '::ffff:10.0.0.0/104',
    '::ffff:192.168.0.0/112',
    '127.0.0.0/8',
  ])
    assert.deepEqual(
      faultsOf({ ...off, TRUST_PROXY: range, WEBHOOK_ALLOW: range, WEBHOOK_OWN_ADDRESSES: range }),
      [],
      range,
    )
  const openOf = (more: object): string[] =>
    examineSettings(readConfig({ ...off, ...more }, [])).flatMap(({ status, id }) => (status === 'ok' ? [] : [id]))
  const fine = {
    SMTP_URL: `smtp://florin:${newMasterKey().slice(0, 12)}@mail.example:587`,
    WEBHOOK_ALLOW: '10.1.2.0/24',
  }
  assert.deepEqual(openOf(fine), [])
  for (const password of ['password1', 'Florin2026!', 'short', '12345678', 'p%61ssword1'])
    assert.deepEqual(openOf({ SMTP_URL: `smtp://florin:${password}@mail.example:587` }), ['passwords'], password)
  assert.deepEqual(openOf({ DATABASE_URL: 'postgres://florin:postgres@db:5432/florin' }), ['passwords'])
  const longer = 'postgres://db.example/florin?sslmode=require&password=hunter2'
  assert.deepEqual(openOf({ DATABASE_URL: longer }), ['passwords'])
  assert.deepEqual(openOf({ BACKUP_DRILL_URL: longer }), ['passwords'])
  for (const range of ['10.0.0.0/8', 'fc00::/7', '127.0.0.0/8', '64:ff9b::a00:0/104'])
    assert.deepEqual(openOf({ WEBHOOK_ALLOW: range }), ['webhook_allow'], range)
})

test('a user or a password in an address that everybody sees, or that nothing sends, is refused and not repeated', () => {
  for (const [name, value] of [
    ['BASE_URL', 'https://ann:hunter2@pay.shop.example'],
    ['BASE_URL', 'https://hunter2@pay.shop.example/shop?x#y'],
    ['BASE_URL', 'https://ann:hunter2@'],
    ['BASE_URL', 'https:ann:hunter2@pay.shop.example'],
    ['BASE_URL', 'ann:hunter2@pay.shop.example'],
    ['SECURITY_CONTACT', 'https://ann:hunter2@shop.example/report'],
    ['SECURITY_CONTACT', 'https://hunter2@'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://ann:hunter2@traces.example'],
  ] as const) {
    const faults = faultsOf({ ...outside, MASTER_KEY: key, [name]: value }).filter((fault) => fault.startsWith(name))
    assert.equal(faults.length, 1, value)
    assert.match(faults[0] ?? '', /a user or a password/)
    assert.doesNotMatch(faults.join(), /hunter2/)
  }
})

test('off loopback no secret of a sample is taken', () => {
  const bad: [string, string][] = [
    ['METRICS_TOKEN', 'change-me'],
    ['METRICS_TOKEN', 'fifteen letters'],
    ['DATABASE_URL', 'postgres://florin:password@db:5432/florin'],
    ['DATABASE_URL', 'postgres://florin:PASSWORD@localhost:5432/florin'],
    ['DATABASE_URL', 'postgres://pg.example/florin?user=florin&password=password'],
    ['DATABASE_URL', 'postgres://florin:p3kX0vq9tT@pg.example/florin?password=p%61ssword'],
    ['BACKUP_DRILL_URL', 'postgres://drill:password@pg.example/postgres'],
    ['SMTP_URL', 'smtp://user:password@mail.shop.example:587'],
  ]
  for (const [name, value] of bad) {
    assert.deepEqual(faultsOf({ [name]: value }), [], value)
    const faults = faultsOf({ ...outside, MASTER_KEY: key, [name]: value })
    assert.equal(faults.length, 1, value)
    assert.match(faults[0] ?? '', new RegExp(`^${name} `))
  }
})

test('an install that is reached from outside must say what a loopback install need not', () => {
  assert.deepEqual(faultsOf(outside), [])
  assert.equal(readConfig(outside, []).mailFrom, 'Florin <florin@pay.shop.example>')
  assert.equal(readConfig(outside, []).webhookAllowPrivate, false)
  const { SMTP_URL: _mail, ...withoutMail } = outside
  assert.match(faultsOf(withoutMail).join(), /^SMTP_URL is required/)
  const { SIGNUP: _signup, ...withoutSignup } = outside
  assert.match(faultsOf(withoutSignup).join(), /^SIGNUP must be said/)
  const withDatabase = { ...outside, DATABASE_URL: 'postgres://db/florin' }
  assert.match(faultsOf(withDatabase).join(), /^MASTER_KEY is required/)
  assert.deepEqual(faultsOf({ ...withDatabase, MASTER_KEY: key }), [])
  assert.match(faultsOf({ ...outside, FX_SOURCES: 'fixed' }).join(), /loopback/)
  assert.match(faultsOf({ ...outside, FX_SOURCES: 'bank=http://127.0.0.1/' }).join(), /https/)
  assert.deepEqual(readConfig({ ...outside, FX_SOURCES: 'off' }, []).fxSources, [])
  assert.match(faultsOf({ ...outside, SIGNUP: 'allowlist' }).join(), /SIGNUP_ALLOW/)
})

test('what is relaxed for development is relaxed on a loopback install only', () => {
  const relaxed: [string, string][] = [
    ['RATE_LIMITS', 'off'],
    ['WEBHOOK_ALLOW_PRIVATE', 'true'],
    ['WEBHOOK_RETRY_WAITS', '1,2,3,4'],
  ]
  for (const [name, value] of relaxed) {
    assert.deepEqual(faultsOf({ [name]: value }), [], name)
    assert.match(faultsOf({ ...outside, [name]: value }).join(), new RegExp(`^${name}.*only on a loopback install`))
  }
})

test('loopback means both the address listened on and the address told to others', () => {
  const isLoopback = (HOST: string, BASE_URL: string): boolean =>
    readConfig({ ...outside, HOST, BASE_URL, SIGNUP: 'open' }, []).isLoopbackInstall
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost', 'florin.localhost']) {
    assert.equal(isLoopback(host, 'http://localhost:3000'), true, host)
  }
  assert.equal(isLoopback('127.0.0.1', 'http://[::1]:3000'), true)
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example', '127.0.0.1.example', '2130706433']) {
    assert.equal(isLoopback(host, 'http://localhost:3000'), false, host)
  }
  assert.equal(isLoopback('127.0.0.1', 'https://pay.shop.example'), false)
})

test('.env.example names every variable once, with a value that is good and a default that is true', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../.env.example'), 'utf8')
  const entries = [...text.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']): [string, string] => [
    name,
    value.replace(/^"(.*)"$/, '$1'),
  ])
  assert.deepEqual(
    entries.map(([name]) => name),
    [...variables],
  )
  const all = readConfig(Object.fromEntries(entries), [])
  const usual = readConfig({}, [])
  const examples = new Set([
    'databaseUrl',
    'migrateDatabaseUrl',
    'backupDir',
    'backupDrillUrl',
    'masterKey',
    'masterKeyOld',
    'smtpUrl',
    'operatorEmails',
    'securityContact',
    'trustProxy',
    'feeAddresses',
    'fxOverrides',
    'railsConfig',
    'rails',
    'webhookAllow',
    'webhookOwnAddresses',
    'metricsToken',
    'otlp',
  ])
  for (const [name, value] of Object.entries(usual)) {
    if (!examples.has(name)) assert.deepEqual(Object.entries(all).find(([other]) => other === name)?.[1], value, name)
  }
})

test('any setting can come out of a file; both at once, an empty and a missing file are refused without its content', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'florin-settings-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const path = join(dir, 'master')
  writeFileSync(path, `${key}\n`)
  const read = (environment: Environment) => readConfig(withFiles({ FX_SOURCES: 'fixed', ...environment }), [])
  assert.equal(read({ MASTER_KEY_FILE: path }).masterKey, key)
  assert.equal(withFiles({ RELAYER_KEY_FILE: path }).RELAYER_KEY, key, 'keys of the rails file too')
  assert.equal(withFiles({ SSL_CERT_FILE: join(dir, 'nothing') }).PORT, undefined, 'a file of others is not read')
  assert.throws(() => read({ MASTER_KEY_FILE: path, MASTER_KEY: key }), /both set/)
  assert.throws(
    () => read({ MASTER_KEY_FILE: join(dir, 'nothing') }),
    /MASTER_KEY_FILE names .*nothing, which cannot be read \(ENOENT\)/,
  )
  writeFileSync(path, ' \n')
  assert.throws(() => read({ MASTER_KEY_FILE: path }), /which is empty/)
  writeFileSync(path, 'hunter2')
  assert.throws(
    () => read({ MASTER_KEY_FILE: path }),
    (error: Error) => /64 hexadecimal/.test(error.message) && !error.message.includes('hunter2'),
  )
})
