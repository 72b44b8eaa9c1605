// From what a merchant pastes to the account that was meant, or to the reason why not. Where several are possible nothing
// is guessed: the type of script is asked for, or found by an address of the wallet, which also proves the chain. Pure.

import { type Account, changeOf, deriveAddresses, firstAddresses, makeAccount } from './account.ts'
import { type GivenAddress, readAddress } from './address.ts'
import type { KeyExpression } from './descriptor.ts'
import { type Candidate, readCandidates } from './exports.ts'
import { checkLevel, isHardened } from './keys.ts'
import { type AccountChain, accountChains, chainBytes, type Network, type ScriptType } from './networks.ts'
import { type AccountReason, Refused } from './refusal.ts'
import { refuseSecrets } from './secrets.ts'

/** Longer than any export of a wallet that only watches, which holds no transactions. */
export const maxAccountLength = 65_536
/** How far an address of the wallet is looked for: the limit of wallets' own search, five times. */
const SEARCHED = { receiving: 100, change: 20 } as const
const HARDENED = 0x80000000

export interface AccountHints {
  readonly chain: AccountChain
  readonly network?: Network
  /** Where the text does not say it. */
  readonly script?: ScriptType | null
  /** One address that the wallet shows. */
  readonly walletAddress?: string | null
}

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
    return choose(readAll(text, hints), hints)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { ok: false, reason: error.reason, message: error.message, candidates: [] }
  }
}

/** An account that the text may mean. */
interface Option {
  readonly candidate: Candidate
  readonly account: Account
  /** The text itself says the chain, the script. */
  readonly showsChain: boolean
  readonly showsScript: boolean
}

function readAll(text: string, hints: AccountHints): Option[] {
  if (text.length > maxAccountLength) {
    throw new Refused(
      'too_long',
      `This has more than ${maxAccountLength} characters. Give the extended public key alone.`,
    )
  }
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  refuseSecrets(trimmed)
  const refusals: unknown[] = []
  const options = readCandidates(trimmed).flatMap((candidate) => {
    try {
      return optionsOf(candidate, hints)
    } catch (error) {
      refusals.push(error)
      return []
    }
  })
  if (options.length === 0) throw refusals[0]
  const byIdentity = new Map(options.map((option) => [option.account.identity, option] as const))
  return [...byIdentity.values()]
}

function optionsOf(candidate: Candidate, hints: AccountHints): Option[] {
  const { chain, network = 'main' } = hints
  const { expression } = candidate
  const { version } = expression.extended
  const { name, coinType, scripts } = chainBytes[chain]
  if (!version.chains.includes(chain)) {
    const [other = chain] = version.chains
    throw new Refused('wrong_network', `${version.name} is a key of ${chainBytes[other].name}, not of ${name}.`)
  }
  if (version.isTest !== (network !== 'main')) {
    throw new Refused(
      'wrong_network',
      version.isTest
        ? `${version.name} is a key of a test network. Give that of the wallet on ${name} itself.`
        : `${version.name} is a key of ${name} itself, and this service is on a test network.`,
    )
  }
  const shown = originOf(candidate)
  if (shown.coinType !== null && shown.coinType !== (network === 'main' ? coinType : 1))
    throw otherCoin(shown.coinType, name, network)
  if (expression.branch === null) checkLevel(expression.extended)
  checkPosition(expression)
  const said = [candidate.script, version.script, shown.script].filter((script) => script !== null)
  // A descriptor's own word counts for more than the purpose in its path, which is a custom.
  const script = candidate.script ?? version.script ?? shown.script
  if (candidate.script !== null && version.script !== null && candidate.script !== version.script) {
    throw new Refused(
      'contradiction',
      `The prefix ${version.name} and the rest of the text name different types of address.`,
    )
  }
  const possible = script === null ? scripts : scripts.filter((known) => known === script)
  if (possible.length === 0)
    throw new Refused('unsupported', `There are no such addresses on ${name}: it has only those of pkh().`)
  const showsChain = network !== 'main' || version.chains.length === 1 || shown.coinType !== null
  return possible.map((one) => {
    const account = makeAccount({ chain, network, script: one }, expression)
    checkFirst(candidate, account)
    const states = candidate.first !== null && readAddress(candidate.first, account)?.isShared === false
    return {
      candidate,
      account,
      showsChain: showsChain || states,
      showsScript: said.length > 0 || scripts.length === 1,
    }
  })
}

const purposes: Readonly<Record<number, ScriptType>> = { 44: 'pkh', 49: 'sh-wpkh', 84: 'wpkh', 86: 'tr' }

/** What the path from the wallet's top says, where it keeps to BIP-44. */
function originOf({ expression }: Candidate): { script: ScriptType | null; coinType: number | null } {
  const [purpose = 0, coin = 0, account = 0] = expression.origin?.path ?? []
  if (purpose === 48 + HARDENED || purpose === 45 + HARDENED) {
    throw new Refused('multisig', 'This key is one of several that sign together. Only wallets with one key are taken.')
  }
  const script = purposes[purpose - HARDENED] ?? null
  return script === null || coin < HARDENED || account < HARDENED
    ? { script: null, coinType: null }
    : { script, coinType: coin - HARDENED }
}

/** How many steps below the top the key of the receiving addresses stands, by custom (BIP-44). */
const CHAIN_DEPTH = 4

/** A key is judged by where it says to stand as well: of change and receiving addresses each has one of its own. */
function checkPosition({ origin, extended, branch }: KeyExpression): void {
  const { depth, childNumber } = extended
  const places = [
    ...(depth === 0 ? [] : [{ depth, step: childNumber }]),
    ...(origin?.path.slice(-1).map((step) => ({ depth: origin.path.length, step })) ?? []),
  ].filter((place) => !isHardened(place.step))
  if (branch?.length === 0 ? places.some(({ step }) => step === 1) : branch?.at(-1) === 1) {
    throw new Refused(
      'change_path',
      'This is the path of the wallet’s change (/1/*). Give that of its receiving addresses, usually /0/*.',
    )
  }
  if (branch?.length !== 0 && places.some((place) => place.depth >= CHAIN_DEPTH && place.step <= 1)) {
    throw new Refused(
      'wrong_level',
      'This key stands below the account already: addresses derived from it by one more step would not be seen by the wallet. Give the key of the account (depth 3, such as m/84h/0h/0h).',
    )
  }
}

function otherCoin(coinType: number, name: string, network: Network): Refused {
  if (network !== 'main') {
    return new Refused(
      'wrong_network',
      `The path of this key (coin type ${coinType}) is not that of a test network (coin type 1), which this service is on.`,
    )
  }
  const other = accountChains.find((chain) => chainBytes[chain].coinType === coinType)
  const what = other === undefined ? (coinType === 1 ? 'a test network' : 'another coin') : chainBytes[other].name
  return new Refused(
    'wrong_network',
    `The path of this key (coin type ${coinType}) is that of ${what}, not of ${name}. Give the account of ${name}.`,
  )
}

/** A file that states an address which is not the first of its own key was changed, or is read wrongly. */
function checkFirst({ first, script }: Candidate, account: Account): void {
  if (first === null || script === null) return
  const given = readAddress(first, account)
  if (given === null) {
    throw new Refused('wrong_network', 'The address that the file states is none of this chain.')
  }
  if (given.canonical !== firstAddresses(account, 1)[0]) {
    throw new Refused('contradiction', 'The first address that the file states is not the first of its key.')
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
