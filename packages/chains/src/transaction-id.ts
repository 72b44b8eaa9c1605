// One spelling for each transaction, so that one that is named otherwise is not taken for another. Pure.
import type { Chain } from './chain.ts'
import { getChain } from './registry.ts'

/** Chains and their nodes tell neither the case of these digits apart nor whether they begin with 0x. */
const HEX = /^(?:0x)?([0-9a-f]{1,64})$/i
/** 32 octets in either alphabet of base64. */
const OCTETS = /^[A-Za-z0-9+/_-]{43}=?$/
const OTHER = /^[A-Za-z0-9+/=_@.:-]{16,128}$/

/**
 * The id of a transaction as it is written on its chain; null: nothing there is called so.
 * @example canonicalTransactionId('base', '0XABC…') // '0xabc…'
 */
export function canonicalTransactionId(chain: Chain | string, text: string): string | null {
  const { family } = getChain(chain)
  const [, digits] = HEX.exec(text) ?? []
  const hex = digits?.toLowerCase()
  if (family.startsWith('evm')) return hex?.length === 64 ? `0x${hex}` : null
  if (family === 'utxo') return hex?.length === 64 ? hex : null
  if (family === 'starknet') return hex === undefined ? null : `0x${hex.replace(/^0+(?=.)/, '')}`
  if (family === 'ton' && OCTETS.test(text)) return hexOf(text)
  if (hex?.length !== 64) return OTHER.test(text) ? text : null
  if (family === 'move') return `0x${hex}`
  return family === 'xrpl' ? hex.toUpperCase() : hex
}

const hexOf = (base64: string): string =>
  [...atob(base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=$/, ''))]
    .map((octet) => octet.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')
