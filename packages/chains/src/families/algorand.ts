// Algorand: base32 of a 32-byte key and the last four bytes of its SHA-512/256. Unused last bits must be zero.

import { sha512_256 } from '@noble/hashes/sha2.js'
import { decodeBase32 } from '../encoding/base32.ts'
import { allZero, sameBytes } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse } from '../verdict.ts'

function check(text: string): Finding {
  if (!/^[A-Z2-7]+$/.test(text))
    return refuse('bad_charset', 'only the capital letters A-Z and the digits 2-7 can occur')
  if (text.length !== 58) return refuse('bad_length', `it has ${text.length} characters where 58 are needed`)
  const bytes = decodeBase32(text)
  if (!bytes) return refuse('bad_checksum', 'its unused last bits are not zero')
  const key = bytes.subarray(0, 32)
  if (!sameBytes(sha512_256(key).subarray(-4), bytes.subarray(32)))
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  return allZero(key)
    ? refuse('not_payable', 'it is the zero address, which nobody can spend from')
    : accept('account', text)
}

export const algorand: AddressRules = { lookalike: /^[A-Z2-7]{58}$/, checksummed: true, check }
