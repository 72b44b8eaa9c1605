// What ids and secrets are made of.

/** Crockford's alphabet in lower case: no i, l, o, u to misread. */
export const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** @param random gives that many random bytes @returns `length` characters, each uniform over base 62 */
export function base62(length: number, random: (bytes: number) => Uint8Array): string {
  let text = ''
  while (text.length < length) {
    // 248 is a multiple of 62: what lies above would make some characters likelier.
    for (const byte of random(length * 2)) if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62)
  }
  return text
}
