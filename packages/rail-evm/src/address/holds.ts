// Which settlements wait because their coin left its peg after the quote: the merchant was promised dollars.
import { formatUnits } from '@florin/protocol'
import type { Hold, SettleRequest } from '@florin/rail-kit/interface/moves'
import { HELD_BELOW_MICROS, type Prices } from '@florin/rail-kit/prices'

/** A price that is not known for sure holds nothing: the merchant's money is not kept for want of an answer. */
export function depegHolds(prices: ReadonlyMap<string, Prices>) {
  return async (requests: readonly SettleRequest[]): Promise<ReadonlyMap<string, Hold>> => {
    const holds = new Map<string, Hold>()
    for (const { settlementId, pay } of requests) {
      const price = pay.contract === null ? null : ((await prices.get(pay.chain)?.depegged(pay.asset)) ?? null)
      if (price === null) continue
      const evidence = { price: formatUnits(price, 6), below: formatUnits(HELD_BELOW_MICROS, 6) }
      holds.set(settlementId, { why: 'depegged', evidence })
    }
    return holds
  }
}
