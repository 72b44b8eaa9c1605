// SQL of orders that have reported facts.
import type { Db, Tx } from '@florin/platform/db/tx'
import { hasDueFact } from '@florin/rail-kit/facts.store'

export interface FoundOrder {
  orderNo: string
  orderRef: string
}

export function listOrdersByRef(db: Db, orderRefs: readonly string[]): Promise<FoundOrder[]> {
  return db<FoundOrder[]>`
    select order_no as "orderNo", order_ref as "orderRef" from orders where order_ref = any(${orderRefs}::text[])`
}

/**
 * Locks the first of these orders, by number, that no transaction has locked and that has facts that are due. PostgreSQL frees the
 * lock of a process that dies.
 */
export async function lockFreeOrder(
  tx: Tx,
  a: { orderNos: readonly string[]; now: Date },
): Promise<{ orderNo: string; orderRef: string } | null> {
  const [row] = await tx<{ orderNo: string; orderRef: string }[]>`
    select order_no as "orderNo", order_ref as "orderRef" from orders o
    where order_no = any(${a.orderNos}::text[])
      and ${hasDueFact(tx, 'o.order_ref', a.now)}
    order by order_no limit 1 for update skip locked`
  return row ?? null
}
