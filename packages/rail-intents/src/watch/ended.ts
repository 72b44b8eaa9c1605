// What the provider says of a swap after it said how it ended. Its order heard that and is closed, so nothing is booked: a person is
// told, once, with the transaction where there is one, and that transaction proves no other swap. Pure and total.
import type { StatusReply } from '../client/wire.ts'
import { changed, isTold, NOBODY_ELSE, UNSEEN } from './alarms.ts'
import { isLongClaimed, type Proof, payoutOf, type Verdict } from './judged.ts'
import type { Swap } from './swaps.store.ts'

export function afterEnd(swap: Swap, reply: StatusReply, a: { proof: Proof; now: Date }): Verdict {
  const odd = reply.status === swap.status ? null : 'it changed after its end'
  const same: Verdict = { next: { ...swap, status: reply.status }, facts: [], odd }
  switch (reply.status) {
    case 'SUCCESS':
      return swap.stage === 'returned' ? paidOutAfter(swap, same, reply, a) : same
    case 'REFUNDED':
    case 'FAILED': {
      // Whose money others saw reach the merchant needs no word of the provider's any more, and to say again is no change.
      const isSame = swap.stage === 'returned' ? reply.status === 'REFUNDED' : swap.isProven
      const says = reply.status === 'REFUNDED' ? 'returned' : 'failed'
      return isSame || isTold(swap) ? same : changed(swap, same, { says, payout: null, why: null })
    }
    default:
      return same
  }
}

/** The order is refunded, and the merchant may have its money as well. */
function paidOutAfter(
  swap: Swap,
  same: Verdict,
  reply: StatusReply,
  { proof, now }: { proof: Proof; now: Date },
): Verdict {
  const payout = payoutOf(swap, reply)
  // What names no transaction moved nothing that anybody could look for; and each transaction is told of once.
  if (payout === null || swap.proofKey !== null) return same
  const claimedAt = swap.claimedAt ?? now
  const claimed: Verdict = { ...same, next: { ...same.next, claimedAt } }
  const told = (why: string): Verdict =>
    isTold(swap) ? claimed : changed(swap, claimed, { says: 'paid_out', payout, why })
  switch (proof.kind) {
    case 'proven': {
      const seen = { ...claimed, next: { ...claimed.next, proofKey: proof.key, isProven: true } }
      return changed(swap, seen, { says: 'paid_out', payout: proof, why: null })
    }
    case 'waiting':
      return isLongClaimed(swap, { claimedAt, now }) ? told(UNSEEN) : claimed
    case 'refuted':
      return told(proof.why)
    default:
      return { ...told(NOBODY_ELSE), unseen: payout }
  }
}
