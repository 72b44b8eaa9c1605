// `npm run recovery -- export [--out FILE]`: prints the recovery seed, for a person to keep away from the server.
// `npm run recovery -- import FILE`: gives a new install the seed of one that was lost, before its first order.
// `npm run recovery -- read [FOLDER]`: marks addresses that a journal has, and a database that was restored has not, as given out.
// `npm run recovery -- journal`: writes every address that is still watched into the journal anew, where that was lost.
// With the embedded PostgreSQL, Florin is stopped for an import.
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { journalWriter, readSeed, writeSeed } from '@florin/exit/journal'
import { databaseClock } from '@florin/platform/clock'
import { runCommand } from '@florin/platform/command'
import type { Sql } from '@florin/platform/db/pool'
import { OperatorError } from '@florin/platform/errors'
import { makeSecrets } from '@florin/platform/secrets'
import { hasShownVault, listGivenRecords, listJournalEntries, restoreGivenAddresses } from '../compose.ts'
import { readConfig } from '../config.ts'
import { readMasterKey } from '../deps.ts'
import { withOwnDatabase } from '../embedded.ts'
import type { Config } from '../settings.ts'
import { markGiven } from './given.ts'
import { markSeedExported } from './seed.store.ts'
import { ensureSeed, importSeed } from './seed.ts'

const say = (line: string): void => void process.stderr.write(`${line}\n`)

async function exportSeed(sql: Sql, config: Config, out: string | undefined): Promise<void> {
  const clock = await databaseClock(sql)
  const secrets = makeSecrets(await readMasterKey(config), config.masterKeyOld)
  const { seed, exportedAt } = await ensureSeed(sql, secrets, clock.now())
  const text = `${writeSeed(seed)}\n`
  if (out === undefined) process.stdout.write(text)
  else await writeFile(out, text, { mode: 0o600, flag: 'wx' })
  await markSeedExported(sql, clock.now())
  if (exportedAt !== null) say(`It was exported before, first on ${exportedAt.toISOString()}.`)
  say('Keep it where neither this machine nor its backups are. It reads the journal and moves no money.')
}

async function takeSeed(sql: Sql, config: Config, file: string): Promise<void> {
  const clock = await databaseClock(sql)
  const secrets = makeSecrets(await readMasterKey(config), config.masterKeyOld)
  let seed: Uint8Array
  try {
    seed = readSeed(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new OperatorError(`${file} holds no recovery seed as the export writes it.`, { cause })
  }
  await importSeed(sql, secrets, { seed, now: clock.now(), hasShown: hasShownVault })
  say('The seed is this install’s now. Lay the old journal into JOURNAL_DIR: both go on under it.')
}

async function readJournals(sql: Sql, config: Config, dir: string): Promise<void> {
  const clock = await databaseClock(sql)
  const secrets = makeSecrets(await readMasterKey(config), config.masterKeyOld)
  const { seed } = await ensureSeed(sql, secrets, clock.now())
  const { files, marked, notes } = await markGiven(sql, { dir, seed, restore: restoreGivenAddresses })
  for (const note of notes) say(note)
  say(
    `${files} files of a journal are in ${dir}. ${marked} addresses in them were not known here, and are given to no other order.`,
  )
}

async function rewriteJournal(sql: Sql, config: Config): Promise<void> {
  const clock = await databaseClock(sql)
  const secrets = makeSecrets(await readMasterKey(config), config.masterKeyOld)
  const { seed } = await ensureSeed(sql, secrets, clock.now())
  const writer = journalWriter({ dir: config.journalDir, seed, now: () => clock.now() })
  let count = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows = await listJournalEntries(sql, after)
    await Promise.all(rows.map((entry) => writer.append(entry)))
    count += rows.length
    after = rows.at(-1)?.leg_ref
  }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows = await listGivenRecords(sql, after)
    await Promise.all(rows.map(({ record }) => writer.append(record)))
    count += rows.length
    after = rows.at(-1)?.ref
  }
  await writer.close()
  say(`${count} addresses are in the journal in ${config.journalDir}.`)
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true })
  const [what, file] = positionals
  const isKnown = what === 'export' || what === 'journal' || what === 'import' || what === 'read'
  const isFileRight = what === 'read' || (what === 'import') === (file !== undefined)
  if (!isKnown || !isFileRight) {
    throw new OperatorError(
      'Say what: npm run recovery -- export [--out FILE], -- import FILE, -- read [FOLDER], or -- journal.',
    )
  }
  const config = readConfig()
  // A running Florin holds the seed that it started with, so another one is imported while it is stopped.
  const how = { applicationName: 'florin recovery', besideRunning: what !== 'import', say }
  await withOwnDatabase(config, how, async (sql) => {
    if (what === 'export') await exportSeed(sql, config, values.out)
    else if (what === 'read') await readJournals(sql, config, file ?? config.journalDir)
    else if (file !== undefined) await takeSeed(sql, config, file)
    else await rewriteJournal(sql, config)
  })
}

runCommand(main)
