// Zcash: transparent t1/t3 (base58check with two version bytes), TEX (ZIP-320) and unified addresses (ZIP-316).
// A unified address is taken only with an Orchard receiver, the one our settlement route can pay.

import { blake2b } from '@noble/hashes/blake2.js'
import { bytesOfWords, decodeBech32, explainBech32, readBech32 } from '../../encoding/bech32.ts'
import { allZero } from '../../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../../verdict.ts'
import { utxo } from './utxo.ts'

const transparent = utxo({
  pubkeyHash: [[0x1c, 0xb8]],
  scriptHash: [0x1c, 0xbd],
  testVersions: [
    [0x1d, 0x25],
    [0x1c, 0xba],
  ],
})

function round(kind: 'G' | 'H', index: number, counter: number, length: number, input: Uint8Array): Uint8Array {
  const personalization = new Uint8Array(16)
  personalization.set(new TextEncoder().encode(`UA_F4Jumble_${kind}`))
  personalization.set([index, counter & 0xff, counter >> 8], 13)
  return blake2b(input, { dkLen: length, personalization })
}

function mask(target: Uint8Array, kind: 'G' | 'H', index: number, source: Uint8Array): Uint8Array {
  const result = target.slice()
  for (let at = 0; at < result.length; at += 64) {
    const length = kind === 'H' ? result.length : 64
    round(kind, index, kind === 'H' ? 0 : at / 64, length, source).forEach((byte, offset) => {
      if (at + offset < result.length) result[at + offset] = (result[at + offset] ?? 0) ^ byte
    })
  }
  return result
}

/** Undoes the four-round Feistel mixing of ZIP-316, which makes every byte depend on every other. */
export function unjumble(message: Uint8Array): Uint8Array {
  const leftLength = Math.min(64, message.length >> 1)
  let left: Uint8Array = message.slice(0, leftLength)
  let right: Uint8Array = message.slice(leftLength)
  left = mask(left, 'H', 1, right)
  right = mask(right, 'G', 1, left)
  left = mask(left, 'H', 0, right)
  right = mask(right, 'G', 0, left)
  return new Uint8Array([...left, ...right])
}

/** The Bitcoin-style compact size: null where it is cut short or longer than needed. Receivers are below 2^16 in use. */
function compactSize(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < 253) return { value: first, next: at + 1 }
  const width = first === 253 ? 2 : first === 254 ? 4 : 0
  if (width === 0 || at + 1 + width > bytes.length) return null
  let value = 0
  for (let offset = width; offset > 0; offset--) value = value * 256 + (bytes[at + offset] ?? 0)
  return value >= (width === 2 ? 253 : 0x10000) ? { value, next: at + 1 + width } : null
}

const sizes = new Map([
  [0, 20],
  [1, 20],
  [2, 43],
  [3, 43],
])

/** The type codes of the receivers; null where the list breaks ZIP-316 (order, duplicates, sizes, two transparent ones). */
function receivers(bytes: Uint8Array): readonly number[] | null {
  const types: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const type = compactSize(bytes, at)
    const length = type && compactSize(bytes, type.next)
    if (!type || !length || length.next + length.value > bytes.length || type.value > 0x2000000) return null
    if (type.value <= (types.at(-1) ?? -1)) return null
    if ((sizes.get(type.value) ?? length.value) !== length.value) return null
    types.push(type.value)
    at = length.next + length.value
  }
  return types.includes(0) && types.includes(1) ? null : types
}

function checkUnified(text: string): Finding {
  const read = decodeBech32(text, 512)
  if (!read) return explainBech32(text, 512)
  if (read.variant !== 'bech32m')
    return refuse('bad_checksum', 'its checksum is of the kind bech32 where bech32m is used')
  if (read.prefix !== 'u') return refuse('wrong_network', 'it is a unified address of a test network')
  const jumbled = bytesOfWords(read.words)
  if (!jumbled || jumbled.length < 48) return refuse('bad_length', 'it is too short for a unified address')
  const message = unjumble(jumbled)
  const padding = message.subarray(-16)
  if (padding[0] !== 0x75 || !allZero(padding.subarray(1))) return refuse('bad_checksum', 'its inner padding is wrong')
  const types = receivers(message.subarray(0, -16))
  if (!types) return refuse('bad_checksum', 'its list of receivers is malformed')
  return types.includes(3)
    ? accept('unified', text.toLowerCase(), warning('shielded'))
    : refuse(
        'unsupported_form',
        'it has no Orchard receiver; give a transparent t1 address or a unified one with Orchard',
      )
}

function check(text: string): Finding {
  const lower = text.toLowerCase()
  if (lower.startsWith('u1') || lower.startsWith('utest1')) return checkUnified(text)
  if (lower.startsWith('textest1')) {
    const read = readBech32(text, 'textest', 'bech32m')
    return read.ok ? refuse('wrong_network', 'it is an address of a test network') : read
  }
  if (lower.startsWith('tex1')) {
    const read = readBech32(text, 'tex', 'bech32m')
    if (!read.ok) return read
    if (read.bytes.length !== 20) return refuse('bad_length', 'a TEX address holds 20 bytes')
    if (allZero(read.bytes)) return refuse('not_payable', 'it is a burn address that nobody can spend from')
    return accept('tex', lower)
  }
  if (lower.startsWith('zs1') || /^zc[1-9A-HJ-NP-Za-km-z]{93}$/.test(text))
    return refuse(
      'unsupported_form',
      'it is a shielded-only address; give a transparent t1 address or a unified one with Orchard',
    )
  return transparent.check(text)
}

export const zcash: AddressRules = {
  ...transparent,
  lookalike: /^(?:t[13][1-9A-HJ-NP-Za-km-z]{33}|(?:u|tex|U|TEX)1[02-9ac-hj-np-zA-Z]{38,500})$/,
  check,
}
