// SQL of packing what hangs on orders that closed before their rows said it.
import type { Db, Tx } from '../../platform/db/tx.ts'
import type { OrderState } from '../model/state.ts'
import { packOrder } from '../packed.ts'
import { childColumns, type OrderRow, orderColumns, toOrder } from '../rows.store.ts'

const NAME = 'packed_orders'
/** How many numbers a step looks at: of most orders the row says all already. */
const LOOKED_AT = 2_000

/** Two workers take turns. @returns the number below which orders are still to be packed; null: none are, or somebody is at it. */
export async function lockPacking(tx: Tx): Promise<string | null> {
  const [row] = await tx<{ position: string }[]>`
    select position from backfills where name = ${NAME} for update skip locked`
  return row?.position ?? null
}

/** @returns `reached`: below which number to go on; null: there are no more. */
export async function listUnpacked(
  tx: Tx,
  a: { below: string; limit: number },
): Promise<{ numbers: string[]; reached: string | null }> {
  const rows = await tx<{ orderNo: string; isUnpacked: boolean }[]>`
    select order_no as "orderNo", packed is null and status not in ('pending', 'processing')
      and not exists (select from archived_orders a where a.order_no = o.order_no) as "isUnpacked"
    from orders o where order_no < ${a.below} order by order_no desc limit ${LOOKED_AT}::int`
  const unpacked = rows.filter((row) => row.isUnpacked).map((row) => row.orderNo)
  if (unpacked.length > a.limit) return { numbers: unpacked.slice(0, a.limit), reached: unpacked[a.limit - 1] ?? null }
  return { numbers: unpacked, reached: rows.length < LOOKED_AT ? null : (rows.at(-1)?.orderNo ?? null) }
}

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

/** @param a.position null: it is done. */
export async function movePacking(tx: Tx, a: { position: string | null; more: number }): Promise<void> {
  if (a.position === null) await tx`delete from backfills where name = ${NAME}`
  else
    await tx`
      update backfills set position = ${a.position}, done = done + ${a.more}::int, updated_at = now() where name = ${NAME}`
}

/** While processes of a release may run that change what hangs on an order and not its row. */
export async function mayPack(db: Db, now: Date): Promise<boolean> {
  const rows = await db`select 1 from packing_waits where until > ${now} limit 1`
  return rows.length === 0
}
