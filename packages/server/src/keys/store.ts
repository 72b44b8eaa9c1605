// SQL of api_keys, api_key_hashes and webhook_secrets. Secrets come in only as hashes or sealed boxes.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import type { SealedRow, SealedRows } from '@florin/platform/db/reseal'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { Sealed, Secrets } from '@florin/platform/secrets'
import type { Scope } from '@florin/protocol'
import type { KeyCaller } from '../callers.ts'
import { openWebhookSecret, webhookSecretContext } from './secret.ts'

export interface ApiKey {
  id: string
  merchantId: string
  livemode: boolean
  name: string
  prefix: string
  last4: string
  scopes: Scope[]
  feeBps: number
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}

const keyColumns = (db: Db) => db`
  id, merchant_id as "merchantId", livemode, name, prefix, last4, scopes, fee_bps as "feeBps", created_at as "createdAt",
  expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`

/**
 * What `h`, a hash, and `k`, its key, must be. The merchant's account is asked for beside it, since it has an answer of
 * its own.
 */
const opens = (sql: Sql, now: Date) => sql`
  (h.expires_at is null or h.expires_at > ${now})
  and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`

/** The one statement that guards a /v1 request: its result is never cached, so a revoked key is refused at once. */
export async function findKeyCaller(
  sql: Sql,
  hash: Uint8Array,
  now: Date,
): Promise<(KeyCaller & { suspendedAt: Date | null; closedAt: Date | null }) | null> {
  const [row] = await sql<(KeyCaller & { suspendedAt: Date | null; closedAt: Date | null })[]>`
    select k.id, k.merchant_id as "merchantId", m.no as "merchantNo", k.livemode, k.scopes, k.fee_bps as "feeBps",
           m.suspended_at as "suspendedAt", m.closed_at as "closedAt"
    from api_key_hashes h
    join api_keys k on k.id = h.api_key_id
    join merchants m on m.id = k.merchant_id
    where h.hash = ${hash} and ${opens(sql, now)}`
  return row ?? null
}

/** Which of these still open a call that needs the scopes: what the guard asks of one, asked for many. */
export async function listOpenHashes(
  sql: Sql,
  a: { hashes: readonly Uint8Array[]; scopes: readonly Scope[]; now: Date },
): Promise<Uint8Array[]> {
  const rows = await sql<{ hash: Uint8Array }[]>`
    select h.hash
    from api_key_hashes h
    join api_keys k on k.id = h.api_key_id
    join merchants m on m.id = k.merchant_id
    where h.hash = any(${a.hashes as Uint8Array[]}::bytea[]) and ${opens(sql, a.now)}
      and k.scopes @> ${a.scopes as Scope[]}::text[] and m.suspended_at is null and m.closed_at is null`
  return rows.map((row) => row.hash)
}

export async function findKey(db: Db, merchantId: string, id: string): Promise<ApiKey | null> {
  const [row] = await db<ApiKey[]>`
    select ${keyColumns(db)} from api_keys where id = ${id} and merchant_id = ${merchantId}`
  return row ?? null
}

/** Serializes changes of one key; orders that refer to it can still be created meanwhile. */
export async function lockKey(tx: Tx, merchantId: string, id: string): Promise<ApiKey | null> {
  const [row] = await tx<ApiKey[]>`
    select ${keyColumns(tx)} from api_keys where id = ${id} and merchant_id = ${merchantId} for no key update`
  return row ?? null
}

export function listKeys(
  sql: Sql,
  a: { merchantId: string; livemode: boolean | null; before: string | null; limit: number },
): Promise<ApiKey[]> {
  return sql<ApiKey[]>`
    select ${keyColumns(sql)} from api_keys
    where merchant_id = ${a.merchantId} and (${a.livemode}::boolean is null or livemode = ${a.livemode})
      and (${a.before}::text is null or id < ${a.before})
    order by id desc limit ${a.limit}`
}

