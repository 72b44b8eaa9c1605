// What an order means for the payer: from the checkout's JSON and the server's time to what the page says and
// offers. Pure and total: every status and detail has its sentences, and the compiler notices a new one.
import { type Checkout, isOnChain, type StatusDetail } from '@florin/protocol'
import { hasLate, receivedText, type Step, stepsOf, strayNotes } from './money.ts'
import { payerPasses } from './way.ts'
import { type Phrase, phrase } from './words/index.ts'

/** What stands in the middle of the page. */
export type Panel = 'choose' | 'pay' | 'requote' | 'progress' | 'end'
export type Tone = 'calm' | 'busy' | 'good' | 'warn' | 'bad'

export interface Screen {
  panel: Panel
  tone: Tone
  headline: Phrase
  /** One sentence each: what happens with the money, and what the payer may do. */
  notes: Phrase[]
  /** Empty until money was seen. */
  steps: Step[]
  /** What a countdown runs to: the deadline of the order, or the end of its quote where that is earlier. */
  deadline: { at: string; of: 'order' | 'rate' } | null
  refundForm: 'wanted' | 'offered' | 'none'
  /** What giving an address does now, or what became of the one that was given. */
  refundNote: Phrase | null
  /** Another coin or network may be chosen. */
  canChange: boolean
}

/**
 * Who has sent can have the payment looked for at once: where the time is over and nothing was seen, and before that where a
 * third party has to find it, which is quicker when it is told.
 */
export function mayHaveSent({ status, status_detail: detail, pay }: Checkout): boolean {
  if (pay === null) return false
  if (status === 'pending') return pay.route?.custody === 'third-party'
  return status === 'expired' && (detail === 'unpaid' || detail === 'underpaid')
}

/** Where money is sure to go back, a refund address is no longer an option but the next thing to do. */
function refundFormOf(checkout: Checkout): Screen['refundForm'] {
  if (checkout.refund_address_state === 'no' || checkout.pay === null) return 'none'
  const isOwed = checkout.status === 'expired' && checkout.payments.some(isOnChain)
  return checkout.refund_address_state === 'wanted' || isOwed ? 'wanted' : 'offered'
}

function refundNoteOf(checkout: Checkout): Phrase | null {
  if (checkout.refund_address_state === 'asked') return phrase('refund_asked_note')
  switch (checkout.refund_address_way) {
    case 'bind':
      if (checkout.refund_address !== null) return phrase('refund_bound_note')
      return phrase(checkout.refund_address_proposed === null ? 'refund_offer_note' : 'refund_proposed_note')
    case 'ask':
      return phrase('refund_ask_note')
    case 'name':
    case 'none':
      return null
  }
}

/** Somebody with the link, mostly the payer on another device, began there; the two never share an address. */
function elsewhereNotes(checkout: Checkout): Phrase[] {
  return checkout.status === 'pending' && checkout.browser === 'other' ? [phrase('elsewhere_note')] : []
}

type Part = Pick<Screen, 'panel' | 'tone' | 'headline' | 'notes'> & Partial<Pick<Screen, 'deadline' | 'canChange'>>

/** @param nowMs the server's time */
export function screenOf(checkout: Checkout, nowMs: number): Screen {
  const part = partOf(checkout, nowMs)
  const isOpen = part.panel === 'choose' || part.panel === 'pay' || part.panel === 'requote'
  return {
    deadline: null,
    canChange: false,
    ...part,
    notes: [...part.notes, ...elsewhereNotes(checkout), ...strayNotes(checkout), ...maturingNotes(checkout)],
    steps: isOpen ? [] : stepsOf(checkout),
    refundForm: refundFormOf(checkout),
    refundNote: refundNoteOf(checkout),
  }
}

function partOf(checkout: Checkout, nowMs: number): Part {
  switch (checkout.status) {
    case 'pending':
      return refundPart(checkout) ?? pendingPart(checkout, nowMs)
    case 'processing':
      return processingPart(checkout.status_detail)
    case 'success':
      return successPart(checkout)
    case 'failed':
      return refundPart(checkout) ?? failedPart(checkout)
    case 'refunded':
      return refundPart(checkout) ?? end('good', phrase('refunded_title'), phrase('refunded_note'))
    case 'expired':
      return refundPart(checkout) ?? expiredPart(checkout)
    default:
      return checkout.status satisfies never
  }
}

function end(tone: Tone, headline: Phrase, ...notes: Phrase[]): Part {
  return { panel: 'end', tone, headline, notes }
}

const contact = (checkout: Checkout): Phrase => phrase('contact_note', { order: checkout.order_no })

