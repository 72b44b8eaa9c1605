// The wire shape of a payment link (contract.md 4.7).
import { askedFields, minorText, type PaymentLink, paymentLinkStates } from '@florin/protocol'
import { type TSchema, Type } from 'typebox'
import { stateOf } from './rules.ts'
import type { PaymentLinkRow } from './store.ts'

const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])
const NullableText = Nullable(Type.String())
const Time = Type.String({ format: 'date-time' })
const AskedField = Type.Enum([...askedFields])

export const LinkSchema = Type.Object(
  {
    id: Type.String(),
    livemode: Type.Boolean(),
    url: Type.String(),
    active: Type.Boolean(),
    state: Type.Enum([...paymentLinkStates]),
    title: Type.String(),
    description: NullableText,
    currency: Type.String(),
    amount: NullableText,
    amount_min: NullableText,
    amount_max: NullableText,
    quantity_max: Type.Integer(),
    stock: Nullable(Type.Integer()),
    stock_taken: Type.Integer(),
    orders_paid: Type.Integer(),
    ends_at: Nullable(Time),
    ask_email: AskedField,
    ask_name: AskedField,
    ask_note: AskedField,
    success_text: NullableText,
    success_url: NullableText,
    settle_chain: NullableText,
    settle_asset: NullableText,
    expires_in: Type.Integer(),
    external_id: NullableText,
    created_at: Time,
    updated_at: Time,
  },
  { additionalProperties: false, title: 'PaymentLink' },
)

export function linkView(link: PaymentLinkRow, a: { baseUrl: string; now: Date }): PaymentLink {
  const money = (minor: bigint | null): string | null => (minor === null ? null : minorText(minor, link.exponent))
  return {
    id: link.id,
    livemode: link.livemode,
    url: `${a.baseUrl}/pay/l/${link.token}`,
    active: link.active,
    state: stateOf(link, a.now),
    title: link.title,
    description: link.description,
    currency: link.currency,
    amount: money(link.amountMinor),
    amount_min: money(link.minMinor),
    amount_max: money(link.maxMinor),
    quantity_max: link.quantityMax,
    stock: link.stock,
    stock_taken: link.taken,
    orders_paid: link.ordersPaid,
    ends_at: link.endsAt?.toISOString() ?? null,
    ask_email: link.askEmail,
    ask_name: link.askName,
    ask_note: link.askNote,
    success_text: link.successText,
    success_url: link.successUrl,
    settle_chain: link.settleChain,
    settle_asset: link.settleAsset,
    expires_in: link.expiresInS,
    external_id: link.externalId,
    created_at: link.createdAt.toISOString(),
    updated_at: link.updatedAt.toISOString(),
  }
}