export function insertKey(tx: Tx, key: ApiKey, shownTo: string | null): Promise<unknown> {
  return tx`
    insert into api_keys (id, merchant_id, livemode, name, prefix, last4, scopes, fee_bps, created_at, expires_at,
                          shown_to_session)
    values (${key.id}, ${key.merchantId}, ${key.livemode}, ${key.name}, ${key.prefix}, ${key.last4}, ${key.scopes},
            ${key.feeBps}, ${key.createdAt}, ${key.expiresAt}, ${shownTo})`
}

/** A rotated key is known to the session that rotated it. */
export function noteShown(tx: Tx, id: string, sessionId: string | null): Promise<unknown> {
  return tx`update api_keys set shown_to_session = ${sessionId} where id = ${id}`
}

/** Keys that this session was the last to be shown and that still work, the newest first. */
export function listShownTo(
  tx: Tx,
  a: { merchantId: string; sessionId: string; now: Date; limit: number },
): Promise<(ApiKey & { shownAt: Date })[]> {
  return tx<(ApiKey & { shownAt: Date })[]>`
    select ${keyColumns(tx)},
           (select max(h.created_at) from api_key_hashes h where h.api_key_id = api_keys.id) as "shownAt"
    from api_keys
    where merchant_id = ${a.merchantId} and shown_to_session = ${a.sessionId} and revoked_at is null
      and (expires_at is null or expires_at > ${a.now})
    order by id desc limit ${a.limit}`
}

export function insertKeyHash(tx: Tx, a: { keyId: string; hash: Uint8Array; now: Date }): Promise<unknown> {
  return tx`insert into api_key_hashes (hash, api_key_id, created_at) values (${a.hash}, ${a.keyId}, ${a.now})`
}

/** Every hash that still works ends at `at`, or earlier if it was to end before that. */
export function endKeyHashes(tx: Tx, keyId: string, at: Date): Promise<unknown> {
  return tx`
    update api_key_hashes set expires_at = ${at}
    where api_key_id = ${keyId} and (expires_at is null or expires_at > ${at})`
}

export function changeKey(
  tx: Tx,
  id: string,
  to: { name: string; scopes: Scope[]; prefix: string; last4: string; revokedAt: Date | null },
): Promise<ApiKey[]> {
  return tx<ApiKey[]>`
    update api_keys set name = ${to.name}, scopes = ${to.scopes}, prefix = ${to.prefix}, last4 = ${to.last4},
                        revoked_at = ${to.revokedAt}
    where id = ${id}
    returning ${keyColumns(tx)}`
}

/** In id order, so that two replicas that write the same keys cannot deadlock. */
export function noteUses(sql: Sql, uses: ReadonlyMap<string, Date>): Promise<unknown> {
  return sql`
    update api_keys k set last_used_at = greatest(k.last_used_at, used.at)
    from (
      select k.id, u.at
      from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::timestamptz[]) as u (id, at)
      join api_keys k on k.id = u.id
      order by k.id for no key update of k
    ) used
    where k.id = used.id`
}

/** Whose webhook secret it is. */
export type SecretOwner = { apiKeyId: string } | { endpointId: string }

export interface SealedWebhookSecret extends Sealed {
  id: string
}

/** The rows of one owner. */
const ownedBy = (db: Db, owner: SecretOwner) =>
  'apiKeyId' in owner ? db`api_key_id = ${owner.apiKeyId}` : db`endpoint_id = ${owner.endpointId}`

export function insertWebhookSecret(
  tx: Tx,
  owner: SecretOwner,
  secret: SealedWebhookSecret & { now: Date },
): Promise<unknown> {
  return tx`
    insert into webhook_secrets (id, api_key_id, endpoint_id, key_id, box, created_at)
    values (${secret.id}, ${'apiKeyId' in owner ? owner.apiKeyId : null}, ${'endpointId' in owner ? owner.endpointId : null},
            ${secret.keyId}, ${secret.box}, ${secret.now})`
}

