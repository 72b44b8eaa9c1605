// Checks host names and proxies of a request: a loopback install answers to loopback names only, and an X-Forwarded-For
// from an untrusted proxy is logged.
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { isLoopbackHost } from './loopback.ts'

/**
 * A foreign page can point its own name at this machine and then read what a program here answers (DNS rebinding). A
 * loopback install is relaxed for development, so there such a name is refused.
 */
export function useLoopbackHosts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(isLoopbackHost(request.hostname) ? undefined : new AppError('host_not_served'))
  })
}

/** Limits count clients by address; behind a proxy that is not configured all clients share the proxy's. */
export function useProxyWarning(app: FastifyInstance): void {
  let isSaid = false
  app.addHook('onRequest', (request, _reply, done) => {
    done()
    if (isSaid || request.headers['x-forwarded-for'] === undefined) return
    const peer = request.socket.remoteAddress
    if (request.ip !== peer) return
    isSaid = true
    request.log.warn(
      { peer },
      `X-Forwarded-For comes from ${peer}, which TRUST_PROXY does not name, so it is ignored: all clients behind it ` +
        'count as one client and share its limits. If this is your proxy, add its address to TRUST_PROXY.',
    )
  })
}
