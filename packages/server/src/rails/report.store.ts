// Owns the queue of facts between rails and orders. A rail writes here in the transaction that recorded what it saw,
// so a fact is neither lost nor reported without cause.
import type { Tx } from '../platform/db/tx.ts'
import type { RailFact, RailKind } from './rail.ts'

const bigints = ['amount', 'height', 'gross', 'fee', 'amountOut'] as const
const dates = ['seenAt'] as const

/** Facts of one order are applied in the order they are written. Fire `wake.facts` after the commit. */
export async function reportFacts(
  tx: Tx,
  a: { rail: RailKind; orderRef: string; facts: readonly RailFact[]; now: Date },
): Promise<void> {
  for (const fact of a.facts) {
    const text = JSON.stringify(fact, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
    await tx`
      insert into rail_facts (rail, order_ref, fact, created_at, due_at)
      values (${a.rail}, ${a.orderRef}, ${text}::text::json, ${a.now}, ${a.now})`
  }
}

/** A stored fact as it was reported: amounts are bigint again and times dates. */
export function readFact(stored: Record<string, unknown>): RailFact {
  const fact: Record<string, unknown> = { ...stored }
  for (const name of bigints) if (typeof fact[name] === 'string') fact[name] = BigInt(fact[name])
  for (const name of dates) if (typeof fact[name] === 'string') fact[name] = new Date(fact[name])
  return fact as unknown as RailFact
}
