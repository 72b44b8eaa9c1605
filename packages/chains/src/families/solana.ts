// Solana and its kin: base58 of exactly 32 bytes. No checksum and no network mark, so this is the least protected format.

import { base58Alphabet, decodeBase58 } from '../encoding/base58.ts'
import { bigEndian } from '../encoding/bytes.ts'
import { onEd25519 } from '../encoding/curves.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

/** Programs and system accounts: owned by the runtime, never by a payee. */
const systemAccounts = new Set([
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'ComputeBudget111111111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'StakeConfig11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'Config1111111111111111111111111111111111111',
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
])

function check(text: string): Finding {
  if (!base58Alphabet.test(text))
    return refuse('bad_charset', 'it has a character that base58 does not have (0, O, I, l or a sign)')
  const bytes = decodeBase58(text)
  if (bytes?.length === 64)
    return refuse(
      'secret_key',
      'it is 64 bytes long, as a private key or a transaction signature is; an address has 32',
    )
  if (bytes?.length !== 32)
    return refuse(
      'bad_length',
      `it must stand for 32 bytes (32 to 44 characters)${bytes ? `, not ${bytes.length}` : ''}`,
    )
  if (systemAccounts.has(text) || text.startsWith('Sysvar'))
    return refuse('not_payable', 'it belongs to the chain itself (a program or system account), not to a wallet')
  const curve = onEd25519(bigEndian(bytes.slice().reverse())) ? [] : [warning('off_curve')]
  return accept(curve.length ? 'off-curve' : 'wallet', text, warning('no_checksum'), ...curve)
}

export const solana: AddressRules = { lookalike: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, checksummed: false, check }
