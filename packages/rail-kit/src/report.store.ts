// The queue of facts between rails and orders. A rail writes here in the transaction that recorded what it saw,
// so a fact is neither lost nor reported without cause.
import { chunksOf } from '@florin/platform/chunks'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { RailFact } from './interface/fact.ts'

const bigints = ['amount', 'height', 'gross', 'fee', 'amountOut', 'floor'] as const
const dates = ['seenAt', 'minedAt'] as const

/** Facts of one order are applied in the order they were written. Fire `wake.facts` after the commit. */
export async function reportFacts(
  tx: Tx,
  a: { rail: string; orderRef: string; facts: readonly RailFact[]; now: Date },
): Promise<void> {
  await reportFactsOfMany(tx, {
    rail: a.rail,
    facts: a.facts.map((fact) => ({ orderRef: a.orderRef, fact })),
    now: a.now,
  })
}

/** The same for many orders at once: a block can pay hundreds. One statement per thousand facts, in sequence. */
export async function reportFactsOfMany(
  tx: Tx,
  a: { rail: string; facts: readonly { orderRef: string; fact: RailFact }[]; now: Date },
): Promise<void> {
  for (const rows of chunksOf(a.facts)) {
    const orderRefs = rows.map((row) => row.orderRef)
    const texts = rows.map(({ fact }) =>
      JSON.stringify(fact, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
    )
    await tx`
      insert into rail_facts (rail, order_ref, merchant_no, fact, created_at, due_at)
      select ${a.rail}, given.order_ref, coalesce(o.merchant_no, 0), given.fact::json, ${a.now}, ${a.now}
      from unnest(${orderRefs}::text[], ${texts}::text[]) with ordinality as given (order_ref, fact, n)
      left join order_summaries o using (order_ref) order by n`
  }
}

/**
 * Those of these orders to which facts were reported that are not applied yet: their books are behind.
 * @public for rails of other packages
 */
export async function listOrdersWithFacts(db: Db, orderRefs: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ orderRef: string }[]>`
    select distinct order_ref as "orderRef" from rail_facts where order_ref = any(${orderRefs as string[]}::text[])`
  return new Set(rows.map((row) => row.orderRef))
}

/** A stored fact as it was reported: amounts are bigint again and times are dates. */
export function readFact(stored: Record<string, unknown>): RailFact {
  const fact: Record<string, unknown> = { ...stored }
  for (const name of bigints) if (typeof fact[name] === 'string') fact[name] = BigInt(fact[name])
  const { excess } = fact as { excess?: { amount: bigint | string } }
  if (excess !== undefined) fact.excess = { ...excess, amount: BigInt(excess.amount) }
  for (const name of dates) if (typeof fact[name] === 'string') fact[name] = new Date(fact[name])
  return fact as unknown as RailFact
}
