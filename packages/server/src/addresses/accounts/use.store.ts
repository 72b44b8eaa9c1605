// SQL of what is known of an account's use before it came here: whose turn it is to be asked about, and what was told.
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'
import { countFrom } from './counter.store.ts'
import type { HistoryState, ToldBy } from './rules.ts'
import { type AccountRow, accountColumns } from './store.ts'

/** The account that waited longest, for one process at a time. @param a.until how long it is this process's. */
export async function claimToRead(sql: Sql, a: { now: Date; until: Date }): Promise<AccountRow | null> {
  const [row] = await sql<AccountRow[]>`
    update receiving_accounts r set read_turn = ${a.until}
    where r.id = (
      select id from receiving_accounts where history in ('waiting', 'reading') and read_turn <= ${a.now}
      order by read_turn, id limit 1 for update skip locked)
    returning ${accountColumns(sql)}`
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

/** What the chain showed moves the counter forward and never back. Under the account's lock. */
export async function saveLearnt(tx: Tx, a: Learnt, now: Date): Promise<void> {
  await tx`
    update receiving_accounts set found_below = greatest(found_below, ${a.usedBelow}::bigint), history = ${a.history},
      read_top = ${a.top}, read_down_to = ${a.readDownTo}, read_turn = ${now},
      told_by = array(select distinct who from unnest(told_by || ${a.toldBy as ToldBy[]}::text[]) who order by who),
      examined_at = case when ${a.isReady} then coalesce(examined_at, ${now}) else examined_at end
    where id = ${a.id}`
  await countFrom(tx, a.id)
}
