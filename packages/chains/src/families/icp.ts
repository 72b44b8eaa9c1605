// Internet Computer: a 64-digit account id (CRC-32 and 28 bytes), a principal in dashed base32, or ICRC-1's
// `principal-checksum.subaccount`. All are stored as the account id, which each of them determines.

import { sha224 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import { decodeLowerBase32, encodeLowerBase32 } from '../encoding/base32.ts'
import { allZero, mixedCase, sameBytes } from '../encoding/bytes.ts'
import { crc32Bytes } from '../encoding/crc.ts'
import { type AddressRules, accept, type Finding, refuse } from '../verdict.ts'

const wrong = refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
const domain = new TextEncoder().encode('\x0aaccount-id')

function accountId(principal: Uint8Array, subaccount: Uint8Array): string {
  const hash = sha224(new Uint8Array([...domain, ...principal, ...subaccount]))
  return hex.encode(new Uint8Array([...crc32Bytes(hash), ...hash]))
}

function encodePrincipal(principal: Uint8Array): string {
  const text = encodeLowerBase32(new Uint8Array([...crc32Bytes(principal), ...principal]))
  return (text.match(/.{1,5}/g) ?? []).join('-')
}

function readPrincipal(text: string): Uint8Array | (Finding & { ok: false }) {
  if (!/^[a-z2-7-]+$/.test(text))
    return refuse('bad_charset', 'it must be 64 hexadecimal digits or groups of five letters and digits with dashes')
  const bytes = decodeLowerBase32(text.replaceAll('-', ''))
  if (text.length > 63 || text.length < 8) return refuse('bad_length', 'its length is not possible')
  if (!bytes || bytes.length < 4 || bytes.length > 33) return wrong
  const principal = bytes.subarray(4)
  if (!sameBytes(crc32Bytes(principal), bytes.subarray(0, 4))) return wrong
  return encodePrincipal(principal) === text
    ? principal
    : refuse('unsupported_form', 'its groups are not of five characters each')
}

function checkHex(text: string): Finding {
  if (mixedCase(text)) return refuse('bad_charset', 'it mixes upper and lower case')
  const bytes = hex.decode(text.toLowerCase())
  if (!sameBytes(crc32Bytes(bytes.subarray(4)), bytes.subarray(0, 4))) return wrong
  if (allZero(bytes.subarray(4))) return refuse('not_payable', 'it is the zero account, which nobody can spend from')
  return accept('account-id', text.toLowerCase())
}

/** ICRC-1: the part before the dot is the principal and a checksum over principal and subaccount. */
function checkSubaccount(text: string): Finding {
  const dot = text.indexOf('.')
  const dash = text.lastIndexOf('-', dot)
  const digits = text.slice(dot + 1)
  const principal = readPrincipal(text.slice(0, Math.max(dash, 0)))
  if (!(principal instanceof Uint8Array)) return principal
  if (!/^[1-9a-f][0-9a-f]{0,63}$/.test(digits))
    return refuse('unsupported_form', 'its subaccount must be hexadecimal without zeros in front')
  const subaccount = hex.decode(digits.padStart(64, '0'))
  const sum = encodeLowerBase32(crc32Bytes(new Uint8Array([...principal, ...subaccount])))
  return text.slice(dash + 1, dot) === sum ? accept('subaccount', accountId(principal, subaccount)) : wrong
}

function check(text: string): Finding {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return checkHex(text)
  if (mixedCase(text)) return refuse('bad_charset', 'it mixes upper and lower case')
  const lower = text.toLowerCase()
  if (lower.includes('.')) return checkSubaccount(lower)
  const principal = readPrincipal(lower)
  if (!(principal instanceof Uint8Array)) return principal
  // The management canister and the anonymous principal belong to nobody and to everybody.
  if (principal.length === 0 || (principal.length === 1 && principal[0] === 4))
    return refuse('not_payable', 'it is a principal that belongs to nobody')
  return accept('principal', accountId(principal, new Uint8Array(32)))
}

export const icp: AddressRules = {
  lookalike: /^(?:[0-9a-f]{64}|[a-z2-7]{5}(?:-[a-z2-7]{1,7}){1,13}(?:\.[0-9a-f]{1,64})?)$/,
  checksummed: true,
  check,
}
