// Hex text to and from bytes for the address derivation, which runs for every open order: no garbage, no silent truncation.
import type { Hex } from 'viem'

const NIBBLE = new Int8Array(128).fill(-1)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  NIBBLE[digit.charCodeAt(0)] = value
  NIBBLE[digit.toUpperCase().charCodeAt(0)] = value
}
const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Writes exactly `size` bytes of `0x…` text into `out` at `at`. Throws a RangeError that names `field` for anything else. */
export function writeHex(out: Uint8Array, at: number, size: number, hex: string, field: string): void {
  if (hex.length !== 2 + size * 2 || hex.charCodeAt(0) !== 0x30 || hex.charCodeAt(1) !== 0x78) {
    throw new RangeError(`${field} is not 0x and ${size * 2} hex digits`)
  }
  for (let i = 0; i < size; i++) {
    const high = NIBBLE[hex.charCodeAt(2 + 2 * i)] ?? -1
    const low = NIBBLE[hex.charCodeAt(3 + 2 * i)] ?? -1
    if (high < 0 || low < 0) throw new RangeError(`${field} is not 0x and ${size * 2} hex digits`)
    out[at + i] = high * 16 + low
  }
}

/** Lower-case `0x…` text of `bytes` from `start` on. */
export function toHex(bytes: Uint8Array, start = 0): Hex {
  let text = ''
  for (let i = start; i < bytes.length; i++) text += PAIRS[bytes[i] ?? 0]
  return `0x${text}`
}
