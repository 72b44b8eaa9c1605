// The SQL of merchants, login_codes, login_wrong_tries and sessions.

import type { Sql } from '../platform/db/pool.ts'
import type { Db, Tx } from '../platform/db/tx.ts'
import type { Email, RecentCodes, WrongTries } from './rules.ts'

export interface Merchant {
  id: string
  no: number
  email: string
  name: string | null
  defaultSettleChain: string | null
  createdAt: Date
  suspendedAt: Date | null
  closedAt: Date | null
}

const merchantColumns = (sql: Db) =>
  sql`id, no, email, name, default_settle_chain as "defaultSettleChain", created_at as "createdAt",
      suspended_at as "suspendedAt", closed_at as "closedAt"`

export async function findMerchant(db: Db, id: string): Promise<Merchant | null> {
  const [row] = await db<Merchant[]>`select ${merchantColumns(db)} from merchants where id = ${id}`
  return row ?? null
}

export async function findMerchantByEmail(db: Db, email: Email): Promise<Merchant | null> {
  const [row] = await db<Merchant[]>`select ${merchantColumns(db)} from merchants where email = ${email}`
  return row ?? null
}

export async function insertMerchant(tx: Tx, a: { id: string; email: Email; now: Date }): Promise<Merchant[]> {
  return tx<Merchant[]>`
    insert into merchants (id, email, created_at) values (${a.id}, ${a.email}, ${a.now})
    returning ${merchantColumns(tx)}`
}

/** What nobody else changes until the commit. */
export async function lockMerchant(tx: Tx, id: string): Promise<{ defaultSettleChain: string | null; email: string }> {
  const [row] = await tx<{ defaultSettleChain: string | null; email: string }[]>`
    select default_settle_chain as "defaultSettleChain", email from merchants where id = ${id} for no key update`
  return row ?? { defaultSettleChain: null, email: '' }
}

export interface MerchantChange {
  name: string | null | undefined
  defaultSettleChain: string | null | undefined
}

export function saveMerchant(tx: Tx, id: string, change: MerchantChange): Promise<Merchant[]> {
  return tx<Merchant[]>`
    update merchants set
      name = case when ${change.name !== undefined} then ${change.name ?? null} else name end,
      default_settle_chain = case when ${change.defaultSettleChain !== undefined}
                                  then ${change.defaultSettleChain ?? null} else default_settle_chain end
    where id = ${id}
    returning ${merchantColumns(tx)}`
}

/**
 * From here to the commit no other request asks for, or tries, a code of this email. An advisory lock of the
 * transaction, because there need be no row to lock; it also holds through a connection pooler. To be awaited before
 * anything is read: statements started together may overtake each other.
 */
export function lockEmail(tx: Tx, email: Email): Promise<unknown> {
  return tx`select pg_advisory_xact_lock(1, hashtext(${email}))`
}

/** Taken after the email's lock, never before it. */
export function lockClient(tx: Tx, client: string): Promise<unknown> {
  return tx`select pg_advisory_xact_lock(2, hashtext(${client}))`
}

/** When codes were asked for since `since`, at most `max` of each, newest first. */
export async function listRecentCodes(
  tx: Tx,
  a: { email: Email; client: string; since: Date; max: number },
): Promise<RecentCodes> {
  const [ofEmail, ofClient] = await Promise.all([
    tx<{ at: Date }[]>`
      select created_at as at from login_codes where email = ${a.email} and created_at > ${a.since}
      order by created_at desc limit ${a.max}`,
    tx<{ at: Date }[]>`
      select created_at as at from login_codes where client = ${a.client} and created_at > ${a.since}
      order by created_at desc limit ${a.max}`,
  ])
  return { ofEmail: ofEmail.map((row) => row.at), ofClient: ofClient.map((row) => row.at) }
}

export function insertCode(
  tx: Tx,
  a: { id: string; email: Email; client: string; codeHash: Uint8Array; now: Date; expiresAt: Date },
): Promise<unknown> {
  return tx`
    insert into login_codes (id, email, client, code_hash, created_at, expires_at)
    values (${a.id}, ${a.email}, ${a.client}, ${a.codeHash}, ${a.now}, ${a.expiresAt})`
}

/** Closes the live codes of an email but for the newest `keep`. */
export function pushOutCodes(tx: Tx, email: Email, keep: number, now: Date): Promise<unknown> {
  return tx`
    update login_codes set closed_at = ${now}
    where id in (
      select id from login_codes where email = ${email} and closed_at is null and expires_at > ${now}
      order by created_at desc, id desc offset ${keep}
    )`
}

export interface LiveCode {
  id: string
  codeHash: Uint8Array
}

export function listLiveCodes(tx: Tx, email: Email, now: Date): Promise<LiveCode[]> {
  return tx<LiveCode[]>`
    select id, code_hash as "codeHash" from login_codes
    where email = ${email} and closed_at is null and expires_at > ${now}
    order by created_at desc limit 10`
}

