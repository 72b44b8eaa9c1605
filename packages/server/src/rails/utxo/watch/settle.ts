// Accounts what an order counts as settled. The money is the merchant's own from its first block on, so a settlement is
// final as soon as confirmed payments cover it, and waits again when a reorg takes them away.
import type { Tx } from '../../../platform/db/tx.ts'
import type { RailFact } from '../../interface/fact.ts'
import { listMoneyOf, listSettlementsOf, lockLegs, setSettlement } from './money.store.ts'

export interface Reported {
  orderRef: string
  fact: RailFact
}

/**
 * What changes about settlements as the confirmed money of these legs now stands. What left comes apart from what
 * became final: at no moment an order has given out more than it received, so the one is told of before a payment
 * leaves, the other after it came.
 */
export async function accountFor(tx: Tx, legRefs: readonly string[]): Promise<{ left: Reported[]; final: Reported[] }> {
  const refs = [...new Set(legRefs)]
  if (refs.length === 0) return { left: [], final: [] }
  await lockLegs(tx, refs)
  const money = new Map((await listMoneyOf(tx, refs)).map((row) => [row.legRef, row]))
  const settlements = await listSettlementsOf(tx, refs)
  const left: Reported[] = []
  const final: Reported[] = []
  for (const legRef of refs) {
    const own = settlements.filter((row) => row.legRef === legRef)
    const there = money.get(legRef)
    let covered = there?.confirmed ?? 0n
    for (const row of own) {
      const isCovered = row.gross <= covered
      if (isCovered) covered -= row.gross
      if (isCovered && row.state === 'waiting') {
        const txHash = there?.txid ?? ''
        await setSettlement(tx, { id: row.id, state: 'final', txHash })
        final.push({
          orderRef: row.orderRef,
          fact: {
            ...{ kind: 'settlement_final', settlementId: row.id, legRef, txHash },
            // Nothing is taken on the way: the fee is owed.
            ...{ gross: row.gross, fee: 0n, amountOut: row.gross },
          },
        })
      } else if (!isCovered && row.state === 'final') {
        await setSettlement(tx, { id: row.id, state: 'waiting', txHash: null })
        left.push({
          orderRef: row.orderRef,
          fact: { kind: 'settlement_left', legRef, txHash: row.txHash ?? '' },
        })
      }
    }
  }
  return { left, final }
}
