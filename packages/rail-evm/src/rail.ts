// The forwarder rail as orders use it: a deposit address for each leg on EVM chains, and money that only contracts
// move. What was seen and settled is reported as facts.

import { findChain } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { Rail } from '@florin/rail-kit/interface/rail'
import { privateKeyToAddress } from 'viem/accounts'
import { estimateOf } from './address/estimate.ts'
import type { LegOpener } from './address/open.ts'
import { checksOf } from './checks.ts'
import type { ForwarderContext, ForwarderLink, RouteJournal } from './context.ts'
import { examineChain } from './examine.ts'
import { isSignedBy } from './node/wallet-signature.ts'
import { outsideTransfers } from './outside.ts'
import { queueRefunds, queueSettlements } from './relay/relay.ts'
import type { ForwarderChain } from './settings/config.ts'
import { readHoldings } from './watch/holdings.ts'
import { recheck } from './watch/scan.ts'

export function forwarderRail(
  parts: ForwarderContext,
  a: {
    links: ReadonlyMap<string, ForwarderLink>
    openers: ReadonlyMap<string, LegOpener>
    holds: NonNullable<Rail['holds']>
    journal: RouteJournal
  },
): Rail {
  const chains = [...a.links.values()].map((link) => link.rpc.chain)
  const own = new Set(chains.flatMap(ownOf).map((address) => address.toLowerCase()))
  return {
    capabilities: {
      kind: 'forwarder',
      isSandbox: false,
      custody: 'none',
      crossChain: false,
      refundAddress: 'optional',
      isOnChain: true,
    },
    hasLiveChain: chains.some((chain) => chain.mode === 'live'),
    carries: ({ livemode, pay, settle }) => {
      const chain = a.links.get(pay.chain)?.rpc.chain
      if (chain === undefined || (chain.mode === 'live') !== livemode || !isSame(pay, settle)) return false
      if (chain.tokens.some((token) => token.asset === pay.asset)) return true
      return chain.native && chain.prices !== null && pay.asset === chain.nativeAsset
    },
    estimate: (question) => estimateOf(a.links, question),
    async isSignedBy({ chain, ...question }) {
      const link = a.links.get(chain)
      return link !== undefined && isSignedBy(link.rpc, question)
    },
    async open(request) {
      const open = a.openers.get(request.pay.chain)
      if (open === undefined) throw new AppError('no_rail')
      return open(request)
    },
    holds: a.holds,
    settle: (requests) => queueSettlements(parts.sql, requests, parts.clock.now()),
    refund: (requests) => queueRefunds(parts.sql, requests, parts.clock.now()),
    recheck: (orderRef, isEverywhere = false) => recheck(a.links, parts, { orderRef, isEverywhere }),
    holdings: (legs) => readHoldings(a.links, parts, legs),
    async isNobodysWallet({ chain: id, address }) {
      const chain = a.links.get(id)?.rpc.chain
      if (chain === undefined) return false
      const contracts = [...chain.tokens, ...chain.otherTokens].map((token) => token.contract)
      return [chain.factory, chain.impl, ...contracts].some((one) => one.toLowerCase() === address.toLowerCase())
    },
    // One key, and one contract where it is deployed as elsewhere, is the same on every chain of the family.
    isOwn: ({ chain, address }) =>
      findChain(chain)?.family.startsWith('evm') === true && own.has(address.toLowerCase()),
    outside: outsideTransfers(a.links),
    checks: () => checksOf(parts, a.links, a.journal),
    async examine(question) {
      const link = a.links.get(question.chain)
      return link === undefined ? null : examineChain(parts, link, question)
    },
  }
}

function ownOf({ factory, impl, collector, relayer, refunderKey }: ForwarderChain): string[] {
  const keys = [relayer?.privateKey ?? null, refunderKey].filter((key) => key !== null)
  return [factory, impl, collector, ...keys.map((key) => privateKeyToAddress(key))]
}

/** By chain and symbol: the contract differs where a chain stands in for another. */
const isSame = (a: AssetRef, b: AssetRef): boolean => a.chain === b.chain && a.asset === b.asset
