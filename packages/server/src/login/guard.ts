// Who may call the console: every route below /api/v1/boss, whichever feature it belongs to, takes a token whose
// session is live in the database now. A route cannot forget the guard, since it goes by the path.
import { MINUTE_MS } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import { AppError } from '../platform/errors.ts'
import type { App } from '../platform/http/server.ts'
import { parseEmail } from './rules.ts'
import { findLiveSession, touchSession } from './store.ts'
import { makeTokens } from './token.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A console route for those in OPERATOR_EMAILS only. */
    operator?: boolean
  }
}

type GuardDeps = Pick<Deps, 'sql' | 'clock' | 'secrets' | 'config'>

/**
 * Sets `request.merchant` on every console route, before the body is read, or stops the request with 401
 * `invalid_token`; a route with `config: { operator: true }` answers 403 `operator_required` to everybody else.
 */
export function useConsoleGuard(app: App, deps: GuardDeps): void {
  const tokens = makeTokens(deps.secrets)
  const operators = operatorsOf(deps.config)
  app.decorateRequest('merchant')
  app.addHook('onRequest', async (request, reply) => {
    const { url, config } = request.routeOptions
    if (url === undefined || !/^\/api\/v1\/boss(\/|$)/.test(url)) return
    const now = deps.clock.now()
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const subject = token === undefined ? null : await tokens.verify(token, now)
    const session =
      subject === null
        ? null
        : await findLiveSession(deps.sql, { id: subject.sessionId, merchantId: subject.merchantId, now })
    if (subject === null || session === null) {
      reply.header('WWW-Authenticate', 'Bearer')
      throw new AppError('invalid_token')
    }
    // Written at most once a minute, so reading the console costs no writes.
    const minuteAgo = new Date(now.getTime() - MINUTE_MS)
    if (session.lastSeenAt <= minuteAgo) await touchSession(deps.sql, subject.sessionId, now, minuteAgo)
    const isOperator = operators.includes(session.email)
    if (config.operator === true && !isOperator) throw new AppError('operator_required')
    request.merchant = {
      id: subject.merchantId,
      no: session.merchantNo,
      email: session.email,
      sessionId: subject.sessionId,
      isOperator,
    }
  })
}

/** OPERATOR_EMAILS in the form that merchants' emails have; what is no address cannot be anybody's. */
export function operatorsOf(config: Pick<Deps['config'], 'operatorEmails'>): string[] {
  return config.operatorEmails.flatMap((text) => {
    try {
      return [parseEmail(text)]
    } catch {
      return []
    }
  })
}
