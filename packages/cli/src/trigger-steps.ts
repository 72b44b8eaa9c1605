// The way of a test order to an event: which steps of the simulation lead there from where it stands. Pure.
import type { EventKind, Order, SimulateAction } from './sdk.ts'

type Way = readonly SimulateAction[]

/** From the statuses that can come there; what is missing cannot. */
const ways: Readonly<Record<EventKind, Readonly<Partial<Record<Order['status'], Way>>>>> = {
  'order.processing': { pending: ['pay'], expired: ['pay_late'] },
  'order.success': { pending: ['pay', 'settle'], processing: ['settle'], expired: ['pay_late', 'settle'] },
  'order.failed': { pending: ['pay', 'fail'], processing: ['fail'], expired: ['pay_late', 'fail'] },
  'order.refunded': {
    pending: ['pay', 'refund'],
    processing: ['refund'],
    failed: ['refund'],
    expired: ['pay_late', 'refund'],
  },
  'order.expired': { pending: ['expire'] },
}

/** The steps, or null where no step leads from this order to the event any more. */
export function stepsTo(event: EventKind, order: Pick<Order, 'status'>): Way | null {
  return ways[event][order.status] ?? null
}
