// Every change of a key: the rows, the audit entry and the merchant's mail are one transaction, under the key's lock
// where it already exists. Secrets leave only in the answer to the caller that created them.
import { only } from '@florin/platform/assert'
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { newId } from '@florin/platform/ids'
import { makeUndoLink } from '@florin/platform/mail/links'
import { enqueueNotice } from '@florin/platform/mail/notices'
import type { Secrets } from '@florin/platform/secrets'
import type { KeyMode, Scope } from '@florin/protocol'
import { type Asker, requireFresh } from '../callers.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { type KeyAct, keyMail, shortOf } from './mails.ts'
import { livemodeOf, mayOverlap, scopesOf } from './rules.ts'
import { hashOf, maskOf, newApiKey, newWebhookSecret, sealWebhookSecret } from './secret.ts'
import * as store from './store.ts'

type ChangeDeps = {
  sql: Sql
  clock: Clock
  secrets: Secrets
  config: Config
  wake: Wakes
  rails: { readonly hasLiveRail: boolean }
}
type Caller = Asker
type Detail = Record<string, string | number | boolean | null>

/** The link in the mail about a new key: revokes it. */
export const UNDO_KEY = 'api_key.undo'

const MOVES_MONEY: Scope = 'refunds:write'

/** Runs one act on a key in one transaction and notifies the merchant, unless the act reports that nothing changed. */
async function act<T extends { key: store.ApiKey }>(
  deps: ChangeDeps,
  caller: Caller,
  name: KeyAct,
  work: (tx: Tx, now: Date) => Promise<T & { told: Detail | null; undo?: boolean; weight?: 'matters' }>,
): Promise<T> {
  const now = deps.clock.now()
  const done = await withTx(deps.sql, async (tx) => {
    const result = await work(tx, now)
    if (result.told === null) return result
    const { id } = result.key
    const entry = { merchantId: caller.id, actor: caller.email, action: `api_key.${name}`, subject: id }
    const undo = result.undo === true ? await revokeLink(deps, tx, caller, result.key, now) : null
    const words = keyMail(name, { key: result.key, at: now, baseUrl: deps.config.baseUrl, undo })
    await Promise.all([
      recordAudit(tx, { ...entry, detail: result.told }, now),
      enqueueNotice(
        tx,
        deps,
        { merchantId: caller.id, to: caller.email, weight: result.weight ?? 'routine', ...words },
        now,
      ),
    ])
    return result
  })
  deps.wake.mail.fire()
  return done
}

/**
 * What requires a fresh sign-in matters. The rest, revoking and renaming included, an old session can repeat as often
 * as it likes, so it must not displace the mails that matter.
 */
const matters = (does: boolean): { weight?: 'matters' } => (does ? { weight: 'matters' } : {})

function revokeLink(deps: ChangeDeps, tx: Tx, caller: Caller, key: store.ApiKey, now: Date): Promise<string> {
  const { id: merchantId, sessionId, browser } = caller
  const about = { merchantId, kind: UNDO_KEY, subject: key.id, detail: { key: shortOf(key) }, sessionId, browser }
  return makeUndoLink(tx, deps.config, { ...about, now })
}

async function getLocked(tx: Tx, caller: Caller, id: string): Promise<store.ApiKey> {
  const key = await store.lockKey(tx, caller.id, id)
  if (key === null) throw new AppError('api_key_not_found')
  return key
}

export interface NewKey {
  name: string
  mode?: KeyMode | undefined
  scopes?: readonly Scope[] | undefined
  expiresAt: Date | null
}

/** @throws AppError confirmation_required where an old sign-in requests a key that can refund. */
export function createKey(deps: ChangeDeps, caller: Caller, asked: NewKey) {
  if (asked.scopes?.includes(MOVES_MONEY)) requireFresh(caller)
  const livemode = livemodeOf(asked.mode, deps.rails.hasLiveRail)
  const apiKey = newApiKey(livemode)
  const webhookSecret = newWebhookSecret()
  return act(deps, caller, 'created', async (tx, now) => {
    const key: store.ApiKey = {
      id: newId('key', now),
      merchantId: caller.id,
      livemode,
      name: asked.name,
      ...maskOf(apiKey),
      scopes: scopesOf(asked.scopes),
      feeBps: deps.config.feeBps,
      createdAt: now,
      expiresAt: asked.expiresAt,
      lastUsedAt: null,
      revokedAt: null,
    }
    await store.insertKey(tx, key, caller.sessionId)
    await Promise.all([
      store.insertKeyHash(tx, { keyId: key.id, hash: hashOf(apiKey), now }),
      insertSecret(deps, tx, { apiKeyId: key.id, secret: webhookSecret, now }),
    ])
    const told = { name: key.name, livemode, scopes: key.scopes.join(' ') }
    return { key, apiKey, webhookSecret, told, undo: true, ...matters(key.scopes.includes(MOVES_MONEY)) }
  })
}

