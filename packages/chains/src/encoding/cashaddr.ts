// The code Bitcoin Cash, eCash and Kaspa share: prefix, colon, five-bit characters, 40-bit checksum over prefix and payload.
// The checksum needs more than 32 bits, so it runs on two halves of a JavaScript number each, never on BigInt.

import { bech32 } from '@scure/base'
import { bytesOfWords } from './bech32.ts'

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
// Generator constants as [upper 8 bits, lower 32 bits].
const generators: readonly (readonly [number, number])[] = [
  [0x98, 0xf2bc8e61],
  [0x79, 0xb76d99e2],
  [0xf3, 0x3e5fb3c4],
  [0xae, 0x2eabe2a8],
  [0x1e, 0x4f43e470],
]

/** Zero for a right prefix and payload; otherwise the value to append as a checksum when the payload ends in eight zeros. */
function polymod(values: readonly number[]): readonly [number, number] {
  let high = 0
  let low = 1
  for (const value of values) {
    const top = high >>> 3
    high = ((high & 7) << 5) | (low >>> 27)
    low = ((low << 5) | value) >>> 0
    generators.forEach(([generatorHigh, generatorLow], bit) => {
      if ((top >>> bit) & 1) {
        high ^= generatorHigh
        low = (low ^ generatorLow) >>> 0
      }
    })
  }
  return [high, (low ^ 1) >>> 0]
}

function prefixWords(prefix: string): number[] {
  return [...prefix].map((letter) => letter.charCodeAt(0) & 31).concat(0)
}

/**
 * The bytes after `prefix:`; `checksum` when every character is allowed but the code is wrong, `charset` otherwise.
 * Takes lower case only.
 */
export function decodeCashaddr(prefix: string, payload: string): Uint8Array | 'charset' | 'checksum' {
  if (payload.length < 9 || payload.length > 120) return 'charset'
  const words: number[] = []
  for (const letter of payload) {
    const word = alphabet.indexOf(letter)
    if (word < 0) return 'charset'
    words.push(word)
  }
  const [high, low] = polymod([...prefixWords(prefix), ...words])
  if (high !== 0 || low !== 0) return 'checksum'
  return bytesOfWords(words.slice(0, -8)) ?? 'checksum'
}

export function encodeCashaddr(prefix: string, bytes: Uint8Array): string {
  const words = bech32.toWords(bytes)
  const [high, low] = polymod([...prefixWords(prefix), ...words, 0, 0, 0, 0, 0, 0, 0, 0])
  const sum = BigInt(high) * 0x100000000n + BigInt(low)
  const check = [7, 6, 5, 4, 3, 2, 1, 0].map((at) => Number((sum >> BigInt(5 * at)) & 31n))
  return `${prefix}:${[...words, ...check].map((word) => alphabet[word]).join('')}`
}
