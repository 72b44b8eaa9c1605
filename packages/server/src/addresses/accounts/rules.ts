// What is taken as an account, how many of its addresses may wait for a payment at once, and what is said of it. Pure.
// Nothing here echoes the input (contract.md 3).
import {
  type Account,
  type AccountChain,
  type AccountReason,
  type AccountVerdict,
  type AccountWarning,
  findIndex,
  isAccountChain,
  looksLikeAccount,
  type Network,
  openAccount,
  parseAccount,
  type ScriptType,
} from '@florin/accounts'
import type { Chain } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import { DAY_MS, LATE_WINDOW_MS } from '@florin/protocol'

/** Mode of a chain's rail decides the network; a chain that none carries is the main one. */
export type AccountNetworks = Readonly<Partial<Record<string, Network>>>

/** Who told of the use that an account was put to before it came here. */
export type ToldBy = 'wallet_address' | 'export' | 'unspent' | 'blocks' | 'merchant'

/** How far blocks were read backwards for that: to the chain's first, to the last that could be read, or not at all. */
export type HistoryState = 'waiting' | 'reading' | 'whole' | 'part' | 'none'

/** What the chain can tell of the addresses of an account that were used before; asked in the background alone. */
export interface AccountHistory {
  /** The highest receiving index that holds coins now; `unknown`: nothing here can tell. */
  unspent(a: { chain: string; account: Account }): Promise<bigint | 'none' | 'unknown'>
  /** Reads a part of the blocks, from the newest backwards. @throws whatever keeps them from being read now */
  read(a: HistoryPart): Promise<HistoryRead>
}

export interface HistoryPart {
  chain: string
  account: Account
  /** The lowest block that was read before; null: none was. */
  readDownTo: bigint | null
  /** Where reading began. */
  top: bigint | null
  /** Addresses below are known to be used. */
  usedBelow: bigint
  /** The counter's: what is looked for goes beyond it. */
  from: bigint
  signal?: AbortSignal
}

export interface HistoryRead {
  /** The highest index that a block of this part paid; null: none. */
  highest: bigint | null
  top: bigint | null
  readDownTo: bigint | null
  /** null: there is more to read. */
  end: 'whole' | 'part' | 'none' | null
}

/** Where no node is asked. */
export const noHistory: AccountHistory = {
  unspent: async () => 'unknown',
  read: async ({ top, readDownTo }) => ({ highest: null, top, readDownTo, end: 'none' }),
}

/** Orders wait for so many blocks; what lies before is read while they are made. */
const READ_FIRST = 1_000n

export const isReadEnough = ({ end, top, readDownTo }: Pick<HistoryRead, 'end' | 'top' | 'readDownTo'>): boolean =>
  end !== null || (top !== null && readDownTo !== null && top - readDownTo >= READ_FIRST)

/** What the merchant says: nothing was used, the next index, or an address of the wallet that is the last used or the next. */
export type SaidUse =
  | { param: 'never_used' }
  | { param: 'next_index'; index: number }
  | { param: 'next_address' | 'last_used_address'; address: string }

/** How far an address of the wallet is looked for; each costs a millisecond. Beyond, the index itself can be said. */
const SEARCHED = 500

