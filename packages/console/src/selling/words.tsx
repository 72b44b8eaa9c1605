// The words and colours of links and invoices, and their money as people read it.
import {
  formatMoney,
  type Invoice,
  type InvoiceStatus,
  type PaymentLink,
  type PaymentLinkState,
} from '@florin/protocol'
import type { Tone } from '../orders/words.ts'
import { Badge } from '../ui/badge.tsx'

export const money = (amount: string, currency: string): string => formatMoney(amount, currency, 'en-US')

const links: Readonly<Record<PaymentLinkState, readonly [Tone, string]>> = {
  open: ['good', 'Open'],
  inactive: ['calm', 'Turned off'],
  ended: ['calm', 'Ended'],
  sold_out: ['warn', 'Sold out'],
}
export const LinkBadge = ({ of }: { of: PaymentLink }) => <Badge tone={links[of.state][0]}>{links[of.state][1]}</Badge>

export const invoiceWords: Readonly<Record<InvoiceStatus, readonly [Tone, string]>> = {
  open: ['busy', 'Open'],
  overdue: ['warn', 'Overdue'],
  processing: ['busy', 'Being paid'],
  paid: ['good', 'Paid'],
  void: ['calm', 'Void'],
}
export const InvoiceBadge = ({ of }: { of: Invoice }) => (
  <Badge tone={invoiceWords[of.status][0]}>{invoiceWords[of.status][1]}</Badge>
)

export function priceOf(link: PaymentLink): string {
  if (link.amount !== null) return money(link.amount, link.currency)
  const min =
    link.amount_min === null || /^0\.?0*1$/.test(link.amount_min) ? null : money(link.amount_min, link.currency)
  const max = link.amount_max === null ? null : money(link.amount_max, link.currency)
  if (min !== null && max !== null) return `${min} to ${max}`
  if (min !== null) return `from ${min}`
  return max === null ? `any amount in ${link.currency}` : `up to ${max}`
}
