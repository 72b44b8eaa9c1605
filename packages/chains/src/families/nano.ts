// Nano: nano_ (or the old xrb_), 52 characters of its own base32 for the key, 8 for a reversed 40-bit BLAKE2b.

import { blake2b } from '@noble/hashes/blake2.js'
import { allZero, sameBytes } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse } from '../verdict.ts'

const alphabet = '13456789abcdefghijkmnopqrstuwxyz'

/** `length` bytes from the low end of the number the characters spell; null when the number is larger. */
function decode(text: string, length: number): Uint8Array | null {
  let value = 0n
  for (const letter of text) value = (value << 5n) | BigInt(alphabet.indexOf(letter))
  if (value >> BigInt(8 * length)) return null
  return Uint8Array.from({ length }, (_, at) => Number((value >> BigInt(8 * (length - 1 - at))) & 255n))
}

function check(text: string): Finding {
  const parts = /^(?:nano|xrb)_([13][13-9a-km-uw-z]{51})([13-9a-km-uw-z]{8})$/.exec(text)
  if (!parts) {
    if (!/^(?:nano|xrb)_/.test(text)) return refuse('bad_charset', 'it must begin with nano_')
    return text.length === (text.startsWith('nano') ? 65 : 64)
      ? refuse('bad_charset', 'it has a character that such an address never has (0, 2, l, v or a capital)')
      : refuse('bad_length', 'after nano_ 60 characters are needed')
  }
  const [, first = '', second = ''] = parts
  const key = decode(first, 32)
  const sum = decode(second, 5)
  if (!key || !sum || !sameBytes(blake2b(key, { dkLen: 5 }).reverse(), sum))
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  if (allZero(key)) return refuse('not_payable', 'it is the burn account, which nobody can spend from')
  return accept('account', `nano_${first}${second}`)
}

export const nano: AddressRules = { lookalike: /^(?:nano|xrb)_[13][13-9a-km-uw-z]{59}$/, checksummed: true, check }
