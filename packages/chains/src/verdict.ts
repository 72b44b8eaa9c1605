// The answer to "may a payment go to this text?": the public verdict, and the finding a family gives from which it is made.
// Reason and warning codes are stable; sentences may change. No sentence ever repeats the text that was judged.

export type Reason =
  | 'address_required'
  | 'bad_charset'
  | 'bad_length'
  | 'bad_checksum'
  | 'wrong_network'
  | 'wrong_kind'
  | 'secret_key'
  | 'name_not_address'
  | 'not_payable'
  | 'unsupported_form'

export type WarningCode =
  | 'no_checksum'
  | 'case_checksum'
  | 'off_curve'
  | 'also_bitcoin'
  | 'contract'
  | 'token_contract'
  | 'carries_memo'
  | 'raw_form'
  | 'legacy_form'
  | 'account_must_exist'
  | 'reorg_unsafe'
  | 'shielded'

export interface Warning {
  readonly code: WarningCode
  readonly message: string
}

/** What a family says about a text. `detail` is a clause that completes "This is not an X address: …". */
export type Finding =
  | { readonly ok: true; readonly kind: string; readonly canonical: string; readonly warnings: readonly Warning[] }
  | { readonly ok: false; readonly reason: Reason; readonly detail: string }

export type AddressVerdict =
  | {
      readonly valid: true
      /** The one spelling to store and compare. */
      readonly canonical: string
      /** What the address is within its chain: `p2pkh`, `implicit`, `x-address` … */
      readonly kind: string
      readonly warnings: readonly Warning[]
    }
  | {
      readonly valid: false
      readonly reason: Reason
      /** One sentence: what is wrong and what would be right. */
      readonly message: string
      /** Ids of the chains on which the very same text is a valid address. */
      readonly looksLike: readonly string[]
      readonly warnings: readonly Warning[]
    }

export function accept(kind: string, canonical: string, ...warnings: readonly Warning[]): Finding {
  return { ok: true, kind, canonical, warnings }
}

export function refuse(reason: Reason, detail: string): Finding & { readonly ok: false } {
  return { ok: false, reason, detail }
}

/** How one chain, or several that share the same addresses, judges a text. */
export interface AddressRules {
  /**
   * A cheap pattern for texts worth offering to `check` when looking for the chain a stray address belongs to.
   * Null keeps the rules out of that search: their grammar would claim ordinary words.
   */
  readonly lookalike: RegExp | null
  /** True where a valid text proves itself by a checksum, so that it outweighs a mere grammar such as NEAR's. */
  readonly checksummed: boolean
  /** True where grammar alone decides: a text another chain can prove by checksum is then refused. */
  readonly grammarOnly?: boolean
  /** The scheme-like prefix that is part of the chain's own format, without its colon: `bitcoincash`, `kaspa`, `ronin`. */
  readonly scheme?: string
  /** Judges printable ASCII of 1 to 512 characters; total, never throws. */
  readonly check: (text: string) => Finding
  /** From 32 bytes, a test-network address where the format carries the network. Left out where it does not. */
  readonly testAddress?: (seed: Uint8Array) => string
}

const messages: Record<WarningCode, string> = {
  no_checksum: 'This form has no checksum, so a mistyped character cannot be noticed: compare every character.',
  case_checksum: 'The mix of upper and lower case does not match the usual checksum spelling: compare every character.',
  off_curve:
    'No private key can exist for this address by itself: make sure that a program or script you control owns it.',
  also_bitcoin: 'This spelling is also a Bitcoin address: make sure that your wallet gave it for this chain.',
  contract: 'This is a contract: make sure that it can hold and send on what it receives.',
  token_contract: 'This is the contract of a token itself: what is sent there is usually lost.',
  carries_memo: 'This address carries a memo or tag; some senders cannot pay to it.',
  raw_form: 'This is the raw form, which wallets do not show: compare with the friendly form in your wallet.',
  legacy_form: 'This is an old address form that some senders cannot pay to.',
  account_must_exist: 'The account must exist on the chain: a payment to a missing one fails.',
  reorg_unsafe: 'This is a short id: use it only for an account that has existed for some time.',
  shielded: 'This is a shielded address that only some senders can pay to.',
}

export function warning(code: WarningCode): Warning {
  return { code, message: messages[code] }
}
