// NEAR account ids: names by grammar, and implicit accounts that are hexadecimal keys. Nothing here has a checksum, so a
// text that another chain proves by checksum is refused: most lower-case bech32 addresses happen to be legal NEAR names.

import { decodeBech32 } from '../encoding/bech32.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

// Parts joined by single separators: a dot parts the names, - and _ stand within one. Linear: no character fits two branches.
const grammar = /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/

function check(text: string): Finding {
  if (/^(?:ed25519|secp256k1):/.test(text)) return refuse('wrong_kind', 'it is a public key; give the account id')
  if (/[A-Z]/.test(text)) return refuse('bad_charset', 'an account id has no capital letters')
  if (text.length < 2 || text.length > 64) return refuse('bad_length', 'an account id has 2 to 64 characters')
  if (!grammar.test(text))
    return refuse('bad_charset', 'it must be letters a-z and digits with single - _ . between them')
  if (/^0{64}$/.test(text) || /^0[xs]0{40}$/.test(text))
    return refuse('not_payable', 'no key belongs to the all-zero account')
  if (/^[0-9a-f]{64}$/.test(text)) return accept('implicit', text, warning('no_checksum'))
  if (/^0x[0-9a-f]{40}$/.test(text)) return accept('eth-implicit', text, warning('no_checksum'))
  if (/^0s[0-9a-f]{40}$/.test(text)) return accept('deterministic', text, warning('no_checksum'))
  if (text === 'system') return refuse('not_payable', 'this name is reserved by the chain')
  if (text === 'testnet' || text.endsWith('.testnet'))
    return refuse('wrong_network', 'it is a name of the test network')
  if (decodeBech32(text)) return refuse('wrong_kind', 'it is the address of another chain')
  const usual = /\.(?:near|tg)$/.test(text) && !/^[0-9a-f]{40,}$/.test(text)
  return accept('named', text, warning('account_must_exist'), ...(usual ? [] : [warning('no_checksum')]))
}

export const near: AddressRules = {
  lookalike: /^(?:[0-9a-f]{64}|0s[0-9a-f]{40}|[a-z0-9][a-z0-9_.-]{0,57}\.near)$/,
  checksummed: false,
  grammarOnly: true,
  check,
  testAddress: (seed) =>
    `sandbox-${[...seed.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}.testnet`,
}
