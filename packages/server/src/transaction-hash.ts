// What a transaction's hash looks like on a chain, so that a slip is told to whoever typed it. Pure.
import { findChain } from '@florin/chains'

const forms: Readonly<Record<string, RegExp>> = { evm: /^0x[0-9a-f]{64}$/i, utxo: /^[0-9a-f]{64}$/i }
const anyForm = /^[\w+/=-]{32,128}$/

const formOf = (chain: string): RegExp | undefined => forms[findChain(chain)?.family ?? '']

export const isTxHash = (chain: string, text: string): boolean => (formOf(chain) ?? anyForm).test(text)

/** As this chain's own programs write it: hexadecimal digits are small. */
export const canonicalTxHash = (chain: string, text: string): string =>
  formOf(chain) === undefined ? text : text.toLowerCase()
