// Base58 with a bound on length (decoding is quadratic) and base58check with any checksum function.
// Decoding returns null instead of throwing: a bad address is an ordinary answer here.

import { sha256 } from '@noble/hashes/sha2.js'
import { base58, base58xrp } from '@scure/base'
import { sameBytes } from './bytes.ts'

/** The longest base58 text any supported format has is a Byron address of about 114 characters. */
const longest = 130
const alphabet = /^[1-9A-HJ-NP-Za-km-z]+$/

export type Checksum = (payload: Uint8Array) => Uint8Array

export function doubleSha256(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, 4)
}

export function decodeBase58(text: string, coder: 'bitcoin' | 'ripple' = 'bitcoin'): Uint8Array | null {
  if (text.length > longest || !alphabet.test(text)) return null
  return (coder === 'bitcoin' ? base58 : base58xrp).decode(text)
}

/** Splits decoded bytes into payload and a right four-byte checksum; null when the checksum is wrong. */
export function openChecked(bytes: Uint8Array, checksum: Checksum = doubleSha256): Uint8Array | null {
  if (bytes.length < 5) return null
  const payload = bytes.subarray(0, -4)
  return sameBytes(checksum(payload), bytes.subarray(-4)) ? payload : null
}

export function encodeChecked(
  payload: Uint8Array,
  coder: 'bitcoin' | 'ripple' = 'bitcoin',
  checksum: Checksum = doubleSha256,
): string {
  const bytes = new Uint8Array([...payload, ...checksum(payload)])
  return (coder === 'bitcoin' ? base58 : base58xrp).encode(bytes)
}

export { alphabet as base58Alphabet }
