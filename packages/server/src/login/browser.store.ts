// The SQL of known_browsers.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'

/** Keeps the time of the first visit; a browser of several merchants is known to each from its own sign-in on. */
export function meetBrowser(tx: Tx, a: { merchantId: string; hash: Uint8Array; now: Date }): Promise<unknown> {
  return tx`
    insert into known_browsers (merchant_id, hash, first_seen_at, last_seen_at)
    values (${a.merchantId}, ${a.hash}, ${a.now}, ${a.now})
    on conflict on constraint known_browser_once do update set last_seen_at = excluded.last_seen_at`
}

export async function isBrowserOf(db: Db, merchantId: string, hash: Uint8Array): Promise<boolean> {
  const rows = await db`select 1 from known_browsers where merchant_id = ${merchantId} and hash = ${hash}`
  return rows.length > 0
}

/** @param hash null: all of the merchant. */
export function forgetBrowsers(db: Db, merchantId: string, hash: Uint8Array | null): Promise<unknown> {
  return db`
    delete from known_browsers
    where merchant_id = ${merchantId} and (${hash}::bytea is null or hash = ${hash})`
}

/** @returns how many, at most 1000. */
export async function sweepBrowsers(sql: Sql, before: Date): Promise<number> {
  const rows = await sql`
    delete from known_browsers where (merchant_id, hash) in (
      select merchant_id, hash from known_browsers where last_seen_at < ${before} order by last_seen_at limit 1000)
    returning 1`
  return rows.length
}
