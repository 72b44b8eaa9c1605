// The addresses that lead to this machine, or to the network beside it, although their range is public: those of its
// interfaces, which the kernel routes over loopback and past firewalls, and those of BASE_URL's host.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { MINUTE_MS } from '@florin/protocol'
import ipaddr from 'ipaddr.js'
import { isIn, type Range, wholeAddress } from './address.ts'
import { TargetRefused } from './outcome.ts'
import type { NameResolver } from './resolve.ts'

/** A list of addresses with their prefix lengths, such as `2001:db8::1/64`. */
export type ListInterfaces = () => readonly string[]

export interface OwnAddresses {
  /** @throws TargetRefused while the address of BASE_URL's host was never found out. */
  includes(address: string): Promise<boolean>
}

const INTERFACES_KEPT_MS = MINUTE_MS
/** A name with many addresses answers with some of them, so an address counts for a while after an answer had it. */
const BASE_URL_KEPT_MS = 60 * MINUTE_MS

/** @param options.interfaces omitted: those of this machine. */
export function makeOwnAddresses(options: {
  baseUrl: string
  resolver: NameResolver
  interfaces?: ListInterfaces
}): OwnAddresses {
  const { resolver, interfaces = listInterfaces } = options
  const host = new URL(options.baseUrl).hostname.replace(/^\[|\]$/g, '')
  let onInterfaces: readonly Range[] = []
  let readAt = Number.NEGATIVE_INFINITY
  const seenAt = new Map<string, number>()
  let isAnswered = false

  const askBaseUrl = async (): Promise<void> => {
    const now = performance.now()
    try {
      const addresses = isIP(host) === 0 ? await resolver.resolve(host, true) : [host]
      for (const address of addresses) seenAt.set(address, now)
    } catch (error) {
      // A name that does not exist leads nowhere. Any other failure is not an answer.
      if (!(error instanceof TargetRefused && error.outcome === 'dns_not_found')) throw error
    }
    isAnswered = true
    for (const [address, at] of seenAt) if (now - at > BASE_URL_KEPT_MS) seenAt.delete(address)
  }

  return {
    async includes(text) {
      const now = performance.now()
      if (now - readAt >= INTERFACES_KEPT_MS) {
        onInterfaces = interfaces().map(ownRange)
        readAt = now
      }
      const address = ipaddr.parse(text)
      if (isIn(address, onInterfaces)) return true
      const asked = askBaseUrl()
      // Only the first answer is waited for: a slow name server must not slow down every delivery.
      if (isAnswered) asked.catch(() => undefined)
      else await asked
      return isIn(address, [...seenAt.keys()].map(wholeAddress))
    },
  }
}

/** The address alone for IPv4. For IPv6 the whole prefix: its machines are this one's containers and neighbours. */
function ownRange(cidr: string): Range {
  const [address, bits] = ipaddr.parseCIDR(cidr)
  return address.kind() === 'ipv4' ? [address, 32] : [address, bits]
}

const listInterfaces: ListInterfaces = () =>
  Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).flatMap(
      ({ address, cidr }) => cidr ?? `${address.split('%')[0]}/${address.includes(':') ? 128 : 32}`,
    ),
  )
