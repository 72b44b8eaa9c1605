// Cardano: Shelley addresses (CIP-19, plain bech32 without its length limit) and Byron ones (base58 of CBOR with a CRC-32).
// The header byte must name mainnet and a kind that can be paid; pointer addresses closed with Conway.

import { decodeBase58 } from '../encoding/base58.ts'
import { decodeBech32, encodeBech32, readBech32 } from '../encoding/bech32.ts'
import { allZero } from '../encoding/bytes.ts'
import { crc32 } from '../encoding/crc.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

/** The next CBOR item of the few kinds a Byron address has: unsigned number, byte string, array, map or tag head. */
function head(
  bytes: Uint8Array,
  at: number,
): { readonly major: number; readonly value: number; readonly next: number } | null {
  const first = bytes[at]
  if (first === undefined) return null
  const short = first & 31
  const width = short < 24 ? 0 : 1 << (short - 24)
  if (short > 26 || at + width >= bytes.length) return null
  let value = width === 0 ? short : 0
  for (let offset = 1; offset <= width; offset++) value = value * 256 + (bytes[at + offset] ?? 0)
  return { major: first >> 5, value, next: at + 1 + width }
}

/** The byte string at `at`; null where there is none. */
function byteString(bytes: Uint8Array, at: number): { readonly content: Uint8Array; readonly next: number } | null {
  const start = head(bytes, at)
  if (start?.major !== 2 || start.next + start.value > bytes.length) return null
  return { content: bytes.subarray(start.next, start.next + start.value), next: start.next + start.value }
}

/** The attribute keys of a Byron payload [28-byte root, {attributes}, type]; null where it is malformed. */
function attributes(payload: Uint8Array): readonly number[] | null {
  if (payload[0] !== 0x83) return null
  const root = byteString(payload, 1)
  const map = root && head(payload, root.next)
  if (root?.content.length !== 28 || map?.major !== 5) return null
  const keys: number[] = []
  let at = map.next
  for (let left = map.value; left > 0; left--) {
    const key = head(payload, at)
    const value = key && byteString(payload, key.next)
    if (key?.major !== 0 || !value || keys.includes(key.value)) return null
    keys.push(key.value)
    at = value.next
  }
  const type = head(payload, at)
  return type?.major === 0 && type.value <= 2 && type.next === payload.length ? keys : null
}

const malformed = refuse('wrong_kind', 'it is base58 but not an address of this chain; a current one begins with addr1')

function checkByron(text: string): Finding {
  const bytes = decodeBase58(text)
  if (!bytes) return refuse('bad_charset', 'it must be addr1 followed by bech32, or an old base58 address')
  // [24(bytes .cbor payload), crc]
  const payload = bytes[0] === 0x82 && bytes[1] === 0xd8 && bytes[2] === 0x18 ? byteString(bytes, 3) : null
  const crc = payload && head(bytes, payload.next)
  if (!payload || crc?.major !== 0 || crc.next !== bytes.length) return malformed
  if (crc.value !== crc32(payload.content))
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  const keys = attributes(payload.content)
  if (!keys) return malformed
  if (keys.includes(2)) return refuse('wrong_network', 'it is an old address of a test network')
  return accept('byron', text, warning('legacy_form'))
}

function checkShelley(text: string): Finding {
  const read = readBech32(text, 'addr', 'bech32', 512)
  if (!read.ok) return read
  const header = read.bytes[0] ?? 0xff
  const type = header >> 4
  const wanted = type < 4 ? 57 : type === 6 || type === 7 ? 29 : 0
  if ((header & 15) !== 1) return refuse('wrong_network', 'its header names a test network')
  if (type === 4 || type === 5)
    return refuse('unsupported_form', 'it is a pointer address, a form the chain has closed')
  if (wanted === 0) return refuse('wrong_kind', 'its header names no kind of address that can be paid')
  if (read.bytes.length !== wanted)
    return refuse('bad_length', `it holds ${read.bytes.length} bytes where ${wanted} are needed`)
  if (allZero(read.bytes.subarray(1, 29)))
    return refuse('not_payable', 'it is a burn address that nobody can spend from')
  return accept(
    ['base', 'base-script-key', 'base-key-script', 'base-script', '', '', 'enterprise', 'enterprise-script'][type] ??
      '',
    text.toLowerCase(),
  )
}

function check(text: string): Finding {
  const lower = text.toLowerCase()
  if (lower.startsWith('addr1')) return checkShelley(text)
  const other = decodeBech32(text, 512)
  if (other?.prefix === 'addr_test' || other?.prefix === 'stake_test')
    return refuse('wrong_network', 'it is an address of a test network')
  if (other?.prefix === 'stake')
    return refuse('wrong_kind', 'it is a stake address, which cannot be paid; give the one that begins with addr1')
  if (text.startsWith('$')) return refuse('name_not_address', 'it is a handle; give the address it stands for')
  return checkByron(text)
}

export const cardano: AddressRules = {
  lookalike:
    /^(?:addr1[02-9ac-hj-np-z]{50,110}|ADDR1[02-9AC-HJ-NP-Z]{50,110}|(?:Ae2|Ddz)[1-9A-HJ-NP-Za-km-z]{50,120})$/,
  checksummed: true,
  check,
  testAddress: (seed) => encodeBech32('addr_test', new Uint8Array([0x60, ...seed.subarray(0, 28)])),
}
