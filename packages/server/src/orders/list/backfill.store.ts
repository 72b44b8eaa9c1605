// SQL of adding older orders to the look-up.
import type { Tx } from '../../platform/db/tx.ts'

/** Two workers take turns. @returns the number below which orders are still to be added; null: none are. */
export async function lockBackfill(tx: Tx): Promise<string | null> {
  const [row] = await tx<{ position: string }[]>`
    select position from backfills where name = 'order_lookup' for update skip locked`
  return row?.position ?? null
}

export function insertLookup(
  tx: Tx,
  a: { below: string; limit: number },
): Promise<{ orderNo: string; merchantNo: number; livemode: boolean; createdAt: Date }[]> {
  return tx<{ orderNo: string; merchantNo: number; livemode: boolean; createdAt: Date }[]>`
    with batch as materialized (
      select order_no, merchant_no, livemode, created_at, title, external_id, metadata from orders
      where order_no < ${a.below} order by order_no desc limit ${a.limit}
    ), added as (
      insert into order_lookup (merchant_no, livemode, key, order_no)
      select merchant_no, livemode, key, order_no from batch, order_keys(title, external_id, metadata) key
      on conflict do nothing
    )
    select order_no as "orderNo", merchant_no as "merchantNo", livemode, created_at as "createdAt" from batch
    order by order_no desc`
}

/** @param a.position null: it is done. */
export async function moveBackfill(tx: Tx, a: { position: string | null; more: number }): Promise<void> {
  if (a.position === null) await tx`delete from backfills where name = 'order_lookup'`
  else
    await tx`
      update backfills set position = ${a.position}, done = done + ${a.more}::int, updated_at = now()
      where name = 'order_lookup'`
}
