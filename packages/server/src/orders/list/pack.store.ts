// SQL that writes what hangs on closed orders into their rows, where the commit that closed them did not.
import type { Db, Tx } from '../../platform/db/tx.ts'
import type { OrderState } from '../model/state.ts'
import { packOrder } from '../packed.ts'
import { childColumns, type OrderRow, orderColumns, toOrder } from '../rows.store.ts'

/** Whoever holds an order is about to save it, and packs it then. @returns those that are locked now and still to be packed. */
export async function lockUnpacked(tx: Tx, numbers: readonly string[]): Promise<OrderState[]> {
  const locked = await tx<{ orderNo: string }[]>`
    select order_no as "orderNo" from orders where order_no = any(${numbers}::text[]) order by order_no
    for update skip locked`
  // A statement of its own sees what was committed before the locks were had.
  const rows = await tx<OrderRow[]>`
    select ${tx.unsafe(orderColumns)}, ${tx.unsafe(childColumns)} from orders o
    where o.order_no = any(${locked.map((row) => row.orderNo)}::text[]) and o.packed is null`
  return rows.map(toOrder).filter((order) => order.archivedAt === undefined)
}

/** Nothing else of them changes, `updated_at` neither. @returns how many; a flood's row stays as it is. */
export async function packOrders(tx: Tx, orders: readonly OrderState[]): Promise<number> {
  const rows = orders.flatMap((order) => {
    const packed = packOrder(order)
    return packed === null ? [] : [{ orderNo: order.orderNo, packed: Buffer.from(packed).toString('base64') }]
  })
  if (rows.length > 0)
    await tx`
      update orders o set packed = decode(line.packed, 'base64')
      from unnest(${rows.map((row) => row.orderNo)}::text[], ${rows.map((row) => row.packed)}::text[]) as line (order_no, packed)
      where o.order_no = line.order_no`
  return rows.length
}

/** While processes of a release may run that change what hangs on an order and not its row. */
export async function mayPack(db: Db, now: Date): Promise<boolean> {
  const rows = await db`select 1 from packing_waits where until > ${now} limit 1`
  return rows.length === 0
}
