// From what a merchant pastes to the account that was meant, or to the reason why not. Where several are possible nothing
// is guessed: the type of script is asked for, or found by an address of the wallet, which also proves the chain. Pure.

import { type Account, changeOf, deriveAddresses } from './account.ts'
import { type GivenAddress, readAddress } from './address.ts'
import { chainBytes } from './networks.ts'
import { type AccountHints, maxAccountLength, type Option, originOf, readOptions } from './options.ts'
import { type AccountReason, Refused } from './refusal.ts'
import { refuseSecrets } from './secrets.ts'

/** How far an address of the wallet is looked for: the limit of wallets' own search, five times. */
const SEARCHED = { receiving: 100, change: 20 } as const

export type AccountVerdict =
  | {
      readonly ok: true
      readonly account: Account
      /** What was read: "a Sparrow file", "an extended key". */
      readonly source: string
      /** At which receiving index the wallet's address was found; null: none was given, or it is one of change. */
      readonly walletIndex: number | null
      /** What the wallet's file says is the next receiving index; null: it says nothing of it. */
      readonly nextIndex: number | null
      /** What is taken as it is, and may still not be what was meant. */
      readonly warnings: readonly AccountWarning[]
    }
  | {
      readonly ok: false
      readonly reason: AccountReason
      /** One or two sentences: what is wrong and what would be right. */
      readonly message: string
      /** With `script_needed` and `address_needed`: what it may be, to choose from by its first addresses. */
      readonly candidates: readonly Account[]
    }

export interface AccountWarning {
  readonly code: 'key_above_account' | 'path_of_other_type'
  readonly message: string
}

const isShape =
  /\b(?:[xyztuvYZUV]pub|[LMt]tub|dgub|drkp|[xyztuvYZUV]prv|[LMt]tpv|dgpv|drkv)[1-9A-HJ-NP-Za-km-z]{20,}|\(|^\s*[{[]|^\s*BSMS /

/** True where a text is meant as an account, rightly or not, and not as an address. */
export const looksLikeAccount = (text: string): boolean =>
  isShape.test(text.slice(0, maxAccountLength)) || /[\r\n]/.test(text.trim())

/** True for a text that holds a private key or a seed. */
export function holdsSecret(text: string): boolean {
  try {
    refuseSecrets(text.slice(0, maxAccountLength).trim())
    return false
  } catch {
    return true
  }
}

/** Never throws for any text, and never repeats it. */
export function parseAccount(text: string, hints: AccountHints): AccountVerdict {
  try {
    return choose(readOptions(text, hints), hints)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { ok: false, reason: error.reason, message: error.message, candidates: [] }
  }
}

function choose(all: readonly Option[], hints: AccountHints): AccountVerdict {
  const { name } = chainBytes[hints.chain]
  const wanted = hints.script == null ? all : all.filter(({ account }) => account.script === hints.script)
  if (wanted.length === 0) {
    throw new Refused('contradiction', 'The text names another type of address than the one that was chosen.')
  }
  if (hints.walletAddress != null && hints.walletAddress !== '')
    return chooseByAddress(wanted, hints.walletAddress, hints)
  const sure = wanted.filter((option) => option.showsScript || hints.script != null)
  const [only, ...others] = sure.length > 0 ? sure : wanted
  const candidates = wanted.map(({ account }) => account)
  if (only === undefined || others.length > 0 || sure.length === 0) {
    const message = `The text does not say which type of address the wallet uses. Choose the type whose first addresses the wallet shows, or give one receiving address of the wallet.`
    return { ok: false, reason: 'script_needed', message, candidates }
  }
  if (!only.showsChain) {
    const message = `Keys of Bitcoin and other coins look alike: nothing in the text says that it is one of ${name}. Give one receiving address of the wallet, best its first.`
    return { ok: false, reason: 'address_needed', message, candidates: [only.account] }
  }
  return { ok: true, ...shownOf(only), walletIndex: null }
}

/** The wallet's own address decides which it is. */
function chooseByAddress(options: readonly Option[], text: string, hints: AccountHints): AccountVerdict {
  const { name } = chainBytes[hints.chain]
  const given = readAddress(text.trim(), { chain: hints.chain, network: hints.network ?? 'main' })
  if (given === null) {
    throw new Refused('address_not_found', `The address to compare with is none of a wallet with one key on ${name}.`)
  }
  const fitting = options.filter(({ account }) => account.script === given.script)
  const [found] = fitting.flatMap((option) => {
    const at = indexOf(option, given)
    return at === undefined ? [] : [{ ...option, walletIndex: at }]
  })
  if (found === undefined) {
    throw new Refused(
      'address_not_found',
      `The address is not among the first ${SEARCHED.receiving} of this account. Give the first receiving address that the wallet shows, and look whether the key is that of the same account.`,
    )
  }
  // It may as well be the address of a wallet on Bitcoin.
  if (given.isShared && !found.showsChain) {
    const message = `This address is written as one of Bitcoin may be. Give it in the form that begins with M, or another proof that the wallet is one of ${name}: its descriptor, or a key with its path.`
    return { ok: false, reason: 'address_needed', message, candidates: [found.account] }
  }
  return { ok: true, ...shownOf(found), walletIndex: found.walletIndex }
}

const shownOf = (option: Option) => ({
  account: option.account,
  source: option.candidate.source,
  nextIndex: option.candidate.next,
  warnings: warningsOf(option),
})

function warningsOf({ account, candidate }: Option): AccountWarning[] {
  const { expression } = candidate
  const { depth } = expression.extended
  const said = originOf(candidate).script
  const warnings: AccountWarning[] = []
  // Electrum's own wallets have their account there; of any other wallet these addresses are not shown.
  if (depth < 2 && (expression.branch ?? [0]).length < 2) {
    warnings.push({
      code: 'key_above_account',
      message: `This key stands at the top of a wallet (depth ${depth}), as Electrum’s own wallets have it. Other wallets look below m/84h/0h/0h and its like, and would not see payments: compare the first addresses with the wallet.`,
    })
  }
  if (said !== null && said !== account.script) {
    warnings.push({
      code: 'path_of_other_type',
      message:
        'The path of this key is the custom for another type of address than the text names: compare the first addresses with the wallet.',
    })
  }
  return warnings
}

/** null: among the addresses of change; undefined: nowhere. */
function indexOf({ account }: Option, given: GivenAddress): number | null | undefined {
  const find = (of: Account, from: number, count: number): number | undefined =>
    deriveAddresses(of, from, count).find(({ address }) => address === given.canonical)?.index
  // Nearly always it is one of the first.
  const at = find(account, 0, 5) ?? find(account, 5, SEARCHED.receiving - 5)
  if (at !== undefined) return at
  const change = changeOf(account)
  return change === null || find(change, 0, SEARCHED.change) === undefined ? undefined : null
}
