// What of the numbers in an answer of the provider is believed. Pure.
import type { StatusReply } from '../client/wire.ts'
import type { Swap } from './swaps.store.ts'

/** Nobody pays so many times what was asked for: such a number is a fault of the provider's, and counts as none. */
const BELIEVED_TIMES = 10_000n

/** What cannot be is left out: the parts of what came are no more than what came. */
export function believed(swap: Pick<Swap, 'amountDue' | 'deposited'>, reply: StatusReply): StatusReply {
  const most = swap.amountDue * BELIEVED_TIMES
  const upTo = (amount: bigint | null, bound: bigint): bigint | null =>
    amount === null || amount <= bound ? amount : bound
  const deposited = reply.deposited !== null && reply.deposited > most ? null : reply.deposited
  const came =
    deposited === null || deposited < swap.deposited ? (swap.deposited > 0n ? swap.deposited : null) : deposited
  const refunded = upTo(reply.refunded, came ?? most)
  return {
    ...reply,
    deposited,
    refunded,
    amountIn: upTo(reply.amountIn, came === null ? most : came - (refunded ?? 0n)),
  }
}
