// What a payment link is made of, and what a payer may start from it. Pure: parsed once, trusted afterwards.
import { parseMailTo } from '@florin/platform/email'
import { AppError } from '@florin/platform/errors'
import { parseLine } from '@florin/platform/http/label'
import { parseMoment } from '@florin/platform/http/timestamp'
import {
  type Asked,
  askedFields,
  DESCRIPTION_MAX,
  EXPIRES_IN_MIN_S,
  EXTERNAL_ID_MAX,
  type Money,
  minorText,
  PAYER_NAME_MAX,
  PAYER_NOTE_MAX,
  PAYMENT_LINK_EXPIRES_DEFAULT_S,
  PAYMENT_LINK_EXPIRES_MAX_S,
  PAYMENT_LINK_QUANTITY_MAX,
  PAYMENT_LINK_STOCK_MAX,
  type PaymentLinkState,
  SUCCESS_TEXT_MAX,
  TITLE_MAX,
  URL_MAX,
} from '@florin/protocol'
import { type Static, type TSchema, Type } from 'typebox'
import { webUrl } from '../../orders/create/input.ts'
import type { OrderTerms } from '../../orders/create/workable.ts'
import { parseAsset, parseChain } from '../../parse-chain.ts'
import { parseAmountIn } from '../../prices/parse.ts'
import { requireCurrent } from '../../prices/refusal.ts'
import { parseText } from '../make/text.ts'

const Amount = Type.Union([Type.Number(), Type.String({ maxLength: 40 })])
const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const AskedField = Type.Enum([...askedFields])
const closed = { additionalProperties: false }

/** What can be changed later, too. null takes it away. */
const changeable = {
  description: Type.Optional(Nullable(Text(DESCRIPTION_MAX * 4))),
  stock: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: PAYMENT_LINK_STOCK_MAX,
        description: 'How many there are in all, sold ones too.',
      }),
    ),
  ),
  ends_at: Type.Optional(Nullable(Type.String({ maxLength: 40, description: 'ISO 8601' }))),
  ask_email: Type.Optional(AskedField),
  ask_name: Type.Optional(AskedField),
  ask_note: Type.Optional(AskedField),
  success_text: Type.Optional(Nullable(Text(SUCCESS_TEXT_MAX * 4))),
  success_url: Type.Optional(Nullable(Text(URL_MAX))),
  external_id: Type.Optional(Nullable(Text(EXTERNAL_ID_MAX * 4))),
}
const Title = Text(TITLE_MAX * 4)

export const CreateLinkBody = Type.Object(
  {
    ...changeable,
    title: Title,
    currency: Type.Optional(Type.String({ maxLength: 20, description: 'ISO 4217; USD where left out.' })),
    amount: Type.Optional(Nullable(Amount)),
    amount_min: Type.Optional(Nullable(Amount)),
    amount_max: Type.Optional(Nullable(Amount)),
    quantity_max: Type.Optional(Type.Integer({ minimum: 1, maximum: PAYMENT_LINK_QUANTITY_MAX })),
    settle_chain: Type.Optional(Nullable(Text(80))),
    settle_asset: Type.Optional(Nullable(Text(80))),
    expires_in: Type.Optional(Type.Integer({ minimum: EXPIRES_IN_MIN_S, maximum: PAYMENT_LINK_EXPIRES_MAX_S })),
  },
  closed,
)

export const ChangeLinkBody = Type.Object(
  { ...changeable, title: Type.Optional(Title), active: Type.Optional(Type.Boolean()) },
  closed,
)

/** What the merchant said, checked. Amounts are in the smallest unit of the currency. */
export interface LinkTerms {
  active: boolean
  title: string
  description: string | null
  currency: string
  exponent: number
  /** null: the payer says it, between `minMinor` and `maxMinor`. */
  amountMinor: bigint | null
  minMinor: bigint | null
  maxMinor: bigint | null
  quantityMax: number
  stock: number | null
  endsAt: Date | null
  askEmail: Asked
  askName: Asked
  askNote: Asked
  successText: string | null
  successUrl: string | null
  settleChain: string | null
  settleAsset: string | null
  expiresInS: number
  externalId: string | null
}

