// The kind of an attention item by its reason: the kind names what a person has to do. Pure.
import type { AttentionKind } from '@florin/protocol'
import type { RailAlarm } from '@florin/rail-kit/interface/fact'

const ofAlarms = {
  refund_not_asked_for: 'investigate',
  refund_announced_not_asked_for: 'investigate',
  settlement_not_as_bound: 'investigate',
  third_party_changed: 'investigate',
  push_failed: 'investigate',
  transaction_not_mined: 'wait',
  providers_contradict: 'wait',
  third_party_slow: 'wait',
  payment_of_two_orders: 'return_payment',
  refund_short: 'return_payment',
  settlement_unproven: 'confirm_payout',
  provider_contradicted: 'confirm_payout',
} as const satisfies Record<RailAlarm, AttentionKind>

const kinds = {
  ...ofAlarms,
  refund_approval: 'approve_refund_address',
  refund_address_needed: 'give_refund_address',
  settlement_failed: 'move_money',
  settlement_held: 'move_money',
  refund_failed: 'move_money',
  owed_to_payer: 'move_money',
  invoice_paid_twice: 'move_money',
  payment_of_lost_order: 'return_payment',
  wrong_asset: 'return_payment',
  wrong_chain: 'return_payment',
  refund_by_wallet: 'return_payment',
  refund_counted_elsewhere: 'return_payment',
  settlement_left_the_chain: 'investigate',
  refund_left_the_chain: 'investigate',
  books_differ: 'investigate',
  reorg_after_final: 'wait',
  returned_by_others: 'wait',
  settled_more_than_received: 'wait',
  refunded_more_than_received: 'wait',
  not_handed_over: 'wait',
  money_waits: 'wait',
  wallet_limit_near: 'fix_wallet',
  account_used_elsewhere: 'fix_wallet',
  webhook_dead: 'fix_webhooks',
  webhook_endpoint_failing: 'fix_webhooks',
} as const satisfies Record<string, AttentionKind>

type Reason = keyof typeof kinds
/** The reasons of one kind. */
export type ReasonOf<K extends AttentionKind> = { [R in Reason]: (typeof kinds)[R] extends K ? R : never }[Reason]

const byReason: Readonly<Record<string, AttentionKind | undefined>> = kinds

/** Every reason but checks. */
export const attentionReasons: readonly string[] = Object.keys(kinds)

/** @param reason of an order or a merchant; every other reason, such as the id of a rail's check, is for operators. */
export const kindOf = (reason: string): AttentionKind => byReason[reason] ?? 'fix_service'
