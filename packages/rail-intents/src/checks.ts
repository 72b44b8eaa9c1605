// The checks of the rail, from what the processes wrote down.
import { type Check, ok, warning } from '@florin/platform/check'
import { MINUTE_MS } from '@florin/protocol'
import type { RailCheck } from '@florin/rail-kit/interface/rail'
import { type CatalogueCache, STALE_AFTER_MS } from './catalogue/cache.ts'
import { EVERYTHING, listSick } from './catalogue/store.ts'
import type { IntentsContext } from './context.ts'
import type { IntentsSettings } from './settings/config.ts'
import { findFeedMark, isSwapOpenSince } from './watch/swaps.store.ts'

const REMEDY =
  'Look at the provider’s status page and at the key in the environment: orders in flight wait and lose nothing, new ones are offered other ways. /docs/rails says more.'
/** A list that is this old was not renewed for some tries. */
const LATE_AFTER_MS = 15 * MINUTE_MS

/** The list of swaps is read every ten seconds. */
const LIST_SILENT_AFTER_MS = 5 * MINUTE_MS
const LIST_REMEDY =
  'Check the key in the variable that intents.feedKeyEnv of the rails file names, and intents.feedUrl; a worker has to run.'

export async function checksOf(
  parts: Pick<IntentsContext, 'sql' | 'clock'>,
  settings: Pick<IntentsSettings, 'mode'>,
  cache: CatalogueCache,
): Promise<RailCheck[]> {
  const now = parts.clock.now()
  const sick = await listSick(parts.sql, now)
  const about = { chain: EVERYTHING.chain, livemode: settings.mode === 'live' }
  const fetchedAt = cache.fetchedAt()
  const ageMs = fetchedAt === null ? STALE_AFTER_MS : now.getTime() - fetchedAt.getTime()
  const lied = sick.find((one) => one.chain === EVERYTHING.chain && one.asset === EVERYTHING.asset)
  const trouble =
    lied ??
    (ageMs < LATE_AFTER_MS
      ? null
      : {
          since: fetchedAt ?? now,
          note:
            fetchedAt === null
              ? 'the provider never answered what it carries'
              : `the provider has not said what it carries since ${fetchedAt.toISOString()}`,
        })
  const provider = { ...about, id: 'provider', subject: '1click' }
  const everything = ['payments', 'settlements', 'refunds'] as const
  return [
    trouble === null
      ? { ...provider, ...{ status: 'ok', summary: 'NEAR Intents answers.', remedy: null, since: null, holdsUp: [] } }
      : {
          ...{ ...provider, status: 'fault', summary: `NEAR Intents: ${trouble.note}`, remedy: REMEDY },
          ...{ since: trouble.since, holdsUp: everything },
        },
    ...(await checkList(parts, about)),
    ...sick
      .filter((one) => one !== lied)
      .map(({ chain, asset, side, note, since }): RailCheck => {
        const route = { ...about, id: 'route', subject: `${asset} on ${chain}`, chain, route: { asset, side } }
        const remedy = 'Nothing is to be done: the route is offered again once the provider takes it.'
        return { ...route, status: 'warning', summary: `NEAR Intents: ${note}`, remedy, since, holdsUp: [] }
      }),
  ]
}

/** Only while a swap is open: without one, a list that is not read delays nothing. */
async function checkList(
  { sql, clock }: Pick<IntentsContext, 'sql' | 'clock'>,
  about: Pick<RailCheck, 'chain' | 'livemode'>,
): Promise<RailCheck[]> {
  const since = new Date(clock.now().getTime() - LIST_SILENT_AFTER_MS)
  const readAt = await findFeedMark(sql)
  if ((readAt !== null && readAt > since) || !(await isSwapOpenSince(sql, since))) return []
  const remedy = `${LIST_REMEDY} Until the list is read again, deposits are found later, and none is lost.`
  const check = warning(
    ['provider', 'list of swaps'],
    `NEAR Intents: the list of swaps was ${readWhen(readAt)}`,
    remedy,
  )
  return [{ ...check, ...about, since: readAt ?? since, holdsUp: [] }]
}

const readWhen = (at: Date | null): string => (at === null ? 'never read' : `last read at ${at.toISOString()}`)

/** For the checklist before real money: a key that the provider refuses shows here, not at the start. */
export async function examineList({ sql, clock }: Pick<IntentsContext, 'sql' | 'clock'>): Promise<Check> {
  const readAt = await findFeedMark(sql)
  return readAt !== null && clock.now().getTime() - readAt.getTime() <= LIST_SILENT_AFTER_MS
    ? ok('list_of_swaps', 'NEAR Intents answers with its list of swaps.')
    : warning('list_of_swaps', `The list of swaps of NEAR Intents was ${readWhen(readAt)}.`, LIST_REMEDY)
}
