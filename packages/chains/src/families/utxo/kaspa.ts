// Kaspa: the cashaddr code with a required prefix and version bytes of its own: 0 Schnorr key, 1 ECDSA key, 8 script.

import { allZero } from '../../encoding/bytes.ts'
import { decodeCashaddr, encodeCashaddr } from '../../encoding/cashaddr.ts'
import { type AddressRules, accept, type Finding, refuse } from '../../verdict.ts'

const kinds: Readonly<Record<number, readonly [string, number]>> = {
  0: ['schnorr', 32],
  1: ['ecdsa', 33],
  8: ['p2sh', 32],
}
const testPrefixes = ['kaspatest', 'kaspadev', 'kaspasim']

function check(text: string): Finding {
  const colon = text.indexOf(':')
  const prefix = text.slice(0, Math.max(colon, 0))
  if (prefix !== 'kaspa' && !testPrefixes.includes(prefix))
    return refuse('unsupported_form', 'it must begin with kaspa:')
  const bytes = decodeCashaddr(prefix, text.slice(colon + 1))
  if (bytes === 'charset')
    return refuse('bad_charset', 'after its prefix it must be small letters and digits without b, i, o and 1')
  if (bytes === 'checksum')
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  if (prefix !== 'kaspa') return refuse('wrong_network', 'it is an address of a test network')
  const [kind, size] = kinds[bytes[0] ?? 255] ?? ['', -1]
  if (bytes.length - 1 !== size)
    return refuse('wrong_kind', 'its checksum is right but its kind is none that can be paid')
  return allZero(bytes.subarray(1))
    ? refuse('not_payable', 'it is a burn address that nobody can spend from')
    : accept(kind, text)
}

export const kaspa: AddressRules = {
  lookalike: /^kaspa:[02-9ac-hj-np-z]{60,70}$/,
  checksummed: true,
  scheme: 'kaspa',
  check,
  testAddress: (seed) => encodeCashaddr('kaspatest', new Uint8Array([0, ...seed])),
}
