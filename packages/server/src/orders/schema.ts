// The JSON schemas of orders for validation and the OpenAPI document. A test holds the wire shapes of
// @florin/protocol and these against each other.
import { idPattern } from '@florin/platform/ids'
import {
  custodies,
  eventKinds,
  orderStatuses,
  passedOver,
  paymentStatuses,
  paymentUses,
  refundReasons,
  refundStatuses,
  routeReasons,
  statusDetails,
} from '@florin/protocol'
import { type TSchema, Type } from 'typebox'

const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])
const Text = Type.String()
const NullableText = Nullable(Type.String())
const Time = Type.String({ format: 'date-time' })
const Units = Type.String({ pattern: '^-?[0-9]+$', description: "An amount in the asset's smallest unit." })
const closed = { additionalProperties: false }

const ProofSchema = Type.Object(
  {
    kind: Type.Literal('evm-route'),
    chain_id: Type.Integer(),
    factory: Text,
    impl: Text,
    vault: Text,
    route: Type.Object(
      {
        chainId: Text,
        ref: Text,
        token: Text,
        merchant: Text,
        collector: Text,
        feeBps: Text,
        minAmount: Text,
        openAfter: Text,
        refundTo: Text,
      },
      closed,
    ),
  },
  { ...closed, title: 'Proof', description: 'All that moves the money of this address without Florin: /docs/exit.' },
)

const RouteSchema = Type.Object(
  {
    custody: Type.Enum([...custodies]),
    reason: Type.Enum([...routeReasons]),
    total_usd: Text,
    expected_s: Nullable(Type.Integer()),
    refund_fee: Type.Optional(Units),
    passed_over: Type.Array(
      Type.Object({ rail: Text, why: Type.Enum([...passedOver]) }, { ...closed, title: 'PassedOverRail' }),
    ),
  },
  { ...closed, title: 'Route' },
)

export const PayLegSchema = Type.Object(
  {
    id: Text,
    rail: Text,
    route: Nullable(RouteSchema),
    chain: Text,
    asset: Text,
    contract: NullableText,
    decimals: Type.Integer(),
    address: Text,
    memo: NullableText,
    uri: NullableText,
    amount_due: Units,
    amount_received: Units,
    amount_remaining: Units,
    rate: Text,
    rate_source: Text,
    rate_expires_at: Time,
    proof: Nullable(ProofSchema),
  },
  { ...closed, title: 'PayLeg' },
)

export const PaymentSchema = Type.Object(
  {
    id: Text,
    pay_leg: Text,
    tx_hash: Text,
    output_index: Type.Integer(),
    chain: Text,
    asset: Text,
    contract: NullableText,
    decimals: Type.Integer(),
    amount: Units,
    transfers: Type.Integer({ description: '1; more where one row stands for many small transfers.' }),
    from: NullableText,
    confirmations: Type.Integer(),
    confirmations_required: Type.Integer(),
    status: Type.Enum([...paymentStatuses]),
    use: Type.Enum([...paymentUses]),
    detected_at: Time,
    mined_at: Nullable(Time),
  },
  { ...closed, title: 'Payment' },
)

export const RefundSchema = Type.Object(
  {
    id: Text,
    by: Type.Enum(['florin', 'merchant'], {
      description: 'merchant: paid from an own wallet, and no part of `balance`',
    }),
    status: Type.Enum([...refundStatuses]),
    amount: Units,
    asset: Text,
    chain: Text,
    address: NullableText,
    tx_hash: NullableText,
    reason: Type.Enum([...refundReasons]),
    created_at: Time,
  },
  { ...closed, title: 'Refund' },
)

export const BalanceSchema = Type.Object(
  {
    chain: Text,
    asset: Text,
    received: Units,
    settled: Units,
    fee: Units,
    refunded: Units,
    held: Units,
    held_below_cost: Type.String({
      pattern: '^[0-9]+$',
      description: 'The part of `held` that stays because sending it back costs more.',
    }),
  },
  { ...closed, title: 'BalanceLine' },
)

export const FxSchema = Type.Object(
  {
    base: Type.Literal('USD'),
    quote: Text,
    rate: Type.String({ description: 'Units of quote for one dollar, the merchant’s spread included.' }),
    reference_rate: Text,
    spread_bps: Type.Integer(),
    observed_at: Time,
    agreed_at: Time,
    valid_until: Time,
    apart_bps: Type.Integer(),
    sources: Type.Array(Type.Object({ id: Text, rate: Text, observed_at: Time, fetched_at: Time }, closed)),
    rules_version: Type.Integer(),
  },
  { ...closed, title: 'Fx', description: 'The exchange rate that made dollars of amount, frozen: /docs/currencies.' },
)

