// Decred: base58check with two version bytes and a checksum of BLAKE-256 twice instead of SHA-256.

import { blake256 } from '@noble/hashes/blake1.js'
import type { AddressRules } from '../../verdict.ts'
import { utxo } from './utxo.ts'

export const decred: AddressRules = utxo({
  // Ds; the other two are the rarely used Edwards and Schnorr key hashes (De, DS).
  pubkeyHash: [
    [0x07, 0x3f],
    [0x07, 0x1f],
    [0x07, 0x01],
  ],
  scriptHash: [0x07, 0x1a],
  testVersions: [
    [0x0f, 0x21],
    [0x0e, 0xfc],
    [0x0e, 0x91],
  ],
  checksum: (payload) => blake256(blake256(payload)).subarray(0, 4),
})
