// Hedera account ids: shard.realm.number, with the optional checksum of HIP-15 for the mainnet ledger (id 0).
// Stored without the checksum, as the chain's own tools write it.

import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

const maximum = 2n ** 63n - 1n

/** HIP-15: a weighted sum over the digits (the dot counts as 10) and the ledger id, written as five letters. */
export function hederaChecksum(id: string, ledger: readonly number[] = [0]): string {
  const p3 = 26 ** 3
  const p5 = 26 ** 5
  const digits = [...id].map((digit) => (digit === '.' ? 10 : Number(digit)))
  let whole = 0
  let even = 0
  let odd = 0
  digits.forEach((digit, at) => {
    whole = (31 * whole + digit) % p3
    if (at % 2 === 0) even = (even + digit) % 11
    else odd = (odd + digit) % 11
  })
  let ledgerSum = 0
  for (const byte of [...ledger, 0, 0, 0, 0, 0, 0]) ledgerSum = (31 * ledgerSum + byte) % p5
  let sum = ((((id.length % 5) * 11 + even) * 11 + odd) * p3 + whole + ledgerSum) % p5
  sum = Number((BigInt(sum) * 1000003n) % BigInt(p5))
  let letters = ''
  for (let left = 0; left < 5; left++) {
    letters = String.fromCharCode(97 + (sum % 26)) + letters
    sum = Math.floor(sum / 26)
  }
  return letters
}

function check(text: string): Finding {
  if (/^(?:0x)?[0-9a-fA-F]{40}$/.test(text) || /^\d+\.\d+\.(?:0x)?[0-9a-fA-F]{64,}$/.test(text))
    return refuse('unsupported_form', 'it is an alias; give the account id, such as 0.0.1234')
  const parts = /^(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})(?:-([a-z]{5}))?$/.exec(text)
  if (!parts)
    return refuse('bad_charset', 'it must be three numbers with dots, such as 0.0.1234, without zeros in front')
  const [, shard = '', realm = '', number = '', given] = parts
  if ([shard, realm, number].some((part) => BigInt(part) > maximum))
    return refuse('bad_length', 'one of its numbers is too large')
  const id = `${shard}.${realm}.${number}`
  if (given !== undefined && given !== hederaChecksum(id))
    return refuse('bad_checksum', 'its checksum does not match: a digit is wrong or it is for another network')
  if (number === '0') return refuse('not_payable', 'no account has the number 0')
  return given === undefined ? accept('account', id, warning('no_checksum')) : accept('account', id)
}

export const hedera: AddressRules = {
  lookalike: /^\d{1,19}\.\d{1,19}\.\d{1,19}(?:-[a-z]{5})?$/,
  checksummed: false,
  check,
}
