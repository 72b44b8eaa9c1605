// Asks rails which settlements should not be carried out now, and has their orders say so.
import { advanceOrder, type OrderDeps } from './advance.ts'
import type { DueSettlement } from './rail-outbox.store.ts'

/**
 * What may be handed over: held ones wait and are asked about again, and what was held and is no more goes on. A rail
 * that cannot say holds nothing: the merchant's money is not kept for want of an answer.
 */
export async function withoutHeld(deps: OrderDeps, due: readonly DueSettlement[]): Promise<DueSettlement[]> {
  const free: DueSettlement[] = []
  for (const [kind, rows] of Map.groupBy(due, (row) => row.rail)) {
    const asked = rows.filter((row) => !row.isReleased).map((row) => row.request)
    const holds = asked.length === 0 ? undefined : await deps.rails.servicesOf(kind).holds?.(asked)
    for (const row of rows) {
      const { settlementId } = row.request
      const hold = holds?.get(settlementId)
      if (hold === undefined) {
        if (row.isHeld) await advanceOrder(deps, row.orderNo, [{ kind: 'settlement_let_go', settlementId }])
        free.push(row)
        continue
      }
      if (!row.isHeld) await advanceOrder(deps, row.orderNo, [{ kind: 'settlement_held', settlementId, hold }])
    }
  }
  return free
}
