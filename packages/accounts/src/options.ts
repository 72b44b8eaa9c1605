// Every account that a text may mean, each judged by where its key says to stand; or why it is none. Pure.

import { type Account, firstAddresses, makeAccount } from './account.ts'
import { readAddress } from './address.ts'
import type { KeyExpression } from './descriptor.ts'
import { type Candidate, readCandidates } from './exports.ts'
import { checkLevel, isHardened } from './keys.ts'
import { type AccountChain, accountChains, chainBytes, type Network, type ScriptType } from './networks.ts'
import { Refused } from './refusal.ts'
import { refuseSecrets } from './secrets.ts'

/** Longer than any export of a wallet that only watches, which holds no transactions. */
export const maxAccountLength = 65_536
const HARDENED = 0x80000000

export interface AccountHints {
  readonly chain: AccountChain
  readonly network?: Network
  /** Where the text does not say it. */
  readonly script?: ScriptType | null
  /** One address that the wallet shows. */
  readonly walletAddress?: string | null
}

/** An account that the text may mean. */
export interface Option {
  readonly candidate: Candidate
  readonly account: Account
  /** The text itself says the chain, the script. */
  readonly showsChain: boolean
  readonly showsScript: boolean
}

/** @throws Refused */
export function readOptions(text: string, hints: AccountHints): Option[] {
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
export function originOf({ expression }: Candidate): { script: ScriptType | null; coinType: number | null } {
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
