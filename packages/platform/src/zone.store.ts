// The SQL of the time zone that a merchant's days are of.
import { zoneOr } from '@florin/protocol'
import type { Db } from './db/tx.ts'

/** `UTC` where the merchant set none. */
export async function findZone(db: Db, merchantId: string): Promise<string> {
  const [row] = await db<{ zone: string | null }[]>`select time_zone as zone from merchants where id = ${merchantId}`
  return zoneOr(row?.zone)
}
