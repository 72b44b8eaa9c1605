// Classifies one IP address (contract.md 7). Pure. What is not known to be public is not public: an IPv4 address must
// be plain unicast, an IPv6 address must lie in 2000::/3 and embed no IPv4 address.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * - `public`: may be connected to.
 * - `local`: this machine or a private network; for development, or where the operator named it.
 * - `special`: anything else that is not public; only where the operator named it.
 * - `never`: where clouds answer questions about themselves. No setting opens these.
 */
export type AddressKind = 'public' | 'local' | 'special' | 'never'

export type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

// All of link-local: every cloud keeps its metadata there. The exceptions follow: Alibaba, Oracle, Azure (a public
// address), AWS and Google on IPv6.
const neverRanges: readonly Range[] = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
].map((range) => ipaddr.parseCIDR(range))

const globalUnicast = ipaddr.parseCIDR('2000::/3')
const localKinds: readonly string[] = ['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']

/** @param text an address in its usual spelling, as URL and DNS give it; anything else is `special`. */
export function judgeAddress(text: string): AddressKind {
  if (isIP(text) === 0 || text.includes('%')) return 'special'
  const address = ipaddr.parse(text)
  if (isIn(address, neverRanges)) return 'never'
  if (address instanceof ipaddr.IPv4) return kindOf(address.range())
  const inside = ipv4Inside(address)
  if (inside !== null) return isIn(inside, neverRanges) ? 'never' : 'special'
  if (localKinds.includes(address.range())) return 'local'
  // ipaddr.js calls everything outside its tables "unicast", such as 4000::1.
  return isIn(address, [globalUnicast]) ? kindOf(address.range()) : 'special'
}

function kindOf(range: string): AddressKind {
  if (range === 'unicast') return 'public'
  return localKinds.includes(range) ? 'local' : 'special'
}

export function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly Range[]): boolean {
  return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}

export function wholeAddress(text: string): Range {
  return [ipaddr.parse(text), isIP(text) === 4 ? 32 : 128]
}

/** The IPv4 address embedded in an IPv6 address: mapped, compatible, translated, NAT64, 6to4, ISATAP. */
function ipv4Inside(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = address.toByteArray()
  const words = address.parts
  const last = (): ipaddr.IPv4 => new ipaddr.IPv4(bytes.slice(12))
  const isZero = (from: number, to: number): boolean => words.slice(from, to).every((word) => word === 0)
  if (words[0] === 0x2002) return new ipaddr.IPv4(bytes.slice(2, 6))
  // NAT64, the well-known prefix and the one for local use.
  if (words[0] === 0x64 && words[1] === 0xff9b) return last()
  // ISATAP, whatever the prefix.
  if ((words[4] === 0 || words[4] === 0x200) && words[5] === 0x5efe) return last()
  if (!isZero(0, 4)) return null
  const isMapped = words[4] === 0 && words[5] === 0xffff
  const isTranslated = words[4] === 0xffff && words[5] === 0
  // ::/96, except :: and ::1 which are addresses in their own right.
  const isCompatible = isZero(4, 6) && (words[6] !== 0 || (words[7] ?? 0) > 1)
  return isMapped || isTranslated || isCompatible ? last() : null
}
