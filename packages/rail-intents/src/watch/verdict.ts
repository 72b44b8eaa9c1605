// What an answer of the provider makes of a swap, and what its order is told. Pure and total: every status, known or not, has
// an outcome, and nothing the provider says alone is a proof.
import type { RailFact } from '@florin/rail-kit/interface/fact'
import type { StatusReply } from '../client/wire.ts'
import { alarmed, CONTRADICTED, NOBODY_ELSE, quietened, SLOW, slowness, UNPROVEN, UNSEEN } from './alarms.ts'
import { believed } from './believed.ts'
import { afterEnd } from './ended.ts'
import { isLongClaimed, type Payout, type Proof, payoutOf, type Verdict } from './judged.ts'
import type { Swap } from './swaps.store.ts'

/** Its order heard how it ended. */
const isEnd = (stage: Swap['stage']): boolean => stage === 'done' || stage === 'returned'

/** @param proof asked for only where the provider says SUCCESS. */
export function judge(swap: Swap, reply: StatusReply, proof: Proof, now: Date): Verdict {
  if (isEnd(swap.stage)) return afterEnd(swap, believed(swap, reply), { proof, now })
  const verdict = slowness(swap, outcome(swap, believed(swap, reply), { proof, now }), reply, now)
  const { next } = verdict
  return { ...verdict, next: { ...next, endedAt: isEnd(next.stage) ? (swap.endedAt ?? now) : null } }
}

function outcome(swap: Swap, reply: StatusReply, { proof, now }: { proof: Proof; now: Date }): Verdict {
  const stays: Verdict = { next: { ...swap, status: reply.status }, facts: [], odd: null }
  switch (reply.status) {
    case 'PENDING_DEPOSIT':
      return unannounced(swap, stays)
    case 'KNOWN_DEPOSIT_TX':
      return announced(swap, stays, reply, now)
    case 'INCOMPLETE_DEPOSIT':
      return credited(swap, stays, reply, { atLeast: 0n, now })
    case 'PROCESSING':
      return taken(swap, stays, reply, now)
    case 'SUCCESS':
      return paidOut(swap, stays, reply, { proof, now })
    case 'REFUNDED':
      return returned(swap, stays, reply, now)
    case 'FAILED':
      return failed(swap, stays, reply, now)
    default:
      // A word that nobody knows changes nothing, and is asked about again.
      return { ...stays, next: swap, odd: `an unknown status ${reply.status.slice(0, 40)}` }
  }
}

const keyOf = (swap: Swap, n: number): string => `intents:${swap.ref}:${n}`

const hashOf = (reply: StatusReply, n: number): string => reply.origin[n - 1]?.hash ?? reply.origin[0]?.hash ?? ''

function announced(swap: Swap, v: Verdict, reply: StatusReply, now: Date): Verdict {
  if (swap.announced !== null || swap.deposited > 0n) return v
  const amount = reply.deposited ?? swap.amountDue
  return {
    ...v,
    next: { ...v.next, announced: amount },
    facts: [
      {
        ...{ kind: 'payment_unconfirmed', key: keyOf(swap, swap.deposits + 1), legRef: swap.ref },
        txHash: hashOf(reply, 1),
        ...{ outputIndex: 0, asset: swap.pay, amount, from: null, seenAt: timeOf(reply, now) },
      },
    ],
  }
}

/** An announced deposit may fall back to nothing. */
function unannounced(swap: Swap, v: Verdict): Verdict {
  if (swap.announced === null) return v
  // The next one has a name of its own.
  const next = { ...v.next, announced: null, deposits: swap.deposits + 1 }
  return { ...v, next, facts: [{ kind: 'payment_dropped', key: keyOf(swap, swap.deposits + 1) }] }
}

const timeOf = (reply: StatusReply, now: Date): Date =>
  reply.updatedAt !== null && reply.updatedAt < now ? reply.updatedAt : now

/**
 * Deposits are told as a sum: what it grew by is one payment. Where the sum is left out, as much as must have come.
 * @param a.atLeast what the status implies @param a.notAfter the provider took it in time, whenever we were told
 */
