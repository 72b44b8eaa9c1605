// How each family writes the id of a transaction: one spelling for each, so that one that is named otherwise is not taken for
// another. What people type is read strictly, so that a slip, or a key that was pasted instead, is told to them; what a
// provider names in whatever way means one. Pure.
import type { Chain } from './chain.ts'
import { getChain } from './registry.ts'

interface Form {
  /** Hexadecimal digits: how many at least, how the chain writes them, and how its wallets show them. */
  hex?: { least: number; written: (digits: string) => string; shown: RegExp }
  /** Any other form that is known of it. */
  other?: RegExp
  /** Other forms than the known ones may be in use. */
  isOpen: boolean
}

/** Chains and their nodes tell neither the case of these digits apart nor whether they begin with 0x. */
const HEX = /^(?:0x)?([0-9a-f]{1,64})$/i
/** 32 octets in either alphabet of base64. */
const OCTETS = /^[A-Za-z0-9+/_-]{43}=?$/
const SOMETHING = /^[A-Za-z0-9+/=_@.:-]{16,128}$/
const BASE58_OF_32 = /^[1-9A-HJ-NP-Za-km-z]{40,46}$/

const bare = (digits: string): string => digits
const prefixed = (digits: string): string => `0x${digits}`
const withPrefix: Form = { hex: { least: 64, written: prefixed, shown: /^0x/ }, isOpen: false }
const eitherWay = { least: 64, written: bare, shown: /^/ }
const hexDigits: Form = { hex: eitherWay, isOpen: false }
const base58: Form = { other: BASE58_OF_32, isOpen: true }

const forms: Readonly<Record<string, Form>> = {
  ...{ evm: withPrefix, move: withPrefix, tron: hexDigits, stellar: hexDigits, cardano: hexDigits },
  utxo: { hex: { ...eitherWay, shown: /^(?!0x)/i }, isOpen: false },
  xrpl: { hex: { ...eitherWay, written: (digits) => digits.toUpperCase() }, isOpen: false },
  starknet: {
    hex: { least: 1, written: (digits) => prefixed(digits.replace(/^0+(?=.)/, '')), shown: /^0x/ },
    isOpen: false,
  },
  // Wallets show it in hexadecimal digits, explorers in base64 as well.
  ton: { hex: eitherWay, other: OCTETS, isOpen: true },
  ...{ near: base58, sui: base58, solana: { other: /^[1-9A-HJ-NP-Za-km-z]{64,90}$/, isOpen: true } },
  aleo: { other: /^at1[02-9ac-hj-np-z]{58}$/, isOpen: true },
}
const unknown: Form = { other: /^[\w+/=-]{32,128}$/, isOpen: true }

function formOf(chain: Chain | string): Form {
  const { family } = getChain(chain)
  return forms[family.startsWith('evm') ? 'evm' : family] ?? unknown
}

const digitsOf = (text: string): string => HEX.exec(text)?.[1]?.toLowerCase() ?? ''

/**
 * The id of a transaction as it is written on its chain, however it was named; null: nothing there is called so.
 * @example canonicalTransactionId('base', '0XABC…') // '0xabc…'
 */
export function canonicalTransactionId(chain: Chain | string, text: string): string | null {
  const { hex, other, isOpen } = formOf(chain)
  const digits = digitsOf(text)
  if (hex !== undefined && digits.length >= hex.least) return hex.written(digits)
  if (other === OCTETS && OCTETS.test(text)) return hexOf(text)
  if (!isOpen) return null
  return digits.length === 64 ? digits : SOMETHING.test(text) ? text : null
}

/** The same of what somebody typed, who is to hear of a slip: null where it does not look as wallets of the chain show it. */
export function typedTransactionId(chain: Chain | string, text: string): string | null {
  const { hex, other } = formOf(chain)
  const isHex = hex !== undefined && digitsOf(text).length >= hex.least && hex.shown.test(text)
  return isHex || other?.test(text) === true ? canonicalTransactionId(chain, text) : null
}

const hexOf = (base64: string): string =>
  [...atob(base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=$/, ''))]
    .map((octet) => octet.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')
