// The wire shape of an invoice (contract.md 4.8).
import { dayOf, type Invoice, invoiceStatuses, minorText, zoneOr } from '@florin/protocol'
import { type TSchema, Type } from 'typebox'
import { statusOf } from './rules.ts'
import type { InvoiceRow } from './store.ts'

const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])
const Text = Type.String()
const NullableText = Nullable(Type.String())
const Time = Type.String({ format: 'date-time' })
const closed = { additionalProperties: false }

export const InvoiceSchema = Type.Object(
  {
    id: Text,
    livemode: Type.Boolean(),
    url: Text,
    pdf_url: Text,
    number: Text,
    status: Type.Enum([...invoiceStatuses]),
    currency: Text,
    lines: Type.Array(Type.Object({ description: Text, quantity: Text, unit_price: Text, amount: Text }, closed)),
    subtotal: Text,
    tax_label: NullableText,
    tax_percent: NullableText,
    tax_amount: Text,
    total: Text,
    due_date: Text,
    seller_details: NullableText,
    payer_email: NullableText,
    payer_locale: NullableText,
    payer_name: NullableText,
    payer_details: NullableText,
    note: NullableText,
    external_id: NullableText,
    settle_chain: NullableText,
    settle_asset: NullableText,
    sent_count: Type.Integer(),
    last_sent_at: Nullable(Time),
    paid_order_no: { ...NullableText, description: 'The order that paid it: the first that succeeded.' },
    paid_order_nos: Type.Array(Text, {
      description: 'Every order that succeeded, the first one first. More than one: it was paid more than once.',
    }),
    paid_at: Nullable(Time),
    voided_at: Nullable(Time),
    created_at: Time,
  },
  { ...closed, title: 'Invoice' },
)

export const statusAt = (invoice: InvoiceRow, now: Date) => statusOf(invoice, dayOf(now, zoneOr(invoice.timeZone)))

export function invoiceView(invoice: InvoiceRow, a: { baseUrl: string; now: Date }): Invoice {
  const money = (minor: bigint | string): string => minorText(minor, invoice.exponent)
  const url = `${a.baseUrl}/pay/i/${invoice.token}`
  return {
    id: invoice.id,
    livemode: invoice.livemode,
    url,
    pdf_url: `${url}/pdf`,
    number: invoice.number,
    status: statusAt(invoice, a.now),
    currency: invoice.currency,
    lines: invoice.lines.map(({ description, quantity, unit, amount }) => ({
      ...{ description, quantity, unit_price: money(unit), amount: money(amount) },
    })),
    subtotal: money(invoice.subtotalMinor),
    tax_label: invoice.taxLabel,
    tax_percent: invoice.taxPercent,
    tax_amount: money(invoice.taxMinor),
    total: money(invoice.totalMinor),
    due_date: invoice.dueDate.toISOString().slice(0, 10),
    seller_details: invoice.sellerDetails,
    payer_email: invoice.payerEmail,
    payer_locale: invoice.payerLocale,
    payer_name: invoice.payerName,
    payer_details: invoice.payerDetails,
    note: invoice.note,
    external_id: invoice.externalId,
    settle_chain: invoice.settleChain,
    settle_asset: invoice.settleAsset,
    sent_count: invoice.sentCount,
    last_sent_at: invoice.lastSentAt?.toISOString() ?? null,
    paid_order_no: invoice.paidOrderNo,
    paid_order_nos: [...invoice.paidOrderNos],
    paid_at: invoice.paidAt?.toISOString() ?? null,
    voided_at: invoice.voidedAt?.toISOString() ?? null,
    created_at: invoice.createdAt.toISOString(),
  }
}
