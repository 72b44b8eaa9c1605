// The SQL of mail_links.
import type { Sql } from '../db/pool.ts'
import type { Db, Tx } from '../db/tx.ts'

export interface MailLink {
  id: string
  merchantId: string
  /** The kind of act. */
  kind: string
  subject: string
  detail: Record<string, string | null>
  /** The session whose act it reverts. */
  sessionId: string | null
  browser: Uint8Array | null
  createdAt: Date
}

export function insertLink(tx: Tx, link: MailLink & { tokenHash: Uint8Array; expiresAt: Date }): Promise<unknown> {
  return tx`
    insert into mail_links (id, token_hash, merchant_id, kind, subject, detail, session_id, browser, created_at, expires_at)
    values (${link.id}, ${link.tokenHash}, ${link.merchantId}, ${link.kind}, ${link.subject},
            ${JSON.stringify(link.detail)}::text::json, ${link.sessionId}, ${link.browser}, ${link.createdAt},
            ${link.expiresAt})`
}

const columns = (db: Db) => db`
  id, merchant_id as "merchantId", kind, subject, detail, session_id as "sessionId", browser, created_at as "createdAt"`

export async function findLink(sql: Db, tokenHash: Uint8Array, now: Date): Promise<MailLink | null> {
  const [row] = await sql<MailLink[]>`
    select ${columns(sql)} from mail_links
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`
  return row ?? null
}

/** When a link is used twice at the same time, one succeeds. */
export async function useLink(tx: Tx, tokenHash: Uint8Array, now: Date): Promise<MailLink | null> {
  const [row] = await tx<MailLink[]>`
    update mail_links set used_at = ${now}
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
    returning ${columns(tx)}`
  return row ?? null
}

/** The newest link for an act of this session on this subject. */
export async function findLastLink(
  tx: Tx,
  a: { merchantId: string; kind: string; subject: string; sessionId: string; since: Date },
): Promise<MailLink | null> {
  const [row] = await tx<MailLink[]>`
    select ${columns(tx)} from mail_links
    where session_id = ${a.sessionId} and merchant_id = ${a.merchantId} and kind = ${a.kind}
      and subject = ${a.subject} and created_at > ${a.since}
    order by id desc limit 1`
  return row ?? null
}

/** All links for acts of this session on this subject that are not swept yet, used ones too, the first act first. */
export function listLinks(
  tx: Tx,
  a: { merchantId: string; kind: string; subject: string; sessionId: string },
): Promise<MailLink[]> {
  return tx<MailLink[]>`
    select ${columns(tx)} from mail_links
    where session_id = ${a.sessionId} and merchant_id = ${a.merchantId} and kind = ${a.kind} and subject = ${a.subject}
    order by id limit 1000`
}

/** How many links were made for acts of this session; counted up to `max`. */
export async function countLinks(
  tx: Tx,
  a: { sessionId: string; kind: string; since: Date; max: number },
): Promise<number> {
  const rows = await tx`
    select 1 from mail_links
    where session_id = ${a.sessionId} and kind = ${a.kind} and created_at > ${a.since} limit ${a.max}`
  return rows.length
}

/** @returns how many, at most 1000. */
export async function sweepLinks(sql: Sql, before: Date): Promise<number> {
  const rows = await sql`
    delete from mail_links where id = any(array(
      select id from mail_links where expires_at < ${before} order by expires_at limit 1000))
    returning 1`
  return rows.length
}
