// `npm run doctor`: looks at this server from outside and from inside, changes nothing, and says what is wrong and what to do: settings,
// database, clock, disks, backups, mail, queues, and by the processes that run chains, gas and jobs. `-- --json` for
// programs; `-- --process URL` for each process, where none answers on this machine. Exit code 1: something is to be mended.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Check, fault, ok, warning } from '@florin/platform/check'
import { machineClock } from '@florin/platform/clock'
import { examineMasterKey } from '@florin/platform/db/master-key'
import { openPool } from '@florin/platform/db/pool'
import { OperatorError, SettingsError } from '@florin/platform/errors'
import { isLoopbackHost } from '@florin/platform/http/loopback'
import { greetMailServer } from '@florin/platform/mail/mailer'
import { makeSecrets } from '@florin/platform/secrets'
import { readChains, readIntents, readUtxoChains } from '../../compose.ts'
import { readConfig } from '../../config.ts'
import { readMasterKey } from '../../deps.ts'
import { findRunningEmbedded } from '../../embedded.ts'
import { sealedTables } from '../../sealed.ts'
import type { Config } from '../../settings.ts'
import { examineInstall } from '../golive.ts'
import { examineDatabase, ofEmbedded } from './database.ts'
import { examineDisks } from './install.ts'
import { examineProcess } from './processes.ts'
import { reportOf } from './report.ts'
import { readServer } from './store.ts'

const said = (error: unknown): string => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))

/** What a look throws is what it found. */
async function look(name: string, cure: string, examine: () => Promise<Check[]>): Promise<Check[]> {
  return examine().catch((error: unknown) => [fault(name, said(error), cure)])
}

function settings(): { config: Config | null; checks: Check[] } {
  const cure = 'docs/operations.md#settings'
  try {
    const config = readConfig()
    const chains = [...readChains(config), ...readUtxoChains(config)].length
    const swaps = readIntents(config) === null ? '' : ', and swaps'
    return { config, checks: [ok('settings', `They are complete; ${chains} chains are set${swaps}.`)] }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    const faults = error instanceof SettingsError ? error.faults : [error.message]
    return { config: null, checks: faults.map((each) => fault('settings', each, cure)) }
  }
}

async function ofDatabase(config: Config): Promise<Check[]> {
  const url = config.databaseUrl ?? (await findRunningEmbedded(config.dataDir))
  if (url === null)
    return [
      fault(
        'postgresql',
        `No Florin runs over ${config.dataDir}.`,
        'Start it, or set DATA_DIR or DATABASE_URL as it is started with.',
      ),
    ]
  const sql = openPool({
    ...{ url, max: 2, applicationName: 'florin doctor' },
    // It looks and touches nothing.
    settings: { default_transaction_read_only: 'on' },
  })
  try {
    const checks = await examineDatabase(sql, machineClock.now)
    if (config.databaseUrl === null) {
      checks.push(ofEmbedded((await readServer(sql)).version, config.isLoopbackInstall))
    }
    if (checks.some(({ id, status }) => id === 'migrations' && status === 'fault')) return checks
    const key = await look('master_key', 'docs/operations.md#keys-and-secrets', async () => {
      // Asked for, a key that is not there would be made.
      if (config.masterKey === null && !existsSync(join(config.dataDir, 'master.key')))
        return [
          fault('master_key', `There is none in ${config.dataDir}.`, 'Set MASTER_KEY, or DATA_DIR as Florin has it.'),
        ]
      const secrets = makeSecrets(await readMasterKey(config), config.masterKeyOld)
      await examineMasterKey(sql, secrets, { rows: sealedTables, now: machineClock.now() })
      return [ok('master_key', 'It opens what is sealed.')]
    })
    const points = await examineInstall({ config, sql, clock: machineClock })
    // A machine for trying has none of what real money needs.
    const asked = config.isLoopbackInstall
      ? points.filter(({ id }) => id === 'backups' && config.backupDir !== null)
      : points
    return [...checks, ...key, ...asked]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function ofMail({ smtpUrl, isLoopbackInstall }: Config): Promise<Check[]> {
  if (smtpUrl === null)
    return [
      isLoopbackInstall
        ? ok('mail', 'It is shown on the terminal.')
        : warning('mail', 'It is shown on the terminal.', 'Set SMTP_URL.'),
    ]
  await greetMailServer(smtpUrl)
  return [ok('mail', `${new URL(smtpUrl).hostname} takes our sign-in.`)]
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, process: { type: 'string', multiple: true } },
  })
  const { config, checks } = settings()
  if (config !== null) {
    const host = isLoopbackHost(config.host) || /^(0\.0\.0\.0|::)$/.test(config.host) ? '127.0.0.1' : config.host
    const processes = values.process ?? [`http://${host}:${config.port}`]
    const looks = [
      look('postgresql', 'Is it up, and is DATABASE_URL right?', () => ofDatabase(config)),
      look('disk', 'Look at the folders of the settings.', () => examineDisks(config)),
      look('mail', 'Look at SMTP_URL and the mail server: docs/operations.md#florinmaildown.', () => ofMail(config)),
      ...processes.map((url) => look('process', 'docs/operations.md#processes', () => examineProcess(url))),
    ]
    checks.push(...(await Promise.all(looks)).flat())
  }
  const isWell = checks.every(({ status }) => status !== 'fault')
  process.stdout.write(values.json ? `${JSON.stringify({ ok: isWell, checks }, null, 2)}\n` : reportOf(checks))
  process.exitCode = isWell ? 0 : 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${said(error)}\n`)
  process.exitCode = 2
})
