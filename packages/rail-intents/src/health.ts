// How the rail fares, from what the processes wrote down.
import { MINUTE_MS } from '@florin/protocol'
import type { GoLivePoint, RailHealth, RailTrouble } from '@florin/rail-kit/interface/health'
import { type CatalogueCache, STALE_AFTER_MS } from './catalogue/cache.ts'
import { EVERYTHING, listSick } from './catalogue/store.ts'
import type { IntentsContext } from './context.ts'
import type { IntentsSettings } from './settings/config.ts'
import { findFeedMark, isSwapOpenSince } from './watch/swaps.store.ts'

const CURE =
  'Look at the provider’s status page and at the key in the environment: orders in flight wait and lose nothing, new ones are offered other ways. /docs/rails says more.'
/** A list that is this old was not renewed for some tries. */
const LATE_AFTER_MS = 15 * MINUTE_MS

/** The list of swaps is read every ten seconds. */
const LIST_SILENT_AFTER_MS = 5 * MINUTE_MS
const LIST_FIX =
  'Check the key in the variable that intents.feedKeyEnv of the rails file names, and intents.feedUrl; a worker has to run.'
const LIST_CURE = `${LIST_FIX} Until the list is read again, deposits are found later, and none is lost.`

export async function healthOf(
  parts: Pick<IntentsContext, 'sql' | 'clock'>,
  settings: Pick<IntentsSettings, 'mode'>,
  cache: CatalogueCache,
): Promise<RailHealth> {
  const now = parts.clock.now()
  const sick = await listSick(parts.sql, now)
  const chains = [...new Set(cache.now().assets.map((asset) => asset.chain))]
  const fetchedAt = cache.fetchedAt()
  const ageMs = fetchedAt === null ? STALE_AFTER_MS : now.getTime() - fetchedAt.getTime()
  const note =
    fetchedAt === null
      ? 'the provider never answered what it carries'
      : `the provider has not said what it carries since ${fetchedAt.toISOString()}`
  const lied = sick.find((one) => one.chain === EVERYTHING.chain && one.asset === EVERYTHING.asset)
  const isLive = settings.mode === 'live'
  const outOf = (since: Date, says: string): RailTrouble => ({
    ...{ kind: 'provider_out', chain: 'near', livemode: isLive, subject: '1click', since },
    ...{ note: `NEAR Intents: ${says}`, cure: CURE, holdsUp: ['payments', 'settlements', 'refunds'] },
  })
  const troubles = [
    ...(await listSilent(parts, isLive)),
    ...(lied === undefined ? [] : [outOf(lied.since, lied.note)]),
    ...(ageMs < LATE_AFTER_MS ? [] : [outOf(fetchedAt ?? now, note)]),
  ]
  const notes = troubles.map((trouble) => trouble.note)
  return { ok: notes.length === 0, notes, troubles, chains: ['near', ...chains], sick }
}

/** Only while a swap is open: without one, a list that is not read delays nothing. */
async function listSilent(
  { sql, clock }: Pick<IntentsContext, 'sql' | 'clock'>,
  livemode: boolean,
): Promise<RailTrouble[]> {
  const since = new Date(clock.now().getTime() - LIST_SILENT_AFTER_MS)
  const readAt = await findFeedMark(sql)
  if ((readAt !== null && readAt > since) || !(await isSwapOpenSince(sql, since))) return []
  const note = `NEAR Intents: the list of swaps was ${readAt === null ? 'never read' : `last read at ${readAt.toISOString()}`}`
  return [
    {
      ...{ kind: 'provider_out', chain: 'near', livemode, subject: 'list of swaps', since: readAt ?? since },
      ...{ note, cure: LIST_CURE, holdsUp: [] },
    },
  ]
}

/** For the checklist before real money: a key that the provider refuses shows here, not at the start. */
export async function examineList({ sql, clock }: Pick<IntentsContext, 'sql' | 'clock'>): Promise<GoLivePoint> {
  const name = 'list_of_swaps'
  const readAt = await findFeedMark(sql)
  if (readAt !== null && clock.now().getTime() - readAt.getTime() <= LIST_SILENT_AFTER_MS)
    return { name, ok: true, says: 'NEAR Intents answers with its list of swaps.', fix: null }
  const says = `The list of swaps of NEAR Intents was ${readAt === null ? 'never read' : `last read at ${readAt.toISOString()}`}.`
  return { name, ok: false, says, fix: LIST_FIX }
}
