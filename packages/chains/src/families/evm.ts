// Ethereum-style addresses: 0x and 40 hexadecimal digits with the EIP-55 case checksum.
// One case throughout carries no checksum and is accepted; mixed case must match EIP-55 exactly.

import { keccak_256 } from '@noble/hashes/sha3.js'
import { mixedCase } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

/** EIP-55: a letter is upper case exactly where the digit of keccak256(lower-case digits) is 8 or more. */
function checksumCase(digits: string): string {
  const lower = digits.toLowerCase()
  const hash = keccak_256(new TextEncoder().encode(lower))
  return [...lower]
    .map((digit, at) => {
      const byte = hash[at >> 1] ?? 0
      return (at % 2 === 0 ? byte >> 4 : byte & 15) >= 8 ? digit.toUpperCase() : digit
    })
    .join('')
}

const burned = new Set([
  '000000000000000000000000000000000000dead',
  'dead000000000000000042069420694206942069',
  'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
])

function judge(digits: string): Finding {
  if (!/^[0-9a-fA-F]*$/.test(digits))
    return refuse('bad_charset', 'after its prefix only the digits 0-9 and letters a-f may follow')
  if (digits.length === 64)
    return refuse(
      'secret_key',
      'it is 32 bytes long, as a private key or a transaction hash is; an address has 40 digits',
    )
  if (digits.length !== 40)
    return refuse('bad_length', `it has ${digits.length} hexadecimal digits after its prefix where 40 are needed`)
  const cased = checksumCase(digits)
  const mixed = mixedCase(digits)
  if (mixed && cased !== digits)
    return refuse(
      'bad_checksum',
      'its upper and lower case letters do not match its EIP-55 checksum, so a character is wrong',
    )
  const lower = digits.toLowerCase()
  if (/^0{40}$/.test(lower)) return refuse('not_payable', 'it is the zero address, which destroys what it receives')
  if (burned.has(lower))
    return refuse('not_payable', 'it is a well-known burn or marker address that nobody can spend from')
  if (/^0{38}/.test(lower)) return refuse('not_payable', 'it is a built-in contract of the chain, not a wallet')
  return mixed ? accept('account', `0x${cased}`) : accept('account', `0x${cased}`, warning('no_checksum'))
}

function check(text: string, prefix: string): Finding {
  if (text.startsWith('0x')) return judge(text.slice(2))
  if (prefix && text.startsWith(prefix)) return judge(text.slice(prefix.length))
  if (/^0X/.test(text)) return refuse('unsupported_form', 'it must begin with 0x, with a small x')
  if (/^[0-9a-fA-F]{40}$/.test(text)) return refuse('unsupported_form', 'it must begin with 0x')
  if (/^XE[0-9]{2}[0-9A-Z]{30,31}$/.test(text))
    return refuse('unsupported_form', 'it is an ICAP code; give the address that begins with 0x')
  if (/^t?bnb1/i.test(text))
    return refuse(
      'unsupported_form',
      'it is an address of the closed BNB Beacon Chain; give the one that begins with 0x',
    )
  if (/^[XP]-(?:avax|fuji)1/.test(text))
    return refuse('unsupported_form', 'it is an Avalanche X-Chain or P-Chain address; give the one that begins with 0x')
  return refuse('bad_charset', 'it must be 0x followed by 40 hexadecimal digits')
}

/** Every chain without a spelling of its own shares these rules. */
export const evm: AddressRules = {
  lookalike: /^0x[0-9a-fA-F]{40}$/,
  checksummed: false,
  check: (text) => check(text, ''),
}

/** Ronin (`ronin:`) and XDC (`xdc`) write the same 20 bytes with a prefix of their own; 0x is stored. */
export function prefixedEvm(prefix: string): AddressRules {
  return {
    lookalike: new RegExp(`^(?:0x|${prefix})[0-9a-fA-F]{40}$`),
    checksummed: false,
    scheme: prefix.replace(':', ''),
    check: (text) => check(text, prefix),
  }
}
