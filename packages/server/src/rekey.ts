// `npm run rekey`: gives the database another master key while Florin is stopped. Killed anywhere, it is run again.
// With MASTER_KEY and MASTER_KEY_OLD set it seals everything under MASTER_KEY. Without them it makes a new key, seals
// everything under it and puts it into DATA_DIR/master.key.
// `npm run rekey -- --abandon KEY_ID` gives up what a lost key sealed.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { databaseClock } from '@florin/platform/clock'
import { runCommand } from '@florin/platform/command'
import { checkMasterKey } from '@florin/platform/db/master-key'
import type { Sql } from '@florin/platform/db/pool'
import { reseal } from '@florin/platform/db/reseal'
import { OperatorError } from '@florin/platform/errors'
import { makeSecrets, newMasterKey } from '@florin/platform/secrets'
import { readConfig } from './config.ts'
import { withOwnDatabase } from './embedded.ts'
import { abandonWebhookSecrets } from './keys/store.ts'
import { abandonSeed } from './recovery/seed.store.ts'
import { sealedTables } from './sealed.ts'
import type { Config } from './settings.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

interface Keys {
  current: string
  former: string | null
  /** What makes the change last, once everything is sealed anew. */
  keep(): Promise<void>
}

async function keysOf(config: Config): Promise<Keys> {
  if (config.masterKey !== null) {
    if (config.masterKeyOld === null)
      throw new OperatorError('Set MASTER_KEY to the new key and MASTER_KEY_OLD to the one in use, then run it again.')
    return { current: config.masterKey, former: config.masterKeyOld, keep: async () => undefined }
  }
  const file = join(config.dataDir, 'master.key')
  const next = `${file}.new`
  const former = await readKey(file)
  if (former === null) throw new OperatorError(`There is no ${file}. Set MASTER_KEY and MASTER_KEY_OLD instead.`)
  // A run that was killed has left its key behind, and rows that are sealed with it.
  await writeFile(next, `${newMasterKey()}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const current = await readKey(next)
  if (current === null) throw new OperatorError(`${next} does not hold a master key. Delete it and run this again.`)
  return { current, former, keep: () => rename(next, file) }
}

async function readKey(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /^[0-9a-f]{64}\n?$/.test(text) ? text.trim() : null
}

async function rekey(sql: Sql, config: Config): Promise<void> {
  const clock = await databaseClock(sql)
  const keys = await keysOf(config)
  const secrets = makeSecrets(keys.current, keys.former)
  await checkMasterKey(sql, secrets, { rows: sealedTables, now: clock.now() })
  for (const rows of sealedTables) {
    const done = await reseal({ sql, clock, secrets }, rows, (moved) => say(`  ${moved} ${rows.what} …`))
    say(`${done.moved} ${rows.what} are sealed with the new key.`)
    if (done.unreadable > 0) say(`${done.unreadable} ${rows.what} could not be opened with either key and were left.`)
  }
  await keys.keep()
  say(config.masterKey === null ? 'DATA_DIR/master.key holds the new key.' : 'MASTER_KEY_OLD is no longer needed.')
}

async function abandon(sql: Sql, keyId: string): Promise<void> {
  const clock = await databaseClock(sql)
  const owners = await abandonWebhookSecrets(sql, { keyId, now: clock.now() })
  say(`${owners.length} webhook secrets under master key ${keyId} were given up.`)
  if (owners.length > 0)
    say(`These API keys and endpoints need a new one before their webhooks go out:\n${owners.join('\n')}`)
  if (await abandonSeed(sql, keyId))
    say(
      'The recovery seed was given up too; the next start makes another. An exported copy still reads the journal so far.',
    )
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { abandon: { type: 'string' } } })
  const config = readConfig()
  await withOwnDatabase(config, { applicationName: 'florin rekey', besideRunning: false, say }, (sql) =>
    values.abandon === undefined ? rekey(sql, config) : abandon(sql, values.abandon),
  )
}

runCommand(main)
