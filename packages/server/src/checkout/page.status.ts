// What the plain page says about an order: a headline, one or two sentences, and whether money may still be sent.
// It says what the checkout in the browser says, in fewer cases; a test over there compares the two. Pure and total.
import type { Checkout } from '@florin/protocol'
import { formatDecimal } from '../platform/money.ts'
import type { Phrase } from './words/index.ts'

export interface PlainStatus {
  headline: Phrase
  notes: Phrase[]
  /** `pay`: the address may be shown; `choose`: a way to pay is to be chosen first. */
  offers: 'choose' | 'pay' | 'nothing'
}

export function plainStatus(checkout: Checkout): PlainStatus {
  switch (checkout.status) {
    case 'pending':
      return refundStatus(checkout) ?? pending(checkout)
    case 'processing':
      switch (checkout.status_detail) {
        case 'reorged':
          return said(['reorged_title'], ['reorged_note'])
        case 'needs_attention':
          return said(['attention_title'], ['attention_note'])
        case 'settling':
          return said(['confirmed_title'], ['confirmed_note'])
        default:
          return said(['seen_title'], ['seen_note'])
      }
    case 'success':
      return success(checkout)
    case 'failed':
      return (
        refundStatus(checkout) ??
        (checkout.status_detail === 'reorged'
          ? said(['failed_reorged_title'], ['failed_reorged_note'])
          : said(['failed_title'], ['failed_note']))
      )
    case 'refunded':
      return refundStatus(checkout) ?? said(['refunded_title'], ['refunded_note'])
    case 'expired':
      return refundStatus(checkout) ?? expired(checkout)
    default:
      return checkout.status satisfies never
  }
}

const said = (headline: Phrase, ...notes: Phrase[]): PlainStatus => ({ headline, notes, offers: 'nothing' })

function pending(checkout: Checkout): PlainStatus {
  const { pay } = checkout
  const now = Date.parse(checkout.server_time)
  if (now >= Date.parse(checkout.expires_at)) return said(['overdue_title'], ['overdue_note'])
  if (pay === null) {
    if (checkout.choices.length === 0) return said(['not_payable'], ['not_payable_note'])
    return { headline: ['choose_title'], notes: [], offers: 'choose' }
  }
  const isLapsed = now >= Date.parse(pay.rate_expires_at)
  if (checkout.status_detail === 'partially_paid') {
    if (isLapsed) return said(['partial_title'], ['partial_lapsed_note'])
    return { headline: ['partial_title'], notes: [['partial_note', sums(checkout)]], offers: 'pay' }
  }
  if (checkout.payments.some((payment) => payment.status !== 'orphaned' && payment.use === 'late')) {
    return said(['late_title'], ['late_note'])
  }
  if (isLapsed || checkout.status_detail === 'quote_expired') {
    return { headline: ['quote_title'], notes: [['quote_note']], offers: 'choose' }
  }
  const chain = checkout.pay_chain?.name ?? pay.chain
  return { headline: ['pay_title', { asset: pay.asset, chain }], notes: [], offers: 'pay' }
}

function success(checkout: Checkout): PlainStatus {
  const wanted: Phrase[] = checkout.status_detail === 'refund_address_needed' ? [['refund_excess_wanted_note']] : []
  return said(['paid_title'], ['paid_note'], ...wanted)
}

function expired(checkout: Checkout): PlainStatus {
  switch (checkout.status_detail) {
    case 'canceled':
      return said(['canceled_title'], ['canceled_note'])
    case 'late_payment':
      return said(['late_title'], ['late_note'])
    case 'underpaid':
      return said(['expired_title'], ['underpaid_note', sums(checkout)])
    default:
      return said(['expired_title'], ['unpaid_note'])
  }
}

function refundStatus(checkout: Checkout): PlainStatus | null {
  switch (checkout.status_detail) {
    case 'refund_address_needed':
      return said(['refund_wanted_title'], ['refund_wanted_note'])
    case 'refunding':
      return said(['refunding_title'], ['refunding_note'])
    case 'refund_failed':
      return said(['refund_failed_title'], ['refund_failed_note'])
    case 'needs_attention':
      return said(['attention_title'], ['attention_note'])
    default:
      return null
  }
}

function sums({ pay }: Checkout): Record<string, string> {
  if (pay === null) return {}
  const text = (units: string): string => formatDecimal(BigInt(units), pay.decimals)
  return {
    received: text(pay.amount_received),
    due: text(pay.amount_due),
    remaining: text(pay.amount_remaining),
    asset: pay.asset,
  }
}