/** @throws AppError that names the field at fault. */
export function parseLink(body: Static<typeof CreateLinkBody>, now: Date): LinkTerms {
  const currency = body.currency ?? 'USD'
  requireCurrent(currency, now)
  const money = (param: 'amount' | 'amount_min' | 'amount_max'): Money | null => {
    const said = body[param] ?? null
    return said === null ? null : parseAmountIn(currency, said, param)
  }
  const [amount, min, max] = [money('amount'), money('amount_min'), money('amount_max')]
  // Any amount tells the digits of the currency; 1 is one of every currency.
  const { exponent } = amount ?? parseAmountIn(currency, 1, 'currency')
  if (amount !== null && (min !== null || max !== null)) {
    throw fault(min === null ? 'amount_max' : 'amount_min', 'Bounds are for an open amount: leave amount out, or them.')
  }
  if (min !== null && max !== null && max.minor < min.minor) {
    throw fault('amount_max', 'amount_max is below amount_min.')
  }
  const quantityMax = body.quantity_max ?? 1
  if (amount === null && quantityMax > 1) {
    throw fault(
      'quantity_max',
      'A payer who says the amount takes one: give a fixed amount, or leave quantity_max out.',
    )
  }
  const isOpen = amount === null
  const chain = (body.settle_chain ?? null) === null ? null : parseChain(String(body.settle_chain), 'settle_chain')
  if (chain !== null && typeof body.settle_asset === 'string') parseAsset(chain, body.settle_asset, 'settle_asset')
  return {
    active: true,
    currency,
    exponent,
    amountMinor: amount?.minor ?? null,
    minMinor: min?.minor ?? (isOpen ? 1n : null),
    maxMinor: max?.minor ?? null,
    quantityMax,
    settleChain: chain?.id ?? null,
    settleAsset: body.settle_asset ?? null,
    expiresInS: body.expires_in ?? PAYMENT_LINK_EXPIRES_DEFAULT_S,
    ...{ description: null, stock: null, endsAt: null, askEmail: 'no', askName: 'no', askNote: 'no' },
    ...{ successText: null, successUrl: null, externalId: null },
    ...parseChange(body, now),
    title: parseLine(body.title, { param: 'title', max: TITLE_MAX }),
  }
}

type Changes = Partial<LinkTerms>

/** The fields that a change names, checked. @throws AppError that names the field at fault. */
export function parseChange(body: Static<typeof ChangeLinkBody>, now: Date): Changes {
  const to: Changes = {}
  if (body.active !== undefined) to.active = body.active
  if (body.title !== undefined) to.title = parseLine(body.title, { param: 'title', max: TITLE_MAX })
  if (body.description !== undefined) {
    to.description = orNull(body.description, (text) => parseText(text, { param: 'description', max: DESCRIPTION_MAX }))
  }
  if (body.stock !== undefined) to.stock = body.stock
  if (body.ends_at !== undefined) {
    to.endsAt = orNull(body.ends_at, (text) => parseMoment(text, 'ends_at'))
    if (to.endsAt !== null && to.endsAt <= now) throw fault('ends_at', 'ends_at is in the past.')
  }
  if (body.ask_email !== undefined) to.askEmail = body.ask_email
  if (body.ask_name !== undefined) to.askName = body.ask_name
  if (body.ask_note !== undefined) to.askNote = body.ask_note
  if (body.success_text !== undefined) {
    to.successText = orNull(body.success_text, (text) =>
      parseText(text, { param: 'success_text', max: SUCCESS_TEXT_MAX }),
    )
  }
  if (body.success_url !== undefined) to.successUrl = orNull(body.success_url, (text) => webUrl('success_url', text))
  if (body.external_id !== undefined) {
    to.externalId = orNull(body.external_id, (text) => parseLine(text, { param: 'external_id', max: EXTERNAL_ID_MAX }))
  }
  return to
}

const orNull = <T>(text: string | null, parse: (text: string) => T): T | null => (text === null ? null : parse(text))

/** What its orders can ask for: a fixed amount once and as often as one may take it, or the bounds of an open one. */
export function orderTermsOf(link: LinkTerms): OrderTerms {
  const { currency, exponent, amountMinor, minMinor, maxMinor, quantityMax, settleChain, settleAsset, expiresInS } =
    link
  const amount = (param: string, name: string, minor: bigint | null) =>
    minor === null ? [] : [{ param, name, money: { currency, minor, exponent } }]
  const times = amountMinor === null || quantityMax === 1 ? null : amountMinor * BigInt(quantityMax)
  const amounts = [
    ...amount('amount', 'amount', amountMinor),
    ...amount('quantity_max', 'amount times quantity_max', times),
    ...amount('amount_min', 'amount_min', minMinor),
    ...amount('amount_max', 'amount_max', maxMinor),
  ]
  return { currency, settleChain, settleAsset, expiresInS, amounts }
}

