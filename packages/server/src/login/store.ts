// SQL of merchants, login_codes, login_wrong_tries and sessions.

import { holdLock } from '@florin/platform/db/locks/advisory-locks'
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import { LOGIN_CODE_TRIES_MAX } from '@florin/protocol'
import type { Asker, Email, RecentCodes, WrongTries } from './rules.ts'

export interface Merchant {
  id: string
  no: number
  email: string
  name: string | null
  defaultSettleChain: string | null
  /** IANA. null: never set, days are of UTC. */
  timeZone: string | null
  createdAt: Date
  suspendedAt: Date | null
  closedAt: Date | null
}

const merchantColumns = (sql: Db) =>
  sql`id, no, email, name, default_settle_chain as "defaultSettleChain", time_zone as "timeZone",
      created_at as "createdAt", suspended_at as "suspendedAt", closed_at as "closedAt"`

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

/** Locks it until the commit. */
export async function lockMerchant(
  tx: Tx,
  id: string,
): Promise<Pick<Merchant, 'defaultSettleChain' | 'email' | 'name' | 'timeZone'>> {
  const [row] = await tx<Pick<Merchant, 'defaultSettleChain' | 'email' | 'name' | 'timeZone'>[]>`
    select default_settle_chain as "defaultSettleChain", email, name, time_zone as "timeZone"
    from merchants where id = ${id} for no key update`
  return row ?? { defaultSettleChain: null, email: '', name: null, timeZone: null }
}

export interface MerchantChange {
  name: string | null | undefined
  defaultSettleChain: string | null | undefined
  timeZone?: string | undefined
}

export function saveMerchant(tx: Tx, id: string, change: MerchantChange): Promise<Merchant[]> {
  return tx<Merchant[]>`
    update merchants set
      name = case when ${change.name !== undefined} then ${change.name ?? null} else name end,
      default_settle_chain = case when ${change.defaultSettleChain !== undefined}
                                  then ${change.defaultSettleChain ?? null} else default_settle_chain end,
      time_zone = coalesce(${change.timeZone ?? null}, time_zone)
    where id = ${id}
    returning ${merchantColumns(tx)}`
}

/**
 * From here to the commit no other request asks for, or tries, a code of this email. An advisory lock of the
 * transaction, because there need be no row to lock; it also holds through a connection pooler. To be awaited before
 * anything is read: statements started together may overtake each other.
 */
export function lockEmail(tx: Tx, email: Email): Promise<unknown> {
  return holdLock(tx, 'sign-in email', email)
}

/** Taken after the email's lock, never before it. */
export function lockClient(tx: Tx, client: string): Promise<unknown> {
  return holdLock(tx, 'sign-in client', client)
}

/** When codes were requested since `since`, at most `max` of each, newest first. */
export async function listRecentCodes(
  tx: Tx,
  a: { email: Email; client: string; asker: Asker; since: Date; max: number },
): Promise<RecentCodes> {
  const [ofEmail, ofClient] = await Promise.all([
    tx<{ at: Date; asker: string | null }[]>`
      select created_at as at, asker from login_codes where email = ${a.email} and created_at > ${a.since}
      order by created_at desc limit 1000`,
    tx<{ at: Date }[]>`
      select created_at as at from login_codes where client = ${a.client} and created_at > ${a.since}
      order by created_at desc limit ${a.max}`,
  ])
  return {
    ofAsker: ofEmail.filter((row) => row.asker === a.asker).map((row) => row.at),
    ofEmail: ofEmail.map((row) => row.at),
    ofClient: ofClient.map((row) => row.at),
  }
}

