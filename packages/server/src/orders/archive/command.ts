// `npm run archive [-- --before DATE] [--share 50]`: moves closed orders to files in ARCHIVE_DIR.
// `npm run archive -- verify [FILE…]`: whether files are what was written. `-- restore --order ORD | --file FILE`: puts back.
// `npm run erase -- --order ORD | --email EMAIL | --before DATE [--with-invoices] [--with-texts]`: erases what is
// known of payers.
// All run beside a running Florin and are run again when they were killed.
import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { readConfig } from '../../config.ts'
import { withOwnDatabase } from '../../embedded.ts'
import { databaseClock } from '../../platform/clock.ts'
import { runCommand } from '../../platform/command.ts'
import { withoutLimits } from '../../platform/db/pool.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { Config } from '../../settings.ts'
import { COMPARED_FOR_MS } from '../reconcile/compare.ts'
import { orderNoPattern } from '../schema.ts'
import { ArchiveBusy, type ArchiveDeps, archiveOrders } from './archive.ts'
import { listOldPayers, listOrdersOf } from './erase.store.ts'
import { eraseOldInvoices, erasePayers } from './erase.ts'
import { verifyFile } from './file.ts'
import { keptUntil, restoreFile, restoreOrder } from './restore.ts'
import { findArchived, findFileByName, keepHot, listArchivedOf, listNeeded } from './store.ts'

/** A worker that archives is busy with a file for some minutes, and rests for one. */
const WAITS_MS = 20 * MINUTE_MS

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const usage = `npm run archive -- [--before 2026-01-31] [--share 50]
npm run archive -- verify [FILE…]
npm run archive -- restore --order ORD_… | --file FILE
npm run erase -- --order ORD_… | --email EMAIL | --before 2026-01-31 [--with-invoices] [--with-texts]`

interface Asked {
  order?: string | undefined
  file?: string | undefined
  email?: string | undefined
  before?: string | undefined
  share?: string | undefined
  'with-invoices'?: boolean | undefined
  'with-texts'?: boolean | undefined
}

function readDay(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) {
    throw new OperatorError(`--before is "${text}"; it takes a day such as 2026-01-31, which begins at midnight UTC.`)
  }
  return day
}

function readOrderNo(text: string): string {
  if (orderNoPattern.test(text)) return text
  throw new OperatorError(`--order is "${text}"; it takes an order number such as ord_01j9….`)
}

async function archive(deps: ArchiveDeps, config: Config, asked: Asked): Promise<void> {
  const now = deps.clock.now().getTime()
  const before = asked.before === undefined ? new Date(now - config.archiveAfterMs) : readDay(asked.before)
  if (before.getTime() > now - COMPARED_FOR_MS) {
    throw new OperatorError(
      `Orders are compared with the chain for ${COMPARED_FOR_MS / DAY_MS} days after they closed: say an earlier day with --before, or a longer ARCHIVE_AFTER.`,
    )
  }
  const share = Number(asked.share ?? 50)
  if (!(share >= 1 && share <= 100))
    throw new OperatorError('--share takes a number from 1 to 100: per cent of the time that it works.')
  const began = performance.now()
  const done = await inTurn(() => archiveOrders(deps, { dir: config.archiveDir, before, share: share / 100, say }))
  const seconds = Math.max(1, Math.round((performance.now() - began) / 1000))
  say(
    `${done.orders} orders that closed before ${before.toISOString()} were moved to ${config.archiveDir} in ${seconds} s.`,
  )
}

async function verify(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { orders, bytes } = await verifyFile(path)
    say(`${path}: ${orders} orders in ${bytes} bytes, as written.`)
  }
}

/** Every file that an order stands in has to be there, whatever else lies in the folder. */
async function verifyAll({ sql }: ArchiveDeps, dir: string): Promise<void> {
  const needed = await listNeeded(sql)
  const there = new Set(await readdir(dir).catch(() => []))
  const missing = needed.filter((name) => !there.has(name) || !there.has(`${name}.manifest.json`))
  const found = [...there].filter((name) => name.endsWith('.gz') && there.has(`${name}.manifest.json`)).sort()
  await verify(found.map((name) => resolve(dir, name)))
  if (missing.length > 0) {
    throw new OperatorError(
      `Archived orders stand in files that are not whole in ${dir}: ${missing.join(', ')}. Take each and its manifest from a backup.`,
    )
  }
  if (found.length === 0) say(`There are no files in ${dir}, and no order needs one.`)
}

