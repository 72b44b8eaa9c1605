// What ids and secrets are made of.

/** Crockford's alphabet in lower case: no i, l, o, u to misread. */
export const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** @param random gives that many random bytes @returns `length` characters, each uniform over base 62 */
export function base62(length: number, random: (bytes: number) => Uint8Array): string {
  let text = ''
  while (text.length < length) {
    // Of 32 bytes one is not taken, so a few more are asked for than characters are missing.
    for (const byte of random(length - text.length + 4)) {
      if (text.length === length) break
      // 248 is a multiple of 62: what lies above would make some characters likelier.
      if (byte < 248) text += BASE62.charAt(byte % 62)
    }
  }
  return text
}
