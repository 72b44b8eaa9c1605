// What a payment costs and takes here, before anybody is asked: nothing beyond the amount but the spread of a coin's price. Pure.
import type { RouteEstimate } from '@florin/rail-kit/interface/leg'
import type { Rail } from '@florin/rail-kit/interface/rail'
import type { ForwarderLink } from '../context.ts'
import { depthOf, isLargeOrder } from '../node/finality.ts'

/** Seconds from block to block; a chain that is not here has one in about two. */
const blockS: Readonly<Record<string, number>> = { eth: 12, arb: 0.25, bsc: 1 }
const BLOCK_S = 2
/** Noticing, sending the settlement, and its block. */
const SETTLE_BLOCKS = 2
const SETTLE_S = 5

export function estimateOf(
  links: ReadonlyMap<string, Pick<ForwarderLink, 'rpc'>>,
  { pay, amountUsdMicros }: Parameters<NonNullable<Rail['estimate']>>[0],
): RouteEstimate | null {
  const chain = links.get(pay.chain)?.rpc.chain
  if (chain === undefined) return null
  const isToken = chain.tokens.some((token) => token.asset === pay.asset)
  const spreadBps = BigInt(isToken ? 0 : (chain.prices?.spreadBps ?? 0))
  const depth = depthOf(chain, isLargeOrder(chain, amountUsdMicros))
  return {
    ...{ amountDue: null, amountOut: null, costUsdMicros: (amountUsdMicros * spreadBps) / 10_000n },
    expectedS: Math.ceil((depth - 1 + SETTLE_BLOCKS) * (blockS[chain.id] ?? BLOCK_S) + SETTLE_S),
  }
}