export function changeKey(
  deps: ChangeDeps,
  caller: Caller,
  id: string,
  change: { name?: string | undefined; scopes?: readonly Scope[] | undefined },
) {
  return act(deps, caller, 'changed', async (tx) => {
    const key = await getLocked(tx, caller, id)
    if (key.revokedAt !== null) throw new AppError('key_revoked')
    const name = change.name ?? key.name
    const scopes = change.scopes === undefined ? key.scopes : scopesOf(change.scopes)
    if (name === key.name && scopes.join() === key.scopes.join()) return { key, told: null }
    const gains = scopes.includes(MOVES_MONEY) && !key.scopes.includes(MOVES_MONEY)
    if (gains) requireFresh(caller)
    const changed = only(await store.changeKey(tx, id, { ...key, name, scopes }), 'API key')
    return { key: changed, told: { name, scopes: scopes.join(' ') }, ...matters(gains) }
  })
}

/** Makes a new key beside the old one, which works for `graceS` seconds more; 0: every older one ends now. */
export function rotateKey(deps: ChangeDeps, caller: Caller, id: string, graceS: number) {
  return act(deps, caller, 'rotated', async (tx, now) => {
    const key = await getLocked(tx, caller, id)
    if (key.revokedAt !== null) throw new AppError('key_revoked')
    if (key.expiresAt !== null && key.expiresAt <= now) {
      throw new AppError('action_not_possible', { message: 'This API key has expired. Make a new one.' })
    }
    const apiKey = newApiKey(key.livemode)
    const oldEndsAt = new Date(now.getTime() + graceS * 1000)
    await store.endKeyHashes(tx, id, oldEndsAt)
    await store.insertKeyHash(tx, { keyId: id, hash: hashOf(apiKey), now })
    const changed = only(await store.changeKey(tx, id, { ...key, ...maskOf(apiKey) }), 'API key')
    await store.noteShown(tx, id, caller.sessionId)
    return { key: changed, apiKey, oldEndsAt, told: { grace_seconds: graceS }, ...matters(true) }
  })
}

/** Makes a new webhook secret; the current one signs beside it for `overlapS` seconds. Works for a revoked key too. */
export function rotateWebhookSecret(deps: ChangeDeps, caller: Caller, id: string, overlapS: number) {
  return act(deps, caller, 'secret_rotated', async (tx, now) => {
    const key = await getLocked(tx, caller, id)
    const live = await store.liveWebhookSecrets(tx, { apiKeyId: id }, now)
    if (overlapS > 0 && !mayOverlap(live.length)) throw new AppError('secret_overlap_running')
    const webhookSecret = newWebhookSecret()
    const oldEndsAt = new Date(now.getTime() + overlapS * 1000)
    await store.endWebhookSecrets(tx, { apiKeyId: id }, oldEndsAt)
    await insertSecret(deps, tx, { apiKeyId: id, secret: webhookSecret, now })
    return { key, webhookSecret, oldEndsAt, told: { overlap_seconds: overlapS }, ...matters(true) }
  })
}

export function revokeKey(deps: ChangeDeps, caller: Caller, id: string) {
  return act(deps, caller, 'revoked', async (tx, now) => {
    const key = await getLocked(tx, caller, id)
    if (key.revokedAt !== null) return { key, told: null }
    const revoked = only(await store.changeKey(tx, id, { ...key, revokedAt: now }), 'API key')
    return { key: revoked, told: { name: key.name } }
  })
}

function insertSecret(deps: ChangeDeps, tx: Tx, a: { apiKeyId: string; secret: string; now: Date }): Promise<unknown> {
  const id = newId('sec', a.now)
  const sealed = sealWebhookSecret(deps.secrets, id, a.secret)
  return store.insertWebhookSecret(tx, { apiKeyId: a.apiKeyId }, { ...sealed, id, now: a.now })
}
