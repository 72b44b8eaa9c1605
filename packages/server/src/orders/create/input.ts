// The input of order creation: parsed once, trusted afterwards. Pure.
import { parseMailTo } from '@florin/platform/email'
import { AppError } from '@florin/platform/errors'
import { refuseTurned } from '@florin/platform/http/label'
import {
  DESCRIPTION_MAX,
  EXPIRES_IN_DEFAULT_S,
  EXPIRES_IN_MAX_S,
  EXPIRES_IN_MIN_S,
  EXTERNAL_ID_MAX,
  type LatePolicy,
  LOCALE,
  latePolicies,
  METADATA_KEY_MAX,
  METADATA_KEYS_MAX,
  METADATA_VALUE_MAX,
  type Money,
  TITLE_MAX,
  UNDERPAY_TOLERANCE_DEFAULT_BPS,
  UNDERPAY_TOLERANCE_MAX_BPS,
  URL_MAX,
} from '@florin/protocol'
import { type Static, Type } from 'typebox'
import { amountFields, parseMoney } from '../../prices/parse.ts'

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const bounds = { minLength: 1, maxLength: 80 }
const Code = Type.String(bounds)

const PayerLocale = Type.String({
  minLength: 2,
  maxLength: 35,
  pattern: LOCALE.source,
  description: 'Language tag of the payer, such as `de` or `pt-BR`. Mails to the payer are in that language.',
})

const Metadata = Type.Record(Type.String(), Type.String({ maxLength: METADATA_VALUE_MAX }), {
  maxProperties: METADATA_KEYS_MAX,
})

/** The body of POST /v1/orders (contract.md 4.1). */
export const CreateOrderBody = Type.Object(
  {
    ...amountFields,
    external_id: Type.Optional(Text(EXTERNAL_ID_MAX)),
    webhook_url: Type.Optional(Text(URL_MAX)),
    settle_chain: Type.Optional(
      Type.String({
        ...bounds,
        description:
          'Left out: the default chain; and where no rail carries to it what the payer picks, the chain that is paid on, if a receiving address was set there when the order was made.',
      }),
    ),
    settle_asset: Type.Optional(
      Type.String({
        ...bounds,
        description:
          'Left out: the chain’s USDC, else its native coin. Without settle_chain it fixes the symbol, not the chain.',
      }),
    ),
    pay_chain: Type.Optional(Code),
    pay_asset: Type.Optional(Code),
    refund_address: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    expires_in: Type.Optional(Type.Integer({ minimum: EXPIRES_IN_MIN_S, maximum: EXPIRES_IN_MAX_S })),
    underpay_tolerance_bps: Type.Optional(Type.Integer({ minimum: 0, maximum: UNDERPAY_TOLERANCE_MAX_BPS })),
    late_policy: Type.Optional(Type.Enum([...latePolicies])),
    title: Type.Optional(Text(TITLE_MAX)),
    description: Type.Optional(Text(DESCRIPTION_MAX)),
    success_url: Type.Optional(Text(URL_MAX)),
    cancel_url: Type.Optional(Text(URL_MAX)),
    payer_email: Type.Optional(Type.String({ minLength: 3, maxLength: 320, description: 'Gets the receipt.' })),
    payer_locale: Type.Optional(PayerLocale),
    metadata: Type.Optional(Metadata),
  },
  { additionalProperties: false },
)

export type CreateOrder = Static<typeof CreateOrderBody>

export interface OrderInput {
  money: Money
  externalId: string | null
  webhookUrl: string | null
  settleChain: string | null
  settleAsset: string | null
  payChain: string | null
  payAsset: string | null
  refundAddress: string | null
  expiresInS: number
  underpayToleranceBps: number
  latePolicy: LatePolicy
  title: string | null
  description: string | null
  successUrl: string | null
  cancelUrl: string | null
  payerEmail: string | null
  payerLocale: string | null
  metadata: Record<string, string>
}

/** @throws AppError that names the invalid field. */
export function parseInput(body: CreateOrder): OrderInput {
  const money = parseMoney(body)
  if (body.pay_asset !== undefined && body.pay_chain === undefined) {
    throw new AppError('missing_field', { param: 'pay_chain', message: 'pay_asset needs pay_chain beside it.' })
  }
  if (body.refund_address !== undefined && body.pay_chain === undefined) {
    throw new AppError('missing_field', {
      param: 'pay_chain',
      message: 'refund_address is checked for pay_chain, so pay_chain must be said with it.',
    })
  }
  return {
    money,
    externalId: readText('external_id', body.external_id),
    webhookUrl: body.webhook_url ?? null,
    settleChain: body.settle_chain ?? null,
    settleAsset: body.settle_asset ?? null,
    payChain: body.pay_chain ?? null,
    payAsset: body.pay_asset ?? null,
    refundAddress: body.refund_address ?? null,
    expiresInS: body.expires_in ?? EXPIRES_IN_DEFAULT_S,
    underpayToleranceBps: body.underpay_tolerance_bps ?? UNDERPAY_TOLERANCE_DEFAULT_BPS,
    latePolicy: body.late_policy ?? 'settle',
    title: readText('title', body.title),
    description: readText('description', body.description),
    successUrl: webUrl('success_url', body.success_url),
    cancelUrl: webUrl('cancel_url', body.cancel_url),
    payerEmail: body.payer_email === undefined ? null : parseMailTo(body.payer_email.trim(), 'payer_email'),
    payerLocale: body.payer_locale ?? null,
    metadata: checkedMetadata(body.metadata ?? {}),
  }
}

const readText = (param: string, text: string | undefined): string | null =>
  text === undefined ? null : refuseTurned(text, param)

export function webUrl(param: string, text: string | undefined): string | null {
  if (text === undefined) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AppError('validation_failed', {
      param,
      message: `${param} takes an http or https address without credentials.`,
    })
  }
  return url.href
}

function checkedMetadata(metadata: Record<string, string>): Record<string, string> {
  for (const [key, value] of Object.entries(metadata)) {
    // The schema's pattern does not catch keys with line breaks, so the value is checked here as well.
    if (typeof value !== 'string' || value.length > METADATA_VALUE_MAX) {
      throw new AppError('validation_failed', {
        param: 'metadata',
        message: `A metadata value is text of at most ${METADATA_VALUE_MAX} characters.`,
      })
    }
    if (key.length === 0 || key.length > METADATA_KEY_MAX || key === '__proto__') {
      throw new AppError('validation_failed', {
        param: 'metadata',
        message: `A metadata key has 1 to ${METADATA_KEY_MAX} characters.`,
      })
    }
    refuseTurned(key + value, 'metadata')
  }
  return metadata
}
