// Recognises texts that look like private keys and seed phrases, so that they are refused by name and never repeated.
// A mistyped secret is still a secret, so shape decides here and checksums only where a shape alone would be too common.

import { decodeBase58 } from './encoding/base58.ts'

const shapes: readonly RegExp[] = [
  // Extended private keys, encrypted keys (BIP-38), raw Tezos, Vaulta, Aleo, Sui, Aptos, Zcash and NEAR keys.
  /^[a-zA-Z]prv[1-9A-HJ-NP-Za-km-z]{90,}$/,
  /^6P[1-9A-HJ-NP-Za-km-z]{56}$/,
  /^(?:edsk|edesk|spsk|spesk|p2sk|p2esk|BLsk|BLesk)[1-9A-HJ-NP-Za-km-z]{40,}$/,
  /^PVT_(?:K1|R1|WA)_/,
  /^A(?:PrivateKey|ViewKey)1[a-zA-Z0-9]{40,}$/,
  /^suiprivkey1/i,
  /^(?:ed25519|secp256k1)-priv-0x/,
  /^secret-(?:extended-key|spending-key)-/i,
  /^(?:ed25519|secp256k1):[1-9A-HJ-NP-Za-km-z]{80,}$/,
  // Cardano and Nostr keys in bech32: a prefix that ends in sk.
  /^(?:[a-z0-9_]+_x?sk|xprv|nsec)1[02-9ac-hj-np-z]{30,}$/i,
  // A seed or a share of one in codex32 (BIP-93).
  /^ms1[02-9ac-hj-np-z]{40,124}$/i,
  // A Stellar seed.
  /^S[A-Z2-7]{55}$/,
  // A key as a JSON list of bytes, as Solana's tools write it.
  /^\[\s*\d{1,3}(?:\s*,\s*\d{1,3}){31,63}\s*\]$/,
]

/** 12 to 33 words and nothing else, numbered or not, with commas or without: a seed phrase, whatever its word list. */
function isPhrase(text: string): boolean {
  const bare = text.replace(/(^|[\s,;])\d{1,2}[.):]?\s*(?=\p{L})/gu, ' ').replace(/[,;"]+/g, ' ')
  const words = bare.trim().split(/\s+/)
  return words.length >= 12 && words.length <= 33 && words.every((word) => /^\p{L}[\p{L}\p{M}]{2,11}$/u.test(word))
}

/** Wallet import format: version, 32 bytes, maybe a 1, four bytes of checksum. */
function isWif(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{50,53}$/.test(text)) return false
  const bytes = decodeBase58(text)
  return bytes !== null && (bytes[0] ?? 0) >= 0x80 && (bytes.length === 37 || (bytes.length === 38 && bytes[33] === 1))
}

/** Ripple family seeds: 16 bytes under the marker of `s…` or `sEd…`. */
function isRippleSeed(text: string): boolean {
  if (!/^s[1-9A-HJ-NP-Za-km-z]{26,30}$/.test(text)) return false
  const bytes = decodeBase58(text, 'ripple')
  return bytes !== null && ((bytes.length === 21 && bytes[0] === 0x21) || (bytes.length === 23 && bytes[0] === 1))
}

/** True where the text looks like a secret on any chain. Takes up to 512 characters of any kind. */
export function looksSecret(text: string): boolean {
  return isPhrase(text) || shapes.some((shape) => shape.test(text)) || isWif(text) || isRippleSeed(text)
}
