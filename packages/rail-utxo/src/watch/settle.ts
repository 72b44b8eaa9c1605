// Accounts what an order counts as settled. The money is the merchant's own from its first block on, so a settlement is
// final as soon as confirmed payments cover it, and waits again when a reorg takes them away.
import type { Tx } from '@florin/platform/db/tx'
import { feeUnits } from '@florin/platform/money'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { listMoneyOf, listSettlementsOf, lockLegs, type SettlementRow, setSettlement } from './money.store.ts'

/** The payment's name in its order, whatever block it is in. */
export const keyOf = (chain: string, txid: string, vout: number): string => `${chain}:${txid}:${vout}`

export interface Reported {
  orderRef: string
  fact: RailFact
}

/**
 * What changes about settlements as the confirmed money of these legs now stands. What left comes apart from what
 * became final: at no moment an order has given out more than it received, so the one is told of before a payment
 * leaves, the other after it came. What pays instead on the branch on which a payment left is another payment.
 * @param fresh of `legRefs`' confirmed money, what no order has heard of yet, by leg.
 */
export async function accountFor(
  tx: Tx,
  legRefs: readonly string[],
  fresh: ReadonlyMap<string, bigint> = new Map(),
): Promise<{ left: Reported[]; final: Reported[] }> {
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
    let free = there?.confirmed ?? 0n
    let known = free - (fresh.get(legRef) ?? 0n)
    for (const row of own) {
      if (row.state === 'final' && row.gross <= known) {
        known -= row.gross
        free -= row.gross
        continue
      }
      if (row.state === 'final') {
        left.push({
          orderRef: row.orderRef,
          fact: { kind: 'settlement_left', legRef, txHash: row.txHash ?? '' },
        })
      }
      const gross = grossOf(row, free)
      if (gross === null) {
        if (row.state === 'final') await setSettlement(tx, { ...asAsked(row), state: 'waiting', txHash: null })
        continue
      }
      free -= gross
      const txHash = there?.txid ?? ''
      await setSettlement(tx, { id: row.id, state: 'final', txHash, gross, feeOwed: feeUnits(gross, row.feeBps) })
      final.push({
        orderRef: row.orderRef,
        fact: {
          ...{ kind: 'settlement_final', settlementId: row.id, legRef, txHash },
          // Nothing is taken on the way: the fee is owed.
          ...{ gross, fee: 0n, amountOut: gross },
        },
      })
    }
  }
  return { left, final }
}

const asAsked = ({ id, asked, feeBps }: SettlementRow) => ({ id, gross: asked, feeOwed: feeUnits(asked, feeBps) })

/**
 * What of the leg's free money counts for a settlement that waits; null: too little. After a reorg the payer's money may come as
 * another payment, so the order's tolerance holds as it did for the first; what was short then may be whole now.
 */
function grossOf({ asked, least, amountDue, promised, returned }: SettlementRow, there: bigint): bigint | null {
  // What went back in the meantime cannot settle as well.
  const free = there - returned
  if (free < least) return null
  if (free <= asked) return free
  const left = there - promised
  const kept = left < amountDue ? left : amountDue
  return kept > asked ? kept : asked
}
