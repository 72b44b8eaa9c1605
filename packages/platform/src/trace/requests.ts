// Each request is a scope of its own, and a span where traces are wanted. A caller's `traceparent` is gone on with.
import type { FastifyInstance } from 'fastify'
import { parseTraceparent, type Scope, within } from './scope.ts'
import { type Span, startSpan } from './tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Left out where the request was refused before any hook. */
    scope?: Scope
    span?: Span | null
  }
}

export function useScopes(app: FastifyInstance): void {
  app.decorateRequest('scope')
  app.decorateRequest('span')
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = parseTraceparent(request.headers.traceparent)
    const route = request.routeOptions.url ?? 'none'
    const span = startSpan({
      ...{ name: `${request.method} ${route}`, kind: 'server', parent },
      attributes: { 'http.request.method': request.method, 'http.route': route, 'florin.request_id': request.id },
    })
    const scope = { requestId: request.id, traceparent: span?.traceparent ?? parent }
    request.scope = scope
    request.span = span
    within(scope, done)
  })
  // The body comes from the socket, which knows of no scope.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.scope === undefined) done()
    else within(request.scope, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    const failure = statusCode >= 500 ? `answered ${statusCode}` : null
    request.span?.end(failure, { 'http.response.status_code': statusCode })
    done()
  })
}
