// SQL of the console's order calls, beyond what /v1 reads.
import type { Sql } from '@florin/platform/db/pool'
import type { KeyCaller } from '../callers.ts'

/** The merchant's newest test key that still works. Test orders from the console are made with it. */
export async function findNewestTestKey(sql: Sql, merchantId: string, now: Date): Promise<KeyCaller | null> {
  const [row] = await sql<KeyCaller[]>`
    select k.id, k.merchant_id as "merchantId", m.no as "merchantNo", k.livemode, k.scopes, k.fee_bps as "feeBps"
    from api_keys k join merchants m on m.id = k.merchant_id
    where k.merchant_id = ${merchantId} and not k.livemode and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > ${now})
    order by k.id desc limit 1`
  return row ?? null
}
