// The words in which an order says where it is, why it waits and what happens next. Pure and total: every status
// and every detail has its sentence, and the compiler notices a new one.
import type { Order, OrderOnChain, OrderStatus, RefundReason, StatusDetail } from '@florin/protocol'
import { relative, units } from '../ui/format.ts'

export type Tone = 'calm' | 'busy' | 'good' | 'warn' | 'bad'

export const statusWords: Readonly<Record<OrderStatus, { label: string; tone: Tone }>> = {
  pending: { label: 'Pending', tone: 'calm' },
  processing: { label: 'Processing', tone: 'busy' },
  success: { label: 'Succeeded', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  refunded: { label: 'Refunded', tone: 'warn' },
  expired: { label: 'Expired', tone: 'calm' },
}

/** Two or three words beside the status in lists. */
export const detailWords: Readonly<Record<StatusDetail, string>> = {
  awaiting_payment: 'awaiting payment',
  seen_unconfirmed: 'seen, unconfirmed',
  partially_paid: 'partly paid',
  quote_expired: 'quote lapsed',
  confirming: 'confirming',
  settling: 'settling',
  paid: 'paid',
  overpaid: 'overpaid',
  paid_late: 'paid late',
  unpaid: 'unpaid',
  underpaid: 'underpaid',
  canceled: 'canceled',
  late_payment: 'late payment',
  reorged: 'payment vanished',
  settlement_failed: 'settlement failed',
  refund_address_needed: 'refund address needed',
  refunding: 'refunding',
  refund_failed: 'refund failed',
  refunded: 'refunded',
  settlement_left_the_chain: 'settlement left the chain',
  refund_left_the_chain: 'refund left the chain',
  needs_attention: 'needs attention',
  settlement_unproven: 'payout not proven',
}

export const refundReasonWords: Readonly<Record<RefundReason, string>> = {
  underpaid: 'Too little was paid',
  excess: 'More than the price was paid',
  late: 'Paid too late',
  canceled: 'The order was canceled',
  unsettleable: 'It could not be settled',
  wrong_asset: 'Another asset was sent',
  wrong_chain: 'Sent on another chain',
  merchant_request: 'You asked for it',
  returned_by_rail: 'The rail sent it back',
  returned_by_others: 'Somebody had the contract send it back',
}

export interface Explanation {
  title: string
  /** What it waits for, or what became of the money. */
  text: string
  tone: Tone
}

type Facts = Pick<Order, 'status' | 'status_detail' | 'pay' | 'payments' | 'expires_at' | 'settle_asset'>

/** Why the order is where it is, for its page. `now` in milliseconds. */
export function explainOrder(order: Facts, now: number): Explanation {
  const until = relative(order.expires_at, now)
  const { pay } = order
  const due = pay === null ? 'the amount' : `${units(pay.amount_due, pay.decimals)} ${pay.asset}`
  const missing = pay === null ? 'the rest' : `${units(pay.amount_remaining, pay.decimals)} ${pay.asset}`
  switch (order.status_detail) {
    case 'awaiting_payment':
      return pay === null
        ? say(
            'calm',
            'Waiting for the payer to choose',
            `No way to pay has been chosen yet. The order expires ${until}.`,
          )
        : say(
            'calm',
            'Waiting for the payment',
            `${due} on ${pay.chain} has not been seen yet. The order expires ${until}.`,
          )
    case 'seen_unconfirmed':
      return say(
        'busy',
        'Announced, in no block yet',
        'A payment was seen that no block has taken. It can still be replaced, so it counts from its first block on. The order does not expire while it waits.',
      )
    case 'partially_paid':
      return say(
        'warn',
        'Waiting for the rest',
        `Part of the money has come in; ${missing} is missing. The order expires ${until}.`,
      )
    case 'quote_expired':
      return say(
        'calm',
        'Waiting for a fresh quote',
        `The price shown to the payer lapsed before money was seen. The checkout offers a new one; the order expires ${until}.`,
      )
    case 'confirming':
      return say('busy', 'Waiting for confirmations', confirmationText(order))
    case 'settling':
      return say(
        'busy',
        'On its way to you',
        `The payment counts. The money is being sent to your receiving address; ${settleText(order)}`,
      )
    case 'paid':
      return say('good', 'Settled', 'The money is on your receiving address, final by the rules of the chain.')
    case 'overpaid':
      return say(
        'good',
        'Settled, and overpaid',
        'The price is on your receiving address. What was paid above it goes back to the payer.',
      )
    case 'paid_late':
      return say(
        'good',
        'Settled late',
        'The money came after the deadline, was accepted under the order’s late policy and is on your receiving address.',
      )
    case 'unpaid':
      return say(
        'calm',
        'Expired without payment',
        'The deadline passed and no money came in. The addresses shown are still looked at for 90 days.',
      )
    case 'underpaid':
      return say(
        'warn',
        'Expired with too little',
        `Too little came in: ${missing} is missing. The payer has 24 hours after the deadline to send it; then the part paid goes back.`,
      )
    case 'canceled':
      return say('calm', 'Canceled', 'You canceled the order. Money that still comes in goes back to the payer.')
    case 'late_payment':
      return say(
        'warn',
        'Paid after the deadline',
        'Money came in too late to be settled at the old price. It goes back to the payer.',
      )
    case 'reorged':
      if (order.status === 'success')
        return say(
          'bad',
          'The payment left the chain after it was paid',
          'The chain dropped a payment that was deep enough. The order keeps its success and is paid again once the payment is back; until then your wallet does not have it.',
        )
      return order.status === 'failed'
        ? say(
            'bad',
            'The payment left the chain',
            'The chain dropped the payment and it did not come back. Nothing was settled; do not hand over the goods.',
          )
        : say(
            'warn',
            'The payment left the chain',
            'The chain dropped the block that held the payment. It often returns; if it is still missing 24 hours after the deadline, the order fails.',
          )
    case 'settlement_failed':
      if (order.pay?.route?.custody === 'third-party')
        return say(
          'bad',
          'The swap failed',
          'NEAR Intents could not change the money and holds it. It owes it back to the payer’s refund address; nobody here can send it. “Needs attention” shows what its support asks for.',
        )
      return say(
        'bad',
        'The settlement failed',
        'The money came in but could not be sent to your receiving address. Retry the settlement, or refund the payer.',
      )
    case 'refund_address_needed':
      return say(
        'warn',
        'Waiting for a refund address',
        'Money is owed to the payer, who has not yet said where to. The checkout asks for it; send the payer there.',
      )
    case 'refunding':
      return say('busy', 'Refund on its way', 'Money is being sent back to the refund address of the order.')
    case 'refund_failed':
      return say(
        'bad',
        'The refund failed',
        'Money could not be sent back to the payer and is still owed. “Needs attention” shows why and what can be done.',
      )
    case 'refunded':
      return say('calm', 'Refunded', 'Everything that came in has been sent back to the payer.')
    case 'settlement_left_the_chain':
      return say(
        'warn',
        'The settlement left the chain',
        'The chain dropped the settlement although it was final. It is offered again; until it is back your receiving address does not have the money. The order stays a success.',
      )
    case 'refund_left_the_chain':
      return say(
        'warn',
        'The refund left the chain',
        'The chain dropped a refund although it was final. It is offered again; until it is back the payer does not have the money.',
      )
    case 'needs_attention':
      return say(
        'bad',
        'Needs your decision',
        'Something happened that no rule decides. “Needs attention” shows the evidence and what can be done.',
      )
    case 'settlement_unproven':
      return say(
        'warn',
        'The payout is not proven',
        'NEAR Intents says that it paid your receiving address, and nobody else has seen it. Look whether the money is there, and say so under “Needs attention”: the order is a success then.',
      )
  }
}

const say = (tone: Tone, title: string, text: string): Explanation => ({ tone, title, text })

function confirmationText({ payments }: Pick<Order, 'payments'>): string {
  const waiting = payments.filter((payment) => payment.status === 'detected')
  const slowest = waiting.toSorted((a, b) => left(b) - left(a))[0]
  if (slowest === undefined) return 'The payment is in a block and waits until the chain cannot take it back.'
  return `The payment is in a block: ${slowest.confirmations} of ${slowest.confirmations_required} confirmations.`
}

const left = (payment: Order['payments'][number]): number => payment.confirmations_required - payment.confirmations

function settleText({ payments, settle_asset }: Pick<Order, 'payments' | 'settle_asset'>): string {
  const isFinal = payments.every((payment) => payment.status !== 'detected')
  return isFinal
    ? `the order succeeds once the ${settle_asset} transfer is final.`
    : 'it is sent once the payment has its confirmations.'
}

/**
 * @example chainWords({ fee_rate: '2.5', unconfirmed_parents: 1, spendable_in: 0, source: 'plain' })
 *   // ['fee 2.5 sat/vB', 'waits for 1 other transaction']
 */
export function chainWords(
  of: Omit<
    OrderOnChain['payments'][number],
    'chain' | 'asset' | 'decimals' | 'tx_hash' | 'output_index' | 'replaced_by'
  >,
): string[] {
  const { fee_rate: rate, unconfirmed_parents: parents, spendable_in: blocks, source } = of
  const from = source === 'coinbase' ? ' (a miner’s reward)' : source === 'mweb' ? ' (out of MWEB)' : ''
  return [
    rate === null ? null : `fee ${rate} sat/vB`,
    parents === null || parents === 0 ? null : `waits for ${parents} other transaction${parents === 1 ? '' : 's'}`,
    blocks === 0 ? null : `can be spent in ${blocks} block${blocks === 1 ? '' : 's'}${from}`,
  ].filter((word) => word !== null)
}
