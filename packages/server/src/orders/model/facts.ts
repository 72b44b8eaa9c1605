// What an order can be told, by a rail, the clock, a payer, a merchant or an operator.
import type { RailFact } from '../../rails/rail.ts'
import type { LegState } from './state.ts'

export type Fact =
  | RailFact
  | { kind: 'leg_opened'; leg: LegState }
  | { kind: 'time_passed' }
  /** Test orders only: the clock is taken to be past the deadline. */
  | { kind: 'deadline_reached' }
  | { kind: 'cancel_asked' }
  | { kind: 'refund_asked' }
  /** By the merchant. */
  | { kind: 'refund_address_given'; address: string }
  /** By the browser that holds the legs which the money came on. */
  | { kind: 'refund_address_named'; holder: string; address: string }
  /** By the wallet that paid; the signature was judged before. */
  | { kind: 'refund_address_signed'; legId: string; from: string; address: string }
  /** By whoever holds the checkout link: it is for the merchant to approve. */
  | { kind: 'refund_address_asked'; address: string }
  | { kind: 'refund_address_refused' }
  | { kind: 'settlement_retried' }