/** Codes for emails without a merchant here, at most `max`. */
export async function countCodesOfStrangers(tx: Tx, since: Date, max: number): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select count(*)::int as n from (
      select 1 from login_codes where stranger and created_at > ${since} limit ${max}) codes`
  return row?.n ?? 0
}

export interface NewCode {
  id: string
  email: Email
  client: string
  asker: Asker
  codeHash: Uint8Array
  isLong: boolean
  triesMax: number
  stranger: boolean
  now: Date
  expiresAt: Date
}

export function insertCode(tx: Tx, a: NewCode): Promise<unknown> {
  return tx`
    insert into login_codes (id, email, client, asker, code_hash, is_long, tries_max, stranger, created_at, expires_at)
    values (${a.id}, ${a.email}, ${a.client}, ${a.asker}, ${a.codeHash}, ${a.isLong},
            ${a.isLong ? LOGIN_CODE_TRIES_MAX : a.triesMax}, ${a.stranger}, ${a.now}, ${a.expiresAt})`
}

export function closeCodesOf(tx: Tx, email: Email, asker: Asker, now: Date): Promise<unknown> {
  return tx`
    update login_codes set closed_at = ${now}
    where email = ${email} and asker = ${asker} and closed_at is null and expires_at > ${now}`
}

/** The wrong tries that live six-digit codes still allow, together. */
export async function triesLeftOfLive(tx: Tx, email: Email, now: Date): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select coalesce(sum(tries_max - wrong_tries), 0)::int as n from login_codes
    where email = ${email} and closed_at is null and expires_at > ${now} and not is_long`
  return row?.n ?? 0
}

export interface LiveCode {
  id: string
  codeHash: Uint8Array
  isLong: boolean
}

/** The one code that a guess of this requester is compared with. */
export async function findLiveCode(tx: Tx, email: Email, asker: Asker, now: Date): Promise<LiveCode | null> {
  const [row] = await tx<LiveCode[]>`
    select id, code_hash as "codeHash", is_long as "isLong" from login_codes
    where email = ${email} and asker = ${asker} and closed_at is null and expires_at > ${now}
    order by created_at desc, id desc limit 1`
  return row ?? null
}

export function closeCode(tx: Tx, id: string, now: Date): Promise<unknown> {
  return tx`update login_codes set closed_at = ${now} where id = ${id}`
}

/** The last allowed try closes a code. */
export function countWrongTry(tx: Tx, id: string, now: Date): Promise<unknown> {
  return tx`
    update login_codes set
      wrong_tries = wrong_tries + 1,
      closed_at = case when wrong_tries + 1 >= tries_max then ${now}::timestamptz end
    where id = ${id}`
}

export async function findWrongTries(tx: Tx, email: Email): Promise<WrongTries | null> {
  const [row] = await tx<WrongTries[]>`
    select tries, since, warned_at as "warnedAt" from login_wrong_tries where email = ${email}`
  return row ?? null
}

export function saveWrongTries(tx: Tx, email: Email, tries: number, now: Date): Promise<unknown> {
  return tx`
    insert into login_wrong_tries (email, tries, since) values (${email}, ${tries}, ${now})
    on conflict (email) do update set tries = excluded.tries, since = excluded.since`
}

export function noteWarning(tx: Tx, email: Email, now: Date): Promise<unknown> {
  return tx`
    insert into login_wrong_tries (email, tries, since, warned_at) values (${email}, 0, ${now}, ${now})
    on conflict (email) do update set warned_at = excluded.warned_at`
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

/** Of concurrent requests one writes; the others find it written. */
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

/** Deletes what no limit counts any more. @returns how many rows were deleted, at most 1000 of each kind. */
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
          where since < ${before.wrongTries} and (warned_at is null or warned_at < ${before.wrongTries})
          order by since limit 1000))
        returning 1`,
    sql`delete from sessions where id = any(array(
          select id from sessions where expires_at < ${before.sessions} order by expires_at limit 1000))
        returning 1`,
  ])
  return gone.reduce((sum, rows) => sum + rows.length, 0)
}

/** Which of these sessions still open the console, with the email of their merchant, by which operators are known. */
export function listOpenSessions(
  sql: Sql,
  ids: readonly string[],
  now: Date,
): Promise<{ id: string; email: string }[]> {
  return sql<{ id: string; email: string }[]>`
    select s.id, m.email from sessions s join merchants m on m.id = s.merchant_id
    where s.id = any(${ids as string[]}) and s.revoked_at is null and s.expires_at > ${now}
      and m.suspended_at is null and m.closed_at is null`
}

/** Whether the session that asked still opens the console, for the same email. */
export async function isSessionOpen(
  sql: Sql,
  asker: { sessionId: string; email: string },
  now: Date,
): Promise<boolean> {
  const open = await listOpenSessions(sql, [asker.sessionId], now)
  return open.some(({ email }) => email === asker.email)
}
