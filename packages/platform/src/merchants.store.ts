// The SQL of what the platform and many features read of a merchant.
import { zoneOr } from '@florin/protocol'
import type { Db } from './db/tx.ts'

/** The time zone of the merchant's days; `UTC` where the merchant set none. */
export async function findZone(db: Db, merchantId: string): Promise<string> {
  const [row] = await db<{ zone: string | null }[]>`
    select time_zone as zone from merchant_accounts where id = ${merchantId}`
  return zoneOr(row?.zone)
}

export async function findMerchantEmail(db: Db, merchantId: string): Promise<string | null> {
  const [row] = await db<{ email: string }[]>`select email from merchant_accounts where id = ${merchantId}`
  return row?.email ?? null
}
