// SQL of what is known of an account's use before it came here: whose turn it is to be asked about, and what was told.
import type { Sql } from '../../platform/db/pool.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { HistoryState, ToldBy } from './rules.ts'
import { type AccountRow, accountColumns, usedBelow } from './store.ts'

export interface ToRead extends AccountRow {
  foundBelow: bigint
}

/** The account that waited longest, for one process at a time. @param a.until how long it is this process's. */
export async function claimToRead(sql: Sql, a: { now: Date; until: Date }): Promise<ToRead | null> {
  const [row] = await sql<ToRead[]>`
    update receiving_accounts set read_turn = ${a.until}
    where id = (
      select id from receiving_accounts where history in ('waiting', 'reading') and read_turn <= ${a.now}
      order by read_turn, id limit 1 for update skip locked)
    returning ${accountColumns(sql)}, found_below as "foundBelow"`
  return row ?? null
}

export function setTurn(sql: Sql, a: { id: string; at: Date }): Promise<unknown> {
  return sql`update receiving_accounts set read_turn = ${a.at} where id = ${a.id}`
}

export interface Learnt {
  id: string
  /** One above the highest index that was seen used; null: nothing was. */
  usedBelow: bigint | null
  toldBy: readonly ToldBy[]
  history: HistoryState
  top: bigint | null
  readDownTo: bigint | null
  /** Orders may be paid to it from now on. */
  isReady: boolean
}

/** What the chain told moves the counter forward and never back: an address that was given out stays given out. */
export async function saveLearnt(tx: Tx, a: Learnt, now: Date): Promise<void> {
  await tx`
    update receiving_accounts set found_below = greatest(found_below, ${a.usedBelow}::bigint), history = ${a.history},
      read_top = ${a.top}, read_down_to = ${a.readDownTo}, read_turn = ${now},
      told_by = array(select distinct who from unnest(told_by || ${a.toldBy as ToldBy[]}::text[]) who order by who),
      examined_at = case when ${a.isReady} then coalesce(examined_at, ${now}) else examined_at end
    where id = ${a.id}`
  await tx`
    update receiving_accounts r set seen_below = ${usedBelow(tx)}, next_index = greatest(next_index, found_below)
    where id = ${a.id}`
}

/**
 * What the merchant says of the last address that was used. Said again it may move back, to where the chain and what was
 * given out leave it. Under the account's lock.
 */
export async function saveSaid(tx: Tx, a: { id: string; below: bigint }, now: Date): Promise<void> {
  await tx`
    update receiving_accounts set said_below = ${a.below}, examined_at = coalesce(examined_at, ${now}),
      told_by = array(select distinct who from unnest(array_append(told_by, 'merchant')) who order by who)
    where id = ${a.id}`
  await tx`
    update receiving_accounts r set seen_below = ${usedBelow(tx)}, next_index = greatest(start_index, ${usedBelow(tx)},
      (select max(d.index) + 1 from account_addresses d where d.account_id = r.id and d.order_ref is not null))
    where id = ${a.id}`
}
