// What people are told of a swap that is not as it should be, and when that is over. Pure.
import { HOUR_MS } from '@florin/protocol'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import type { StatusReply } from '../client/wire.ts'
import type { Payout, Verdict } from './judged.ts'
import type { Swap } from './swaps.store.ts'

export const CONTRADICTED = 'provider_contradicted'
export const UNPROVEN = 'settlement_unproven'
export const SLOW = 'third_party_slow'
const CHANGED = 'third_party_changed'
export const UNSEEN = 'it says that it paid out, and the chain does not show it yet'
export const NOBODY_ELSE = 'it says that it paid out, and nobody else is there to ask on this chain'
/** After its own deadline a provider has swapped what came, or sends it back, within so long. */
const ENDS_WITHIN_MS = HOUR_MS

/** A swap that has money and does not end is told of once; that it ended, once as well. */
export function slowness(swap: Swap, v: Verdict, reply: StatusReply, now: Date): Verdict {
  const { stage, deposited, alarms } = v.next
  const isOpen = stage === 'waiting' || stage === 'paid'
  const has = swap.alarms.includes(SLOW)
  if (!isOpen && has) {
    const over: RailFact = { kind: 'alarm_over', what: SLOW, txHash: swap.address }
    return { ...v, next: { ...v.next, alarms: alarms.filter((what) => what !== SLOW) }, facts: [...v.facts, over] }
  }
  const lateMs = now.getTime() - swap.returnsFrom.getTime()
  const isLate = deposited === 0n ? lateMs >= 0 && failedInTime(swap, reply) : lateMs >= ENDS_WITHIN_MS
  if (!isOpen || has || !isLate) return v
  const { chain, contract } = swap.pay
  const fact: RailFact = {
    ...{ kind: 'alarm_raised', what: SLOW, chain, token: contract?.toLowerCase() ?? null, amount: deposited, to: null },
    ...{ txHash: swap.address, why: reply.status.slice(0, 40), more: { deposit_address: swap.address } },
  }
  return { ...v, next: { ...v.next, alarms: [...alarms, SLOW] }, facts: [...v.facts, fact] }
}

/**
 * It said that it failed to swap something while there was time to pay, and not what. What it says of an address that nobody paid
 * in time is no news.
 */
const failedInTime = (swap: Swap, { status }: StatusReply): boolean =>
  status === 'FAILED' && swap.status === 'FAILED' && swap.lookedAt !== null && swap.lookedAt < swap.returnsFrom

/** Each kind once a swap. */
export function alarmed(
  swap: Swap,
  v: Verdict,
  { what, txHash, why }: { what: typeof UNPROVEN | typeof CONTRADICTED; txHash: string; why: string },
): Verdict {
  const said = { ...v, odd: why }
  if (swap.alarms.includes(what)) return said
  const { chain, contract } = swap.settle
  const fact: RailFact = {
    ...{ kind: 'alarm_raised', what, chain, token: contract?.toLowerCase() ?? null, amount: swap.amountOut },
    ...{
      to: swap.merchantAddress,
      txHash: swap.address,
      why,
      more: { deposit_address: swap.address, ...(txHash === '' ? {} : { tx_hash: txHash }) },
    },
  }
  return { ...said, next: { ...v.next, alarms: [...swap.alarms, what] }, facts: [...v.facts, fact] }
}

export const quietened = (swap: Swap): RailFact[] =>
  swap.alarms
    .filter((what) => what !== SLOW)
    .map((what) => ({ kind: 'alarm_over', what: what as typeof UNPROVEN, txHash: swap.address }))

export const isTold = (swap: Pick<Swap, 'alarms'>): boolean => swap.alarms.includes(CHANGED)

/**
 * It says that a swap ended otherwise than it had said. What is told again, since somebody has seen it now, takes the place of what was.
 * @param a.why it is not certain; null: others saw it, or there is nothing to be seen
 */
export function changed(
  swap: Swap,
  v: Verdict,
  a: { says: 'paid_out' | 'returned' | 'failed'; payout: Payout | null; why: string | null },
): Verdict {
  const { chain, contract } = swap.settle
  const fact: RailFact = {
    ...{ kind: 'alarm_raised', what: CHANGED, chain, token: contract?.toLowerCase() ?? null },
    ...{ amount: a.payout?.amount ?? swap.amountOut, to: swap.merchantAddress, txHash: swap.address, why: a.why },
    more: {
      ...{ deposit_address: swap.address, said: swap.stage === 'done' ? 'paid_out' : 'returned', says: a.says },
      ...(a.payout === null ? {} : { tx_hash: a.payout.txHash }),
    },
  }
  const before: RailFact[] = isTold(swap) ? [{ kind: 'alarm_over', what: CHANGED, txHash: swap.address }] : []
  const alarms = [...swap.alarms.filter((what) => what !== CHANGED), CHANGED]
  return { ...v, next: { ...v.next, alarms }, facts: [...v.facts, ...before, fact] }
}
