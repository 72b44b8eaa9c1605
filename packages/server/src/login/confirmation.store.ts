// SQL of confirmation_codes, and of the related session columns.
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'

/** From here to the commit no other request asks for, or tries, a code of this session. @returns wrong tries so far. */
export async function lockSession(tx: Tx, id: string, now: Date): Promise<number | null> {
  const [row] = await tx<{ tries: number }[]>`
    select wrong_confirmations as tries from sessions
    where id = ${id} and revoked_at is null and expires_at > ${now} for no key update`
  return row?.tries ?? null
}

export async function listRecentConfirmations(tx: Tx, a: { sessionId: string; since: Date; max: number }) {
  const rows = await tx<{ at: Date }[]>`
    select created_at as at from confirmation_codes where session_id = ${a.sessionId} and created_at > ${a.since}
    order by created_at desc limit ${a.max}`
  return rows.map((row) => row.at)
}

export function closeConfirmations(tx: Tx, sessionId: string, now: Date): Promise<unknown> {
  return tx`update confirmation_codes set closed_at = ${now} where session_id = ${sessionId} and closed_at is null`
}

export function insertConfirmation(
  tx: Tx,
  a: { id: string; sessionId: string; codeHash: Uint8Array; now: Date; expiresAt: Date },
): Promise<unknown> {
  return tx`
    insert into confirmation_codes (id, session_id, code_hash, created_at, expires_at)
    values (${a.id}, ${a.sessionId}, ${a.codeHash}, ${a.now}, ${a.expiresAt})`
}

/** The one code of this session that can be right. */
export async function findLiveConfirmation(
  tx: Tx,
  sessionId: string,
  now: Date,
): Promise<{ id: string; codeHash: Uint8Array } | null> {
  const [row] = await tx<{ id: string; codeHash: Uint8Array }[]>`
    select id, code_hash as "codeHash" from confirmation_codes
    where session_id = ${sessionId} and closed_at is null and expires_at > ${now}
    order by created_at desc, id desc limit 1`
  return row ?? null
}

/** The `max`-th wrong try closes the code. */
export function countWrongConfirmation(tx: Tx, a: { sessionId: string; id: string; max: number; now: Date }) {
  return Promise.all([
    tx`update sessions set wrong_confirmations = wrong_confirmations + 1 where id = ${a.sessionId}`,
    tx`
      update confirmation_codes set wrong_tries = wrong_tries + 1,
        closed_at = case when wrong_tries + 1 >= ${a.max} then ${a.now}::timestamptz end
      where id = ${a.id}`,
  ])
}

export function confirmSession(tx: Tx, sessionId: string, now: Date): Promise<unknown> {
  return tx`update sessions set confirmed_at = ${now} where id = ${sessionId}`
}

/** @returns how many, at most 1000. */
export async function sweepConfirmations(sql: Sql, before: Date): Promise<number> {
  const rows = await sql`
    delete from confirmation_codes where id = any(array(
      select id from confirmation_codes where created_at < ${before} order by created_at limit 1000))
    returning 1`
  return rows.length
}
