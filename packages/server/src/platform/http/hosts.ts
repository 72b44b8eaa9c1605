// What host names and proxies tell of a request: a loopback install answers to loopback names alone, and an
// X-Forwarded-For that nobody vouches for is said aloud.
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { isLoopbackHost } from './loopback.ts'

/**
 * A page of a stranger can give its own name this machine's address and then read what a program here answers. On a
 * loopback install everything is relaxed for development, so there such a name is refused.
 */
export function useLoopbackHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (isLoopbackHost(request.hostname)) return
    throw new AppError('host_not_served')
  })
}

/** Limits count a client by its address, which behind a proxy that is not named is the proxy's for everybody. */
export function useProxyWarning(app: FastifyInstance): void {
  let isSaid = false
  app.addHook('onRequest', async (request) => {
    const peer = request.socket.remoteAddress
    if (isSaid || request.headers['x-forwarded-for'] === undefined || request.ip !== peer) return
    isSaid = true
    request.log.warn(
      { peer },
      `X-Forwarded-For comes from ${peer}, which TRUST_PROXY does not name, so it is not believed: all who come that way ` +
        'count as one client and share its limits. If this is your proxy, add its address to TRUST_PROXY.',
    )
  })
}