function pendingPart(checkout: Checkout, nowMs: number): Part {
  const { pay, choices } = checkout
  if (nowMs >= Date.parse(checkout.expires_at) && checkout.status_detail !== 'seen_unconfirmed')
    return end('busy', phrase('overdue_title'), phrase('overdue_note'))
  const orderDeadline = { at: checkout.expires_at, of: 'order' } as const
  if (pay === null) {
    if (choices.length === 0) return end('warn', phrase('not_payable'), phrase('not_payable_note'))
    return { panel: 'choose', tone: 'calm', headline: phrase('choose_title'), notes: [], deadline: orderDeadline }
  }
  const chain = checkout.pay_chain?.name ?? pay.chain
  const isLapsed = nowMs >= Date.parse(pay.rate_expires_at)
  const isHeld = Date.parse(pay.rate_expires_at) < Date.parse(checkout.expires_at)
  const canChange = choices.length > 0
  if (checkout.status_detail === 'partially_paid') {
    if (isLapsed) return end('warn', phrase('partial_title'), phrase('partial_lapsed_note'))
    const received = phrase('partial_note', { ...receivedText(pay), asset: pay.asset })
    // The rest must come while this leg's quote holds; there is no other quote once money was seen.
    const deadline = { at: isHeld ? pay.rate_expires_at : checkout.expires_at, of: 'order' } as const
    const notes = [received, phrase('partial_else')]
    return { panel: 'pay', tone: 'busy', headline: phrase('partial_title'), notes, deadline }
  }
  if (checkout.status_detail === 'seen_unconfirmed')
    return { panel: 'progress', tone: 'busy', headline: phrase('announced_title'), notes: [phrase('announced_note')] }
  if (hasLate(checkout)) return end('warn', phrase('late_title'), phrase('late_note'))
  if (isLapsed || checkout.status_detail === 'quote_expired') {
    return {
      panel: 'requote',
      tone: 'warn',
      headline: phrase('quote_title'),
      notes: [phrase('quote_note'), phrase('quote_sent')],
      deadline: orderDeadline,
      canChange,
    }
  }
  return {
    panel: 'pay',
    tone: 'calm',
    headline: phrase('pay_title', { asset: pay.asset, chain }),
    notes: [],
    deadline: isHeld ? { at: pay.rate_expires_at, of: 'rate' } : orderDeadline,
    canChange,
  }
}

function processingPart(detail: StatusDetail): Part {
  const progress = (tone: Tone, headline: Phrase, note: Phrase): Part => ({
    panel: 'progress',
    tone,
    headline,
    notes: [note],
  })
  if (detail === 'reorged') return progress('warn', phrase('reorged_title'), phrase('reorged_note'))
  if (detail === 'needs_attention') return progress('warn', phrase('attention_title'), phrase('attention_note'))
  if (detail === 'settlement_unproven') return progress('busy', phrase('confirmed_title'), phrase('unproven_note'))
  if (detail === 'settling') return progress('busy', phrase('confirmed_title'), phrase('confirmed_note'))
  return progress('busy', phrase('seen_title'), phrase('seen_note'))
}

function successPart(checkout: Checkout): Part {
  const notes: Phrase[] = [phrase('paid_note')]
  switch (checkout.status_detail) {
    case 'overpaid':
      notes.push(phrase('overpaid_note'))
      break
    case 'paid_late':
      notes.push(phrase('paid_late_note'))
      break
    case 'refund_address_needed':
      notes.push(phrase('refund_excess_wanted_note'))
      break
    case 'refunding':
    case 'refund_left_the_chain':
      notes.push(phrase('overpaid_note'), phrase('refunding_note'))
      break
    case 'refund_failed':
      notes.push(phrase('refund_failed_note'), contact(checkout))
      break
  }
  return end('good', phrase('paid_title'), ...notes)
}

function failedPart(checkout: Checkout): Part {
  const by = payerPasses(checkout)
  const [headline, note] =
    checkout.status_detail === 'reorged'
      ? [phrase('failed_reorged_title'), phrase('failed_reorged_note')]
      : [phrase('failed_title'), by === null ? phrase('failed_note') : phrase('failed_through_note', { by })]
  return end('bad', headline, note, contact(checkout))
}

function expiredPart(checkout: Checkout): Part {
  const { pay } = checkout
  switch (checkout.status_detail) {
    case 'canceled':
      return end('calm', phrase('canceled_title'), phrase('canceled_note'))
    case 'late_payment':
      return end('warn', phrase('late_title'), phrase('late_note'))
    case 'underpaid': {
      const told = pay === null ? [] : [phrase('underpaid_note', { ...receivedText(pay), asset: pay.asset })]
      return end('warn', phrase('expired_title'), ...told, phrase('underpaid_return_note'))
    }
    default: {
      // Without an address there is nothing that could have been sent.
      const sent = checkout.late_policy === 'settle' ? phrase('late_settle_note') : phrase('late_refund_note')
      return end('calm', phrase('expired_title'), phrase('unpaid_note'), ...(pay === null ? [] : [sent]))
    }
  }
}

/** Where money goes back or waits to, whatever the status around it; null where the detail speaks of something else. */
function refundPart(checkout: Checkout): Part | null {
  switch (checkout.status_detail) {
    case 'refund_address_needed':
      return end('warn', phrase('refund_wanted_title'), phrase('refund_wanted_note'))
    case 'refunding':
    case 'refund_left_the_chain':
      return end('busy', phrase('refunding_title'), phrase('refunding_note'))
    case 'refund_failed':
      return end('bad', phrase('refund_failed_title'), phrase('refund_failed_note'), contact(checkout))
    case 'needs_attention':
      return end('warn', phrase('attention_title'), phrase('attention_note'), contact(checkout))
    default:
      return null
  }
}

/** The payment counts as any other; who waits for money to come back should know why that takes longer. */
function maturingNotes({ maturing }: Checkout): Phrase[] {
  if (maturing === null) return []
  const blocks = String(maturing.blocks)
  return [maturing.source === 'coinbase' ? phrase('coinbase_note', { blocks }) : phrase('mweb_note', { blocks })]
}
