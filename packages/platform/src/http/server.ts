// The HTTP server itself: limits, timeouts, request ids, security headers, our JSON parser and error answers. It knows
// no route.
import type { Server } from 'node:http'
import { isIP, type Socket } from 'node:net'
import rateLimit from '@fastify/rate-limit'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { BODY_MAX_BYTES } from '@florin/protocol'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
} from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Clock } from '../clock.ts'
import type { Blocker } from '../db/blocker.ts'
import { isLockTimeout } from '../db/failures.ts'
import { AppError } from '../errors.ts'
import { newId } from '../ids.ts'
import { usualRequestsPerMinute } from '../limits/limits.ts'
import { measureRequests } from '../measure/requests.ts'
import { useScopes } from '../trace/requests.ts'
import { rawErrorAnswer, sendError, useErrorAnswers } from './errors.ts'
import { cleanForwarded, makeIsProxy, useLoopbackHosts, useProxyWarning } from './hosts.ts'
import { useJsonParser } from './json.ts'
import { schemaCompilers } from './schemas.ts'

export type App = FastifyInstance<
  Server,
  RawRequestDefaultExpression<Server>,
  RawReplyDefaultExpression<Server>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    /** For the log: whom a guard let in. */
    caller?: { key?: string; merchant: string }
  }
}

export interface ServerOptions {
  log: FastifyBaseLogger
  clock: Clock
  trustProxy: readonly string[]
  rateLimits: boolean
  /** Of a client, before it is told to wait; keys and merchants have limits of their own (`limits/`). */
  requestsPerMinute?: number
  isHttps: boolean
  isLoopbackInstall: boolean
  /** Whether every request is a line of the log, not only those that failed. */
  accessLog?: boolean
  /** Who keeps others waiting for a lock of the database. */
  findBlocker?: () => Promise<Blocker | null>
  /** How long a client may take nothing of its answer. Default: 30 seconds. */
  unreadMs?: number
}

export async function makeServer(options: ServerOptions): Promise<App> {
  let limit: ReturnType<App['rateLimit']> | null = null
  const isProxy = makeIsProxy(options.trustProxy)
  const app: App = fastify({
    loggerInstance: options.log,
    // The scope says the id of the request in every line.
    childLoggerFactory: (logger) => logger,
    // One line per request, written by the hook below.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req', options.clock.now()),
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: options.trustProxy.length === 0 ? false : (address) => isProxy(address),
    // A client that sends slower than this cannot hold a connection open.
    requestTimeout: 15_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false, caseSensitive: true },
    schemaController: { compilersFactory: schemaCompilers },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: false,
        strict: false,
      },
    },
    clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return
      socket.end(rawErrorAnswer(error.code, newId('req', options.clock.now())))
    },
    // Answered before any hook runs, so headers that hooks would set are set here, and the request is counted.
    frameworkErrors(error, request, reply) {
      cleanForwarded(request.raw)
      reply.header('X-Request-Id', request.id)
      secure(reply, options.isHttps)
      const counted = Promise.resolve(limit?.call(app, request, reply))
      counted.then(
        () => sendError(request, reply, error),
        (thrown: unknown) => sendError(request, reply, thrown),
      )
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.decorateRequest('caller')
  useScopes(app)
  useErrorAnswers(app)
  useJsonParser(app)
  useNestedQueries(app)
  dropUnusedConnections(app)
  dropUnreadAnswers(app, options.unreadMs ?? 30_000)
  // Hooks of every request take a callback where they wait for nothing: a promise costs each of them a turn of the queue.
  app.addHook('onRequest', (request, reply, done) => {
    cleanForwarded(request.raw)
    reply.header('X-Request-Id', request.id)
    secure(reply, options.isHttps)
    done()
  })
  // Before all that may refuse a request: who guesses at keys, or at addresses, is counted too.
  if (options.rateLimits) {
    limit = await useRateLimit(app, options.requestsPerMinute ?? usualRequestsPerMinute.address)
    app.addHook('onRequest', limit)
  }
  app.addHook('onRequest', (request, _reply, done) => {
    // NUL cannot be stored and never belongs in a URL.
    const isBad = request.url.includes('%00') || (isApi.test(request.url) && !isDecodable(request.url))
    done(isBad ? new AppError('malformed_url') : undefined)
  })
  if (options.isLoopbackInstall) useLoopbackHosts(app)
  useProxyWarning(app, isProxy)
  measureRequests(app)
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const line = { req: request, request_id: request.id, ...request.caller, status: reply.statusCode, ms }
    if (request.databaseFailure !== undefined) void logDatabaseFailure(request, line, options)
    else if (reply.statusCode >= 500) request.log.warn(line, 'answered')
    else if (options.accessLog === true) request.log.info(line, 'answered')
    else request.log.debug(line, 'answered')
    done()
  })
  return app
}