function credited(
  swap: Swap,
  v: Verdict,
  reply: StatusReply,
  a: { atLeast: bigint; now: Date; notAfter?: Date },
): Verdict {
  const told = reply.deposited ?? 0n
  const sum = [told, a.atLeast, swap.deposited].reduce((most, one) => (one > most ? one : most))
  const amount = sum - swap.deposited
  if (amount <= 0n) return v
  const facts: RailFact[] = []
  let n = swap.deposits + 1
  if (swap.announced !== null && swap.announced !== amount) {
    facts.push({ kind: 'payment_dropped', key: keyOf(swap, n) })
    n++
  }
  const time = timeOf(reply, a.now)
  const seenAt = a.notAfter !== undefined && time > a.notAfter ? a.notAfter : time
  const key = keyOf(swap, n)
  facts.push(
    {
      ...{ kind: 'payment_seen', key, legRef: swap.ref, txHash: hashOf(reply, swap.deposited === 0n ? 1 : n) },
      ...{ outputIndex: 0, asset: swap.pay, amount, from: null, height: null, seenAt },
    },
    { kind: 'payment_confirmed', key },
  )
  return { ...v, next: { ...v.next, announced: null, deposits: n, deposited: sum }, facts: [...v.facts, ...facts] }
}

/** What the provider swaps it took in time, by the deadline that it was given. */
function taken(swap: Swap, v: Verdict, reply: StatusReply, now: Date): Verdict {
  const enough = credited(swap, v, reply, { atLeast: swap.least, now, notAfter: swap.payUntil })
  return { ...enough, next: { ...enough.next, stage: 'paid' } }
}

function paidOut(swap: Swap, v: Verdict, reply: StatusReply, a: { proof: Proof; now: Date }): Verdict {
  const back = reply.refunded ?? 0n
  // What came is at least what was taken and what went back.
  const consumed = (reply.amountIn ?? 0n) + back
  const atLeast = consumed > swap.least ? consumed : swap.least
  const held = credited(swap, v, reply, { atLeast, now: a.now, notAfter: swap.payUntil })
  const payout = payoutOf(swap, reply)
  const claimedAt = swap.claimedAt ?? a.now
  const isLong = isLongClaimed(swap, { claimedAt, now: a.now })
  const claimed = { ...held, next: { ...held.next, stage: 'claimed' as const, claimedAt } }
  if (payout === null) {
    // It names no payout: no success, whatever it is called.
    const isAllBack = reply.amountOut === null && back > 0n && back + swap.refundFee >= held.next.deposited
    if (isLong && isAllBack) return returned(swap, v, reply, a.now)
    return isLong ? alarmed(swap, claimed, { what: CONTRADICTED, txHash: '', why: NO_PAYOUT }) : claimed
  }
  const onItsWord = { payout: { ...payout, amount: swap.amountOut }, key: null }
  // Who gets the money says that it is there, all that was promised.
  if (swap.isVouched && a.proof.kind !== 'proven') return settled(swap, held, reply, onItsWord)
  if (payout.amount < swap.amountOut) {
    const why = `it says that it paid out ${payout.amount} of the ${swap.amountOut} smallest units that it had promised`
    return alarmed(swap, unproven(claimed, swap, payout), { what: CONTRADICTED, txHash: payout.txHash, why })
  }
  switch (a.proof.kind) {
    case 'proven':
      return settled(swap, held, reply, { payout: a.proof, key: a.proof.key })
    case 'waiting':
      return isLong
        ? alarmed(swap, unproven(claimed, swap, payout), { what: UNPROVEN, ...payout, why: UNSEEN })
        : claimed
    case 'refuted':
      return alarmed(swap, unproven(claimed, swap, payout), {
        ...{ what: CONTRADICTED, txHash: payout.txHash, why: a.proof.why },
      })
    default:
      // Most of it went back, it says: then nothing was paid out of it.
      if (back > 0n && (held.next.deposited - back) * 2n < swap.least)
        return alarmed(swap, unproven(claimed, swap, payout), {
          what: CONTRADICTED,
          txHash: payout.txHash,
          why: BOTH_WAYS,
        })
      return swap.takesUnproven
        ? settled(swap, held, reply, onItsWord)
        : alarmed(swap, unproven(claimed, swap, payout), { what: UNPROVEN, ...payout, why: NOBODY_ELSE })
  }
}

const NO_PAYOUT = 'it says that the swap succeeded, and names no payout'
const BOTH_WAYS = 'it says that it paid out, and that it sent most of the money back'

