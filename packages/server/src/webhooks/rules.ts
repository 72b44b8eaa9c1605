// Owns what can be said of a webhook URL without asking the network (api.md 7): whether it may be named at creation,
// and which lane its deliveries share. Pure.
import { createHash } from 'node:crypto'

/**
 * The queue lane of a target: a signed 64-bit hash of tenant, scheme, host and port. Deliveries of one lane share a cap,
 * so a receiver that is slow holds up its own lane alone.
 */
export function laneOf(tenant: number, url: string): bigint {
  const { protocol, host } = new URL(url)
  return createHash('sha256').update(`${tenant} ${protocol}//${host}`).digest().readBigInt64BE(0)
}
