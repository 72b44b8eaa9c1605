// Checks that this process has the keys that the database is sealed with: a start without one of them is refused before
// anything is written. platform/db/reseal.ts seals values under the former key anew.
import { OperatorError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { Sql } from './pool.ts'
import type { SealedRows } from './reseal.ts'

const docs = 'docs/operations.md#keys-and-secrets'

/**
 * The first start stores a sealed constant; every later one must be able to open it and everything else that is sealed.
 * With MASTER_KEY_OLD set, the constant is sealed anew under the current key.
 * @throws OperatorError when a key that the database still needs is missing.
 */
export async function checkMasterKey(
  sql: Sql,
  secrets: Secrets,
  a: { rows: readonly SealedRows[]; now: Date },
): Promise<void> {
  const sealed = secrets.seal('florin', 'master-key-check')
  const [row] = await sql<{ keyId: string; box: Uint8Array }[]>`
    with made as (
      insert into master_key_check (one, key_id, box) values (true, ${sealed.keyId}, ${sealed.box})
      on conflict (one) do nothing
      returning key_id, box
    )
    select key_id as "keyId", box from made union all select key_id, box from master_key_check limit 1`
  if (row === undefined) return
  refuseOther(row, secrets)
  await refuseUnknownKeys(sql, secrets, a)
  if (row.keyId !== secrets.keyId) {
    await sql`update master_key_check set key_id = ${sealed.keyId}, box = ${sealed.box} where one`
  }
}

/** The same, and only looks. @throws OperatorError */
export async function examineMasterKey(
  sql: Sql,
  secrets: Secrets,
  a: { rows: readonly SealedRows[]; now: Date },
): Promise<void> {
  const [row] = await sql<{ keyId: string; box: Uint8Array }[]>`
    select key_id as "keyId", box from master_key_check limit 1`
  if (row === undefined) return
  refuseOther(row, secrets)
  await refuseUnknownKeys(sql, secrets, a)
}

function refuseOther(row: { keyId: string; box: Uint8Array }, secrets: Secrets): void {
  try {
    secrets.open(row, 'master-key-check')
  } catch (cause) {
    throw new OperatorError(
      `This database was set up with another master key (${row.keyId}; the one given is ${secrets.keyId}). ` +
        'Start with the right MASTER_KEY, or give the former one as MASTER_KEY_OLD.',
      { cause, docs },
    )
  }
}

async function refuseUnknownKeys(
  sql: Sql,
  secrets: Secrets,
  { rows, now }: { rows: readonly SealedRows[]; now: Date },
): Promise<void> {
  for (const { what, count } of rows) {
    for (const { keyId, count: n } of await count(sql, now)) {
      if (secrets.knows(keyId)) continue
      throw new OperatorError(
        `${n} ${what} are sealed with master key ${keyId}, which was not given. Start with it as MASTER_KEY_OLD until ` +
          'the log says that it is no longer needed. Where that key is lost: npm run rekey -- --abandon ' +
          `${keyId}, after which those merchants make new webhook secrets.`,
        { docs },
      )
    }
  }
}
