// Assembles the rail of Bitcoin and Litecoin: sources, an opener and a watcher for each configured chain.
import type { Account } from '@florin/accounts'
import { randomBase62 } from '@florin/platform/ids'
import type { Job } from '@florin/platform/worker/job'
import { DAY_MS, HOUR_MS } from '@florin/protocol'
import type { RailPlug } from '@florin/rail-kit/interface/plug'
import type { RailServices } from '@florin/rail-kit/interface/services'
import { forgetScripts } from './address/legs.store.ts'
import { legOpener } from './address/open.ts'
import { coinPrice } from './address/prices.ts'
import { forgetAnnounced, WATCH_DAYS } from './address/waits.store.ts'
import type { UtxoContext } from './context.ts'
import { examineChain } from './examine.ts'
import { highestUnspent, historyReader, type Part, type Read } from './node/history.ts'
import { blockHost } from './node/hosts.ts'
import { ownNode, type Sources, WrongChain } from './node/view.ts'
import { utxoRail } from './rail.ts'
import { outsideTransfers } from './refund/outside.ts'
import { refundToSign } from './refund/sign.ts'
import type { UtxoChain } from './settings/config.ts'
import { detailsOf } from './watch/details.ts'
import { listCursors } from './watch/watch.store.ts'
import { begin, makeWatcher } from './watch/watch.ts'

export interface Utxo extends RailPlug {
  services: Required<Pick<RailServices, 'outside' | 'refundToSign' | 'details'>>
  /** Looks at every chain once. @throws WrongChain; a chain that does not answer now is retried later. */
  check(): Promise<void>
  /** What the operator's node knows of the addresses of an account that were used before. */
  accountHistory: {
    unspent(a: { chain: string; account: Account }): Promise<bigint | 'none' | 'unknown'>
    read(a: Part & { chain: string }): Promise<Read>
  }
  /** How high watched chains stand. */
  tips: { tips(chain: string, livemode: boolean): bigint | null; refresh(): Promise<void> }
}

/** @param background the dependencies of the jobs, where they have connections of their own. */
export function utxo(parts: UtxoContext, chains: readonly UtxoChain[], background: UtxoContext = parts): Utxo {
  const sources = new Map(chains.map((chain) => [chain.id as string, sourcesOf(chain)]))
  const of = (chain: UtxoChain): Sources => sources.get(chain.id) ?? sourcesOf(chain)
  const begun = (chain: UtxoChain): Promise<void> => begin(chain, of(chain), parts)
  const prices = new Map(chains.map((chain) => [chain.id, coinPrice(chain, parts)]))
  const priceOf = (chain: UtxoChain) => prices.get(chain.id) ?? coinPrice(chain, parts)
  const openers = new Map(
    chains.map((chain) => [chain.id as string, legOpener(chain, priceOf(chain), { ...parts, begun })]),
  )
  const readers = new Map(
    chains.flatMap((chain) => {
      const { node } = of(chain)
      const { node: settings, historyBlocks: blocksMost } = chain
      return node === null || settings === null
        ? []
        : [[chain.id as string, historyReader(node, settings, { blocksMost })] as const]
    }),
  )
  const holder = randomBase62(16)
  const byId = new Map(chains.map((chain) => [chain.id as string, chain]))
  return {
    rail: utxoRail(parts, byId, openers, (chain) => examineChain(parts, chain, of(chain), priceOf(chain))),
    services: {
      outside: outsideTransfers(parts, byId, of),
      refundToSign: (refundId, a) => refundToSign(parts, byId, of, refundId, a),
      details: (orderRef) => detailsOf(parts, byId, orderRef),
    },
    jobs: [
      ...chains.map((chain): Job => {
        const watcher = makeWatcher(chain, of(chain), background, holder)
        return {
          name: `watch-${chain.id}`,
          everyMs: chain.pollMs,
          run: (signal) => watcher.run(signal),
          checks: () => watcher.checks(),
          end: () => watcher.end(),
        }
      }),
      {
        name: 'forget-scripts',
        everyMs: HOUR_MS,
        async run() {
          const now = background.clock.now()
          await forgetAnnounced(background.sql, new Date(now.getTime() - WATCH_DAYS * DAY_MS))
          return forgetScripts(background.sql, now)
        },
      },
    ],
    accountHistory: {
      async unspent({ chain: id, account }) {
        const node = chains.find((chain) => chain.id === id)?.node ?? null
        return node === null ? 'unknown' : highestUnspent(node, account)
      },
      async read(part) {
        const read = readers.get(part.chain)
        const { top, readDownTo } = part
        return read === undefined ? { highest: null, top, readDownTo, end: 'none' } : read(part)
      },
    },
    tips: makeTips(parts),
    async check() {
      for (const chain of chains) {
        await begun(chain).catch((error: unknown) => {
          if (error instanceof WrongChain) throw error
          parts.log.warn({ err: error, chain: chain.id }, 'the chain cannot be read; will retry')
        })
      }
    },
  }
}

function sourcesOf(chain: UtxoChain): Sources {
  const { network, timeoutMs } = chain
  return {
    node: chain.node === null ? null : ownNode(chain.node, network, { timeoutMs }),
    hosts: chain.hosts.map((host) => blockHost(host, { timeoutMs })),
  }
}

function makeTips({ sql }: Pick<UtxoContext, 'sql'>): Utxo['tips'] {
  let known = new Map<string, bigint>()
  return {
    tips: (chain, livemode) => known.get(`${chain} ${livemode}`) ?? null,
    async refresh() {
      known = new Map((await listCursors(sql)).map((row) => [`${row.chain} ${row.livemode}`, row.height]))
    },
  }
}
