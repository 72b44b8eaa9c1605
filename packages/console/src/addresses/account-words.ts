// The words about accounts of wallets. Pure.

import type { Tone } from '../orders/words.ts'
import type { Account, AccountState, AccountUse, ScriptType } from './queries.ts'

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

/**
 * How the wallet's addresses begin, in words; on a test network as those that were derived do.
 * @param shown addresses that the text may mean
 * @example beginnings('ltc', ['rltc1q9…']) // 'rltc1q…, rltc1p…'
 */
export function beginnings(chain: string, shown: readonly string[]): string | null {
  const words = Object.values(typeWords).flatMap(({ begins }) => begins[chain] ?? [])
  const test = shown.map((address) => /^(?:bcrt|tb|rltc|tltc)1/.exec(address)?.[0]).find((found) => found !== undefined)
  const here =
    test === undefined
      ? words
      : words.filter((word) => /^[a-z]+1/.test(word)).map((word) => word.replace(/^[a-z]+1/, test))
  return here.length === 0 ? null : here.join(', ')
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

/** What the row of unpaid addresses means now; null: nothing is short. */
export function rowSentence(a: Pick<Account, 'state' | 'by_payers' | 'by_payers_max'>): string | null {
  if (a.state === 'full') return 'Until one is paid or the limit is raised, this coin is not offered.'
  if (a.state === 'examining' || a.by_payers < a.by_payers_max) return null
  return `${a.by_payers} of them were started on payment links or invoices, which may take half: there the coin is not offered until one is paid, lapses for a day, or the limit is raised.`
}

const tellers: Readonly<Record<AccountUse['told_by'][number], string>> = {
  wallet_address: 'the address that you gave to compare',
  export: 'the counter in your wallet’s file',
  unspent: 'the coins that lie there now',
  blocks: 'blocks',
  merchant: 'you',
}

/** @example useSentence({ known: 'unknown', told_by: [], read_down_to: null }) */
export function useSentence({ known, told_by, read_down_to: lowest }: Omit<AccountUse, 'asks'>): string {
  const blocks = lowest === null || lowest <= 1 ? 'blocks' : `the blocks down to ${lowest}`
  const by = told_by.map((one) => (one === 'blocks' ? blocks : tellers[one])).join(', ')
  switch (known) {
    case 'whole':
      return 'The whole chain was read: the counter began behind every address that was ever paid.'
    case 'said':
      return 'The counter began behind the addresses that you said were used.'
    case 'reading':
      return `Blocks are being read backwards to find the addresses that were used before${lowest === null ? '' : ` (down to ${lowest} so far)`}. Say it yourself, and orders need not wait for it.`
    case 'part':
      return `What is known of addresses used before comes from ${by}. Older payments whose coins have left the wallet may be missing.`
    case 'unknown':
      return 'Nothing here can tell which addresses of this account were used before.'
  }
}

/** Chains where an account is taken beside an address. */
export const takesAccounts = (chain: string): boolean => chain === 'btc' || chain === 'ltc'

/** The most that is read of a wallet's export. */
export const ACCOUNT_MAX = 65_000
