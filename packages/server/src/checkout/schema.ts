// The JSON schemas of the checkout, for validation and the OpenAPI document.
import { custodies, latePolicies, orderStatuses, simulateActions, statusDetails } from '@florin/protocol'
import { type TSchema, Type } from 'typebox'
import { LogoView } from '../brand/view.ts'
import { FxSchema, PayLegSchema, PaymentSchema, RefundSchema } from '../orders/schema.ts'

const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])
const Text = Type.String()
const NullableText = Nullable(Type.String())
const Time = Type.String({ format: 'date-time' })
const closed = { additionalProperties: false }

const PayChoiceSchema = Type.Object(
  {
    chain: Text,
    chain_name: Text,
    family: Text,
    asset: Text,
    name: Text,
    contract: NullableText,
    decimals: Type.Integer(),
    is_stable: Type.Boolean(),
    rail: Text,
    custody: Type.Enum([...custodies], {
      description: 'third-party: the money passes through other hands for some minutes',
    }),
    total_usd: Nullable(Type.String({ description: 'About what the payer pays in all, in dollars' })),
    expected_s: Nullable(Type.Integer({ description: 'About how many seconds until the shop has the money' })),
    refund_address: Type.Enum(['required', 'optional', 'unused']),
  },
  closed,
)

const PayChainSchema = Type.Object(
  {
    name: Text,
    family: Text,
    explorer_tx: NullableText,
    explorer_address: NullableText,
    evm_chain_id: Nullable(Type.Integer()),
  },
  closed,
)

export const CheckoutSchema = Type.Object(
  {
    order_no: Text,
    livemode: Type.Boolean(),
    status: Type.Enum([...orderStatuses]),
    status_detail: Type.Enum([...statusDetails]),
    version: Type.Integer(),
    merchant: Type.Object(
      { name: NullableText, logo: Nullable(LogoView), support_email: NullableText, support_url: NullableText },
      closed,
    ),
    title: NullableText,
    description: NullableText,
    amount: Text,
    currency: Text,
    exponent: Type.Integer(),
    fx: Nullable(FxSchema),
    amount_usd: Type.Number(),
    pay: Nullable(PayLegSchema),
    pay_chain: Nullable(PayChainSchema),
    choices: Type.Array(PayChoiceSchema, { description: 'What most payers look for' }),
    choices_total: Type.Integer({ description: 'How many ways there are; GET /checkout/{token}/choices has all' }),
    payments: Type.Array(PaymentSchema),
    payments_total: Type.Integer(),
    maturing: Nullable(
      Type.Object(
        {
          source: Type.Enum(['coinbase', 'mweb'], { description: 'A miner’s reward, or out of the extension block' }),
          blocks: Type.Integer({ description: 'Until the shop can spend it; the order does not wait for that' }),
        },
        closed,
      ),
    ),
    refunds: Type.Array(RefundSchema),
    refund_address: NullableText,
    refund_address_proposed: NullableText,
    refund_address_state: Type.Enum(['wanted', 'asked', 'possible', 'no']),
    refund_address_way: Type.Enum(['bind', 'name', 'ask', 'none']),
    refund_signers: Type.Array(
      Type.Object({ service: Text, order_no: Text, pay_leg: Text, chain: Text, from: Text }, closed),
    ),
    browser: Type.Enum(['holder', 'other', 'any']),
    refund_chain: NullableText,
    late_policy: Type.Enum([...latePolicies]),
    settle_tx_hash: NullableText,
    success_url: NullableText,
    success_text: NullableText,
    cancel_url: NullableText,
    created_at: Time,
    expires_at: Time,
    settled_at: Nullable(Time),
    server_time: Time,
    simulate: Type.Array(Type.Enum([...simulateActions])),
  },
  { ...closed, title: 'Checkout' },
)

export const PayChoicesSchema = Type.Object({ data: Type.Array(PayChoiceSchema), total: Type.Integer() }, closed)
