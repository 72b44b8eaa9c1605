// What keeps a key of the relay from sending, or soon will, and how long its gas lasts. Pure.
import { DAY_MS } from '@florin/protocol'

export type SignerTroubleKind =
  | 'out_of_gas'
  | 'low_on_gas'
  | 'gas_over_cap'
  | 'role_missing'
  | 'refunds_paused'
  /** Anything else that only a person can clear; `text` says it. */
  | 'sending_stopped'

export interface SignerTrouble {
  kind: SignerTroubleKind
  text: string
}

export const stopped = (text: string): SignerTrouble => ({ kind: 'sending_stopped', text })

/** What of a key does not change from block to block. */
export interface Standing {
  at: Date
  hasRole: boolean
  isPaused: boolean
  /** What was spent on gas, in wei, and since when. */
  spent: bigint
  sinceMs: number
}

/** The factory's numbers of the roles. */
export const roleNumbers = { relayer: 0, refunder: 1, guardian: 2 } as const

/** For how many whole days a balance lasts at what the last days cost. */
export interface Runway {
  days: number
  /** Nothing was spent yet: at least so many days, with ten orders a day at the highest fee that is allowed. */
  isBound: boolean
}

/** One order alone. */
const ORDER_GAS = 120_000n
const ORDERS_A_DAY = 10n
const DAYS_MAX = 9_999n

export function runwayOf(a: { balance: bigint; spent: bigint; sinceMs: number; cap: bigint }): Runway {
  const isBound = a.spent === 0n
  const days = isBound
    ? a.balance / (ORDERS_A_DAY * ORDER_GAS * (a.cap > 0n ? a.cap : 1n))
    : (a.balance * BigInt(Math.round(Math.max(a.sinceMs, DAY_MS)))) / (a.spent * BigInt(DAY_MS))
  return { days: Number(days < DAYS_MAX ? days : DAYS_MAX), isBound }
}
