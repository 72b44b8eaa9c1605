// SQL of the recovery seed: one row, sealed under the master key.

import type { Sql } from '@florin/platform/db/pool'
import type { SealedRow, SealedRows } from '@florin/platform/db/reseal'
import type { Tx } from '@florin/platform/db/tx'
import type { Sealed } from '@florin/platform/secrets'

export interface SeedRow extends Sealed {
  seedId: string
  exportedAt: Date | null
}

export const seedContext = 'recovery seed'

/** The seed that is there, or this one: of two processes that start at once both get the same. */
export async function keepSeed(sql: Sql, a: { seedId: string; sealed: Sealed; now: Date }): Promise<SeedRow> {
  await sql`
    insert into recovery_seed (one, seed_id, key_id, box, created_at)
    values (true, ${a.seedId}, ${a.sealed.keyId}, ${a.sealed.box}, ${a.now})
    on conflict (one) do nothing`
  const row = await findSeed(sql)
  if (row === null) throw new Error('the recovery seed is gone')
  return row
}

export async function findSeed(sql: Sql): Promise<SeedRow | null> {
  const [row] = await sql<SeedRow[]>`
    select seed_id as "seedId", key_id as "keyId", box, exported_at as "exportedAt" from recovery_seed`
  return row ?? null
}

/**
 * Nothing changes where the seed is this one already, or where one is in use. The new one counts as exported: it came from its copy.
 * @param a.isInUse until the commit no address is shown under the seed.
 */
export async function replaceUnusedSeed(
  tx: Tx,
  a: { seedId: string; sealed: Sealed; now: Date; isInUse: boolean },
): Promise<'replaced' | 'same' | 'used'> {
  const [row] = await tx<{ seedId: string }[]>`select seed_id as "seedId" from recovery_seed`
  if (row?.seedId === a.seedId) return 'same'
  if (a.isInUse) return 'used'
  await tx`
    insert into recovery_seed (one, seed_id, key_id, box, created_at, exported_at)
    values (true, ${a.seedId}, ${a.sealed.keyId}, ${a.sealed.box}, ${a.now}, ${a.now})
    on conflict (one) do update set seed_id = excluded.seed_id, key_id = excluded.key_id, box = excluded.box,
      created_at = excluded.created_at, exported_at = excluded.exported_at`
  return 'replaced'
}

export function markSeedExported(sql: Sql, now: Date): Promise<unknown> {
  return sql`update recovery_seed set exported_at = coalesce(exported_at, ${now}) where one`
}

/** A seed under a lost master key opens nothing. The next start makes another; copies of this one still read its journal. */
export async function abandonSeed(sql: Sql, keyId: string): Promise<boolean> {
  const rows = await sql`delete from recovery_seed where key_id = ${keyId} returning 1`
  return rows.length > 0
}

export const sealedSeed: SealedRows = {
  what: 'recovery seeds',
  contextOf: () => seedContext,
  count: (sql) => sql<{ keyId: string; count: number }[]>`
    select key_id as "keyId", count(*)::int as count from recovery_seed group by key_id limit 10`,
  list: (sql, a) => sql<SealedRow[]>`
    select 'seed' as id, key_id as "keyId", box from recovery_seed
    where key_id <> ${a.keyId} and 'seed' > ${a.after} limit ${a.limit}`,
  replace: (tx, { from, to }) =>
    tx`update recovery_seed set key_id = ${to.keyId}, box = ${to.box} where key_id = ${from}`,
}
