// Checks host names and proxies of a request: a loopback install answers to loopback names only, and an X-Forwarded-For
// is read as addresses, and logged where it cannot be used.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import ipaddr from 'ipaddr.js'
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

/** Whether an address is one of TRUST_PROXY. */
export type IsProxy = (address: string | undefined) => boolean

/** @param ranges addresses and CIDR ranges, as `readTrustProxy` checked them. */
export function makeIsProxy(ranges: readonly string[]): IsProxy {
  const parsed = ranges.map((range) => ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${bitsOf(range)}`))
  return (text) => {
    if (text === undefined || isIP(text) === 0) return false
    const address = ipaddr.process(text)
    return parsed.some(([base, bits]) => {
      const same = base.kind() === address.kind() ? address : mapped(address)
      return same !== null && same.kind() === base.kind() && same.match(base, bits)
    })
  }
}

const bitsOf = (address: string): number => (isIP(address) === 4 ? 32 : 128)
const mapped = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv6 | null =>
  address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : null

/** Requests whose X-Forwarded-For had an entry that is no address. */
const malformed = new WeakSet<IncomingMessage>()

/**
 * Rewrites X-Forwarded-For to bare addresses before it is read, as some proxies add the client's port, which differs with each
 * connection. An entry that is no address counts for nothing, nor does anything before it: the client is then the proxy
 * that sent it.
 */
export function cleanForwarded(request: IncomingMessage): void {
  const { headers } = request
  const sent = [headers['x-forwarded-for'] ?? []].flat().join(',')
  if (sent === '') return
  const entries = sent.split(',').map(readForwarded)
  const broken = entries.lastIndexOf(null)
  if (broken >= 0) malformed.add(request)
  headers['x-forwarded-for'] = entries.slice(broken + 1).join(', ')
}

/** `ip`, `ip:port`, `[v6]` or `[v6]:port`; IPv4 inside IPv6 is IPv4. null: it is no address. */
function readForwarded(entry: string): string | null {
  const text = entry.trim()
  const [, bracketed, bare] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(text) ?? []
  const [address = ''] = (bracketed ?? bare ?? text).split('%')
  const isRight = bracketed === undefined ? isIP(address) !== 0 : isIP(address) === 6
  return isRight ? ipaddr.process(address).toString() : null
}

/** Limits count clients by address; where a proxy is not configured, or hides its clients, they share the proxy's. */
export function useProxyWarning(app: FastifyInstance, isProxy: IsProxy): void {
  const said = new Set<string>()
  app.addHook('onRequest', (request, _reply, done) => {
    done()
    if (request.headers['x-forwarded-for'] === undefined) return
    const peer = request.socket.remoteAddress
    const isMalformed = malformed.has(request.raw)
    if (isProxy(peer) && !(isMalformed && isProxy(request.ip))) return
    const warning = isProxy(peer)
      ? `X-Forwarded-For from the proxy ${peer} has an entry that is no address, so the client counts as the proxy ` +
        `${request.ip}: all such clients share its limits. Have the proxy send the address of the client.`
      : `X-Forwarded-For comes from ${peer}, which TRUST_PROXY does not name, so it is ignored: all clients behind it ` +
        'count as one client and share its limits. If this is your proxy, add its address to TRUST_PROXY.'
    const kind = isProxy(peer) ? 'malformed' : 'unknown'
    if (said.has(kind)) return
    said.add(kind)
    request.log.warn({ peer }, warning)
  })
}
