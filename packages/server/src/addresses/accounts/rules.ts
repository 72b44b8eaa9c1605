// What is taken as an account, how many of its addresses may wait for a payment at once, and what is said of it. Pure.
// Nothing here echoes the input (contract.md 3).
import {
  type Account,
  type AccountReason,
  type AccountVerdict,
  isAccountChain,
  looksLikeAccount,
  type Network,
  parseAccount,
  type ScriptType,
} from '@florin/accounts'
import type { Chain } from '@florin/chains'
import { AppError } from '../../platform/errors.ts'

/** Mode of a chain's rail decides the network; a chain that none carries is the main one. */
export type AccountNetworks = Readonly<Partial<Record<string, Network>>>

/**
 * The highest receiving index of an account that the chain has seen used; `unknown` where nothing here can tell: then the
 * counter starts behind the address that the merchant gave to compare.
 */
export type UsedIndexes = (a: { chain: string; account: Account }) => Promise<bigint | 'none' | 'unknown'>

/** Whose node family is watched here. Others of the family take a plain address. */
const watched: ReadonlySet<string> = new Set(['btc', 'ltc'])

export interface AccountText {
  text: string
  script: ScriptType | null
  walletAddress: string | null
}

export interface GivenAccount {
  account: Account
  /** The first index that the wallet has not shown: behind the address that was given to compare. */
  from: bigint
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
  const { account, walletIndex } = verdict
  return { account, from: walletIndex === null ? 0n : BigInt(walletIndex) + 1n }
}

/** Addresses that a wallet's own limit leaves to other uses of it, such as a payment that the merchant asks for by hand. */
const KEPT = 5n

interface Window {
  nextIndex: bigint
  seenBelow: bigint
  walletLimit: number
}

/** Given out and not paid, in a row: what the wallet has to look past to see the next payment. */
export const unpaidRun = ({ nextIndex, seenBelow }: Window): bigint => nextIndex - seenBelow

/** How long that row may be. */
export const unpaidCap = ({ walletLimit }: Window): bigint => BigInt(walletLimit) - KEPT

/** Another address may be given out, and the wallet sees a payment to it. */
export const hasRoom = (window: Window): boolean => unpaidRun(window) < unpaidCap(window)

/** Three quarters of the row are taken: time to raise the limit. */
export const isNearCap = (window: Window): boolean => unpaidRun(window) * 4n >= unpaidCap(window) * 3n

/** The limit of Electrum, Ledger, Trezor, Sparrow and BlueWallet where nothing was changed; the most that stays usable. */
export const WALLET_LIMIT = { least: 10, most: 10_000 } as const

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
