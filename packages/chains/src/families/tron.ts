// Tron: base58check of 0x41 and 20 bytes. Every Tron network uses the same prefix, so a testnet cannot be told apart.

import { base58Alphabet, decodeBase58, openChecked } from '../encoding/base58.ts'
import { allZero } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse } from '../verdict.ts'

/** The account the chain itself burns through. */
const blackHole = 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'

function check(text: string): Finding {
  if (/^(?:0x)?41[0-9a-fA-F]{40}$/.test(text))
    return refuse('unsupported_form', 'it is the hexadecimal form; give the one that begins with T')
  if (!base58Alphabet.test(text)) return refuse('bad_charset', 'it must be T and 33 more characters of base58')
  const bytes = decodeBase58(text)
  if (bytes?.length !== 25) return refuse('bad_length', `it has ${text.length} characters where 34 are needed`)
  const payload = openChecked(bytes)
  if (!payload) return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  if (payload[0] === 0xa0) return refuse('wrong_network', 'it is an address of a test network')
  if (payload[0] !== 0x41) return refuse('wrong_network', 'its checksum is right but it does not begin with T')
  if (allZero(payload.subarray(1)) || text === blackHole)
    return refuse('not_payable', 'it is a burn address that nobody can spend from')
  return accept('account', text)
}

export const tron: AddressRules = { lookalike: /^T[1-9A-HJ-NP-Za-km-z]{33}$/, checksummed: true, check }
