// Tezos: base58check with three-byte prefixes for each kind of key hash; KT1 is a contract and gets a warning.

import { base58Alphabet, decodeBase58, openChecked } from '../encoding/base58.ts'
import { allZero, startsWith } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

const kinds = [
  ['tz1', [0x06, 0xa1, 0x9f]],
  ['tz2', [0x06, 0xa1, 0xa1]],
  ['tz3', [0x06, 0xa1, 0xa4]],
  ['tz4', [0x06, 0xa1, 0xa6]],
  ['KT1', [0x02, 0x5a, 0x79]],
] as const

const burned = 'tz1burnburnburnburnburnburnburjAYjjX'

function check(text: string): Finding {
  if (/^KT1[1-9A-HJ-NP-Za-km-z]{33}%/.test(text))
    return refuse('unsupported_form', 'it names an entrypoint of a contract; give an address alone')
  if (!base58Alphabet.test(text))
    return refuse('bad_charset', 'it has a character that base58 does not have (0, O, I, l or a sign)')
  const bytes = decodeBase58(text)
  if (bytes?.length !== 27) return refuse('bad_length', `it has ${text.length} characters where 36 are needed`)
  const payload = openChecked(bytes)
  if (!payload) return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  const kind = kinds.find(([, prefix]) => startsWith(payload, prefix))?.[0]
  if (!kind)
    return refuse('wrong_kind', 'it is not an account; give the address that begins with tz1, tz2, tz3, tz4 or KT1')
  if (allZero(payload.subarray(3)) || text === burned)
    return refuse('not_payable', 'it is a burn address that nobody can spend from')
  return kind === 'KT1' ? accept('contract', text, warning('contract')) : accept(kind, text)
}

export const tezos: AddressRules = { lookalike: /^(?:tz[1-4]|KT1)[1-9A-HJ-NP-Za-km-z]{33}$/, checksummed: true, check }
