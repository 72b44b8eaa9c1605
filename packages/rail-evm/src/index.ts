// Assembles the forwarder rail: one link, one opener and one watcher for each configured chain.
import { randomBase62 } from '@florin/platform/ids'
import type { Job } from '@florin/platform/worker/job'
import { HOUR_MS } from '@florin/protocol'
import type { RailPlug } from '@florin/rail-kit/interface/plug'
import { makePrices } from '@florin/rail-kit/prices'
import { depegHolds } from './address/holds.ts'
import { legOpener } from './address/open.ts'
import { closeVaults } from './address/vaults.store.ts'
import { makeVaultSet } from './address/vaults.ts'
import type { ForwarderContext, ForwarderLink, RouteJournal } from './context.ts'
import { openRpc } from './node/rpc.ts'
import { ChainMismatch } from './node/verify.ts'
import { forwarderRail, forwarderServices } from './rail.ts'
import { type RelayChain, relayJobs } from './relay/relay.ts'
import type { RelayDeps } from './relay/signer.ts'
import type { ForwarderChain } from './settings/config.ts'
import { linkOf } from './watch/first-look.ts'
import { type ChainTips, makeTips } from './watch/tips.ts'
import { makeWatcher } from './watch/watch.ts'
import { wrongChainJob } from './watch/wrong-chain.ts'

export interface Forwarder extends RailPlug {
  /** By the catalogue's chain id. */
  links: ReadonlyMap<string, ForwarderLink>
  tips: ChainTips
  services: ReturnType<typeof forwarderServices>
  /** Verifies every chain once. @throws ChainMismatch; a chain that does not answer now is retried later. */
  check(): Promise<void>
}

/** @param background the dependencies of the jobs, where they have connections of their own. */
export function forwarder(
  parts: RelayDeps & { journal: RouteJournal },
  chains: readonly ForwarderChain[],
  background: RelayDeps = parts,
): Forwarder {
  const links = new Map(chains.map((chain) => [chain.id, linkOf(openRpc(chain, parts.clock), parts)]))
  const prices = new Map([...links].map(([chain, link]) => [chain, makePrices(link.rpc, parts)]))
  const openers = new Map(
    [...links].map(([chain, link]) => [
      chain,
      legOpener(link, prices.get(chain) ?? makePrices(link.rpc, parts), parts),
    ]),
  )
  return {
    rail: forwarderRail(parts, { links, openers, journal: parts.journal }),
    services: forwarderServices(links, depegHolds(prices)),
    links,
    tips: makeTips(parts.sql),
    jobs: [...watchJobs(links, background), ...relayJobs(background, [...links.values()].map(relayChain))],
    async check() {
      for (const [chain, link] of links) {
        await link.verified().catch((error: unknown) => {
          if (error instanceof ChainMismatch) throw error
          parts.log.warn({ err: error, chain }, 'the chain does not answer; will retry')
        })
      }
    },
  }
}

const relayChain = ({ rpc: { chain, client }, verified }: ForwarderLink): RelayChain => ({ chain, client, verified })

/** One job a chain: where many processes run, the holder of the chain's lease works and the others stand by. */
export function watchJobs(links: ReadonlyMap<string, ForwarderLink>, parts: ForwarderContext): Job[] {
  const holder = randomBase62(16)
  const jobs = [...links].map(([chain, link]): Job => {
    const vaults = makeVaultSet(parts.sql, link.rpc.chain.mode === 'live')
    const watcher = makeWatcher(link, vaults, parts, holder)
    return {
      name: `watch-${chain}`,
      everyMs: link.rpc.chain.pollMs,
      run: (signal) => watcher.run(signal),
      end: () => watcher.end(),
    }
  })
  const wrongChainDeposits = [...links.values()].map((link) => wrongChainJob(link, parts, holder))
  return [
    ...jobs,
    ...wrongChainDeposits,
    { name: 'close-vaults', everyMs: HOUR_MS, run: () => closeVaults(parts.sql, parts.clock.now()) },
  ]
}
