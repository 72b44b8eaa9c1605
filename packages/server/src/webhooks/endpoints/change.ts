// Every change of an endpoint: the rows, the audit entry and the merchant's mail are one transaction, under the endpoint's
// lock where it already exists. A secret leaves only in the answer to the caller that created it.
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { type Once, requireSameBody } from '@florin/platform/http/idempotency'
import { newId } from '@florin/platform/ids'
import { enqueueNotice } from '@florin/platform/mail/notices'
import { findMerchantEmail } from '@florin/platform/merchants.store'
import type { Secrets } from '@florin/platform/secrets'
import {
  IDEMPOTENCY_KEPT_MS,
  type KeyMode,
  WEBHOOK_ENDPOINTS_MAX,
  WEBHOOK_SECRETS_LIVE_MAX,
  type WebhookKind,
  webhookKinds,
} from '@florin/protocol'
import type { Caller } from '../../define-route.ts'
import { newWebhookSecret, openWebhookSecret, sealWebhookSecret } from '../../keys/secret.ts'
import { endWebhookSecrets, findFirstWebhookSecret, insertWebhookSecret, liveWebhookSecrets } from '../../keys/store.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { laneOf, parseWebhookUrl } from '../rules.ts'
import { type EndpointAct, endpointMail } from './mails.ts'
import * as store from './store.ts'

type ChangeDeps = {
  sql: Sql
  clock: Clock
  secrets: Secrets
  config: Config
  wake: Wakes
  rails: { readonly hasLiveRail: boolean }
}
type Detail = Record<string, string | number | boolean | null>

/** Runs one act on an endpoint in one transaction and notifies the merchant, unless it reports that nothing changed. */
async function act<T extends { endpoint: store.EndpointRow }>(
  deps: ChangeDeps,
  caller: Caller,
  name: EndpointAct,
  work: (tx: Tx, now: Date) => Promise<T & { told: Detail | null }>,
): Promise<T> {
  const now = deps.clock.now()
  const done = await withTx(deps.sql, async (tx) => {
    const result = await work(tx, now)
    if (result.told === null) return result
    const { merchantId, actor } = caller
    const { endpoint } = result
    const entry = { merchantId, actor, action: `webhook_endpoint.${name}`, subject: endpoint.id }
    await recordAudit(tx, { ...entry, detail: { ...result.told, livemode: endpoint.livemode } }, now)
    const to = await findMerchantEmail(tx, merchantId)
    if (to === null) return result
    const words = endpointMail(name, { endpoint, actor, at: now, baseUrl: deps.config.baseUrl })
    // Rotating takes a fresh sign-in; the rest an old session or a key may repeat.
    const weight = name === 'secret_rotated' ? 'matters' : 'routine'
    await enqueueNotice(tx, deps, { merchantId, to, weight, ...words }, now)
    return result
  })
  deps.wake.mail.fire()
  return done
}

async function getLocked(tx: Tx, caller: Caller, id: string): Promise<store.EndpointRow> {
  const endpoint = await store.lockEndpoint(tx, caller, id)
  if (endpoint === null) throw new AppError('endpoint_not_found')
  return endpoint
}

/** In the table's order, so that equal choices are equal lists. */
const eventsOf = (asked: readonly WebhookKind[]): WebhookKind[] => webhookKinds.filter((kind) => asked.includes(kind))

export interface NewEndpoint {
  url: string
  description: string | null
  events: readonly WebhookKind[]
  mode: KeyMode | undefined
  once?: Once | null
}

/** A key makes endpoints of its own mode; in the console, live where live money can be taken, unless it is said. */
function modeOf(deps: ChangeDeps, caller: Caller, mode: KeyMode | undefined): boolean {
  const asked = mode === undefined ? null : mode === 'live'
  if (caller.livemode === null) return asked ?? deps.rails.hasLiveRail
  if (asked !== null && asked !== caller.livemode) {
    const own = caller.livemode ? 'live' : 'test'
    throw new AppError('validation_failed', {
      param: 'mode',
      message: `This API key is of the mode "${own}": its endpoints are, too. Leave mode out, or use a key of the other mode.`,
    })
  }
  return caller.livemode
}

