// The recovery seed of this database: made at the first start, sealed under the master key, exported by a person.
import { SEED_BYTES, seedIdOf } from '@florin/exit/journal'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { OperatorError } from '@florin/platform/errors'
import { randomOctets } from '@florin/platform/ids'
import type { Secrets } from '@florin/platform/secrets'
import { keepSeed, replaceUnusedSeed, type SeedRow, seedContext } from './seed.store.ts'

export interface RecoverySeed {
  seed: Uint8Array
  /** null: nobody has taken a copy, so a lost database would lose it too. */
  exportedAt: Date | null
}

export async function ensureSeed(sql: Sql, secrets: Secrets, now: Date): Promise<RecoverySeed> {
  const fresh = randomOctets(SEED_BYTES)
  const sealed = secrets.seal(Buffer.from(fresh).toString('hex'), seedContext)
  return openSeed(secrets, await keepSeed(sql, { seedId: seedIdOf(fresh), sealed, now }))
}

/**
 * Takes the seed of an install that was lost, so that its journal goes on in this one and one seed opens all of it.
 * @param a.hasShown whether an address was shown; until the commit none is.
 * @throws OperatorError where addresses were shown under another seed: their journal would open no more.
 */
export async function importSeed(
  sql: Sql,
  secrets: Secrets,
  a: { seed: Uint8Array; now: Date; hasShown: (tx: Tx) => Promise<boolean> },
): Promise<void> {
  const { seed, now } = a
  const seedId = seedIdOf(seed)
  const sealed = secrets.seal(Buffer.from(seed).toString('hex'), seedContext)
  const result = await withTx(sql, async (tx) =>
    replaceUnusedSeed(tx, { seedId, sealed, now, isInUse: await a.hasShown(tx) }),
  )
  if (result === 'used') {
    throw new OperatorError(
      'Addresses were shown here under another seed, and only that one opens their journal. Import a seed into a new install, before its first order.',
      { docs: 'docs/exit.md#when-the-database-is-lost' },
    )
  }
}

export function openSeed(secrets: Secrets, row: SeedRow): RecoverySeed {
  const seed = new Uint8Array(Buffer.from(secrets.open(row, seedContext), 'hex'))
  if (seed.length !== SEED_BYTES || seedIdOf(seed) !== row.seedId)
    throw new Error('the recovery seed is not the one its row names')
  return { seed, exportedAt: row.exportedAt }
}
