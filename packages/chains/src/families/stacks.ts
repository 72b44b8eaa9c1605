// Stacks (c32check): S, a version letter, and Crockford base32 of a 20-byte hash with a double SHA-256 checksum.

import { doubleSha256 } from '../encoding/base58.ts'
import { allZero, sameBytes } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse } from '../verdict.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const mainnet = new Map([
  [22, 'p2pkh'],
  [20, 'p2sh'],
])
const testnet = [26, 21]

/** Zero bytes in front are single 0 characters, as in base58; the rest is the plain number in base 32. */
function encode(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  let text = ''
  for (; value > 0n; value >>= 5n) text = (alphabet[Number(value & 31n)] ?? '') + text
  return '0'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

function decode(text: string): Uint8Array | null {
  let value = 0n
  for (const letter of text) value = (value << 5n) | BigInt(alphabet.indexOf(letter))
  if (value >> 192n) return null
  const bytes = Uint8Array.from({ length: 24 }, (_, at) => Number((value >> BigInt(8 * (23 - at))) & 255n))
  return encode(bytes) === text ? bytes : null
}

function address(version: number, hash: Uint8Array): string {
  const sum = doubleSha256(new Uint8Array([version, ...hash]))
  return `S${alphabet[version]}${encode(new Uint8Array([...hash, ...sum]))}`
}

function check(text: string): Finding {
  if (!/^S[0-9A-HJKMNP-TV-Z]+$/.test(text))
    return refuse('bad_charset', 'it must begin with SP or SM and have only capitals and digits without I, L, O and U')
  if (text.length < 28 || text.length > 41)
    return refuse('bad_length', `it has ${text.length} characters where about 41 are needed`)
  const version = alphabet.indexOf(text[1] ?? '')
  const bytes = decode(text.slice(2))
  if (!bytes) return refuse('bad_length', 'it does not stand for 20 bytes and a checksum')
  const hash = bytes.subarray(0, 20)
  if (!sameBytes(doubleSha256(new Uint8Array([version, ...hash])), bytes.subarray(20)))
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  const kind = mainnet.get(version)
  if (!kind)
    return refuse(
      'wrong_network',
      testnet.includes(version) ? 'it is an address of a test network' : 'it must begin with SP or SM',
    )
  return allZero(hash) ? refuse('not_payable', 'it is a burn address that nobody can spend from') : accept(kind, text)
}

export const stacks: AddressRules = {
  lookalike: /^S[PM][0-9A-HJKMNP-TV-Z]{26,39}$/,
  checksummed: true,
  check,
  testAddress: (seed) => address(26, seed.subarray(0, 20)),
}
