// SQL of the ways that rails cannot carry now: written by whoever learns of it, read by whoever offers ways to pay.
import type { Db, Tx } from '@florin/platform/db/tx'
import { MINUTE_MS } from '@florin/protocol'
import type { RouteTrouble } from './condition.ts'

/** Health is looked at four times a minute; where nobody looks any more, nothing is out on an old word. */
const KEPT_MS = MINUTE_MS
/** An address that could not be had: the next payer after this tries again. */
export const TRIED_AGAIN_AFTER_MS = MINUTE_MS

type Source = 'health' | 'opening'

const rowsOf = (troubles: readonly RouteTrouble[], source: Source, until: Date): string =>
  JSON.stringify(troubles.map((row) => ({ ...row, chain: row.chain ?? '', asset: row.asset ?? '', source, until })))

/** What holds now; at most some for each chain and asset that is carried. */
export async function listRouteTroubles(db: Db, now: Date): Promise<RouteTrouble[]> {
  return db<RouteTrouble[]>`
    select rail, livemode, nullif(chain, '') as chain, nullif(asset, '') as asset, side, state, note, since
    from route_troubles where until > ${now} order by since, rail, chain, asset limit 1000`
}

/**
 * Takes the place of what was known of these rails and chains.
 * @param a.spokenFor the rails and chains that the caller has checked; chain null: all of the rail
 */
export async function saveHealthTroubles(
  tx: Tx,
  a: { troubles: readonly RouteTrouble[]; spokenFor: readonly { rail: string; chain: string | null }[] },
  now: Date,
): Promise<void> {
  const rails = a.spokenFor.map(({ rail }) => rail)
  const chains = a.spokenFor.map(({ chain }) => chain)
  const until = new Date(now.getTime() + KEPT_MS)
  await tx`
    delete from route_troubles t using unnest(${rails}::text[], ${chains}::text[]) as s (rail, chain)
    where t.rail = s.rail and (s.chain is null or t.chain = s.chain) and t.source = 'health'`
  await tx`delete from route_troubles where until < ${new Date(now.getTime() - MINUTE_MS)}`
  if (a.troubles.length > 0) await save(tx, rowsOf(a.troubles, 'health', until))
}

/** An address on this way could not be had now. */
export async function saveOpeningTrouble(db: Db, trouble: RouteTrouble, now: Date): Promise<void> {
  await save(db, rowsOf([trouble], 'opening', new Date(now.getTime() + TRIED_AGAIN_AFTER_MS)))
}

/** Several processes tell the same; the one that is down wins where two of one statement do. */
async function save(db: Db, rows: string): Promise<void> {
  await db`
    insert into route_troubles (rail, livemode, chain, asset, side, source, state, note, since, until)
    select distinct on (rail, livemode, chain, asset, side, source)
      rail, livemode, chain, asset, side, source, state, note, since, until
    from json_populate_recordset(null::route_troubles, ${rows}::text::json)
    order by rail, livemode, chain, asset, side, source, state
    on conflict (rail, livemode, chain, asset, side, source) do update set state = excluded.state,
      note = excluded.note, until = excluded.until`
}
