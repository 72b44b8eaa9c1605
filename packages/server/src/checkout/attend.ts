// Tells the rails of an order that a payer has its page open: those that ask somebody else ask more often meanwhile.
import type { OrderState } from '@florin/order-model/state'
import type { Rails } from '@florin/rail-kit/registry'

export function attendTo(rails: Rails, order: OrderState): void {
  if (order.status !== 'pending' && order.status !== 'processing') return
  for (const kind of new Set(order.legs.map((leg) => leg.rail))) rails.byKind(kind)?.attend?.(order.orderRef)
}
