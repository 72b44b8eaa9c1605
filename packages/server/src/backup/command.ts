// `npm run backup`: saves the database into BACKUP_DIR (or --out FILE), while Florin runs or is stopped, and tries a restore of the file.
// `-- verify FILE` checks a file, `-- drill FILE` tries its restore, `-- restore FILE` restores it into an empty database with Florin
// stopped: a copy that sleeps, or with --replace the one that is used now. `-- activate`: so is a copy. `-- practise [BACKUP]`: a database
// that other tools restored sleeps, and BACKUP counts as tried. `-- upgrade`: saves, tries, migrates, and says how to go back.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { machineClock } from '@florin/platform/clock'
import { runCommand } from '@florin/platform/command'
import { checkMasterKey } from '@florin/platform/db/master-key'
import { migrate } from '@florin/platform/db/migrate'
import { withoutHurry } from '@florin/platform/db/pools'
import { OperatorError } from '@florin/platform/errors'
import { makeLog } from '@florin/platform/log'
import { makeSecrets } from '@florin/platform/secrets'
import { HOUR_MS } from '@florin/protocol'
import { restoreGivenAddresses } from '../compose.ts'
import { readConfig } from '../config.ts'
import { readMasterKey } from '../deps.ts'
import { findRunningEmbedded, openEmbedded } from '../embedded.ts'
import { packageMigrations } from '../migrations.ts'
import { markAfterRestore } from '../recovery/given.ts'
import { sealedTables } from '../sealed.ts'
import type { Config } from '../settings.ts'
import { backUp, putToSleep, readThrough, type Summary, type Tell, verify, wakeUp } from './backup.ts'
import { drill, recordForeignDrill, requireForeign } from './drill.ts'
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

const told = ({ release, at, installation, tables, bytes, totals }: Summary): string =>
  `${tables} tables, ${totals.orders === undefined ? '' : `${totals.orders} orders, ${totals.events} events, `}${(bytes / 1e6).toFixed(1)} MB, of ${at}, by release ${release}${installation === null ? '' : `, of the installation ${installation}`}`
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

/** A file that this long nobody wrote to was left by a backup that was killed. */
const LEFT_MS = HOUR_MS

async function folderOfBackups(config: Config): Promise<string> {
  const dir = config.backupDir ?? join(config.dataDir, 'backups')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  for (const name of await readdir(dir)) {
    if (!/^florin-\w+\.backup\.part$/.test(name)) continue
    const { mtimeMs } = await stat(join(dir, name))
    if (machineClock.now().getTime() - mtimeMs > LEFT_MS) await rm(join(dir, name), { force: true })
  }
  return dir
}

async function save(config: Config, url: string, a: { out?: string | undefined; isDrilled: boolean }): Promise<string> {
  const path =
    a.out === undefined ? join(await folderOfBackups(config), `florin-${timeInNames()}.backup`) : resolve(a.out)
  if (existsSync(path)) throw new OperatorError(`${path} is there already, and is not overwritten. Say another name.`)
  const saved = await backUp(url, path, telling())
  if (!a.isDrilled) {
    await verify(path, telling())
    say(
      `${path} holds ${told(saved)}. It was read through. No restore was tried, so it does not count yet: npm run backup -- drill ${path}. ${KEEP_THE_KEY}`,
    )
    return path
  }
  await drill(config, { path, bytes: saved.bytes }, telling()).catch((error: unknown) => {
    const why = error instanceof OperatorError ? error.message : 'a fault of Florin, which follows.'
    say(`${path} was written, and no restore of it succeeded, so it does not count as a backup: ${why}`)
    throw error
  })
  say(`${path} holds ${told(saved)}. ${TRIED} ${KEEP_THE_KEY}`)
  return path
}

const TRIED = 'A restore of it was tried, and every table read back as it was saved.'

/** It has rows of the database in it, so it is readable by its owner alone. */
async function writeReport(config: Config, file: string, differences: readonly Difference[]): Promise<string> {
  const path = join(config.dataDir, `restore-differences-${timeInNames()}.json`)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await writeFile(path, `${JSON.stringify({ file, differences }, null, 2)}\n`, { mode: 0o600, flush: true })
  return path
}

