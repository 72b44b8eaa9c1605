// SQL of how far the packing of orders is that closed before their rows said what hangs on them.
import type { Tx } from '../../platform/db/tx.ts'

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

/** @param a.position null: it is done. */
export async function movePacking(tx: Tx, a: { position: string | null; more: number }): Promise<void> {
  if (a.position === null) await tx`delete from backfills where name = ${NAME}`
  else
    await tx`
      update backfills set position = ${a.position}, done = done + ${a.more}::int, updated_at = now() where name = ${NAME}`
}
