// Bech32 and bech32m read in one go, with the variant told, so that a family can say which one it wanted.
// Bech32 strings may be all lower or all upper case; what comes out is lower case.

import { bech32, bech32m } from '@scure/base'
import { type Finding, refuse } from '../verdict.ts'
import { mixedCase } from './bytes.ts'

type Variant = 'bech32' | 'bech32m'

interface Bech32Text {
  readonly prefix: string
  readonly words: readonly number[]
  readonly variant: Variant
}

/** BIP-173 ends the guarantee of its checksum at 90 characters; Cardano and Zcash go beyond and say so. */
export function decodeBech32(text: string, limit = 90): Bech32Text | null {
  const plain = bech32.decodeUnsafe(text, limit)
  if (plain) return { prefix: plain.prefix, words: plain.words, variant: 'bech32' }
  const modified = bech32m.decodeUnsafe(text, limit)
  return modified ? { prefix: modified.prefix, words: modified.words, variant: 'bech32m' } : null
}

/** Five-bit words to bytes; null when the padding is longer than four bits or not zero. */
export function bytesOfWords(words: readonly number[]): Uint8Array | null {
  return bech32.fromWordsUnsafe([...words]) ?? null
}

/** `lead` holds five-bit words that stand before the bytes, such as a witness version. */
export function encodeBech32(
  prefix: string,
  bytes: Uint8Array,
  variant: Variant = 'bech32',
  lead: readonly number[] = [],
): string {
  const coder = variant === 'bech32' ? bech32 : bech32m
  return coder.encode(prefix, [...lead, ...coder.toWords(bytes)], false)
}

/** Says why a text that was meant as bech32 does not decode. */
export function explainBech32(text: string, limit = 90): Finding & { ok: false } {
  if (mixedCase(text)) return refuse('bad_charset', 'it mixes upper and lower case')
  // None of the prefixes in use holds a 1, so the first one ends the prefix.
  const separator = text.indexOf('1')
  if (separator < 1 || !/^[02-9ac-hj-np-z]*$/i.test(text.slice(separator + 1)))
    return refuse(
      'bad_charset',
      'it has a character that such an address never has after its prefix (1, b, i, o or a sign)',
    )
  if (text.length > limit || text.length - separator < 7) return refuse('bad_length', 'its length is not possible')
  return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
}

/** Reads a fixed prefix and variant into bytes, or says why not. Other prefixes with a right checksum are another network. */
export function readBech32(
  text: string,
  prefix: string,
  variant: Variant,
  limit = 90,
): { readonly ok: true; readonly bytes: Uint8Array } | (Finding & { ok: false }) {
  const read = decodeBech32(text, limit)
  if (!read) return explainBech32(text, limit)
  if (read.prefix !== prefix) return refuse('wrong_network', `it must begin with ${prefix}1`)
  if (read.variant !== variant)
    return refuse('bad_checksum', `its checksum is of the kind ${read.variant} where ${variant} is used`)
  const bytes = bytesOfWords(read.words)
  return bytes ? { ok: true, bytes } : refuse('bad_checksum', 'its unused last bits are not zero')
}
