// The check that this process holds the key that the database was sealed with: a wrong key stops the start
// before anything is written under it.
import { OperatorError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { Sql } from './pool.ts'

/**
 * The first start stores a sealed constant; every later one must be able to open it. With MASTER_KEY_OLD given the
 * constant is sealed anew under the current key.
 */
export async function checkMasterKey(sql: Sql, secrets: Secrets): Promise<void> {
  const sealed = secrets.seal('florin', 'master-key-check')
  const [row] = await sql<{ keyId: string; box: Uint8Array }[]>`
    with made as (
      insert into master_key_check (one, key_id, box) values (true, ${sealed.keyId}, ${sealed.box})
      on conflict (one) do nothing
      returning key_id, box
    )
    select key_id as "keyId", box from made union all select key_id, box from master_key_check limit 1`
  if (row === undefined) return
  try {
    secrets.open(row, 'master-key-check')
  } catch (error) {
    throw new OperatorError(
      `This database was set up with another master key (${row.keyId}; the one given is ${secrets.keyId}). ` +
        'Start with the right MASTER_KEY, or give the former one as MASTER_KEY_OLD.',
      { cause: error, docs: 'docs/operations.md#keys-and-secrets' },
    )
  }
  if (row.keyId !== secrets.keyId) {
    await sql`update master_key_check set key_id = ${sealed.keyId}, box = ${sealed.box} where one`
  }
}
