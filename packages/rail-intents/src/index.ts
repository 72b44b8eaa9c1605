// Assembles the rail of NEAR Intents: one client, one list of tokens, one opener and one poll.
import { randomBase62 } from '@florin/platform/ids'
import type { RailPlug } from '@florin/rail-kit/interface/plug'
import { legOpener } from './address/open.ts'
import { dryRequestOf } from './address/request.ts'
import { catalogueCache } from './catalogue/cache.ts'
import { payoutCosts } from './catalogue/payout-costs.ts'
import { oneClick } from './client/client.ts'
import { isSignedBy } from './client/signature.ts'
import type { IntentsContext } from './context.ts'
import { intentsRail, intentsServices } from './rail.ts'
import type { IntentsSettings } from './settings/config.ts'
import { pollJob } from './watch/poll.ts'
import { prover } from './watch/proof.ts'

export interface Intents extends RailPlug {
  services: ReturnType<typeof intentsServices>
  /** Reads what the provider carries; that it is away stops nothing. */
  check(): Promise<void>
  tips: { tips(): null; refresh(): Promise<void> }
}

/** @param background the dependencies of the jobs, where they have connections of their own. */
export function intents(parts: IntentsContext, settings: IntentsSettings, background: IntentsContext = parts): Intents {
  const client = oneClick(settings)
  const cache = catalogueCache(parts, client)
  const costs = payoutCosts({ ...parts, isSigned: (reply) => isSignedBy(settings.signer, reply) }, client)
  const open = legOpener({ ...parts, settings, cache, costs, client })
  const refresh = async (): Promise<void> => {
    await cache.refresh()
    const { assets } = cache.now()
    await costs.refresh(({ recipient, ...wish }) => {
      const settle = assets.find((asset) => asset.chain === wish.chain && asset.asset === wish.asset) ?? null
      return settle === null ? null : dryRequestOf(settings, { assets, settle, recipient, now: parts.clock.now() })
    })
  }
  const prove = prover(background, settings.nodes, settings.timeoutMs)
  return {
    rail: intentsRail(parts, { settings, cache, costs, open }),
    services: intentsServices(parts, { settings, cache }),
    jobs: [pollJob({ ...background, client, prove, perS: settings.requestsPerS, holder: randomBase62(16) })],
    check: () => cache.refresh(),
    tips: { tips: () => null, refresh },
  }
}