export function closeCodes(tx: Tx, ids: readonly string[], now: Date): Promise<unknown> {
  return tx`update login_codes set closed_at = ${now} where id = any(${ids as string[]})`
}

/** One wrong try counts against every live code of the email; the `max`-th closes it. */
export function countWrongTry(tx: Tx, email: Email, max: number, now: Date): Promise<unknown> {
  return tx`
    update login_codes set
      wrong_tries = wrong_tries + 1,
      closed_at = case when wrong_tries + 1 >= ${max} then ${now}::timestamptz end
    where email = ${email} and closed_at is null and expires_at > ${now}`
}

export async function findWrongTries(tx: Tx, email: Email): Promise<WrongTries | null> {
  const [row] = await tx<WrongTries[]>`
    select tries, since, paused_until as "pausedUntil" from login_wrong_tries where email = ${email}`
  return row ?? null
}

export function saveWrongTries(tx: Tx, email: Email, wrong: WrongTries): Promise<unknown> {
  return tx`
    insert into login_wrong_tries (email, tries, since, paused_until)
    values (${email}, ${wrong.tries}, ${wrong.since}, ${wrong.pausedUntil})
    on conflict (email) do update
      set tries = excluded.tries, since = excluded.since, paused_until = excluded.paused_until`
}

export interface Session {
  id: string
  userAgent: string | null
  ip: string | null
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

export function insertSession(tx: Tx, a: Session & { merchantId: string }): Promise<unknown> {
  return tx`
    insert into sessions (id, merchant_id, user_agent, ip, created_at, last_seen_at, expires_at)
    values (${a.id}, ${a.merchantId}, ${a.userAgent}, ${a.ip}, ${a.createdAt}, ${a.lastSeenAt}, ${a.expiresAt})`
}

export interface LiveSession {
  merchantNo: number
  email: string
  createdAt: Date
  confirmedAt: Date | null
  lastSeenAt: Date
  suspendedAt: Date | null
  closedAt: Date | null
  /** Since when the merchant's account knows the browser of this request; null: it does not. */
  browserSince: Date | null
}

/** The live session with its merchant: the one statement that guards a console request. */
export async function findLiveSession(
  sql: Sql,
  a: { id: string; merchantId: string; browser: Uint8Array | null; now: Date },
): Promise<LiveSession | null> {
  const [row] = await sql<LiveSession[]>`
    select m.no as "merchantNo", m.email, s.created_at as "createdAt", s.confirmed_at as "confirmedAt",
           s.last_seen_at as "lastSeenAt", m.suspended_at as "suspendedAt", m.closed_at as "closedAt",
           b.first_seen_at as "browserSince"
    from sessions s join merchants m on m.id = s.merchant_id
    left join known_browsers b on b.merchant_id = m.id and b.hash = ${a.browser}
    where s.id = ${a.id} and s.merchant_id = ${a.merchantId} and s.revoked_at is null and s.expires_at > ${a.now}`
  return row ?? null
}

/** Of requests side by side one writes; the others find it written. */
export function touchSession(sql: Sql, id: string, now: Date, notAfter: Date): Promise<unknown> {
  return sql`update sessions set last_seen_at = ${now} where id = ${id} and last_seen_at <= ${notAfter}`
}

export function listLiveSessions(
  sql: Sql,
  a: { merchantId: string; now: Date; before: string | null; limit: number },
): Promise<Session[]> {
  return sql<Session[]>`
    select id, user_agent as "userAgent", ip, created_at as "createdAt", last_seen_at as "lastSeenAt",
           expires_at as "expiresAt"
    from sessions
    where merchant_id = ${a.merchantId} and revoked_at is null and expires_at > ${a.now}
      and (${a.before}::text is null or id < ${a.before})
    order by id desc limit ${a.limit}`
}

/** @returns how many live sessions ended: all of the merchant, or the one named. */
export async function revokeSessions(
  sql: Db,
  a: { merchantId: string; id: string | null; now: Date },
): Promise<number> {
  const rows = await sql`
    update sessions set revoked_at = ${a.now}
    where merchant_id = ${a.merchantId} and (${a.id}::text is null or id = ${a.id})
      and revoked_at is null and expires_at > ${a.now}
    returning 1`
  return rows.length
}

/** Forgets what no limit counts any more. @returns how many rows went, at most 1000 of each kind. */
export async function sweepLogin(
  sql: Sql,
  before: { codes: Date; wrongTries: Date; sessions: Date; now: Date },
): Promise<number> {
  const gone = await Promise.all([
    sql`delete from login_codes where id = any(array(
          select id from login_codes where created_at < ${before.codes} order by created_at limit 1000))
        returning 1`,
    sql`delete from login_wrong_tries where email = any(array(
          select email from login_wrong_tries
          where since < ${before.wrongTries} and (paused_until is null or paused_until < ${before.now})
          order by since limit 1000))
        returning 1`,
    sql`delete from sessions where id = any(array(
          select id from sessions where expires_at < ${before.sessions} order by expires_at limit 1000))
        returning 1`,
  ])
  return gone.reduce((sum, rows) => sum + rows.length, 0)
}
