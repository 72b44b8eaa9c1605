// Where a token lies that was sent to a wallet on Solana: an account that is worked out from wallet, token and token program.
// Pure.
import { sha256 } from '@noble/hashes/sha2.js'
import { base58 } from '@scure/base'
import { decodeBase58 } from './encoding/base58.ts'
import { littleEndian } from './encoding/bytes.ts'
import { onEd25519 } from './encoding/curves.ts'

/** The programs that keep tokens on Solana; the first is meant where nobody knows. */
export const solanaTokenPrograms = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
] as const

const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const MARK = new TextEncoder().encode('ProgramDerivedAddress')

/** The first number below 256 whose hash is no key, as the chain itself counts. null: one of these is no address of Solana. */
export function solanaTokenAccount(a: { wallet: string; token: string; program: string }): string | null {
  const parts = [a.wallet, a.program, a.token, ASSOCIATED].map((text) => decodeBase58(text))
  const [wallet, program, token, associated] = parts
  if (!wallet || !program || !token || !associated || parts.some((part) => part?.length !== 32)) return null
  for (let bump = 255; bump >= 0; bump--) {
    const found = sha256(new Uint8Array([...wallet, ...program, ...token, bump, ...associated, ...MARK]))
    if (!onEd25519(littleEndian(found))) return base58.encode(found)
  }
  return null
}
