// What an order can be told, by a rail, the clock, a payer, a merchant or an operator.
import type { RailFact } from '../../rails/rail.ts'
import type { LegState } from './state.ts'

export type Fact =
  | RailFact
  /** `refundAddress`: what the payer gave with the choice, or null. */
  | { kind: 'leg_opened'; leg: LegState; refundAddress: string | null }
  | { kind: 'time_passed' }
  /** Test orders only: the clock is taken to be past the deadline. */
  | { kind: 'deadline_reached' }
  | { kind: 'cancel_asked' }
  | { kind: 'refund_asked' }
  | { kind: 'refund_address_given'; address: string }
  | { kind: 'settlement_retried' }