/** One above the last index that was used by what is said. @throws AppError validation_failed */
export async function usedBelowOf(
  a: { descriptor: string; chain: AccountChain; network: Network },
  said: SaidUse,
): Promise<bigint> {
  if (said.param === 'never_used') return 0n
  if (said.param === 'next_index') return BigInt(said.index)
  const account = openAccount(a.descriptor, a)
  const piece = 20
  for (let from = 0; from < SEARCHED; from += piece) {
    const found = findIndex(account, said.address, from, piece)
    if (found !== null) return BigInt(found) + (said.param === 'last_used_address' ? 1n : 0n)
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new AppError('validation_failed', {
    param: said.param,
    message: `This is not among the first ${SEARCHED} receiving addresses of the account. Copy it from the wallet, or give the index that the wallet shows beside it as "next_index".`,
  })
}

export type UseKnown = 'whole' | 'said' | 'reading' | 'part' | 'unknown'

/** What is known of an account's use before it came here. */
export function useKnown(a: { history: HistoryState; toldBy: readonly ToldBy[] }): UseKnown {
  if (a.history === 'whole') return 'whole'
  if (a.toldBy.includes('merchant')) return 'said'
  if (a.history === 'waiting' || a.history === 'reading') return 'reading'
  return a.toldBy.length === 0 ? 'unknown' : 'part'
}

/** Whose node family is watched here. Others of the family take a plain address. */
const watched: ReadonlySet<string> = new Set(['btc', 'ltc'])

export interface AccountText {
  text: string
  script: ScriptType | null
  walletAddress: string | null
}

export interface GivenAccount {
  account: Account
  /** The first index that the wallet has not shown: behind the address that was given to compare, or that its file names. */
  from: bigint
  toldBy: readonly ToldBy[]
  warnings: readonly AccountWarning[]
}

/** Whether the text is meant as an account on this chain and not as an address. */
export const isAccountText = (chain: Chain, { text, script, walletAddress }: AccountText): boolean =>
  looksLikeAccount(text) || (watched.has(chain.id) && (script !== null || walletAddress !== null))

export function judgeAccount(chain: Chain, a: AccountText, networks: AccountNetworks): AccountVerdict {
  if (!watched.has(chain.id) || !isAccountChain(chain.id)) {
    const message = `Accounts are taken for Bitcoin and Litecoin only. For ${chain.name} give an address.`
    // What is a secret is said to be one, whatever the chain.
    const asBitcoin = parseAccount(a.text, { chain: 'btc' })
    if (!asBitcoin.ok && (asBitcoin.reason === 'private_key' || asBitcoin.reason === 'seed')) return asBitcoin
    return { ok: false, reason: 'unsupported', message, candidates: [] }
  }
  const { text, script, walletAddress } = a
  return parseAccount(text, { chain: chain.id, network: networks[chain.id] ?? 'main', script, walletAddress })
}

/** Which field would help; the text itself where nothing else does. */
const paramOf: Readonly<Partial<Record<AccountReason, string>>> = {
  script_needed: 'script_type',
  address_needed: 'wallet_address',
  address_not_found: 'wallet_address',
}

/** @throws AppError invalid_address with the sentence that says what is wrong. */
export function parseReceivingAccount(chain: Chain, a: AccountText, networks: AccountNetworks): GivenAccount {
  const verdict = judgeAccount(chain, a, networks)
  if (!verdict.ok) {
    throw new AppError('invalid_address', { param: paramOf[verdict.reason] ?? 'address', message: verdict.message })
  }
  const { account, walletIndex, nextIndex, warnings } = verdict
  const shown = walletIndex === null ? 0n : BigInt(walletIndex) + 1n
  const counted = BigInt(nextIndex ?? 0)
  const toldBy: ToldBy[] = []
  if (walletIndex !== null) toldBy.push('wallet_address')
  if (nextIndex !== null) toldBy.push('export')
  return { account, from: counted > shown ? counted : shown, toldBy, warnings }
}

/** Addresses that a wallet's own limit leaves to other uses of it, such as a payment that the merchant asks for by hand. */
export const KEPT = 5n

interface Window {
  nextIndex: bigint
  seenBelow: bigint
  walletLimit: number
  /** Of the row's places those that payers started. */
  byStrangers: bigint
}

/** Given out and not paid, in a row: what the wallet has to look past to see the next payment. */
export const unpaidRun = ({ nextIndex, seenBelow }: Pick<Window, 'nextIndex' | 'seenBelow'>): bigint =>
  nextIndex > seenBelow ? nextIndex - seenBelow : 0n

/** How long that row may be. */
export const unpaidCap = ({ walletLimit }: Pick<Window, 'walletLimit'>): bigint => BigInt(walletLimit) - KEPT

/** Of it, what payers may fill who start by themselves (payment links, invoices): the rest is for orders of the shop's server. */
export const strangersCap = (window: Pick<Window, 'walletLimit'>): bigint => unpaidCap(window) / 2n

/** Of that, what one client may have open: a fifth of the row, and two at least. */
export function clientCap(window: Pick<Window, 'walletLimit'>): bigint {
  const fifth = unpaidCap(window) / 5n
  return fifth > 2n ? fifth : 2n
}

/** No order is paid in time so long after; then another may have its address, where its rail can tell whose a payment is. */
export const REUSED_AFTER_MS = 37 * DAY_MS

/** The same of an order that is over: late money settles it for this long, and what comes later goes back anyway. */
export const CLOSED_AFTER_MS = LATE_WINDOW_MS

/** Orders may be paid to it: the chain was asked which addresses were used, or the merchant said it. */
export const isReady = (a: { examinedAt: Date | null; saidBelow: bigint | null }): boolean =>
  a.examinedAt !== null || a.saidBelow !== null

/** Another address may be given out, and the wallet sees a payment to it. */
export const hasRoom = (window: Window): boolean => unpaidRun(window) < unpaidCap(window)

/** A payer who starts by himself may be given another. */
export const hasRoomForStrangers = (window: Window): boolean =>
  hasRoom(window) && window.byStrangers < strangersCap(window)

/** Three quarters of the row are taken: time to raise the limit. */
export const isNearCap = (window: Window): boolean => unpaidRun(window) * 4n >= unpaidCap(window) * 3n

/** The strangers' part is taken: they are offered the coin no more. */
export const isStrangersFull = (window: Window): boolean => window.byStrangers >= strangersCap(window)

/** The limit of Electrum, Ledger, Trezor, Sparrow and BlueWallet where nothing was changed; the most that stays usable. */
export const WALLET_LIMIT = { least: 10, usual: 20, most: 10_000 } as const

/** How deep a payment of an order below `belowUsd` has to be; the last has no bound. */
export interface Depth {
  belowUsd: number | null
  blocks: number
}

export interface DepthTier {
  belowMicros: bigint | null
  blocks: number
}

export const DEPTHS_MAX = 6
export const DEPTH_BLOCKS_MAX = 100

export const tiersOf = (depths: readonly Depth[] | null): DepthTier[] =>
  (depths ?? []).map(({ belowUsd, blocks }) => ({
    belowMicros: belowUsd === null ? null : BigInt(belowUsd) * 1_000_000n,
    blocks,
  }))

/** @throws AppError validation_failed where an amount would wait for fewer blocks than a smaller one, or for none that is said. */
export function checkDepths(depths: readonly Depth[]): void {
  const isRising = depths.every(({ belowUsd, blocks }, n) => {
    const next = depths[n + 1]
    if (next === undefined) return belowUsd === null
    return belowUsd !== null && blocks <= next.blocks && (next.belowUsd === null || belowUsd < next.belowUsd)
  })
  if (isRising && depths.length > 0) return
  const message = 'Amounts and blocks rise from line to line, and the last line alone has no amount.'
  throw new AppError('validation_failed', { param: 'confirmations', message })
}