function unproven(v: Verdict, swap: Swap, { txHash }: Payout): Verdict {
  return { ...v, facts: [...v.facts, { kind: 'settlement_unproven', legRef: swap.ref, txHash }] }
}

/** All that did not go back was the price of the payout: what it took, with fees and the cost of the way back. */
function settled(
  swap: Swap,
  v: Verdict,
  reply: StatusReply,
  { payout, key }: { payout: Payout; key: string | null },
): Verdict {
  const { deposited } = v.next
  const back = min(reply.refunded ?? 0n, deposited)
  const gross = deposited - back
  const took = min(reply.amountIn ?? gross, gross)
  const net = (took * 10_000n) / BigInt(10_000 + swap.feeBps)
  const isSeveral = reply.origin.length > 1
  const excess = {
    amount: back,
    txHash: isSeveral ? (reply.origin.at(-1)?.hash ?? null) : null,
    to: swap.refundAddress,
  }
  const final: RailFact = {
    ...{ kind: 'settlement_final', settlementId: null, legRef: swap.ref, txHash: payout.txHash },
    ...{ gross, fee: gross - net, amountOut: payout.amount, proven: key !== null },
    ...(back > 0n ? { excess } : {}),
  }
  return {
    odd: null,
    next: { ...v.next, stage: 'done', gross, returned: back, proofKey: key, isProven: key !== null, alarms: [] },
    facts: [...v.facts, final, ...quietened(swap)],
    ...(key === null ? { unseen: payout } : {}),
  }
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

function returned(swap: Swap, v: Verdict, reply: StatusReply, now: Date): Verdict {
  const back = reply.refunded ?? 0n
  const held = credited(swap, v, reply, { atLeast: back, now })
  if (held.next.deposited === 0n) {
    // Nothing is known of what came or went, and what comes from now on counts: the swap waits on.
    const { next, facts } = unannounced(swap, v)
    return { next: { ...next, failure: reply.refundReason }, facts, odd: 'it returned money that it never told of' }
  }
  const txHash = reply.origin.length > 1 ? (reply.origin.at(-1)?.hash ?? '') : ''
  const fact: RailFact = { kind: 'all_returned', txHash, to: swap.refundAddress, legRef: swap.ref }
  return {
    odd: null,
    next: {
      ...{ ...held.next, stage: 'returned', failure: reply.refundReason, returned: held.next.deposited, alarms: [] },
    },
    facts: [...held.facts, fact, ...quietened(swap)],
  }
}

function failed(swap: Swap, v: Verdict, reply: StatusReply, now: Date): Verdict {
  // What it failed to swap is what it had told of.
  const held = credited(swap, v, reply, { atLeast: swap.announced ?? 0n, now, notAfter: swap.payUntil })
  if (held.next.deposited === 0n) return { ...held, odd: 'it failed to swap money that it never told of' }
  const failure = failureOf(swap, reply.refundReason)
  // What it said of a payout before is no question any more.
  const alarms = held.next.alarms.filter((what) => what === SLOW)
  const next = { ...held.next, stage: 'failed' as const, failure, alarms }
  const isNew = swap.stage !== 'failed' && swap.settlementId !== null
  const fact: RailFact[] = isNew ? [{ kind: 'settlement_failed', settlementId: swap.settlementId ?? '', failure }] : []
  // What was to go back does not go back either; who is asked about it has to hear so.
  if (swap.stage !== 'failed' && swap.refundId !== null)
    fact.push({ kind: 'refund_failed', refundId: swap.refundId, failure: keptBy(swap) })
  return { next, facts: [...held.facts, ...fact, ...quietened(swap)], odd: 'the swap failed' }
}

/** Where the money is, for whoever asks for it. */
export const keptBy = (swap: Pick<Swap, 'address' | 'memo'>): string =>
  `NEAR Intents failed to swap it and holds it: ask its support with the deposit address ${placeOf(swap)}`

const placeOf = ({ address, memo }: Pick<Swap, 'address' | 'memo'>): string =>
  memo === null ? address : `${address}, memo ${memo}`

export const failureOf = (swap: Pick<Swap, 'address' | 'memo'>, reason: string | null): string =>
  `NEAR Intents could not make the swap${reason === null ? '' : ` (${reason.slice(0, 100)})`}: it holds the money and owes it back to the payer. Should it not come, its support asks for the deposit address ${placeOf(swap)}`
