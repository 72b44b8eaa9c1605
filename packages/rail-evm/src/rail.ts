// The forwarder rail as orders use it: a deposit address for each leg on EVM chains, and money that only contracts
// move. What was seen and settled is reported as facts.

import { findChain } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { OutsideTransfers } from '@florin/rail-kit/interface/outside'
import { aboutChain, type Rail } from '@florin/rail-kit/interface/rail'
import type { RailServices } from '@florin/rail-kit/interface/services'
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
      isLive: chains.some((chain) => chain.mode === 'live'),
      isOnChain: true,
      estimates: true,
      readsAddresses: true,
    },
    carries: ({ livemode, pay, settle }) => {
      const chain = a.links.get(pay.chain)?.rpc.chain
      if (chain === undefined || (chain.mode === 'live') !== livemode || !isSame(pay, settle)) return false
      if (chain.tokens.some((token) => token.asset === pay.asset)) return true
      return chain.native && chain.prices !== null && pay.asset === chain.nativeAsset
    },
    estimate: (question) => estimateOf(a.links, question),
    async open(request) {
      const open = a.openers.get(request.pay.chain)
      if (open === undefined) throw new AppError('no_rail')
      return open(request)
    },
    settle: (requests) => queueSettlements(parts.sql, requests, parts.clock.now()),
    refund: (requests) => queueRefunds(parts.sql, requests, parts.clock.now()),
    recheck: (orderRef, isEverywhere = false) => recheck(a.links, parts, { orderRef, isEverywhere }),
    holdings: (legs) => readHoldings(a.links, parts, legs),
    async readAddress({ chain: id, text }) {
      if (findChain(id)?.family.startsWith('evm') !== true) return null
      const address = text.toLowerCase()
      const chain = a.links.get(id)?.rpc.chain
      const tokens = chain === undefined ? [] : [...chain.tokens, ...chain.otherTokens]
      const contracts = chain === undefined ? [] : [chain.factory, chain.impl, ...tokens.map((token) => token.contract)]
      return {
        ...{ address: null, isPayAddress: false },
        isNobodysWallet: contracts.some((one) => one.toLowerCase() === address),
        // One key, and one contract where it is deployed as elsewhere, is the same on every chain of the family.
        isOwn: own.has(address),
      }
    },
    async checks(question) {
      if (question === undefined) return checksOf(parts, a.links, a.journal)
      const link = a.links.get(question.chain)
      return link === undefined ? [] : aboutChain(question, await examineChain(parts, link, question))
    },
  }
}

/** The services of this rail beside carrying orders. */
export function forwarderServices(
  links: ReadonlyMap<string, ForwarderLink>,
  holds: NonNullable<RailServices['holds']>,
): RailServices & { outside: OutsideTransfers } {
  return {
    holds,
    outside: outsideTransfers(links),
    async isSignedBy({ chain, ...question }) {
      const link = links.get(chain)
      return link !== undefined && isSignedBy(link.rpc, question)
    },
  }
}

function ownOf({ factory, impl, collector, relayer, refunderKey }: ForwarderChain): string[] {
  const keys = [relayer?.privateKey ?? null, refunderKey].filter((key) => key !== null)
  return [factory, impl, collector, ...keys.map((key) => privateKeyToAddress(key))]
}

/** By chain and symbol: the contract differs where a chain stands in for another. */
const isSame = (a: AssetRef, b: AssetRef): boolean => a.chain === b.chain && a.asset === b.asset
