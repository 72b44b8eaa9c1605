// The facts that an order accepts, from a rail, the clock, a payer, a merchant or an operator.
import type { RailFact } from '@florin/rail-kit/interface/fact'
import type { Hold } from '@florin/rail-kit/interface/moves'
import type { OwnRefundFact } from './own-refunds.ts'
import type { LegState } from './state.ts'

export type Fact =
  | RailFact
  | OwnRefundFact
  /** payerLocale: that the payer's browser asks for; null: the payer opened no page. */
  | { kind: 'leg_opened'; leg: LegState; payerLocale?: string | null }
  /** One that was shown before, while its quote holds. */
  | { kind: 'leg_chosen'; legId: string }
  | { kind: 'time_passed' }
  /** Test orders only: as if the deadline had passed. */
  | { kind: 'deadline_reached' }
  | { kind: 'cancel_asked' }
  | { kind: 'refund_asked' }
  /** By the merchant. */
  | { kind: 'refund_address_given'; refundId: string; address: string }
  /** By the browser that holds the legs that received the money. */
  | { kind: 'refund_address_named'; holder: string; address: string }
  /** By the wallet that paid; its signature was verified before. */
  | { kind: 'refund_address_signed'; legId: string; from: string; address: string }
  /** By anyone with the checkout link; the merchant has to approve it. */
  | { kind: 'refund_address_asked'; address: string }
  | { kind: 'refund_address_refused' }
  | { kind: 'settlement_retried' }
  | { kind: 'settlement_held'; settlementId: string; hold: Hold }
  /** What held it has passed. */
  | { kind: 'settlement_let_go'; settlementId: string }
  /** The merchant wants what is held settled all the same. */
  | { kind: 'settlement_released' }