async function logDatabaseFailure(
  request: FastifyRequest,
  line: object,
  { findBlocker }: ServerOptions,
): Promise<void> {
  const { databaseFailure: failure } = request
  const reason = failure instanceof Error ? failure.message : String(failure)
  const blocker = isLockTimeout(failure) ? await findBlocker?.() : null
  request.log.warn({ ...line, reason, ...(blocker ? { blocked_by: blocker } : {}) }, 'answered')
}

/** A first defence against floods, per process. Limits that protect money or accounts are in the database. */
async function useRateLimit(app: App, max: number): Promise<ReturnType<App['rateLimit']>> {
  await app.register(rateLimit, {
    global: false,
    max,
    timeWindow: 60_000,
    keyGenerator: (request) => clientOf(request.ip),
    // RateLimit-Limit, -Remaining and -Reset (in seconds) on every answer; Retry-After beside them where it is 429.
    enableDraftSpec: true,
    errorResponseBuilder: (_request, context) => new AppError('rate_limited', { retryAfterS: context.ttl / 1000 }),
  })
  return app.rateLimit()
}

/** Pages are not asked so much: what a newsletter hung on their address is no reason to send a payer away. */
const isApi = /^\/(?:v1|api)\//

/** The framework judges the path, and takes a query as it comes: bytes that are no UTF-8 would be looked for as they stand. */
function isDecodable(url: string): boolean {
  const at = url.indexOf('?')
  if (at === -1 || !url.includes('%', at)) return true
  try {
    decodeURIComponent(url.slice(at))
    return true
  } catch {
    return false
  }
}

/** Headers of every answer, set before its route, which may set others. */
function secure(reply: FastifyReply, isHttps: boolean): void {
  reply
    .header('X-Content-Type-Options', 'nosniff')
    .header('Referrer-Policy', 'no-referrer')
    .header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    .header('Cache-Control', 'no-store')
  if (isHttps) reply.header('Strict-Transport-Security', 'max-age=31536000')
}

/** `metadata[cart]=7` in a query is an object `metadata`, one level deep, whose keys may hold brackets; schemas say which queries take one. */
function useNestedQueries(app: App): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const query = request.query as Record<string, unknown>
    for (const [name, value] of Object.entries(query)) {
      const [, object, key] = /^(\w+)\[(.*)\]$/s.exec(name) ?? []
      if (object === undefined || key === undefined) continue
      delete query[name]
      const nested = query[object] ?? Object.create(null)
      // A plain value beside the object stays, and is refused by its schema.
      if (typeof nested !== 'object') continue
      nested[key] = value
      query[object] = nested
    }
    done()
  })
}

/**
 * Browsers open connections ahead of need. Node treats one that never carried a request as busy, so a stopping server
 * would wait a minute for it.
 */
function dropUnusedConnections(app: App): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', (request) => unused.delete(request.socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
  })
}

/**
 * Ends the connection of a client that reads no more of its answer, of whatever kind. Node restarts the time whenever some
 * of the answer was taken; an answer that is still being made has nothing to take.
 */
function dropUnreadAnswers(app: App, unreadMs: number): void {
  app.addHook('onRequest', (_request, reply, done) => {
    // Answers of tests that inject a request have no socket.
    reply.raw.setTimeout?.(unreadMs, () => {
      const { socket } = reply.raw
      if (socket !== null && socket.writableLength > 0) socket.destroy()
    })
    done()
  })
}

/** The client for limits: an IPv4 address, also where IPv6 carries it, or the /64 that a household or server has of IPv6. */
export function clientOf(ip: string): string {
  if (isIP(ip) === 0) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  // A gateway puts all of IPv4 into one /64 (RFC 6052).
  if (address.range() === 'rfc6052') return new ipaddr.IPv4(address.toByteArray().slice(12)).toString()
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}
