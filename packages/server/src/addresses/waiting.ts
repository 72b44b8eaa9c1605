// Which receiving address applies when. A waiting change applies to test orders at once, and to live orders from its
// `effectiveAt` on, whether or not a job ran in time. Pure.
import type { ChainAddress } from '@florin/chains'
import type { AccountRef } from '@florin/rail-kit/account-ref'

/** Where money of a chain goes: one address, or an account of the merchant's wallet with an address for each order. */
export type ReceivingPlace = ChainAddress | AccountRef

/** The result of a change, for one chain's address. */
export interface Wish {
  /** Canonical form; null: it is removed. */
  address: ReceivingPlace | null
  label: string | null
}

export interface Waiting {
  address: string | null
  label: string | null
  sessionId: string | null
  askedBy: string
  askedAt: Date
  effectiveAt: Date
}

/** Everything known about one chain. */
export interface ChainAddressRow {
  chain: string
  /** What live orders settle to until a waiting change takes effect; null: nothing. */
  address: string | null
  label: string | null
  sessionId: string | null
  updatedAt: Date | null
  waiting: Waiting | null
  /** Its chain is the merchant's default settle chain. */
  isDefault: boolean
}

export const isRipe = (waiting: Waiting, now: Date): boolean => waiting.effectiveAt <= now

/** Where orders of one mode settle that are created now. */
export function addressesFor(
  rows: readonly ChainAddressRow[],
  a: { livemode: boolean; now: Date },
): { chain: string; address: string; isDefault: boolean }[] {
  return rows.flatMap(({ chain, isDefault, ...row }) => {
    const counts = row.waiting !== null && (!a.livemode || isRipe(row.waiting, a.now))
    const address = counts ? row.waiting?.address : row.address
    return address == null ? [] : [{ chain, address, isDefault }]
  })
}

/** What decides whether a new value applies at once. */
export interface Trust {
  /** A live order of the merchant was once paid. */
  hasBeenPaid: boolean
  /** The merchant never had an address, nor requested one. */
  isFirst: boolean
  isFresh: boolean
  isKnownBrowser: boolean
}

export const countsAtOnce = (trust: Trust): boolean =>
  !trust.hasBeenPaid || trust.isFirst || (trust.isFresh && trust.isKnownBrowser)

export type Step =
  /** Nothing changes. */
  | { kind: 'same' }
  /** Only the label changes, of the current or of the waiting value. */
  | { kind: 'label'; of: 'address' | 'waiting' }
  /** The waiting change is cancelled; the current value stays. */
  | { kind: 'cancel' }
  | { kind: 'now' }
  | { kind: 'later' }

/** @param row as it stands now, with no ripe change in it. @param trust asked for only where it decides. */
export async function stepFor(row: ChainAddressRow, wish: Wish, trust: () => Promise<Trust>): Promise<Step> {
  const { waiting } = row
  if (wish.address === row.address) {
    if (waiting !== null) return { kind: 'cancel' }
    return wish.address === null || wish.label === row.label ? { kind: 'same' } : { kind: 'label', of: 'address' }
  }
  if (countsAtOnce(await trust())) return { kind: 'now' }
  if (waiting === null || waiting.address !== wish.address) return { kind: 'later' }
  // Sending it again does not restart the wait.
  return waiting.label === wish.label ? { kind: 'same' } : { kind: 'label', of: 'waiting' }
}
