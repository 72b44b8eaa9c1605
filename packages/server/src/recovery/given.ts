// Addresses that the journal has and the database has not were given out after the backup that it was restored from. They are
// written into it before it gives out another.
import { readGiven } from '@florin/exit/journal'
import type { Sql } from '@florin/platform/db/pool'
import { OperatorError } from '@florin/platform/errors'
import { idTime } from '@florin/platform/ids'
import type { Secrets } from '@florin/platform/secrets'
import type { Log } from '@florin/platform/worker/job'
import { DAY_MS } from '@florin/protocol'
import type { GivenRecord } from '@florin/rail-kit/journaled'
import { hasAccounts } from '../addresses/accounts/given.store.ts'
import { findNewestOrder } from './given.store.ts'
import { findSeed } from './seed.store.ts'
import { openSeed } from './seed.ts'

/** Clocks of machines differ, and an order is made before its address is shown. */
const MARGIN_MS = 2 * DAY_MS

/** Writes records of the journal into the tables of their rail. @returns how many addresses were not known to be given out. */
export type RestoreGiven = (sql: Sql, records: readonly GivenRecord[]) => Promise<number>

export interface FromJournal {
  /** Files of a journal that are there. */
  files: number
  /** Addresses that were not known to be given out. */
  marked: number
  notes: string[]
}

/** @param a.dir with the journals of other machines in folders below. @throws the file system's error where it cannot be read. */
export async function markGiven(
  sql: Sql,
  a: { dir: string; seed: Uint8Array; restore: RestoreGiven },
): Promise<FromJournal> {
  const newest = await findNewestOrder(sql)
  // What is older than the newest order is in the backup as well.
  const since = newest === null ? null : new Date(idTime(newest).getTime() - MARGIN_MS)
  const { given, files, notes } = await readGiven(a.dir, a.seed, { since })
  return { files, notes, marked: await a.restore(sql, given) }
}

/** At the start of a process that shows addresses: of its own folder. */
export async function markAtStart(
  sql: Sql,
  a: { dir: string; seed: Uint8Array; log: Log; restore: RestoreGiven },
): Promise<void> {
  const { marked, notes } = await markGiven(sql, a)
  if (marked > 0)
    a.log.warn(
      { dir: a.dir, addresses: marked, notes },
      'this database is older than the journal: addresses that were given out since then are given to no other order',
    )
}

/**
 * Before a database that was restored takes the place of the other one.
 * @returns what an operator should know, or nothing.
 * @throws OperatorError where accounts of wallets are here and no journal is.
 */
export async function markAfterRestore(
  sql: Sql,
  a: { dir: string; secrets(): Promise<Secrets>; onNoJournal: string; restore: RestoreGiven },
): Promise<string> {
  const row = await findSeed(sql)
  const isNeeded = await hasAccounts(sql)
  // No address was ever shown.
  if (row === null) return ''
  const none = { files: 0, marked: 0, notes: [] }
  const { seed } = isNeeded ? openSeed(await a.secrets(), row) : { seed: null }
  if (seed === null) return ''
  const { files, marked, notes } = await markGiven(sql, { dir: a.dir, seed, restore: a.restore }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return none
      throw error
    },
  )
  if (files === 0)
    throw new OperatorError(
      `There is no journal in ${a.dir}, so nobody knows which addresses of wallets were given out after the backup, and new orders would get them again. ${a.onNoJournal}`,
      { docs: 'docs/operations.md#the-journal-and-the-recovery-seed' },
    )
  const told = `${marked} addresses were given out after the backup by the journal in ${a.dir}, and are given to no other order.`
  return [told, ...notes].join(' ')
}
