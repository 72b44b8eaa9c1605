// What the operator permits (WEBHOOK_ALLOW, WEBHOOK_ALLOW_PRIVATE) and the verdict on one connection. Pure.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { judgeAddress } from './address.ts'

export interface TargetPolicy {
  /** Whether a connection to `address`, which `host` resolved to, may be made. */
  permits(address: string, host: string, port: number): boolean
  /** Whether the operator named this host. */
  names(host: string, port: number): boolean
  readonly allowPrivate: boolean
}

export interface TargetSettings {
  /** host, host:port, address, address:port, [address]:port or CIDR. */
  readonly webhookAllow: readonly string[]
  readonly webhookAllowPrivate: boolean
}

interface Entry {
  host: string | null
  range: [ipaddr.IPv4 | ipaddr.IPv6, number] | null
  port: number | null
}

/** @throws RangeError that names the invalid entry. */
export function makePolicy(settings: TargetSettings): TargetPolicy {
  const entries = settings.webhookAllow.map(readEntry)
  const fits = (entry: Entry, port: number): boolean => entry.port === null || entry.port === port
  const names = (host: string, port: number): boolean =>
    entries.some((entry) => entry.host === host.toLowerCase() && fits(entry, port))
  return {
    allowPrivate: settings.webhookAllowPrivate,
    names,
    permits(address, host, port) {
      const kind = judgeAddress(address)
      if (kind === 'never') return false
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

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  return [ipaddr.parse(text), isIP(text) === 4 ? 32 : 128]
}
