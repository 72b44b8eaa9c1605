// `npm run backup`: saves the database into BACKUP_DIR (or --out FILE), while Florin runs or is stopped.
// `npm run backup -- verify FILE`: reads it through and checks it. `npm run backup -- restore FILE`: into an empty database, with
// Florin stopped: a copy that sleeps, or with --replace the one that is used now; with --accept-differences also where tables read back
// other than they were saved. `-- activate`: so is a copy. `-- practise`: a database
// that was copied by other means sleeps. `npm run backup -- upgrade`: saves, migrates, and says how to go back; with Florin stopped.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { readMasterKey } from '../deps.ts'
import { findRunningEmbedded, openEmbedded } from '../embedded.ts'
import { machineClock } from '../platform/clock.ts'
import { runCommand } from '../platform/command.ts'
import { checkMasterKey } from '../platform/db/master-key.ts'
import { migrate } from '../platform/db/migrate.ts'
import { withoutHurry } from '../platform/db/pools.ts'
import { OperatorError } from '../platform/errors.ts'
import { makeLog } from '../platform/log.ts'
import { makeSecrets } from '../platform/secrets.ts'
import { sealedTables } from '../sealed.ts'
import { backUp, putToSleep, type Summary, type Tell, verify, wakeUp } from './backup.ts'
import { type Difference, restore } from './restore.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const EVERY_MS = 3_000

/** On the way, beside what is said at the end: nothing of what is over sooner. */
function telling(): Tell {
  const began = performance.now()
  let next = began + EVERY_MS
  return ({ what, tables, bytes }) => {
    const now = performance.now()
    if (now < next) return
    next = now + EVERY_MS
    const seconds = ((now - began) / 1000).toFixed(0)
    process.stderr.write(`${what}: ${tables} tables, ${(bytes / 1e6).toFixed(0)} MB after ${seconds} s\n`)
  }
}

const told = ({ release, at, tables, bytes, totals }: Summary): string =>
  `${tables} tables, ${totals.orders === undefined ? '' : `${totals.orders} orders, ${totals.events} events, `}${(bytes / 1e6).toFixed(1)} MB, of ${at}, by release ${release}`
const KEEP_THE_KEY =
  'The master key is not in it: keep MASTER_KEY, or DATA_DIR/master.key, in another place. Neither are the journal and the recovery seed.'

/** The embedded PostgreSQL where no URL is set: the one that runs, else it is started for this. */
async function withDatabase<T>(config: Config, mayRun: boolean, run: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== null) return run(config.databaseUrl)
  const running = await findRunningEmbedded(config.dataDir)
  if (running !== null && mayRun) return run(running)
  const embedded = await openEmbedded({ dataDir: config.dataDir, log: makeLog('warn'), onExit: say })
  try {
    return await run(embedded.url)
  } finally {
    await embedded.stop()
  }
}

const timeInNames = (): string =>
  machineClock
    .now()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')

async function save(config: Config, url: string, out: string | undefined): Promise<string> {
  const dir = config.backupDir ?? join(config.dataDir, 'backups')
  if (out === undefined) await mkdir(dir, { recursive: true, mode: 0o700 })
  const path = out === undefined ? join(dir, `florin-${timeInNames()}.backup`) : resolve(out)
  if (existsSync(path)) throw new OperatorError(`${path} is there already, and is not overwritten. Say another name.`)
  const saved = await backUp(url, path, telling())
  await verify(path, telling())
  say(`${path} holds ${told(saved)}. It was read through. ${KEEP_THE_KEY}`)
  return path
}

/** It has rows of the database in it, so it is readable by its owner alone. */
async function writeReport(config: Config, file: string, differences: readonly Difference[]): Promise<string> {
  const path = join(config.dataDir, `restore-differences-${timeInNames()}.json`)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await writeFile(path, `${JSON.stringify({ file, differences }, null, 2)}\n`, { mode: 0o600, flush: true })
  return path
}

async function upgrade(config: Config, url: string): Promise<void> {
  const path = await save(config, url, undefined)
  const back = `To go back: start the former release with an empty database and \`npm run backup -- restore ${path} --replace\`.`
  try {
    const ran = await withoutHurry(url, (sql) => migrate(sql))
    const secrets = makeSecrets(await readMasterKey(config), config.masterKeyOld)
    await withoutHurry(url, (sql) => checkMasterKey(sql, secrets, { rows: sealedTables, now: machineClock.now() }))
    say(ran.length === 0 ? 'The schema is of this release already.' : `Migrated: ${ran.join(', ')}.`)
    say(back)
  } catch (error) {
    say(`The upgrade failed; nothing has to be undone for a migration that failed. ${back}`)
    throw error
  }
}

const AWAKE = 'Start Florin with the master key of then.'
const ASLEEP =
  'It is a copy that sleeps: MODE=api shows it, with the master key of then, and nothing is sent or settled. If it replaces the Florin that was saved, which runs no more: npm run backup -- activate.'

const USAGE =
  'Say what: npm run backup [-- --out FILE], -- verify FILE, -- restore FILE [--replace] [--accept-differences], -- activate, -- practise, or -- upgrade. More: docs/operations.md.'

function said() {
  try {
    const options = {
      out: { type: 'string' },
      replace: { type: 'boolean', default: false },
      'accept-differences': { type: 'boolean', default: false },
    } as const
    return parseArgs({ options, allowPositionals: true })
  } catch (cause) {
    throw new OperatorError(`${cause instanceof Error ? cause.message : cause} ${USAGE}`, { cause })
  }
}

async function main(): Promise<void> {
  const { values, positionals } = said()
  const [what = 'save', file, ...more] = positionals
  const takesFile = what === 'verify' || what === 'restore'
  const isKnown = ['save', 'verify', 'restore', 'activate', 'practise', 'upgrade'].includes(what)
  const acceptsDifferences = values['accept-differences']
  const isSaid =
    (values.out === undefined || what === 'save') && ((!values.replace && !acceptsDifferences) || what === 'restore')
  if (!isKnown || !isSaid || takesFile !== (file !== undefined) || more.length > 0) throw new OperatorError(USAGE)
  const config = readConfig()
  if (what === 'verify' && file !== undefined) return say(`${file} is whole: ${told(await verify(file, telling()))}.`)
  await withDatabase(config, what === 'save', async (url) => {
    if (what === 'save') return void (await save(config, url, values.out))
    if (what === 'upgrade') return upgrade(config, url)
    if (what === 'activate') return say((await wakeUp(url)) ? AWAKE : 'This database is no copy: nothing was changed.')
    if (what === 'practise') {
      await putToSleep(url)
      return say(ASLEEP)
    }
    if (file === undefined) return
    const { replace: replaces } = values
    let reported: string | null = null
    const report = async (differences: readonly Difference[]): Promise<string> => {
      reported = await writeReport(config, file, differences)
      return reported
    }
    const restored = await restore(url, file, { replaces, acceptsDifferences, report }, telling())
    const how =
      reported === null ? 'Every table reads back as it was saved.' : `What differs is in ${reported}: keep it.`
    say(`Restored ${told(restored)}. ${how} ${replaces ? AWAKE : ASLEEP}`)
  })
}

runCommand(main)
