// NEAR Intents' 1Click as orders use it: each leg is one swap at an address of its own, bound to the merchant's address and the
// payer's refund address. The provider holds the money for some minutes, settles and returns by itself; what it says and what
// others saw of it is reported as facts.
import { aboutChain, type Rail } from '@florin/rail-kit/interface/rail'
import type { RailServices } from '@florin/rail-kit/interface/services'
import { isNobodysWallet } from './address/nobodys.ts'
import type { LegOpener } from './address/open.ts'
import { estimate } from './address/price.ts'
import type { CatalogueCache } from './catalogue/cache.ts'
import type { PayoutCosts } from './catalogue/payout-costs.ts'
import { checksOf, examineList } from './checks.ts'
import type { IntentsContext } from './context.ts'
import type { IntentsSettings } from './settings/config.ts'
import { attendant, noteRefunds, noteSettlements, readHoldings, recheck, takeHint } from './watch/look.ts'
import { vouch } from './watch/swaps.store.ts'

export function intentsRail(
  parts: IntentsContext,
  a: {
    settings: IntentsSettings
    cache: CatalogueCache
    costs: PayoutCosts
    open: LegOpener
  },
): Rail {
  const { settings, cache, costs } = a
  const isLive = settings.mode === 'live'
  const attend = attendant(parts)
  return {
    capabilities: {
      ...{ kind: 'intents', isSandbox: false, custody: 'third-party', crossChain: true, refundAddress: 'required' },
      // There are chains behind it, but what lies there is told by the provider alone.
      ...{ isOnChain: false, isLive, estimates: true, takesHints: true, readsAddresses: true },
    },
    carries({ livemode, pay, settle }) {
      if (livemode !== isLive || (pay.chain === settle.chain && pay.asset === settle.asset)) return false
      const catalogue = cache.now()
      return catalogue.find(pay)?.takes === true && catalogue.find(settle)?.pays === true
    },
    estimate({ livemode, amountUsdMicros, feeBps, merchantAddress, ...route }) {
      const pay = cache.now().find(route.pay)
      const settle = cache.now().find(route.settle)
      if (livemode !== isLive || pay === null || settle === null) return null
      return estimate(settings, { pay, settle, amountUsdMicros, feeBps, payoutCost: costs.of(settle, merchantAddress) })
    },
    open: a.open,
    // The swap was bound to the merchant's address when its leg was opened, and is carried out by the provider.
    settle: (requests) => noteSettlements(parts, requests),
    // What is short, late or too much is returned by the provider, to the address that the leg is bound to.
    refund: (requests) => noteRefunds(parts, requests),
    readAddress: async ({ chain, text }) => ({
      ...{ address: null, isPayAddress: false, isOwn: false },
      isNobodysWallet: await isNobodysWallet(parts.sql, cache.now().assets, { chain, address: text }),
    }),
    recheck: (orderRef, isEverywhere = false) => recheck(parts, orderRef, isEverywhere),
    holdings: (legs) => readHoldings(parts, legs),
    async hint({ orderRef, sent }) {
      if (sent === undefined) attend(orderRef)
      else await takeHint(parts, sent)
    },
    async checks(question) {
      if (question === undefined) return checksOf(parts, settings, cache)
      return isLive ? aboutChain(question, [await examineList(parts)]) : []
    },
  }
}

/** The services of this rail beside carrying orders. */
export function intentsServices(
  parts: Pick<IntentsContext, 'clock'>,
  { settings, cache }: { settings: IntentsSettings; cache: CatalogueCache },
): Required<Pick<RailServices, 'assets' | 'vouch'>> {
  return {
    assets: (livemode) => (livemode === (settings.mode === 'live') ? cache.now().assets : []),
    vouch: (tx, a) => vouch(tx, { ...a, now: parts.clock.now() }),
  }
}