const fault = (param: string, message: string): AppError => new AppError('validation_failed', { param, message })

/** What decides whether a payer may start. */
export interface Standing {
  active: boolean
  endsAt: Date | null
  stock: number | null
  taken: number
}

export function stateOf({ active, endsAt, stock, taken }: Standing, now: Date): PaymentLinkState {
  if (!active) return 'inactive'
  if (endsAt !== null && now >= endsAt) return 'ended'
  return stock !== null && taken >= stock ? 'sold_out' : 'open'
}

/** Of a stock; where there is none, more than anybody asks for. */
export const leftOf = ({ stock, taken }: Pick<Standing, 'stock' | 'taken'>): number =>
  stock === null ? Number.POSITIVE_INFINITY : Math.max(0, stock - taken)

/** @throws AppError link_closed, sold_out */
export function requireLeft(link: Standing, quantity: number, now: Date): void {
  const state = stateOf(link, now)
  if (state === 'inactive' || state === 'ended') throw new AppError('link_closed')
  const left = leftOf(link)
  if (quantity > left) {
    throw new AppError('sold_out', {
      param: 'quantity',
      ...(left === 0 ? {} : { message: `Only ${left} of this ${left === 1 ? 'is' : 'are'} left.` }),
    })
  }
}

/** What a payer typed into the page, as text. */
export interface Wish {
  amount?: string | undefined
  quantity?: string | undefined
  email?: string | undefined
  name?: string | undefined
  note?: string | undefined
}

/** What an order is made of. */
export interface Start {
  /** The whole amount, quantity included, with the currency's digits. */
  amount: string
  quantity: number
  email: string | null
  name: string | null
  note: string | null
}

/** @throws AppError that names the field of the page at fault. */
export function parseWish(link: LinkTerms, wish: Wish): Start {
  const quantity = link.quantityMax === 1 ? 1 : parseQuantity(wish.quantity ?? '1', link.quantityMax)
  const each = link.amountMinor ?? parseOpenAmount(link, wish.amount ?? '')
  const asked = <T>(field: 'email' | 'name' | 'note', how: Asked, parse: (text: string) => T): T | null => {
    const text = how === 'no' ? '' : (wish[field] ?? '').trim()
    if (text !== '') return parse(text)
    if (how === 'required') throw new AppError('missing_field', { param: field })
    return null
  }
  return {
    amount: minorText(each * BigInt(quantity), link.exponent),
    quantity,
    email: asked('email', link.askEmail, (text) => parseMailTo(text, 'email')),
    name: asked('name', link.askName, (text) => parseLine(text, { param: 'name', max: PAYER_NAME_MAX })),
    note: asked('note', link.askNote, (text) => parseText(text, { param: 'note', max: PAYER_NOTE_MAX })),
  }
}

function parseQuantity(text: string, max: number): number {
  const quantity = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
  if (quantity >= 1 && quantity <= max) return quantity
  throw fault('quantity', `quantity takes a whole number from 1 to ${max}.`)
}

/**
 * A payer types "12,50" as well as "12.50". "1,000" and "1.000" may be a thousand or one: what could group thousands is
 * refused, never guessed, but for currencies without decimals, where it can be nothing else.
 */
function parseOpenAmount(link: LinkTerms, text: string): bigint {
  const typed = text.trim()
  const isWhole = link.exponent === 0 && /^\d{1,3}([.,' \u00a0\u202f])\d{3}(\1\d{3})*$/.test(typed)
  const read = isWhole ? typed.replace(/\D/g, '') : typed
  const [, whole = '', mark = '', fraction = ''] = /^(\d+)(?:([.,])(\d+))?$/.exec(read) ?? []
  const isGrouped = fraction.length > link.exponent || (mark === ',' && fraction.length === 3)
  const plain = isGrouped ? '' : fraction === '' ? whole : `${whole}.${fraction}`
  const { minor } = parseAmountIn(link.currency, plain, 'amount')
  const shown = (bound: bigint): string => `${minorText(bound, link.exponent)} ${link.currency}`
  if (link.minMinor !== null && minor < link.minMinor) {
    throw new AppError('invalid_amount', { param: 'amount', message: `The least amount is ${shown(link.minMinor)}.` })
  }
  if (link.maxMinor !== null && minor > link.maxMinor) {
    throw new AppError('invalid_amount', { param: 'amount', message: `The largest amount is ${shown(link.maxMinor)}.` })
  }
  return minor
}