/** @throws AppError too_many_endpoints, invalid_webhook_url */
export function createEndpoint(deps: ChangeDeps, caller: Caller, asked: NewEndpoint) {
  const livemode = modeOf(deps, caller, asked.mode)
  const url = parseWebhookUrl(asked.url, { ...deps.config, livemode, param: 'url' })
  const { merchantId, merchantNo } = caller
  const secret = newWebhookSecret()
  const once = asked.once ?? null
  return act(deps, caller, 'created', async (tx, now) => {
    const count = await store.countForMore(tx, { merchantId, livemode })
    const since = new Date(now.getTime() - IDEMPOTENCY_KEPT_MS)
    const made = once === null ? null : await store.findMadeWith(tx, { merchantId, key: once.key, since })
    if (made !== null && once !== null) {
      requireSameBody(made, once)
      if (made.isDeleted) throw gone(made.endpoint.id, 'was deleted since')
      // Answers are not kept: they would hold the secret in the clear. The secret is that of the first answer: one that was
      // made later is shown to whoever made it and nobody else.
      const sealed = await findFirstWebhookSecret(tx, { endpointId: made.endpoint.id })
      const first = sealed === null ? null : openWebhookSecret(deps.secrets, sealed)
      if (first === null) throw gone(made.endpoint.id, 'has a secret that cannot be shown again: rotate it')
      return { endpoint: made.endpoint, secret: first, told: null }
    }
    if (count >= WEBHOOK_ENDPOINTS_MAX) {
      throw new AppError('too_many_endpoints')
    }
    const endpoint: store.EndpointRow = {
      ...{ id: newId('whe', now), merchantId, merchantNo, livemode, url, lane: laneOf(merchantNo, url) },
      ...{ description: asked.description, events: eventsOf(asked.events), createdAt: now, updatedAt: now },
      ...{ disabledAt: null, disabledBy: null, failingSince: null },
    }
    await store.insertEndpoint(tx, endpoint, once)
    await insertSecret(deps, tx, endpoint.id, secret, now)
    return { endpoint, secret, told: { url: withoutQuery(url), events: endpoint.events.join(' ') } }
  })
}

const gone = (id: string, why: string): AppError =>
  new AppError('idempotency_key_reused', {
    param: 'Idempotency-Key',
    message: `This Idempotency-Key made the endpoint ${id}, which ${why}. Another endpoint takes another key.`,
  })

export interface EndpointChange {
  url: string | undefined
  description: string | null | undefined
  events: readonly WebhookKind[] | undefined
  enabled: boolean | undefined
}

/** What waits in the queue goes to the new URL: it is read when the attempt starts (queue/deliver.ts). */
export function changeEndpoint(deps: ChangeDeps, caller: Caller, id: string, change: EndpointChange) {
  return act(deps, caller, 'changed', async (tx, now) => {
    const old = await getLocked(tx, caller, id)
    const url =
      change.url === undefined
        ? old.url
        : parseWebhookUrl(change.url, { ...deps.config, livemode: old.livemode, param: 'url' })
    const events = change.events === undefined ? old.events : eventsOf(change.events)
    const description = change.description === undefined ? old.description : change.description
    const wasEnabled = old.disabledAt === null
    const enabled = change.enabled ?? wasEnabled
    const isSame =
      url === old.url &&
      description === old.description &&
      events.join() === old.events.join() &&
      enabled === wasEnabled
    if (isSame) return { endpoint: old, told: null }
    const standing = enabled
      ? // Enabled again, or sent elsewhere, it begins anew: what failed before does not count against it.
        { disabledAt: null, disabledBy: null, failingSince: wasEnabled && url === old.url ? old.failingSince : null }
      : { disabledAt: old.disabledAt ?? now, disabledBy: old.disabledBy ?? ('merchant' as const) }
    const endpoint = {
      ...old,
      url,
      lane: laneOf(old.merchantNo, url),
      description,
      events,
      updatedAt: now,
      ...standing,
    }
    await store.saveEndpoint(tx, endpoint)
    return { endpoint, told: { url: withoutQuery(url), events: events.join(' '), enabled } }
  })
}

/** Makes a new secret; the current one signs beside it for `overlapS` seconds. @throws AppError secret_overlap_running */
export function rotateSecret(deps: ChangeDeps, caller: Caller, id: string, overlapS: number) {
  return act(deps, caller, 'secret_rotated', async (tx, now) => {
    const endpoint = await getLocked(tx, caller, id)
    const owner = { endpointId: id }
    const live = await liveWebhookSecrets(tx, owner, now)
    if (overlapS > 0 && live.length >= WEBHOOK_SECRETS_LIVE_MAX) throw new AppError('secret_overlap_running')
    const secret = newWebhookSecret()
    const oldEndsAt = new Date(now.getTime() + overlapS * 1000)
    await endWebhookSecrets(tx, owner, oldEndsAt)
    await insertSecret(deps, tx, id, secret, now)
    return { endpoint, secret, oldEndsAt, told: { overlap_seconds: overlapS } }
  })
}

export function deleteEndpoint(deps: ChangeDeps, caller: Caller, id: string) {
  return act(deps, caller, 'deleted', async (tx, now) => {
    const endpoint = await getLocked(tx, caller, id)
    await store.deleteEndpoint(tx, id, now)
    return { endpoint, told: { url: withoutQuery(endpoint.url) } }
  })
}

/** What the audit log keeps of a URL: its query may hold a secret of the merchant's. */
const withoutQuery = (url: string): string => url.replace(/\?.*$/, '')

function insertSecret(deps: ChangeDeps, tx: Tx, endpointId: string, secret: string, now: Date): Promise<unknown> {
  const id = newId('sec', now)
  return insertWebhookSecret(tx, { endpointId }, { ...sealWebhookSecret(deps.secrets, id, secret), id, now })
}
