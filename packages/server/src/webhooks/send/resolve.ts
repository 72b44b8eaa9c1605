// Resolves names by DNS only, through c-ares, so that /etc/hosts, search domains and the four threads that getaddrinfo
// shares with the disk are not involved. `localhost` is this machine (RFC 6761). A host that the operator named in
// WEBHOOK_ALLOW and that DNS does not know may also be in the machine's own hosts file.
import { lookup, Resolver } from 'node:dns/promises'
import { SECOND_MS } from '@florin/protocol'
import { TargetRefused } from './outcome.ts'

export interface NameResolver {
  /**
   * All addresses of a name; never empty.
   * @throws TargetRefused dns_not_found or dns_failed.
   */
  resolve(host: string, alsoSystem: boolean): Promise<readonly string[]>
}

const TTL_MAX_MS = 60 * SECOND_MS
const FAILURE_KEPT_MS = 5 * SECOND_MS
const CACHED_MAX = 10_000

interface Entry {
  answer: Promise<readonly string[]>
  /** Monotonic ms; infinite while the lookup is pending, so that concurrent lookups share it. */
  until: number
}

/** @param servers address or address:port of DNS servers; omitted: those of the machine. */
export function makeResolver(servers?: readonly string[]): NameResolver {
  const dns = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers !== undefined) dns.setServers([...servers])
  const cache = new Map<string, Entry>()

  const ask = async (host: string, alsoSystem: boolean): Promise<{ addresses: string[]; ttlMs: number }> => {
    if (host === 'localhost' || host.endsWith('.localhost'))
      return { addresses: ['127.0.0.1', '::1'], ttlMs: TTL_MAX_MS }
    const answers = await Promise.allSettled([dns.resolve4(host, { ttl: true }), dns.resolve6(host, { ttl: true })])
    const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (records.length > 0) {
      const ttl = Math.min(...records.map((record) => record.ttl))
      return { addresses: records.map((record) => record.address), ttlMs: Math.min(ttl * SECOND_MS, TTL_MAX_MS) }
    }
    if (alsoSystem) {
      const found = await lookup(host, { all: true }).catch(() => [])
      if (found.length > 0) return { addresses: found.map((entry) => entry.address), ttlMs: FAILURE_KEPT_MS }
    }
    throw failureOf(answers)
  }

  return {
    resolve(host, alsoSystem) {
      const found = cache.get(host)
      if (found !== undefined && found.until > performance.now()) return found.answer
      const asked = ask(host, alsoSystem)
      const entry: Entry = { answer: asked.then((answer) => answer.addresses), until: Number.POSITIVE_INFINITY }
      cache.delete(host)
      cache.set(host, entry)
      if (cache.size > CACHED_MAX) cache.delete(cache.keys().next().value ?? '')
      asked.then(
        (answer) => (entry.until = performance.now() + answer.ttlMs),
        () => (entry.until = performance.now() + FAILURE_KEPT_MS),
      )
      return entry.answer
    },
  }
}

function failureOf(answers: readonly PromiseSettledResult<unknown>[]): TargetRefused {
  const codes = answers.map((answer) =>
    answer.status === 'rejected' ? String(answer.reason?.code ?? 'ENODATA') : 'ENODATA',
  )
  if (codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA'))
    return new TargetRefused('dns_not_found', codes.join())
  if (codes.includes('ETIMEOUT')) return new TargetRefused('timeout_dns', codes.join())
  return new TargetRefused('dns_failed', codes.join())
}
