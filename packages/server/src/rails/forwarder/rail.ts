// The forwarder rail as orders use it: a deposit address for each leg on EVM chains, and money that only contracts
// move. What was seen and settled is reported as facts.

import { AppError } from '../../platform/errors.ts'
import type { AssetRef, Rail, RailHealth } from '../rail.ts'
import type { LegOpener } from './address/open.ts'
import type { ForwarderContext, ForwarderLink } from './context.ts'
import { isSignedBy } from './node/wallet-signature.ts'
import { queueRefunds, queueSettlements, relayNotes } from './relay/relay.ts'
import { readHoldings } from './watch/holdings.ts'
import { sentenceOf } from './watch/providers.ts'
import { recheck } from './watch/scan.ts'
import { listCursors } from './watch/watch.store.ts'
import { listDisputed, listProviders } from './watch/witness.store.ts'

const SILENT_MAX_MS = 60_000

export function forwarderRail(
  parts: ForwarderContext,
  a: {
    links: ReadonlyMap<string, ForwarderLink>
    openers: ReadonlyMap<string, LegOpener>
  },
): Rail {
  const chains = [...a.links.values()].map((link) => link.rpc.chain)
  return {
    capabilities: {
      kind: 'forwarder',
      custody: 'none',
      crossChain: false,
      refundAddress: 'optional',
    },
    hasLiveChain: chains.some((chain) => chain.mode === 'live'),
    carries: ({ livemode, pay, settle }) => {
      const chain = a.links.get(pay.chain)?.rpc.chain
      if (chain === undefined || (chain.mode === 'live') !== livemode || !isSame(pay, settle)) return false
      if (chain.tokens.some((token) => token.asset === pay.asset)) return true
      return chain.native && chain.prices !== null && pay.asset === chain.nativeAsset
    },
    async isSignedBy({ chain, ...question }) {
      const link = a.links.get(chain)
      return link !== undefined && isSignedBy(link.rpc, question)
    },
    async open(request) {
      const open = a.openers.get(request.pay.chain)
      if (open === undefined) throw new AppError('no_rail')
      return open(request)
    },
    settle: (requests) => queueSettlements(parts.sql, requests, parts.clock.now()),
    refund: (requests) => queueRefunds(parts.sql, requests, parts.clock.now()),
    recheck: (orderRef) => recheck(a.links, parts, orderRef),
    holdings: (legs) => readHoldings(a.links, parts, legs),
    health: () => healthOf(parts, a.links),
  }
}

/** By chain and symbol: the contract differs where a chain stands in for another. */
const isSame = (a: AssetRef, b: AssetRef): boolean => a.chain === b.chain && a.asset === b.asset

async function healthOf(parts: ForwarderContext, links: ReadonlyMap<string, ForwarderLink>): Promise<RailHealth> {
  const [cursors, providers, disputed] = await Promise.all([
    listCursors(parts.sql),
    listProviders(parts.sql),
    listDisputed(parts.sql),
  ])
  const now = parts.clock.now().getTime()
  const notes: string[] = []
  for (const [chain, link] of links) {
    const cursor = cursors.find((row) => row.chain === chain)
    if (cursor === undefined) notes.push(`${chain}: it is not watched yet`)
    else if (cursor.note !== null) notes.push(`${chain}: ${cursor.note}`)
    else if (now - cursor.updatedAt.getTime() > SILENT_MAX_MS) {
      notes.push(`${chain}: nobody has looked at it since ${cursor.updatedAt.toISOString()}`)
    }
    // The watcher knows best; where nobody watches, what this process has met.
    const told = providers.filter((row) => row.chain === chain)
    const own = link.rpc.health()
    for (const one of told.length > 0 ? told : own.providers) {
      const sentence = sentenceOf(chain, one)
      if (sentence !== null) notes.push(sentence)
    }
    const waiting = disputed.find((row) => row.chain === chain)
    if (waiting !== undefined) {
      notes.push(
        `${chain}: providers contradict each other about ${waiting.count} payments or logs, which wait: ${waiting.example}`,
      )
    }
  }
  notes.push(...(await relayNotes(parts.sql, [...links.keys()])))
  return { ok: notes.length === 0, notes }
}
