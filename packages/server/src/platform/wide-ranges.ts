// Whether a CIDR range of the settings is wider than the network that an operator can mean. Pure.
import ipaddr from 'ipaddr.js'

/** The widest network of one operator: 10.0.0.0/8; in IPv6 the private addresses, fc00::/7, and else a /16. */
const WIDEST = { ipv4: 8, ipv6: 16 } as const
/** More services than an operator has looked at one by one. */
const WIDE = { ipv4: 16, ipv6: 64 } as const
const MAPPED = ipaddr.IPv6.parse('::ffff:0:0')
const MAPPED_BITS = 96
const PRIVATE: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('fc00::'), 7]

/** Almost everybody, such as `0.0.0.0/0` or `128.0.0.0/1`. */
export const isEverybody = (entry: string): boolean => isWider(entry, WIDEST)

/** Many services of a network, such as `10.0.0.0/8`. */
export const isWide = (entry: string): boolean => isWider(entry, WIDE)

function isWider(entry: string, least: { ipv4: number; ipv6: number }): boolean {
  if (!ipaddr.isValidCIDR(entry)) return false
  const [base, bits] = ipaddr.parseCIDR(entry)
  if (base instanceof ipaddr.IPv4) return bits < least.ipv4
  // Every IPv4 address has a form in IPv6, too.
  if (MAPPED.match(base, Math.min(bits, MAPPED_BITS))) return bits - MAPPED_BITS < least.ipv4
  return bits < least.ipv6 && !(least === WIDEST && base.match(...PRIVATE) && bits >= PRIVATE[1])
}
