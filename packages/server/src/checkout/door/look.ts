// "I have already sent it": the payer names the transaction, and the rails look at the chain at once instead of when
// their turn comes; one that asks a third party tells it the hash. Nothing is believed of it; it only has to look like one
// of its chain, so that a slip is told to the payer.
import { typedTransactionId } from '@florin/chains'
import { shownLeg, type Viewer } from '@florin/order-model/shown'
import type { OrderState } from '@florin/order-model/state'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import type { Rails } from '@florin/rail-kit/registry'
import { getOrder } from '../../orders/store.ts'

const NO_HASH = 'This is not a transaction hash of the network of this order. Copy it from the history of your wallet.'
const NOT_CHOSEN =
  'No way to pay was chosen in this browser. Open this page where you chose it; what was sent is found without a hash, too.'

/** @throws AppError validation_failed, rail_unavailable */
export async function lookAgain(
  deps: { sql: Sql; rails: Rails },
  order: OrderState,
  txHash: string,
  viewer: Viewer,
): Promise<OrderState> {
  const leg = shownLeg(order, viewer)
  const named = leg === null ? null : typedTransactionId(leg.chain, txHash.trim())
  if (leg === null || named === null) {
    throw new AppError('validation_failed', { param: 'tx_hash', message: leg === null ? NOT_CHOSEN : NO_HASH })
  }
  const told = deps.rails.byKind(leg.rail)
  await told?.hint?.({ orderRef: order.orderRef, sent: { legRef: leg.ref, txHash: named } })
  // A rail that takes hints asks by itself, and soon.
  const kinds = new Set(
    order.legs.map((one) => one.rail).filter((kind) => told?.capabilities.takesHints !== true || kind !== leg.rail),
  )
  try {
    await Promise.all([...kinds].map((kind) => deps.rails.byKind(kind)?.recheck(order.orderRef)))
  } catch (cause) {
    throw new AppError('rail_unavailable', { cause })
  }
  return getOrder(deps.sql, order.orderNo)
}
