// Guards the console: every route below /api/v1/boss, whichever feature it belongs to, requires a token whose session
// is live in the database now. No route can be left out, since the guard goes by path.
import { assert } from '@florin/platform/assert'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import type { App } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import { MINUTE_MS } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ConsoleAct, requireOpen } from '../callers.ts'
import type { Config } from '../settings.ts'
import { isKnown, readBrowser } from './browser.ts'
import { parseEmail } from './rules.ts'
import { findLiveSession, touchSession } from './store.ts'
import { makeTokens } from './token.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every console call that writes, and what it can do to money. */
    consoleActs: ReadonlyMap<string, ConsoleAct>
  }
  interface FastifyContextConfig {
    /** A console route for those in OPERATOR_EMAILS only. */
    operator?: boolean
    /** What a console route that writes can do to money. Every such route declares it. */
    act?: ConsoleAct
  }
}

type GuardDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config }

/**
 * Sets `request.merchant` on every console route, before the body is read, or stops the request with 401
 * `invalid_token`; a route with `config: { operator: true }` answers 403 `operator_required` to everybody else, one
 * with `config: { act: 'fresh' }` 403 `confirmation_required` to an old sign-in.
 */
export function useConsoleGuard(app: App, deps: GuardDeps): void {
  const tokens = makeTokens(deps.secrets)
  const operators = operatorsOf(deps.config)
  app.decorateRequest('merchant')
  const acts = new Map<string, ConsoleAct>()
  app.decorate('consoleActs', acts)
  app.addHook('onRoute', ({ url, method: methods, config }) => {
    for (const method of isConsole(url) ? [methods].flat() : []) {
      if (method === 'GET' || method === 'HEAD') continue
      assert(config?.act !== undefined, `${method} ${url} does not say its act`)
      acts.set(`${method} ${url}`, config.act)
    }
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions
    if (url === undefined || !isConsole(url)) return done()
    guard(request, reply).then(() => done(), done)
  })
  async function guard(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { config } = request.routeOptions
    const now = deps.clock.now()
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const subject = token === undefined ? null : await tokens.verify(token, now)
    const browser = subject === null ? null : readBrowser(deps, request, subject.merchantId)
    const session =
      subject === null
        ? null
        : await findLiveSession(deps.sql, { id: subject.sessionId, merchantId: subject.merchantId, browser, now })
    if (subject === null || session === null) {
      reply.header('WWW-Authenticate', 'Bearer')
      throw new AppError('invalid_token')
    }
    requireOpen(session)
    // Written at most once a minute, so reading the console costs no writes.
    const minuteAgo = new Date(now.getTime() - MINUTE_MS)
    if (session.lastSeenAt <= minuteAgo) await touchSession(deps.sql, subject.sessionId, now, minuteAgo)
    const isOperator = operators.includes(session.email)
    if (config.operator === true && !isOperator) throw new AppError('operator_required')
    const isFresh = freshUntil(session, deps.config) > now
    if (config.act === 'fresh' && !isFresh) throw new AppError('confirmation_required')
    request.caller = { merchant: subject.merchantId }
    request.merchant = {
      id: subject.merchantId,
      no: session.merchantNo,
      email: session.email,
      sessionId: subject.sessionId,
      isOperator,
      isFresh,
      isKnownBrowser: isKnown(session.browserSince, now),
      browser,
    }
  }
}

const isConsole = (url: string): boolean => /^\/api\/v1\/boss(\/|$)/.test(url)

/** Until when a session may do what can move money. */
export function freshUntil(
  session: { createdAt: Date; confirmedAt: Date | null },
  config: Pick<Config, 'freshSignInMs'>,
): Date {
  return new Date((session.confirmedAt ?? session.createdAt).getTime() + config.freshSignInMs)
}

/** OPERATOR_EMAILS in the form of merchants' emails; an invalid address matches nobody. */
export function operatorsOf(config: Pick<Config, 'operatorEmails'>): string[] {
  return config.operatorEmails.flatMap((text) => {
    try {
      return [parseEmail(text)]
    } catch {
      return []
    }
  })
}
