// Deletes old deliveries: ids are sortable by time, so the oldest are the first of the primary key.
import type { Sql } from '@florin/platform/db/pool'
import { countDeliveries } from '../sums/changes.store.ts'

/** @returns how many were deleted; deliveries still in the queue stay. */
export async function deleteOldDeliveries(sql: Sql, below: string, limit: number): Promise<number> {
  const rows = await sql`
    with gone as (
      delete from deliveries where id in (
        select d.id from deliveries d
        where d.id < ${below} and not exists (select 1 from delivery_queue q where q.delivery_no = d.no)
        order by d.id limit ${limit}
      ) returning merchant_no, livemode, created_at, status
    ), counted as (${countDeliveries(sql, 'gone', -1)})
    select from gone`
  return rows.length
}
