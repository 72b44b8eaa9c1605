// TON (TEP-2): 36 bytes in base64 (tag, workchain, hash, CRC-16) or the raw `workchain:hash`.
// Stored as the non-bounceable mainnet form: money to a wallet that is not yet deployed then stays there.

import { base64, base64url } from '@scure/base'
import { allZero } from '../encoding/bytes.ts'
import { crc16 } from '../encoding/crc.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

const bounceable = 0x11
const nonBounceable = 0x51
const testOnly = 0x80

function encode(tag: number, workchain: number, hash: Uint8Array): string {
  const body = new Uint8Array([tag, workchain & 0xff, ...hash])
  const crc = crc16(body)
  return base64url.encode(new Uint8Array([...body, crc >> 8, crc & 0xff]))
}

function payable(kind: string, workchain: number, hash: Uint8Array): Finding {
  if (allZero(hash)) return refuse('not_payable', 'it is the zero address, which destroys what it receives')
  const canonical = encode(nonBounceable, workchain, hash)
  return kind === 'raw' ? accept(kind, canonical, warning('raw_form'), warning('no_checksum')) : accept(kind, canonical)
}

function checkRaw(text: string): Finding {
  const [workchain = '', digits = ''] = text.split(':')
  if (!/^(?:0|-1)$/.test(workchain)) return refuse('wrong_network', 'only the workchains 0 and -1 exist')
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) return refuse('bad_length', 'after the colon 64 hexadecimal digits are needed')
  return payable(
    'raw',
    Number(workchain),
    Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
  )
}

function check(text: string): Finding {
  if (/^-?\d{1,10}:[0-9a-zA-Z]*$/.test(text)) return checkRaw(text)
  if (/^[0-9a-fA-F]{64}$/.test(text))
    return refuse('unsupported_form', 'it is a hash without its workchain; give the form that begins with UQ or EQ')
  const url = /^[A-Za-z0-9_-]+$/.test(text)
  if (!url && !/^[A-Za-z0-9+/]+$/.test(text))
    return refuse('bad_charset', 'it has a character that such an address never has, or mixes the two base64 alphabets')
  if (text.length !== 48) return refuse('bad_length', `it has ${text.length} characters where 48 are needed`)
  const bytes = (url ? base64url : base64).decode(text)
  const crc = crc16(bytes.subarray(0, 34))
  if (bytes[34] !== crc >> 8 || bytes[35] !== (crc & 0xff))
    return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  const tag = bytes[0] ?? 0
  if ((tag & ~testOnly) !== bounceable && (tag & ~testOnly) !== nonBounceable)
    return refuse('wrong_kind', 'it is not an address but something else of the same length, such as a public key')
  if (tag & testOnly) return refuse('wrong_network', 'it is marked for test networks only')
  const workchain = ((bytes[1] ?? 0) << 24) >> 24
  if (workchain !== 0 && workchain !== -1) return refuse('wrong_network', 'only the workchains 0 and -1 exist')
  return payable(tag === bounceable ? 'bounceable' : 'non-bounceable', workchain, bytes.subarray(2, 34))
}

export const ton: AddressRules = {
  lookalike: /^(?:[EU][Qf][A-Za-z0-9_+/-]{46}|(?:0|-1):[0-9a-fA-F]{64})$/,
  checksummed: true,
  check,
  testAddress: (seed) => encode(nonBounceable | testOnly, 0, seed),
}
