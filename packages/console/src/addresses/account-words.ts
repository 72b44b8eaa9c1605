// The words about accounts of wallets. Pure.

import type { Tone } from '../orders/words.ts'
import type { AccountState, ScriptType } from './queries.ts'

interface TypeWords {
  name: string
  /** How its addresses begin, by chain. */
  begins: Readonly<Record<string, string>>
}

export const typeWords: Readonly<Record<ScriptType, TypeWords>> = {
  wpkh: { name: 'Native segwit', begins: { btc: 'bc1q…', ltc: 'ltc1q…' } },
  'sh-wpkh': { name: 'Nested segwit', begins: { btc: '3…', ltc: 'M…' } },
  pkh: { name: 'Legacy', begins: { btc: '1…', ltc: 'L…' } },
  tr: { name: 'Taproot', begins: { btc: 'bc1p…', ltc: 'ltc1p…' } },
}

/** @example accountTitle({ script_type: 'wpkh', fingerprint: '73c5da0a' }) // 'Account · native segwit · 73c5da0a' */
export const accountTitle = (account: { script_type: ScriptType; fingerprint: string | null }): string =>
  ['Account', typeWords[account.script_type].name.toLowerCase(), account.fingerprint]
    .filter((part) => part !== null)
    .join(' · ')

/** null: nothing to say. */
export const stateBadge: Readonly<Record<AccountState, readonly [Tone, string] | null>> = {
  examining: ['calm', 'Comparing with the chain'],
  ready: null,
  near_limit: ['warn', 'Near the limit'],
  full: ['bad', 'Not offered now'],
}

/** Chains where an account is taken beside an address. */
export const takesAccounts = (chain: string): boolean => chain === 'btc' || chain === 'ltc'

/** The most that is read of a wallet's export. */
export const ACCOUNT_MAX = 65_000
