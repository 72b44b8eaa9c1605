// Whether a CIDR range of the settings is wider than the network that an operator can mean. Pure.
import ipaddr from 'ipaddr.js'

/** The widest network of one operator. Of public networks those of large proxies are the widest: 104.16.0.0/13, 2600:9000::/28. */
const WIDEST = { ofPrivate: { ipv4: 8, ipv6: 7 }, ofPublic: { ipv4: 12, ipv6: 20 } } as const
/** More services than an operator has looked at one by one. */
const WIDE = { ipv4: 16, ipv6: 64 } as const

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]
const ranges = (...texts: string[]): Range[] => texts.map((text) => ipaddr.parseCIDR(text))

const PRIVATE = ranges(
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['fc00::/7', 'fe80::/10', '::1/128'],
)
/** In these an IPv4 address stands right behind the prefix: mapped, translated, compatible, NAT64 and 6to4. */
const HOLDS_IPV4 = ranges('::ffff:0:0/96', '::ffff:0:0:0/96', '::/96', '64:ff9b::/96', '2002::/16')
const V4_BITS = 32

/** Almost everybody, such as `0.0.0.0/0` or `128.0.0.0/1`, or more of the internet than one operator has. */
export function isEverybody(entry: string): boolean {
  const range = rangeIn(entry)
  if (range === null) return false
  const isPrivate = PRIVATE.some((whole) => isWithin(range, whole))
  return isWider(range, isPrivate ? WIDEST.ofPrivate : WIDEST.ofPublic)
}

/** Many services of a network, such as `10.0.0.0/8`. */
export function isWide(entry: string): boolean {
  const range = rangeIn(entry)
  return range !== null && isWider(range, WIDE)
}

/** @returns as IPv4 where the range is one of IPv4 in a form of IPv6; null: it is no range. */
function rangeIn(entry: string): Range | null {
  if (!ipaddr.isValidCIDR(entry)) return null
  const range = ipaddr.parseCIDR(entry)
  const [base, bits] = range
  for (const [prefix, length] of base.kind() === 'ipv6' ? HOLDS_IPV4 : []) {
    if (!isWithin(range, [prefix, length])) continue
    const bytes = base.toByteArray().slice(length / 8, length / 8 + 4)
    return [new ipaddr.IPv4(bytes), Math.min(bits - length, V4_BITS)]
  }
  return range
}

const isWithin = ([base, bits]: Range, [whole, length]: Range): boolean =>
  base.kind() === whole.kind() && bits >= length && base.match(whole, length)

function isWider([base, bits]: Range, least: { ipv4: number; ipv6: number }): boolean {
  if (base.kind() === 'ipv4') return bits < least.ipv4
  return bits < least.ipv6 || HOLDS_IPV4.some(([prefix]) => prefix.match(base, bits))
}
