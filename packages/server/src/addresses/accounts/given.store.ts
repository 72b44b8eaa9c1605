// SQL of addresses that were given out by a database from which this one was saved before, as the journal has them.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'

/** An address of an account and the order, or the refund, that it was given to. */
export interface GivenPlace {
  account: string
  index: bigint
  script: string
  merchantId: string
  orderRef: string
  at: Date
}

/** Of accounts that are here, those that are not given to that order. */
export async function listUnknownGiven(db: Db, places: readonly GivenPlace[]): Promise<GivenPlace[]> {
  if (places.length === 0) return []
  const rows = await db<{ n: number }[]>`
    select p.n::int as n
    from unnest(${places.map((one) => one.account)}::text[], ${places.map((one) => one.orderRef)}::text[])
      with ordinality as p (account_id, order_ref, n)
    where exists (select from receiving_accounts r where r.id = p.account_id)
      and not exists (
        select from account_assignments s where s.account_id = p.account_id and s.order_ref = p.order_ref)
    order by p.n`
  return rows.flatMap(({ n }) => places[n - 1] ?? [])
}

/**
 * The counter goes on behind them, and never back. An address that was given out again since then keeps its later order. Under the
 * account's lock.
 */
export async function saveGiven(tx: Tx, id: string, places: readonly GivenPlace[]): Promise<void> {
  for (const { index, script, merchantId, orderRef, at } of places) {
    await tx`
      with given as (
        insert into account_addresses as d (account_id, index, script, order_ref, merchant_id, assigned_at, seen_at)
        values (${id}, ${index}, ${script}, ${orderRef}, (select id from merchant_accounts where id = ${merchantId}), ${at},
          case when starts_with(${orderRef}, 'change:') then ${at}::timestamptz end)
        on conflict on constraint one_address_per_index do update
          set order_ref = excluded.order_ref, merchant_id = excluded.merchant_id, assigned_at = excluded.assigned_at,
            seen_at = coalesce(d.seen_at, excluded.seen_at)
          where d.assigned_at is null or d.assigned_at < excluded.assigned_at
      ), kept as (
        insert into account_assignments (account_id, order_ref, index, assigned_at)
        values (${id}, ${orderRef}, ${index}, ${at}) on conflict do nothing
      )
      update receiving_accounts set next_index = greatest(next_index, ${index} + 1) where id = ${id}`
  }
}

/** Some merchant's wallet gives out addresses. */
export async function hasAccounts(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`select exists (select from receiving_accounts) as has`
  return row?.has === true
}
