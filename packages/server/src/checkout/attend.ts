// Hints to the rails of an order that a payer has its page open: rails that ask another service ask more often meanwhile.
import type { OrderState } from '@florin/order-model/state'
import type { Rails } from '@florin/rail-kit/registry'

export function attendTo(rails: Rails, order: OrderState): void {
  if (order.status !== 'pending' && order.status !== 'processing') return
  const { orderRef } = order
  // A hint that is lost costs nothing but time.
  for (const kind of new Set(order.legs.map((leg) => leg.rail)))
    void rails
      .byKind(kind)
      ?.hint?.({ orderRef })
      .catch(() => undefined)
}
