// Polkadot and its kin (SS58): base58 of a network prefix, a 32-byte account and two bytes of a BLAKE2b checksum.
// The same key has another spelling on each network; only the chain's own is taken.

import { blake2b } from '@noble/hashes/blake2.js'
import { base58Alphabet, decodeBase58 } from '../encoding/base58.ts'
import { allZero } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse } from '../verdict.ts'

const context = new TextEncoder().encode('SS58PRE')

function check(text: string, network: number): Finding {
  if (/^0x[0-9a-fA-F]{64}$/.test(text))
    return refuse('secret_key', 'it is 32 bytes in hexadecimal, which may be a private key as well as a public one')
  if (!base58Alphabet.test(text))
    return refuse('bad_charset', 'it has a character that base58 does not have (0, O, I, l or a sign)')
  const bytes = decodeBase58(text)
  const first = bytes?.[0] ?? 0xff
  const prefixLength = first < 64 ? 1 : 2
  if (!bytes || first > 127 || bytes.length !== prefixLength + 34)
    return refuse('bad_length', 'it must stand for a prefix, 32 bytes of account and a checksum (47 or 48 characters)')
  const hash = blake2b(new Uint8Array([...context, ...bytes.subarray(0, -2)]), { dkLen: 64 })
  if (hash[0] !== bytes.at(-2) || hash[1] !== bytes.at(-1))
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  if (prefixLength === 2 || first !== network)
    return refuse(
      'wrong_network',
      'it is spelled for another network of the same family; let your wallet show it for this chain',
    )
  if (allZero(bytes.subarray(1, 33)))
    return refuse('not_payable', 'it is the zero account, which nobody can spend from')
  return accept('account', text)
}

export function substrate(network: number): AddressRules {
  return { lookalike: /^[1-9A-HJ-NP-Za-km-z]{46,48}$/, checksummed: true, check: (text) => check(text, network) }
}
