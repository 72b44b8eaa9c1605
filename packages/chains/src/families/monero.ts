// Monero: its own block-wise base58 of a network byte, two keys, maybe a payment id, and four bytes of Keccak-256.

import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58xmr } from '@scure/base'
import { base58Alphabet } from '../encoding/base58.ts'
import { allZero, sameBytes } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

const kinds: Readonly<Record<number, readonly [string, number]>> = {
  18: ['standard', 69],
  42: ['subaddress', 69],
  19: ['integrated', 77],
}
const testNetworks = [53, 63, 54, 24, 36, 25]

function decode(text: string): Uint8Array | null {
  try {
    const bytes = base58xmr.decode(text)
    return base58xmr.encode(bytes) === text ? bytes : null
  } catch {
    // A block above its highest value makes the decoder throw.
    return null
  }
}

function check(text: string): Finding {
  if (!base58Alphabet.test(text))
    return refuse('bad_charset', 'it has a character that base58 does not have (0, O, I, l or a sign)')
  if (text.length !== 95 && text.length !== 106)
    return refuse('bad_length', `it has ${text.length} characters where 95 or 106 are needed`)
  const bytes = decode(text)
  if (!bytes || !sameBytes(keccak_256(bytes.subarray(0, -4)).subarray(0, 4), bytes.subarray(-4)))
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  const network = bytes[0] ?? 0
  if (testNetworks.includes(network)) return refuse('wrong_network', 'it is an address of a test network')
  const [kind, size] = kinds[network] ?? ['', 0]
  if (bytes.length !== size)
    return refuse('wrong_network', 'its checksum is right but its first byte belongs to another network')
  if (allZero(bytes.subarray(1, 33))) return refuse('not_payable', 'it is a burn address that nobody can spend from')
  return kind === 'integrated' ? accept(kind, text, warning('carries_memo')) : accept(kind, text)
}

export const monero: AddressRules = {
  lookalike: /^[48][1-9A-HJ-NP-Za-km-z]{94,105}$/,
  checksummed: true,
  check,
  testAddress: (seed) => {
    const body = new Uint8Array([53, ...seed, ...seed])
    return base58xmr.encode(new Uint8Array([...body, ...keccak_256(body).subarray(0, 4)]))
  },
}