export const OrderSchema = Type.Object(
  {
    order_no: Text,
    livemode: Type.Boolean(),
    external_id: NullableText,
    status: Type.Enum([...orderStatuses]),
    status_detail: Type.Enum([...statusDetails]),
    amount: Type.String({ description: 'In currency, with its own number of decimals.' }),
    currency: Text,
    amount_minor: Units,
    exponent: Type.Integer({ description: 'Decimals of amount and amount_minor.' }),
    fx: Nullable(FxSchema),
    amount_usd: Type.Number(),
    fee_bps: Type.Integer(),
    amount_out: Nullable(Units),
    amount_out_expected: Nullable(Units),
    settle_chain: Text,
    settle_asset: Text,
    settle_decimals: Type.Integer(),
    settle_address: Text,
    settle_tx_hash: NullableText,
    settlement_proven: Type.Optional(
      Type.Boolean({
        description:
          'Only where a third party paid the settlement out: whether somebody else saw it. false: it is the provider’s word alone',
      }),
    ),
    pay: Nullable(PayLegSchema),
    payments: Type.Array(PaymentSchema),
    payments_total: Type.Integer(),
    refunds: Type.Array(RefundSchema),
    balance: Type.Array(BalanceSchema),
    refund_address: NullableText,
    refund_address_proposed: NullableText,
    checkout_url: Text,
    webhook_url: NullableText,
    success_url: NullableText,
    cancel_url: NullableText,
    title: NullableText,
    description: NullableText,
    metadata: Type.Record(Type.String(), Type.String()),
    payment_link_id: NullableText,
    invoice_id: NullableText,
    quantity: Nullable(Type.Integer()),
    payer_email: NullableText,
    payer_locale: NullableText,
    payer_name: NullableText,
    payer_note: NullableText,
    success_text: NullableText,
    version: Type.Integer(),
    created_at: Time,
    updated_at: Time,
    expires_at: Time,
    settled_at: Nullable(Time),
  },
  { ...closed, title: 'Order' },
)

export const TimelineSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: Text,
          event: Nullable(Type.Enum([...eventKinds])),
          status: Type.Enum([...orderStatuses]),
          status_detail: Type.Enum([...statusDetails]),
          version: Type.Integer(),
          created_at: Time,
        },
        { ...closed, title: 'TimelineEntry' },
      ),
    ),
    has_more: Type.Boolean(),
    next_cursor: NullableText,
  },
  closed,
)

export const LookSchema = Type.Object(
  { order_no: Text, asked_at: Time, looked_at: Nullable(Time), failure: NullableText },
  { ...closed, title: 'OrderLook' },
)

export const OnChainSchema = Type.Object(
  {
    order_no: Text,
    payments: Type.Array(
      Type.Object(
        {
          ...{ chain: Text, asset: Text, decimals: Type.Integer(), tx_hash: Text, output_index: Type.Integer() },
          fee_rate: Type.Union([Text, Type.Null()], { description: 'Satoshi for a virtual byte; null: not known' }),
          unconfirmed_parents: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Transactions in no block that have to be mined before it',
          }),
          replaced_by: Type.Union([Text, Type.Null()], { description: 'The transaction that took its money' }),
          spendable_in: Type.Integer({
            description: 'Blocks until your wallet can spend it: a miner’s reward waits for 100, what left MWEB for 6',
          }),
          source: Type.Enum(['plain', 'coinbase', 'mweb']),
        },
        closed,
      ),
    ),
    fee_owed: Type.Array(Type.Object({ chain: Text, asset: Text, decimals: Type.Integer(), amount: Text }, closed), {
      description: 'Owed to the operator for money that went straight to your wallet; nothing was taken on the way',
    }),
  },
  { ...closed, title: 'OrderOnChain' },
)

export const RefundToSignSchema = Type.Object(
  {
    psbt: Type.Union([Text, Type.Null()], { description: 'In Base64; a file holds the same' }),
    fee: Type.Union([Text, Type.Null()], { description: 'That it pays to the network, in the smallest unit' }),
    why: Type.Union([Text, Type.Null()], { description: 'Why there is none' }),
  },
  closed,
)

/** A number that no order can have is not looked up; the answer is the same 404. */
export const OrderParams = Type.Object({ order_no: Type.String({ minLength: 1, maxLength: 100 }) }, closed)

export const orderNoPattern = new RegExp(idPattern('ord'))
