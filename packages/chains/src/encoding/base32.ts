// RFC 4648 base32 without padding, strict: one spelling a value (unused bits zero), one case.

import { base32nopad } from '@scure/base'

/** Null unless the text is upper-case base32 that encodes back to itself. */
export function decodeBase32(text: string): Uint8Array | null {
  if (text.length > 130 || !/^[A-Z2-7]+$/.test(text) || [1, 3, 6].includes(text.length % 8)) return null
  try {
    const bytes = base32nopad.decode(text)
    return base32nopad.encode(bytes) === text ? bytes : null
  } catch {
    // The decoder throws on unused bits that are not zero.
    return null
  }
}

/** The same in lower case, as Filecoin and the Internet Computer write it. */
export function decodeLowerBase32(text: string): Uint8Array | null {
  return /^[a-z2-7]+$/.test(text) ? decodeBase32(text.toUpperCase()) : null
}

export function encodeLowerBase32(bytes: Uint8Array): string {
  return base32nopad.encode(bytes).toLowerCase()
}
