// Vaulta (EOS) account names: 1 to 12 of a-z, 1-5 and dots, or a 13th character from a smaller set. Grammar only.

import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

function check(text: string): Finding {
  if (/^(?:EOS[1-9A-HJ-NP-Za-km-z]{50}|PUB_(?:K1|R1|WA)_)/.test(text))
    return refuse('wrong_kind', 'it is a public key; give the account name')
  if (!/^[a-z1-5.]+$/.test(text)) return refuse('bad_charset', 'an account name has only a-z, 1-5 and dots')
  if (text.startsWith('.') || text.endsWith('.'))
    return refuse('bad_charset', 'an account name neither begins nor ends with a dot')
  if (text.length > 13 || (text.length === 13 && !/[a-j1-5]$/.test(text)))
    return refuse('bad_length', 'an account name has at most 12 characters')
  return accept('account', text, warning('account_must_exist'), warning('no_checksum'))
}

export const antelope: AddressRules = { lookalike: null, checksummed: false, grammarOnly: true, check }
