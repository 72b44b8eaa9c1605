// Assembles the rail of NEAR Intents: one client, one list of tokens, one opener and one poll.
import { randomBase62 } from '../../platform/ids.ts'
import type { Job } from '../../platform/worker/loop.ts'
import type { Rail } from '../interface/rail.ts'
import { legOpener } from './address/open.ts'
import { catalogueCache } from './catalogue/cache.ts'
import { oneClick } from './client/client.ts'
import type { IntentsContext } from './context.ts'
import { intentsRail } from './rail.ts'
import type { IntentsSettings } from './settings/config.ts'
import { pollJob } from './watch/poll.ts'
import { prover } from './watch/proof.ts'

export interface Intents {
  rail: Rail
  jobs: Job[]
  /** Reads what the provider carries; that it is away stops nothing. */
  check(): Promise<void>
  tips: { tips(): null; refresh(): Promise<void> }
}

/** @param background the dependencies of the jobs, where they have connections of their own. */
export function intents(parts: IntentsContext, settings: IntentsSettings, background: IntentsContext = parts): Intents {
  const client = oneClick(settings)
  const cache = catalogueCache(parts, client)
  const open = legOpener({ ...parts, settings, cache, client })
  const prove = prover(background, settings.nodes, settings.timeoutMs)
  const holder = randomBase62(16)
  return {
    rail: intentsRail(parts, { settings, cache, open }),
    jobs: [pollJob({ ...background, client, prove, perS: settings.requestsPerS, holder })],
    check: () => cache.refresh(),
    tips: { tips: () => null, refresh: () => cache.refresh() },
  }
}
