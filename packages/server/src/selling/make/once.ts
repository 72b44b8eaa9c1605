// Makes a thing in one transaction, once for an Idempotency-Key.
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import type { IdempotentRequest } from '@florin/platform/http/idempotency'
import { IDEMPOTENCY_KEPT_MS } from '@florin/protocol'
import { answerOnce, claimOnce } from '../../orders/create/once.store.ts'

export interface Made {
  json: string
  replayed: boolean
}

/**
 * @param a.owner whose keys they are: an API key, or a merchant in the console.
 * @param make writes it and returns what is answered.
 */
export function makeOnce(
  sql: Sql,
  a: { owner: string; idempotent: IdempotentRequest | null; id: string; now: Date },
  make: (tx: Tx) => Promise<unknown>,
): Promise<Made> {
  return withTx(sql, async (tx) => {
    const { owner, idempotent, id, now } = a
    const oldest = new Date(now.getTime() - IDEMPOTENCY_KEPT_MS)
    const known = idempotent === null ? null : await claimOnce(tx, { owner, idempotent, id, oldest, now })
    if (known !== null) return { json: known, replayed: true }
    const json = JSON.stringify(await make(tx))
    if (idempotent !== null) await answerOnce(tx, { owner, key: idempotent.key, json })
    return { json, replayed: false }
  })
}
