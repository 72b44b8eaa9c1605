// Finds what must never be given away in a text that should hold public keys only: extended and single private keys,
// encrypted ones, seed words. Shape decides: a mistyped secret is one still. Pure; answers hold nothing of the text.

import { looksSecret } from '@florin/chains'
import { privateKey } from './keys.ts'
import { Refused } from './refusal.ts'

const extended = /(?:[xyztuvYZUV]prv|[LMt]tpv|dgpv|drkv)[1-9A-HJ-NP-Za-km-z]{40,}/
/** What a wallet's file calls its secrets. */
const secretFields = /^(?:seed|seed_?phrase|mnemonic|xprv|xpriv|private_?key|encrypted_?secret|keypairs)$/i
const seed = (): Refused =>
  new Refused(
    'seed',
    'This holds the seed of a wallet: whoever has it can spend everything. It was not stored. Give the extended public key, and move the money if the seed was shown to others.',
  )

/** 12 to 33 words and nothing else: word lists of any language, numbered or not, Shamir shares. */
function isPhrase(text: string): boolean {
  const bare = text.replace(/(^|[\s,;])\d{1,2}[.):]?\s*(?=\p{L})/gu, ' ').replace(/[,;"]+/g, ' ')
  const words = bare.trim().split(/\s+/)
  return words.length >= 12 && words.length <= 33 && words.every((word) => /^\p{L}[\p{L}\p{M}]{0,11}$/u.test(word))
}

/** @throws Refused */
export function refuseSecrets(text: string): void {
  if (extended.test(text)) throw privateKey(extended.exec(text)?.[0]?.slice(0, 4))
  if (isPhrase(text) || /(?:^|[^a-z0-9])ms1[02-9ac-hj-np-z]{40,124}(?![a-z0-9])/i.test(text)) throw seed()
  if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(text)) throw privateKey('32 bytes in hexadecimal')
  // Single keys, plain or encrypted, have 50 to 58 characters; other chains' up to 70.
  const words = text.split(/[^0-9A-Za-z]+/).filter((word) => word.length >= 40 && word.length <= 70)
  if (words.some(looksSecret)) throw privateKey()
}

/** The same for what stands in the fields of a file. @throws Refused */
export function refuseSecretFields(value: unknown, depth = 0): void {
  if (value === null || typeof value !== 'object' || depth > 8) return
  for (const [field, inner] of Object.entries(value)) {
    const isSecret = secretFields.test(field) && inner !== null && inner !== '' && inner !== false
    const isEmptyObject = typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0
    if (isSecret && !isEmptyObject) throw /^(?:seed|mnemonic)/i.test(field) ? seed() : privateKey()
    if (typeof inner === 'string' && isPhrase(inner)) throw seed()
    refuseSecretFields(inner, depth + 1)
  }
}
