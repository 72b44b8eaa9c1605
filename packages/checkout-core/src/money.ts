// What came in and what went back, in words and steps: the payer's money, payment by payment. Pure.
import { type Checkout, isOnChain, type PayLeg, type Payment, type Refund } from '@florin/protocol'
import { coinText } from './amount.ts'
import { explorerUrl } from './links.ts'
import { type Key, type Phrase, phrase } from './words/index.ts'

export interface Step {
  id: 'seen' | 'confirmed' | 'settled'
  state: 'done' | 'now' | 'todo'
  /** Confirmations of the slowest payment that counts; null where there is none to wait for. */
  confirmations: { n: number; of: number } | null
}

const onChain = (checkout: Checkout): Payment[] => checkout.payments.filter(isOnChain)

const isStray = (payment: Payment): boolean => payment.use === 'wrong_asset' || payment.use === 'wrong_chain'

/** The sentence about money in a coin or on a network that the order does not take. */
export function strayNotes(checkout: Checkout): Phrase[] {
  return onChain(checkout)
    .filter(isStray)
    .map(({ use, amount, decimals, asset }) =>
      phrase(use === 'wrong_chain' ? 'wrong_network_note' : 'wrong_asset_note', {
        amount: coinText(amount, decimals),
        asset,
      }),
    )
}

export function hasLate(checkout: Checkout): boolean {
  return onChain(checkout).some((payment) => payment.use === 'late')
}

export function receivedText(leg: PayLeg): { received: string; due: string; remaining: string } {
  return {
    received: coinText(leg.amount_received, leg.decimals),
    due: coinText(leg.amount_due, leg.decimals),
    remaining: coinText(leg.amount_remaining, leg.decimals),
  }
}

/** The three steps of a payment that counts; empty where none does. */
export function stepsOf(checkout: Checkout): Step[] {
  const counted = onChain(checkout).filter((payment) => payment.use === 'counted')
  if (checkout.status !== 'processing' && checkout.status !== 'success') return []
  if (counted.length === 0) return []
  const slowest = counted.reduce((a, b) => (lacking(b) > lacking(a) ? b : a))
  const of = slowest.confirmations_required
  // A chain that counts on after the last one needed would only confuse.
  const n = slowest.status === 'confirmed' ? of : Math.min(slowest.confirmations, of)
  const isConfirmed = counted.every((payment) => payment.status === 'confirmed')
  const isSettled = checkout.status === 'success'
  return [
    { id: 'seen', state: 'done', confirmations: null },
    { id: 'confirmed', state: isConfirmed || isSettled ? 'done' : 'now', confirmations: { n, of } },
    { id: 'settled', state: isSettled ? 'done' : isConfirmed ? 'now' : 'todo', confirmations: null },
  ]
}

const lacking = (payment: Payment): number =>
  payment.status === 'confirmed' ? 0 : Math.max(1, payment.confirmations_required - payment.confirmations)

type StateKey = Extract<
  Key,
  `payment_${string}` | `use_${string}` | `refund_${'waiting' | 'on_its_way' | 'done' | 'not_done'}`
>

/** One line of a list of payments or refunds. */
export interface MoneyLine {
  id: string
  text: string
  state: Phrase
  hash: string | null
  href: string | null
}

export function paymentLines(checkout: Checkout): MoneyLine[] {
  return checkout.payments.map((payment) => ({
    id: payment.id,
    text: `${coinText(payment.amount, payment.decimals)} ${payment.asset}`,
    state: phrase(paymentState(payment)),
    hash: payment.tx_hash,
    href: txUrl(checkout, payment.chain, payment.tx_hash),
  }))
}

function paymentState(payment: Payment): StateKey {
  if (payment.status === 'orphaned') return 'payment_orphaned'
  if (payment.status === 'dropped') return 'payment_dropped'
  if (payment.status === 'unconfirmed') return 'payment_unconfirmed'
  switch (payment.use) {
    case 'excess':
      return 'use_excess'
    case 'late':
      return 'use_late'
    case 'wrong_asset':
    case 'wrong_chain':
      return 'use_wrong'
    case 'counted':
      return payment.status === 'confirmed' ? 'payment_confirmed' : 'payment_detected'
    default:
      return payment.use satisfies never
  }
}

const refundStates: Readonly<Record<Refund['status'], StateKey>> = {
  waiting: 'refund_waiting',
  proposed: 'refund_on_its_way',
  sending: 'refund_on_its_way',
  succeeded: 'refund_done',
  failed: 'refund_not_done',
}

export function refundLines(checkout: Checkout): MoneyLine[] {
  return checkout.refunds.map((refund) => {
    // A refund is of money that came in, so one of the payments knows how its asset is counted.
    const source = [...checkout.payments, ...(checkout.pay ? [checkout.pay] : [])].find(
      (known) => known.asset === refund.asset && known.chain === refund.chain,
    )
    return {
      id: refund.id,
      text: source === undefined ? refund.asset : `${coinText(refund.amount, source.decimals)} ${refund.asset}`,
      state: phrase(refundStates[refund.status]),
      hash: refund.tx_hash,
      href: refund.tx_hash === null ? null : txUrl(checkout, refund.chain, refund.tx_hash),
    }
  })
}

/** The explorer's page; only the chain of the current leg has a known explorer here. */
function txUrl(checkout: Checkout, chain: string, hash: string): string | null {
  if (chain !== checkout.pay?.chain) return null
  return explorerUrl(checkout.pay_chain?.explorer_tx ?? null, 'tx', hash)
}
