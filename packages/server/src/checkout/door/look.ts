// "I have already sent it": the payer names the transaction, and the rails look at the chain at once instead of when
// their turn comes. Nothing is believed of the hash; it only has to look like one, so that a slip is told to the payer.
import type { Deps } from '../../deps.ts'
import { shownLeg, type Viewer } from '../../orders/model/shown.ts'
import type { OrderState } from '../../orders/model/state.ts'
import { getOrder } from '../../orders/store.ts'
import { isTxHash } from '../../parse-chain.ts'
import { AppError } from '../../platform/errors.ts'

/** @throws AppError validation_failed, rail_unavailable */
export async function lookAgain(
  deps: Pick<Deps, 'sql' | 'rails'>,
  order: OrderState,
  txHash: string,
  viewer: Viewer,
): Promise<OrderState> {
  const leg = shownLeg(order, viewer)
  if (leg === null || !isTxHash(leg.chain, txHash.trim())) {
    throw new AppError('validation_failed', {
      param: 'tx_hash',
      message: 'This is not a transaction hash of the network of this order. Copy it from the history of your wallet.',
    })
  }
  const kinds = new Set(order.legs.map((one) => one.rail))
  try {
    await Promise.all([...kinds].map((kind) => deps.rails.byKind(kind)?.recheck(order.orderRef)))
  } catch (cause) {
    throw new AppError('rail_unavailable', { cause })
  }
  return getOrder(deps.sql, order.orderNo)
}
