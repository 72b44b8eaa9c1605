// Chains whose address is 0x and up to 64 hexadecimal digits: Aptos and Movement (AIP-40), Sui, Starknet.
// None has a checksum that may be enforced. A payee gives the full length, so that a lost digit is noticed.

import { keccak_256 } from '@noble/hashes/sha3.js'
import { mixedCase } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

function digitsOf(text: string, wanted: string): string | (Finding & { ok: false }) {
  if (/^(?:0X)?[0-9a-fA-F]{40,64}$/.test(text))
    return refuse('unsupported_form', 'it must begin with 0x, with a small x')
  if (!text.startsWith('0x')) return refuse('bad_charset', `it must be 0x followed by ${wanted}`)
  const digits = text.slice(2)
  return /^[0-9a-fA-F]+$/.test(digits) ? digits : refuse('bad_charset', `it must be 0x followed by ${wanted}`)
}

/** Aptos, Movement, Sui. Values 0x0 to 0xf are accounts of the framework. */
function checkMove(text: string): Finding {
  const digits = digitsOf(text, '64 hexadecimal digits')
  if (typeof digits !== 'string') return digits
  if (digits.length !== 64) {
    if (/^0*.$/.test(digits)) return refuse('not_payable', 'it is an account of the chain itself')
    return refuse(
      'bad_length',
      `it has ${digits.length} hexadecimal digits where 64 are needed, zeros in front included`,
    )
  }
  if (/^0{63}/.test(digits)) return refuse('not_payable', 'it is an account of the chain itself')
  return accept('account', text.toLowerCase(), warning('no_checksum'))
}

export const move: AddressRules = { lookalike: /^0x[0-9a-fA-F]{64}$/, checksummed: false, check: checkMove }

const starknetBound = 2n ** 251n - 256n

/** Starknet's own mixed-case spelling, by the hash of the number without its leading zeros, cut to 250 bits. */
function starknetCase(digits: string): string {
  const value = digits.replace(/^0+/, '')
  const even = value.length % 2 === 0 ? value : `0${value}`
  const bytes = Uint8Array.from(even.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const hash = keccak_256(bytes)
  hash[0] = (hash[0] ?? 0) & 3
  return [...digits.toLowerCase().padStart(64, '0')]
    .map((digit, at) => {
      const byte = hash[at >> 1] ?? 0
      return (at % 2 === 0 ? byte >> 4 : byte & 15) >= 8 ? digit.toUpperCase() : digit
    })
    .join('')
}

function checkStarknet(text: string): Finding {
  const digits = digitsOf(text, '63 or 64 hexadecimal digits')
  if (typeof digits !== 'string') return digits
  if (digits.length > 64)
    return refuse('bad_length', `it has ${digits.length} hexadecimal digits where at most 64 are possible`)
  const value = BigInt(text)
  if (value < 2n) return refuse('not_payable', 'no account can have this address')
  // A shorter number is a legal field element, but in practice it is an Ethereum address pasted into the wrong field.
  if (digits.length < 50)
    return refuse('bad_length', `it has ${digits.length} hexadecimal digits where 63 or 64 are usual`)
  if (value >= starknetBound) return refuse('bad_length', 'its value is above the highest possible address')
  const canonical = `0x${digits.toLowerCase().padStart(64, '0')}`
  if (!mixedCase(digits)) return accept('account', canonical, warning('no_checksum'))
  return starknetCase(digits).endsWith(digits)
    ? accept('account', canonical)
    : accept('account', canonical, warning('case_checksum'))
}

export const starknet: AddressRules = {
  lookalike: /^0x0?[1-7][0-9a-fA-F]{62}$/,
  checksummed: false,
  check: checkStarknet,
}
