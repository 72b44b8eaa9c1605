// Stellar strkeys (SEP-23): base32 of a version byte, a payload and a little-endian CRC-16. Only accounts (G) and muxed
// accounts (M) can take a classic payment. S is a secret seed and is never repeated.

import { decodeBase32 } from '../encoding/base32.ts'
import { allZero } from '../encoding/bytes.ts'
import { crc16 } from '../encoding/crc.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

const account = 6 << 3
const muxed = 12 << 3

function check(text: string): Finding {
  if (/^[a-z2-7]+$/.test(text)) return refuse('bad_charset', 'it must be in capital letters')
  if (!/^[A-Z2-7]+$/.test(text))
    return refuse('bad_charset', 'only the capital letters A-Z and the digits 2-7 can occur')
  if (/^S/.test(text) && text.length === 56)
    return refuse('secret_key', 'it begins with S as a secret seed does; an address begins with G or M')
  const bytes = decodeBase32(text)
  if (!bytes && (text.length === 56 || text.length === 69))
    return refuse('bad_checksum', 'its unused last bits are not zero, so its last character is wrong')
  if (!bytes || bytes.length < 3)
    return refuse('bad_length', `it has ${text.length} characters where 56 or 69 are needed`)
  const crc = crc16(bytes.subarray(0, -2))
  if (bytes.at(-2) !== (crc & 0xff) || bytes.at(-1) !== crc >> 8)
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  const wanted = bytes[0] === account ? 35 : bytes[0] === muxed ? 43 : 0
  if (wanted === 0) return refuse('wrong_kind', 'it is not an account; give the address that begins with G or M')
  if (bytes.length !== wanted) return refuse('bad_length', 'it holds the wrong number of bytes')
  if (allZero(bytes.subarray(1, 33)))
    return refuse('not_payable', 'it is the zero account, which nobody can spend from')
  return bytes[0] === account ? accept('account', text) : accept('muxed', text, warning('carries_memo'))
}

export const stellar: AddressRules = { lookalike: /^(?:G[A-Z2-7]{55}|M[A-Z2-7]{68})$/, checksummed: true, check }
