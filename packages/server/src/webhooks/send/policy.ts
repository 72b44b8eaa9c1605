// What the operator permits (WEBHOOK_ALLOW, WEBHOOK_ALLOW_PRIVATE, WEBHOOK_OWN_ADDRESSES) and the verdict on one
// connection. Pure.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isIn, judgeAddress, type Range, wholeAddress } from './address.ts'

export interface TargetPolicy {
  /**
   * Whether a connection to `address`, which `host` resolved to, may be made.
   * @param isOwn the address leads to this machine (own.ts), so it is judged like a private one.
   */
  permits(address: string, host: string, port: number, isOwn?: boolean): boolean
  /** Whether the operator named this host. */
  names(host: string, port: number): boolean
  readonly allowPrivate: boolean
}

export interface TargetSettings {
  /** host, host:port, address, address:port, [address]:port or CIDR. */
  readonly webhookAllow: readonly string[]
  readonly webhookAllowPrivate: boolean
  /** Addresses and CIDR ranges that lead to the operator's own machines although they are public. */
  readonly webhookOwnAddresses: readonly string[]
}

interface Entry {
  host: string | null
  range: Range | null
  port: number | null
}

/** @throws RangeError that names the invalid entry. */
export function makePolicy(settings: TargetSettings): TargetPolicy {
  const entries = settings.webhookAllow.map(readEntry)
  const ownRanges = settings.webhookOwnAddresses.map(readOwnRange)
  const fits = (entry: Entry, port: number): boolean => entry.port === null || entry.port === port
  const names = (host: string, port: number): boolean =>
    entries.some((entry) => entry.host === host.toLowerCase() && fits(entry, port))
  return {
    allowPrivate: settings.webhookAllowPrivate,
    names,
    permits(address, host, port, isOwn = false) {
      const judged = judgeAddress(address)
      if (judged === 'never') return false
      const isLocal = judged === 'public' && (isOwn || isIn(ipaddr.parse(address), ownRanges))
      const kind = isLocal ? 'local' : judged
      if (kind === 'public' || (kind === 'local' && settings.webhookAllowPrivate) || names(host, port)) return true
      if (isIP(address) === 0) return false
      const parsed = ipaddr.parse(address)
      return entries.some(
        ({ range, ...entry }) =>
          range !== null &&
          fits(entry as Entry, port) &&
          range[0].kind() === parsed.kind() &&
          parsed.match(range[0], range[1]),
      )
    },
  }
}

function readEntry(text: string): Entry {
  const fault = (): RangeError =>
    new RangeError(`WEBHOOK_ALLOW has "${text}"; it takes host, host:port, address, address:port or a CIDR range.`)
  if (text.includes('/')) {
    if (!ipaddr.isValidCIDR(text)) throw fault()
    return { host: null, range: ipaddr.parseCIDR(text), port: null }
  }
  if (isIP(text) !== 0) return { host: null, range: wholeAddress(text), port: null }
  const [, bare = '', , port] = /^(\[([^\]]+)\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bare.replace(/^\[|\]$/g, '').toLowerCase()
  if (host === '' || (port !== undefined && Number(port) > 65_535)) throw fault()
  const number = port === undefined ? null : Number(port)
  if (isIP(host) !== 0) return { host: null, range: wholeAddress(host), port: number }
  if (!/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(host)) throw fault()
  return { host, range: null, port: number }
}

function readOwnRange(text: string): Range {
  if (isIP(text) !== 0) return wholeAddress(text)
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  throw new RangeError(`WEBHOOK_OWN_ADDRESSES has "${text}"; it takes addresses and CIDR ranges.`)
}
