// Messages that a wallet signed (BIP-137, the legacy form of BIP-322): the key that signed is recovered from the signature and
// compared with those of an account. Pure.

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64, utf8 } from '@scure/base'
import { type Account, changeOf, deriveAddresses, keysOf } from './account.ts'
import { toHex } from './address.ts'
import type { AccountChain } from './networks.ts'

/** Wallets sign under their own coin's name, so that no signature of one coin counts on another. */
const titles: Readonly<Partial<Record<AccountChain, string>>> = {
  btc: 'Bitcoin Signed Message:\n',
  ltc: 'Litecoin Signed Message:\n',
}

/** As far as a wallet's own address is looked for (parse.ts). */
const SEARCHED = { receiving: 100, change: 20 } as const

/** Whether one of the account's own keys, or of its first addresses', made this signature over exactly this text. */
export function isSignedBy(account: Account, text: string, signature: string): boolean {
  const signer = signerOf(account.chain, text, signature)
  if (signer === null) return false
  const own = keysOf(account).path.map(({ publicKey }) => (publicKey === null ? '' : toHex(publicKey)))
  if (own.includes(signer)) return true
  const isOf = (one: Account, count: number): boolean =>
    deriveAddresses(one, 0, count).some(({ publicKey }) => publicKey === signer)
  const change = changeOf(account)
  return isOf(account, SEARCHED.receiving) || (change !== null && isOf(change, SEARCHED.change))
}

/** @returns the key in hexadecimal; null where this is no signature that a wallet makes. */
export function signerOf(chain: AccountChain, text: string, signature: string): string | null {
  const title = titles[chain]
  if (title === undefined || !/^[A-Za-z0-9+/]{87}=$/.test(signature)) return null
  try {
    const bytes = base64.decode(signature)
    const header = bytes[0] ?? 0
    // 27 to 42: two bits say which key is meant, the rest which type of address, which the account says.
    if (header < 27 || header > 42) return null
    const digest = sha256(sha256(new Uint8Array([...sized(title), ...sized(text)])))
    const made = secp256k1.Signature.fromCompact(bytes.subarray(1)).addRecoveryBit((header - 27) & 3)
    return made.recoverPublicKey(digest).toHex(true)
  } catch {
    return null
  }
}

function sized(text: string): number[] {
  const bytes = utf8.decode(text)
  const { length } = bytes
  return length < 0xfd ? [length, ...bytes] : [0xfd, length & 0xff, length >> 8, ...bytes]
}
