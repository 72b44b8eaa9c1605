// The recovery seed of this database: made at the first start, sealed under the master key, exported by a person.
import { SEED_BYTES, seedIdOf } from '@florin/exit/journal'
import type { Sql } from '../platform/db/pool.ts'
import { randomOctets } from '../platform/ids.ts'
import type { Secrets } from '../platform/secrets.ts'
import { keepSeed, type SeedRow, seedContext } from './seed.store.ts'

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

export function openSeed(secrets: Secrets, row: SeedRow): RecoverySeed {
  const seed = new Uint8Array(Buffer.from(secrets.open(row, seedContext), 'hex'))
  if (seed.length !== SEED_BYTES || seedIdOf(seed) !== row.seedId)
    throw new Error('the recovery seed is not the one its row names')
  return { seed, exportedAt: row.exportedAt }
}
