// NEAR Intents' 1Click as orders use it: each leg is one swap at an address of its own, bound to the merchant's address and the
// payer's refund address. The provider holds the money for some minutes, settles and returns by itself; what it says and what
// others saw of it is reported as facts.
import type { Rail } from '@florin/rail-kit/interface/rail'
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
  return {
    capabilities: {
      ...{ kind: 'intents', isSandbox: false, custody: 'third-party', crossChain: true, refundAddress: 'required' },
      // There are chains behind it, but what lies there is told by the provider alone.
      isOnChain: false,
    },
    hasLiveChain: isLive,
    carries({ livemode, pay, settle }) {
      if (livemode !== isLive || (pay.chain === settle.chain && pay.asset === settle.asset)) return false
      const catalogue = cache.now()
      return catalogue.find(pay)?.takes === true && catalogue.find(settle)?.pays === true
    },
    assets: (livemode) => (livemode === isLive ? cache.now().assets : []),
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
    isNobodysWallet: (a) => isNobodysWallet(parts.sql, cache.now().assets, a),
    recheck: (orderRef, isEverywhere = false) => recheck(parts, orderRef, isEverywhere),
    holdings: (legs) => readHoldings(parts, legs),
    attend: attendant(parts),
    hint: (a) => takeHint(parts, a),
    vouch: (tx, a) => vouch(tx, { ...a, now: parts.clock.now() }),
    checks: () => checksOf(parts, settings, cache),
    examine: async () => (isLive ? [await examineList(parts)] : null),
  }
}
