// The door every address passes: what is the same for all chains (type, length, ASCII), then the chain's own rules, then
// for a refused text the best explanation. Total, pure, bounded; no answer repeats the text.

import type { Chain } from './chain.ts'
import { lookalikes, nameChains, provenElsewhere } from './lookalike.ts'
import { nobodysWallet } from './nobodys.ts'
import { getChain, rulesOf } from './registry.ts'
import { looksSecret } from './secrets.ts'
import { type AddressVerdict, type Finding, type Reason, refuse, warning } from './verdict.ts'

declare const checked: unique symbol
/** The canonical text of an address that `parseAddress` accepted. Only `parseAddress` makes one. */
export type ChainAddress = string & { readonly [checked]: true }

/** The longest format in use (a unified Zcash address) has 213 characters; nothing above this is decoded. */
export const maxAddressLength = 512

type Refusal = Finding & { readonly ok: false }

const secret = refuse(
  'secret_key',
  'it looks like a private key or a secret phrase; never give it to anyone, and move the money if it has been shown to others',
)

/** Families in which 64 hexadecimal digits are, or nearly are, an ordinary address. */
const hexFamilies = new Set(['near', 'move', 'sui', 'starknet', 'icp', 'ton'])

/** What comes before any rule of a chain: type, length, printable ASCII. */
function readInput(text: unknown): string | Refusal {
  if (typeof text !== 'string') return refuse('address_required', 'what was given is not a text')
  if (text === '') return refuse('address_required', 'what was given is empty')
  if (text.length > maxAddressLength)
    return refuse('bad_length', `it has more than ${maxAddressLength} characters, and no address is so long`)
  const at = text.search(/[^!-~]/)
  if (at < 0) return text
  // Seed phrases have spaces, so they stop here.
  if (looksSecret(text.trim())) return secret
  const code = text.codePointAt(at) ?? 0
  if (code === 0x20 || (code >= 9 && code <= 13))
    return refuse('bad_charset', `it has white space at position ${at + 1}`)
  const point = code.toString(16).toUpperCase().padStart(4, '0')
  return refuse('bad_charset', `it has a character at position ${at + 1} that no address has (U+${point})`)
}

const name = /^(?:[\w-]+\.)+[a-z]{2,12}$|^\$[\w.-]+$|^[\w.-]*[@*][\w.-]+$/i
const uri = /^([a-z][a-z0-9+.-]*):/i
const vague: ReadonlySet<Reason> = new Set(['bad_charset', 'bad_length', 'bad_checksum'])

/** A better reason than the chain's own rules could give, where the text is clearly something else. */
function explain(text: string, chain: Chain, own: Refusal): Refusal {
  if (own.reason === 'secret_key') return own
  if (looksSecret(text)) return secret
  if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(text) && !hexFamilies.has(chain.family))
    return refuse('secret_key', 'it is 32 bytes long, as a private key or a transaction hash is')
  // Where names are addresses, the chain's own words fit best.
  if (!vague.has(own.reason) || rulesOf(chain).grammarOnly) return own
  const scheme = uri.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== rulesOf(chain).scheme)
    return refuse('unsupported_form', 'it is a link or a prefixed form; give the address alone')
  if (name.test(text)) return refuse('name_not_address', 'it is a name; give the address it stands for')
  return own
}

function tokenWarnings(chain: Chain, canonical: string): readonly [] | readonly [ReturnType<typeof warning>] {
  const check = rulesOf(chain).check
  for (const { contract } of chain.assets) {
    if (contract === null) continue
    if (contract === canonical) return [warning('token_contract')]
    // Only TON publishes its contracts in another spelling than the one we store.
    const finding = chain.family === 'ton' ? check(contract) : null
    if (finding?.ok && finding.canonical === canonical) return [warning('token_contract')]
  }
  return []
}

/** "an Ethereum address", "a Bitcoin address". */
function named(chain: Chain): string {
  return `${/^(?:[aeio]|x[ dr])/i.test(chain.name) ? 'an' : 'a'} ${chain.name} address`
}

function opening(chain: Chain, reason: Reason, others: readonly Chain[]): string {
  if (others.length > 0) return `This is a valid address on ${nameChains(others)} but not on ${chain.name}`
  if (reason === 'address_required') return `Please give ${named(chain)}`
  if (reason === 'not_payable' || reason === 'unsupported_form') return `This cannot be used as ${named(chain)}`
  return `This is not a valid ${chain.name} address`
}

function refused(chain: Chain, refusal: Refusal, others: readonly Chain[]): AddressVerdict {
  return {
    valid: false,
    reason: refusal.reason,
    message: `${opening(chain, refusal.reason, others)}: ${refusal.detail}.`,
    looksLike: others.map((other) => other.id),
    warnings: [],
  }
}

/**
 * Judges whether a payment on `chain` can go to `text`. Never throws for any text, and never answers slower than a few
 * milliseconds. White space is refused, not trimmed: a form may trim, an API must not.
 *
 * @param chain a chain of the catalogue, its id or an alias
 * @throws RangeError where the chain is not in the catalogue
 * @example
 * checkAddress('btc', 'bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv')
 * // { valid: true, canonical: 'bc1qvyq0…', kind: 'p2wpkh', warnings: [] }
 */
export function checkAddress(chain: Chain | string, text: unknown): AddressVerdict {
  const asked = getChain(chain)
  const input = readInput(text)
  if (typeof input !== 'string') return refused(asked, input, [])
  const rules = rulesOf(asked)
  const finding = rules.check(input)
  if (!finding.ok) return refused(asked, explain(input, asked, finding), lookalikes(input, rules))
  if (rules.grammarOnly) {
    const proven = refuse('wrong_kind', 'its checksum proves it to be the address of another chain or network')
    if (provenElsewhere(input)) return refused(asked, proven, lookalikes(input, rules))
  }
  const warnings = [...finding.warnings, ...tokenWarnings(asked, finding.canonical)]
  return { valid: true, canonical: finding.canonical, kind: finding.kind, warnings }
}

/**
 * As `checkAddress`, and refuses what is spelled well and is nobody's wallet as far as is known: contracts of tokens, issuers,
 * services, accounts of the chain. For addresses that coins are sent to.
 *
 * @example checkPayee('near', 'intents.near') // { valid: false, reason: 'not_payable', … }
 */
export function checkPayee(chain: Chain | string, text: unknown): AddressVerdict {
  const verdict = checkAddress(chain, text)
  const lost = verdict.valid ? nobodysWallet(getChain(chain), verdict.canonical) : null
  return lost === null ? verdict : refused(getChain(chain), refuse('not_payable', lost), [])
}

/** Thrown by `parseAddress`; `verdict` says why in full. The message holds nothing of the refused text. */
export class InvalidAddress extends Error {
  readonly verdict: AddressVerdict & { readonly valid: false }

  constructor(verdict: AddressVerdict & { readonly valid: false }) {
    super(verdict.message)
    this.name = 'InvalidAddress'
    this.verdict = verdict
  }
}

/**
 * The canonical address, or throws.
 *
 * @throws InvalidAddress where `checkAddress` would not say valid; RangeError where the chain is unknown
 * @example parseAddress('eth', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed') // '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
 */
export function parseAddress(chain: Chain | string, text: unknown): ChainAddress {
  const verdict = checkAddress(chain, text)
  if (!verdict.valid) throw new InvalidAddress(verdict)
  return brand(verdict.canonical)
}

function brand(canonical: string): ChainAddress {
  return canonical as ChainAddress
}
