// How the rail fares, from what the processes wrote down.
import { MINUTE_MS } from '@florin/protocol'
import type { RailHealth, RailTrouble } from '../interface/health.ts'
import { type CatalogueCache, STALE_AFTER_MS } from './catalogue/cache.ts'
import { EVERYTHING, listSick } from './catalogue/store.ts'
import type { IntentsContext } from './context.ts'
import type { IntentsSettings } from './settings/config.ts'
import { listSights } from './sight/sights.store.ts'

const CURE =
  'Look at the provider’s status page and at the key in the environment: orders in flight wait and lose nothing, new ones are offered other ways. /docs/rails says more.'
/** A list that is this old was not renewed for some tries. */
const LATE_AFTER_MS = 15 * MINUTE_MS

/** Nodes miss a beat now and then. */
const NODE_AWAY_AFTER_MS = 2 * MINUTE_MS
const NODE_CURE =
  'Deposits on that chain are found later meanwhile, and none is lost. It comes back by itself; if it does not, put another node into the rails file.'

/** @param nodes those that look at deposit addresses here */
export async function healthOf(
  parts: Pick<IntentsContext, 'sql' | 'clock'>,
  settings: Pick<IntentsSettings, 'mode'>,
  { cache, nodes }: { cache: CatalogueCache; nodes: readonly { chain: string; name: string }[] },
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
    ...(await nodesAway(parts, nodes, isLive)),
    ...(lied === undefined ? [] : [outOf(lied.since, lied.note)]),
    ...(ageMs < LATE_AFTER_MS ? [] : [outOf(fetchedAt ?? now, note)]),
  ]
  const notes = troubles.map((trouble) => trouble.note)
  return { ok: notes.length === 0, notes, troubles, chains: ['near', ...chains], sick }
}

async function nodesAway(
  { sql, clock }: Pick<IntentsContext, 'sql' | 'clock'>,
  nodes: readonly { chain: string; name: string }[],
  livemode: boolean,
): Promise<RailTrouble[]> {
  if (nodes.length === 0) return []
  const longAgo = clock.now().getTime() - NODE_AWAY_AFTER_MS
  return (await listSights(sql)).flatMap(({ chain, node, awaySince, note }): RailTrouble[] => {
    const isOurs = nodes.some((one) => one.chain === chain && one.name === node)
    if (!isOurs || awaySince === null || awaySince.getTime() > longAgo) return []
    const says = `${chain}: the node ${node} tells nothing of deposits to swaps: ${note}`
    return [
      {
        ...{ kind: 'provider_out', chain, livemode, subject: node, since: awaySince, note: says, cure: NODE_CURE },
        holdsUp: [],
      },
    ]
  })
}