async function restore(deps: ArchiveDeps, config: Config, { order, file }: Asked): Promise<void> {
  const until = keptUntil(deps.clock.now())
  if (order !== undefined) {
    const orderNo = readOrderNo(order)
    const archived = await findArchived(deps.sql, orderNo)
    if (archived === null) throw new OperatorError(`${orderNo} is not archived.`)
    await keepHot(deps.sql, [orderNo], until)
    await restoreOrder(deps, config.archiveDir, orderNo)
    return say(`${orderNo} is back, from ${archived.name}, for 30 days at least.`)
  }
  const [known] = await findFileByName(deps.sql, file ?? '')
  if (known === undefined) throw new OperatorError(`No archived order is in a file of the name ${file}.`)
  await keepHot(deps.sql, await listArchivedOf(deps.sql, known.id), until)
  say(`${await restoreFile(deps, config.archiveDir, known)} orders of ${known.name} are back.`)
}

async function erase(deps: ArchiveDeps, config: Config, asked: Asked): Promise<void> {
  const withTexts = asked['with-texts'] ?? false
  const how = { dir: config.archiveDir, withInvoices: asked['with-invoices'] ?? false, withTexts }
  let orders = 0
  let files = 0
  const take = async (numbers: readonly string[]): Promise<void> => {
    const done = await inTurn(() => erasePayers(deps, { ...how, orders: numbers }))
    orders += done.orders
    files += done.files
  }
  if (asked.order !== undefined) await take([readOrderNo(asked.order)])
  else if (asked.email !== undefined) await take(await listOrdersOf(deps.sql, asked.email, { withTexts }))
  else {
    const before = readDay(asked.before ?? '')
    if (before > deps.clock.now())
      throw new OperatorError('--before takes a day that has begun: what is still to come has no payers yet.')
    for (let after = ''; ; ) {
      const numbers = await listOldPayers(deps.sql, { after, before, limit: 500, withTexts })
      await take(numbers)
      const last = numbers.at(-1)
      if (last === undefined) break
      after = last
    }
  }
  if (how.withInvoices && asked.order === undefined) {
    const which = asked.email === undefined ? { before: readDay(asked.before ?? '') } : { email: asked.email }
    say(`Payers of ${await eraseOldInvoices(deps, which)} invoices without such an order were erased.`)
  }
  say(`Payers of ${orders} orders were erased; ${files} files of the archive were written anew.`)
  say('Backups and copies of the archive that were made before still hold them.')
}

/** Waits for its turn where a worker archives. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  for (let left = WAITS_MS; ; left -= 2 * SECOND_MS) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ArchiveBusy) || error.until !== null || left <= 0) throw error
      if (left === WAITS_MS) say('A worker is archiving. This goes on between two of its files.')
      await wait(2 * SECOND_MS)
    }
  }
}

/** What was said, or how to say it. */
const parsed = <const T extends ParseArgsConfig>(how: T): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(how)
  } catch (cause) {
    throw new OperatorError(`${cause instanceof Error ? cause.message : cause} Say one of:\n${usage}`, { cause })
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parsed({
    options: {
      ...{ order: { type: 'string' }, file: { type: 'string' }, email: { type: 'string' } },
      ...{ before: { type: 'string' }, share: { type: 'string' }, 'with-invoices': { type: 'boolean' } },
      'with-texts': { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const [what = 'run', ...files] = positionals
  const named = [values.order, values.file, values.email].filter((value) => value !== undefined).length
  const isKnown =
    (what === 'run' && named === 0) ||
    (what === 'verify' && named === 0) ||
    (what === 'restore' && named === 1 && values.email === undefined) ||
    (what === 'erase' && values.file === undefined && named + (values.before === undefined ? 0 : 1) === 1)
  if (!isKnown || (files.length > 0 && what !== 'verify')) throw new OperatorError(`Say one of:\n${usage}`)
  const config = readConfig()
  if (what === 'verify' && files.length > 0) return verify(files.map((file) => resolve(file)))
  const applicationName = `florin ${what === 'run' ? 'archive' : what}`
  const how = { applicationName, limits: withoutLimits, besideRunning: true, say }
  await withOwnDatabase(config, how, async (sql) => {
    const deps = { sql, clock: await databaseClock(sql) }
    if (what === 'verify') await verifyAll(deps, config.archiveDir)
    else if (what === 'run') await archive(deps, config, values)
    else if (what === 'restore') await restore(deps, config, values)
    else await erase(deps, config, values)
  })
}

runCommand(main)
