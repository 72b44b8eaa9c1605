// When a switch of a third party counts. Allowing more for real money waits 24 hours, as a receiving address does; allowing
// less counts at once. Pure.
import { ADDRESS_WAIT_MS } from '@florin/protocol'

export interface Allowed {
  /** Orders that settle on the chain may be carried by a rail of a third party. */
  isOn: boolean
  /** A payout that only the provider reports counts as made. */
  takesUnproven: boolean
}

export interface ThirdPartySwitch {
  chain: string
  /** The last value that was set. */
  wished: Allowed
  /** The value in force until `effectiveAt`; null: `wished` is in force. */
  until: { effectiveAt: Date; allowed: Allowed } | null
  updatedAt: Date | null
  /** The session that set it; null: the link in a mail did, or no session. */
  sessionId: string | null
}

export const isSame = (a: Allowed, b: Allowed): boolean => a.isOn === b.isOn && a.takesUnproven === b.takesUnproven

/** The value in force at this moment, whether or not a job ran. */
export const allowedAt = ({ wished, until }: ThirdPartySwitch, now: Date): Allowed =>
  until !== null && now < until.effectiveAt ? until.allowed : wished

/** @param atOnce all of it counts now. @returns the switch as it is afterwards; `row` itself where nothing changes. */
export function withWish(
  row: ThirdPartySwitch,
  wish: Allowed,
  a: { atOnce: boolean; sessionId: string | null; now: Date },
): ThirdPartySwitch {
  const { sessionId, now } = a
  const counts = allowedAt(row, now)
  const isWaiting = row.until !== null && now < row.until.effectiveAt
  // Sending it again does not restart the wait.
  if (isSame(wish, row.wished) && !(isWaiting && a.atOnce)) return row
  const meanwhile = {
    isOn: counts.isOn && wish.isOn,
    takesUnproven: counts.takesUnproven && wish.takesUnproven,
  }
  const waits = !a.atOnce && !isSame(meanwhile, wish)
  const effectiveAt = new Date(now.getTime() + ADDRESS_WAIT_MS)
  const until = waits ? { effectiveAt, allowed: meanwhile } : null
  return { chain: row.chain, wished: wish, until, updatedAt: now, sessionId }
}
