// Everything that a list of orders may be asked for, as queries of it.
import { DAY_MS, orderStatuses } from '@florin/protocol'
import { skew } from './rows.ts'

/** An order of the large merchant. */
export interface Sample {
  order_no: string
  external_id: string | null
  address: string
  txHash: string | null
  settleTxHash: string | null
  createdAt: Date
}

/** Every single value that a list may be asked for, and some together. */
export function everyFilter(sample: Sample): Record<string, string> {
  const day = (n: number): string => new Date(sample.createdAt.getTime() + n * DAY_MS).toISOString()
  const tenDays = `created_from=${day(-5)}&created_to=${day(5)}`
  const q = (text: string): string => `q=${encodeURIComponent(text)}`
  return {
    'no filter': '',
    'oldest first': 'sort=oldest',
    ...Object.fromEntries(orderStatuses.map((status) => [`status ${status}`, `status=${status}`])),
    'three statuses': `status=failed,refunded,pending`,
    'common chain': `settle_chain=${skew.commonChain}`,
    'rare chain': `settle_chain=${skew.rareChain}`,
    'chain without orders': 'settle_chain=optimism',
    'common metadata': `metadata[plan]=${skew.commonPlan}`,
    'rare metadata': `metadata[plan]=${skew.rarePlan}`,
    'unique metadata': 'metadata[cart]=40',
    'no such metadata': 'metadata[cart]=none',
    'common currency': `currency=${skew.commonCurrency}`,
    'rare currency': `currency=${skew.rareCurrency}`,
    dollars: 'currency=USD',
    'no such currency': 'currency=XAU',
    'common amount': `amount_usd_from=${skew.commonAmount}&amount_usd_to=${skew.commonAmount}`,
    'rare amount': `amount_usd_from=${skew.rareAmount}&amount_usd_to=${skew.rareAmount}`,
    'range of common amounts': `amount_usd_from=10&amount_usd_to=60&${tenDays}`,
    'range of rare amounts': `amount_usd_from=200&${tenDays}`,
    'range of no amounts': `amount_usd_from=500000&${tenDays}`,
    'external id': `external_id=${sample.external_id}`,
    'from a moment': `created_from=${day(0)}`,
    'from a moment, oldest first': `created_from=${day(0)}&sort=oldest`,
    'until a moment': `created_to=${day(0)}`,
    'one day': `created_from=${day(0)}&created_to=${day(1)}`,
    'a day without orders': `created_from=${day(-400)}&created_to=${day(-399)}`,
    'search: number': q(sample.order_no),
    'search: end of a number': q(sample.order_no.slice(-6)),
    'search: external id': q(sample.external_id ?? ''),
    'search: address': q(sample.address),
    'search: payment hash': q(sample.txHash ?? ''),
    'search: settlement hash': q(sample.settleTxHash ?? ''),
    'search: unknown hash': q(`0x${'12'.repeat(32)}`),
    'search: common word': q(skew.commonWord),
    'search: rare word': q(skew.rareWord),
    'search: beginning of many words and status': `${q('w')}&status=success`,
    'search: beginning of few words': q('zep'),
    'search: no such word': q('nothinglikeit'),
    'search: two common words': q(`blue ${skew.commonWord}`),
    'search: common and rare word': q(`${skew.commonWord} ${skew.rareWord}`),
    'rare chain and status': `settle_chain=${skew.rareChain}&status=expired`,
    'common chain and status': `settle_chain=${skew.commonChain}&status=success`,
    'range of common amounts and rare status': `amount_usd_from=10&amount_usd_to=60&status=failed&${tenDays}`,
    'currency, chain, status, metadata and amounts': `currency=EUR&settle_chain=ethereum&status=expired&metadata[plan]=pro&amount_usd_from=20`,
    'common chain, rare status': `settle_chain=${skew.commonChain}&status=failed`,
    'metadata and status that never meet': `metadata[plan]=${skew.commonPlan}&status=failed`,
  }
}
