// SQL of what is known of an account's use before it came here.
import type { Tx } from '@florin/platform/db/tx'
import { countFrom } from './counter.store.ts'
import type { HistoryState, ToldBy } from './rules.ts'

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
      read_top = ${a.top}, read_down_to = ${a.readDownTo},
      told_by = array(select distinct who from unnest(told_by || ${a.toldBy as ToldBy[]}::text[]) who order by who),
      examined_at = case when ${a.isReady} then coalesce(examined_at, ${now}) else examined_at end
    where id = ${a.id}`
  await countFrom(tx, a.id)
}
