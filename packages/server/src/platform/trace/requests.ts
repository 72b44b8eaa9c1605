// Each request is a scope of its own, and a span where traces are wanted. A caller's `traceparent` is gone on with.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseTraceparent, type Scope, within } from './scope.ts'
import { type Span, startSpan } from './tracing.ts'

export function useScopes(app: FastifyInstance): void {
  const scopes = new WeakMap<FastifyRequest, { scope: Scope; span: Span | null }>()
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = parseTraceparent(request.headers.traceparent)
    const route = request.routeOptions.url ?? 'none'
    const span = startSpan({
      ...{ name: `${request.method} ${route}`, kind: 'server', parent },
      attributes: { 'http.request.method': request.method, 'http.route': route, 'florin.request_id': request.id },
    })
    const scope = { requestId: request.id, traceparent: span?.traceparent ?? parent }
    scopes.set(request, { scope, span })
    within(scope, done)
  })
  // The body comes from the socket, which knows of no scope.
  app.addHook('preValidation', (request, _reply, done) => {
    const found = scopes.get(request)
    if (found === undefined) done()
    else within(found.scope, done)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode } = reply
    const failure = statusCode >= 500 ? `answered ${statusCode}` : null
    scopes.get(request)?.span?.end(failure, { 'http.response.status_code': statusCode })
  })
}
