// Guards the payment API: every route below /v1, whichever feature it belongs to, requires an API key that is live in
// the database now. Nothing is cached, so a revoked key is refused at once on every replica.
import { assert } from '@florin/platform/assert'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import type { App } from '@florin/platform/http/server'
import type { SharedLimits } from '@florin/platform/limits/limits'
import { makeTurns } from '@florin/platform/limits/turns'
import type { Log } from '@florin/platform/worker/job'
import { type RunningJobs, startJobs } from '@florin/platform/worker/loop'
import type { Scope } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireOpen } from '../callers.ts'
import { hashOf, parseApiKey } from './secret.ts'
import { findKeyCaller } from './store.ts'
import { makeKeyUses } from './uses.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * What a key must be allowed to do to call this /v1 route, all of it; null: any key may. Every /v1 route says it.
     */
    scope?: Scope | readonly Scope[] | null
    /** A /v1 route whose answer stays open: it has limits of its own, and takes no turn of the merchant's. */
    isStream?: boolean
  }
}

/** Calls of a merchant in a process: a shop that sends more at a time delays no other shop, and none of its keys another. */
const TURNS = {
  ...{ perHolder: 8, atOnce: Number.POSITIVE_INFINITY, waitingPerHolder: 64, waitMs: 2_000, retryAfterS: 1 },
  message: 'Too many calls of this account are being answered at a time. Send at most 8 at a time.',
}

const isPaymentApi = (url: string): boolean => /^\/v1(\/|$)/.test(url)

/**
 * Sets `request.apiKey` on every /v1 route, before the body is read, or stops the request: 401 `invalid_api_key` in
 * one shape whatever is wrong with the key, 403 `scope_missing` where one of the route's `config.scope` is not among
 * its own.
 */
/**
 * The turns stand behind the look-up of the key, which names the merchant, and around the handler, whose work they bound;
 * what is refused for its key or its body takes none.
 * @param limits of requests, over all processes; null: they and the turns are off.
 */
export function useKeyGuard(app: App, deps: { sql: Sql; clock: Clock; log: Log }, limits: SharedLimits | null): void {
  const uses = makeKeyUses(deps.sql)
  app.decorateRequest('apiKey')
  app.decorateRequest('keyHash')
  const turns = limits === null ? null : makeTurns(deps.clock, TURNS)
  app.addHook('onRoute', (route) => {
    if (!isPaymentApi(route.url)) return
    assert(route.config?.scope !== undefined, `${route.url} does not say its scope`)
    if (turns === null || route.config.isStream === true) return
    const { handler } = route
    route.handler = function (request, reply) {
      const { merchantId, id } = request.apiKey
      return turns.run(merchantId, async () => handler.call(this, request, reply), id)
    }
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions
    if (url === undefined || !isPaymentApi(url)) return done()
    guard(request, reply).then(() => done(), done)
  })
  async function guard(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { url, config } = request.routeOptions
    const now = deps.clock.now()
    const given = parseApiKey(keyTextOf(request))
    const hash = given === null ? null : hashOf(given)
    const found = hash === null ? null : await findKeyCaller(deps.sql, hash, now)
    if (hash === null || found === null) {
      reply.header('WWW-Authenticate', 'Bearer')
      throw new AppError('invalid_api_key', { message: refusalOf(request) })
    }
    const { suspendedAt, closedAt, ...caller } = found
    requireOpen({ suspendedAt, closedAt })
    uses.note(caller.id, now)
    limits?.take(
      [
        { kind: 'key', id: caller.id, perMinute: limits.perMinute.key },
        { kind: 'merchant', id: caller.merchantId, perMinute: limits.perMinute.merchant },
      ],
      (name, value) => void reply.header(name, value),
    )
    assert(config.scope !== undefined, `${url} says its scope`)
    const missing = [config.scope ?? []].flat().find((scope) => !caller.scopes.includes(scope))
    if (missing !== undefined) {
      throw new AppError('scope_missing', { message: `This API key lacks the scope "${missing}" that the call needs.` })
    }
    request.apiKey = caller
    request.caller = { key: caller.id, merchant: caller.merchantId }
    request.keyHash = hash
  }
  // The process that serves the requests knows of the uses, so it writes them itself.
  let running: RunningJobs | null = null
  app.addHook('onReady', async () => {
    running = startJobs([uses.job, ...(limits === null ? [] : [limits.job])], deps)
  })
  app.addHook('onClose', async () => {
    await running?.stop()
    await uses.flush().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'last-used times of API keys could not be written at shutdown')
    })
  })
}

/**
 * By how the key was sent, which says nothing of any key: one that is unknown, revoked, expired or mistyped is refused in
 * the same words. What was sent is never repeated, since it may be a secret.
 */
function refusalOf({ headers }: FastifyRequest): string {
  const { authorization } = headers
  const how = 'Send it as "X-API-Key: <key>" or "Authorization: Bearer <key>".'
  if (headers['x-api-key'] !== undefined) return UNKNOWN
  if (authorization === undefined) return `No API key was sent. ${how}`
  return /^Bearer +\S+$/i.test(authorization) ? UNKNOWN : `Authorization was sent without "Bearer" and a key. ${how}`
}

const UNKNOWN =
  'This API key is not known here: it may be mistyped, revoked, expired, or a key of another Florin. A console token and a webhook secret are no API keys.'

/** X-API-Key takes precedence over Authorization when both are sent. */
function keyTextOf(request: FastifyRequest): string {
  const own = request.headers['x-api-key']
  if (own !== undefined) return typeof own === 'string' ? own : ''
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
}