/** Every live secret ends at `at`, or earlier if it was to end before that. */
export function endWebhookSecrets(tx: Tx, owner: SecretOwner, at: Date): Promise<unknown> {
  return tx`
    update webhook_secrets set expires_at = ${at}
    where ${ownedBy(tx, owner)} and (expires_at is null or expires_at > ${at})`
}

/** The secrets that sign this owner's webhooks now, newest first; a revoked key's secrets keep signing. At most two. */
export function liveWebhookSecrets(db: Db, owner: SecretOwner, now: Date): Promise<SealedWebhookSecret[]> {
  return db<SealedWebhookSecret[]>`
    select id, key_id as "keyId", box from webhook_secrets
    where ${ownedBy(db, owner)} and (expires_at is null or expires_at > ${now})
    order by expires_at desc nulls first, id desc limit 10`
}

/** The one that its maker was shown when the owner was made, also where it signs no more. */
export async function findFirstWebhookSecret(db: Db, owner: SecretOwner): Promise<SealedWebhookSecret | null> {
  const [row] = await db<SealedWebhookSecret[]>`
    select id, key_id as "keyId", box from webhook_secrets where ${ownedBy(db, owner)} order by id limit 1`
  return row ?? null
}

interface SecretDeps {
  sql: Sql
  clock: Clock
  secrets: Secrets
}

/**
 * The webhook secrets of a batch of keys and endpoints in one statement: id → secrets, newest first, one or two. A secret
 * that cannot be opened is left out, and an owner without any is absent: one bad row does not hold up the others.
 * @example const [newest, older] = (await openWebhookSecrets(deps, [order.apiKeyId])).get(order.apiKeyId) ?? []
 */
export async function openWebhookSecrets(
  deps: SecretDeps,
  owners: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const ids = [...new Set(owners)]
  const now = deps.clock.now()
  // At most two rows per owner, so the batch bounds the answer.
  const rows = await deps.sql<(SealedWebhookSecret & { owner: string })[]>`
    select id, coalesce(api_key_id, endpoint_id) as owner, key_id as "keyId", box from webhook_secrets
    where (api_key_id = any(${ids}) or endpoint_id = any(${ids})) and (expires_at is null or expires_at > ${now})
    order by owner, expires_at desc nulls first, id desc`
  const opened = new Map<string, readonly string[]>()
  for (const row of rows) {
    const secret = openOrNull(deps.secrets, row)
    if (secret !== null) opened.set(row.owner, [...(opened.get(row.owner) ?? []), secret])
  }
  return opened
}

function openOrNull(secrets: Secrets, row: SealedWebhookSecret): string | null {
  try {
    return openWebhookSecret(secrets, row)
  } catch {
    return null
  }
}

/** Those that still sign. */
export const sealedWebhookSecrets: SealedRows = {
  what: 'webhook secrets',
  contextOf: webhookSecretContext,
  count: (sql, now) => sql<{ keyId: string; count: number }[]>`
    select key_id as "keyId", count(*)::int as count from webhook_secrets
    where expires_at is null or expires_at > ${now} group by key_id limit 100`,
  list: (sql, a) => sql<SealedRow[]>`
    select id, key_id as "keyId", box from webhook_secrets
    where key_id <> ${a.keyId} and id > ${a.after} and (expires_at is null or expires_at > ${a.now})
    order by id limit ${a.limit}`,
  replace: (tx, { id, from, to }) =>
    tx`update webhook_secrets set key_id = ${to.keyId}, box = ${to.box} where id = ${id} and key_id = ${from}`,
}

/** Secrets sealed with a lost master key sign nothing any more. @returns keys and endpoints that need a new one. */
export async function abandonWebhookSecrets(sql: Sql, a: { keyId: string; now: Date }): Promise<string[]> {
  const rows = await sql<{ owner: string }[]>`
    update webhook_secrets set expires_at = ${a.now}
    where key_id = ${a.keyId} and (expires_at is null or expires_at > ${a.now})
    returning coalesce(api_key_id, endpoint_id) as owner`
  return rows.map((row) => row.owner)
}

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