async function upgrade(config: Config, url: string, isDrilled: boolean): Promise<void> {
  const path = await save(config, url, { isDrilled }).catch((error: unknown) => {
    say('Nothing was migrated. With --no-drill no restore is tried.')
    throw error
  })
  const back = `To go back: start the former release with an empty database and \`npm run backup -- restore ${path} --replace\`.`
  try {
    const ran = await withoutHurry(url, (sql) => migrate(sql, packageMigrations))
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

const NO_JOURNAL =
  'Put the journals of all machines into folders below JOURNAL_DIR, and say: npm run backup -- activate. If they are lost, say it with --without-journal, and have each merchant who receives at an account of a wallet set its next index before the first order.'

/** The copy takes the place of the one that was saved. */
async function activate(config: Config, url: string, hasJournal: boolean): Promise<void> {
  const marked = hasJournal ? await withoutHurry(url, (sql) => markAfterRestore(sql, journalOf(config))) : ''
  say(
    (await wakeUp(url))
      ? [marked, AWAKE].filter((text) => text !== '').join(' ')
      : 'This database is no copy: nothing was changed.',
  )
}

const journalOf = (config: Config) => ({
  dir: config.journalDir,
  onNoJournal: NO_JOURNAL,
  restore: restoreGivenAddresses,
  async secrets() {
    if (config.masterKey === null && !existsSync(join(config.dataDir, 'master.key')))
      throw new OperatorError(
        'The journal is read with the master key of then. Set MASTER_KEY to it or put it into DATA_DIR/master.key, and say: npm run backup -- activate.',
      )
    return makeSecrets(await readMasterKey(config), config.masterKeyOld)
  },
})

const USAGE =
  'Say what: npm run backup [-- --out FILE], -- verify FILE, -- drill FILE, -- restore FILE [--replace] [--accept-differences], -- activate [--without-journal], -- practise [BACKUP], or -- upgrade. --no-drill tries no restore. More: docs/operations.md.'

function said() {
  try {
    const options = {
      out: { type: 'string' },
      replace: { type: 'boolean', default: false },
      'accept-differences': { type: 'boolean', default: false },
      'no-drill': { type: 'boolean', default: false },
      'without-journal': { type: 'boolean', default: false },
    } as const
    return parseArgs({ options, allowPositionals: true })
  } catch (cause) {
    throw new OperatorError(`${cause instanceof Error ? cause.message : cause} ${USAGE}`, { cause })
  }
}

async function main(): Promise<void> {
  const { values, positionals } = said()
  const [what = 'save', file, ...more] = positionals
  const fileOf = { verify: 'needed', drill: 'needed', restore: 'needed', practise: 'taken' } as const
  const takes = what in fileOf ? fileOf[what as keyof typeof fileOf] : 'none'
  const acceptsDifferences = values['accept-differences']
  const isDrilled = !values['no-drill']
  const hasJournal = !values['without-journal']
  const isKnown = ['save', 'verify', 'drill', 'restore', 'activate', 'practise', 'upgrade'].includes(what)
  const isSaid =
    (values.out === undefined || what === 'save') &&
    ((!values.replace && !acceptsDifferences) || what === 'restore') &&
    (isDrilled || what === 'save' || what === 'upgrade') &&
    (hasJournal || what === 'activate' || values.replace)
  const isFileRight = file === undefined ? takes !== 'needed' : takes !== 'none'
  if (!isKnown || !isSaid || !isFileRight || more.length > 0) throw new OperatorError(USAGE)
  const config = readConfig()
  if (what === 'verify' && file !== undefined) return say(`${file} is whole: ${told(await verify(file, telling()))}.`)
  if (what === 'drill' && file !== undefined) {
    const { bytes } = await verify(file, telling())
    return say(`${file} holds ${told(await drill(config, { path: file, bytes }, telling()))}. ${TRIED}`)
  }
  if (what === 'practise' && file !== undefined) await requireForeign(file)
  await withDatabase(config, what === 'save', async (url) => {
    if (what === 'save') return void (await save(config, url, { out: values.out, isDrilled }))
    if (what === 'upgrade') return upgrade(config, url, isDrilled)
    if (what === 'activate') return activate(config, url, hasJournal)
    if (what === 'practise') {
      const installation = await putToSleep(url)
      if (file === undefined) return say(ASLEEP)
      const { orders = '0' } = await readThrough(url, telling())
      await recordForeignDrill(file, { orders, installation })
      return say(`Every table can be read, with ${orders} orders. ${file} counts as tried. ${ASLEEP}`)
    }
    if (file === undefined) return
    const { replace: replaces } = values
    let reported: string | null = null
    const report = async (differences: readonly Difference[]): Promise<string> => {
      reported = await writeReport(config, file, differences)
      return reported
    }
    // A copy that sleeps, until what was given out after the backup is known.
    const restored = await restore(url, file, { replaces: false, acceptsDifferences, report }, telling())
    const how =
      reported === null ? 'Every table reads back as it was saved.' : `What differs is in ${reported}: keep it.`
    say(`Restored ${told(restored)}. ${how}${replaces ? '' : ` ${ASLEEP}`}`)
    if (replaces) await activate(config, url, hasJournal)
  })
}

runCommand(main)
