// What an invoice is made of and what it adds up to. Pure. Each rounding is up to the smallest unit, so never against the
// merchant: of a line, and of a tax in percent.
import { parseMailTo } from '@florin/platform/email'
import { AppError } from '@florin/platform/errors'
import { parseLine } from '@florin/platform/http/label'
import { parseMoment } from '@florin/platform/http/timestamp'
import { divCeil } from '@florin/platform/money'
import { refuseAddressInNumber } from '@florin/platform/strangers/unlinked'
import {
  AMOUNT_USD_MAX_MICROS,
  dayOf,
  EXPIRES_IN_DEFAULT_S,
  EXTERNAL_ID_MAX,
  INVOICE_LINE_TEXT_MAX,
  INVOICE_LINES_MAX,
  INVOICE_NOTE_MAX,
  INVOICE_NUMBER_MAX,
  INVOICE_PARTY_MAX,
  type InvoiceStatus,
  LOCALE,
  PAYER_NAME_MAX,
  parseMinor,
} from '@florin/protocol'
import { type Static, type TSchema, Type } from 'typebox'
import type { OrderTerms } from '../../orders/create/workable.ts'
import { parseAsset, parseChain } from '../../parse-chain.ts'
import { type AmountName, aboveLimit, parseAmountIn } from '../../prices/parse.ts'
import { requireCurrent } from '../../prices/refusal.ts'
import { parseText } from '../make/text.ts'

const closed = { additionalProperties: false }
const Decimal = Type.Union([Type.Number(), Type.String({ minLength: 1, maxLength: 40 })])
const Text = (max: number) => Type.String({ minLength: 1, maxLength: max * 4 })
const May = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))

export const CreateInvoiceBody = Type.Object(
  {
    currency: Type.Optional(Type.String({ maxLength: 20, description: 'ISO 4217; USD where left out.' })),
    lines: Type.Array(
      Type.Object(
        {
          description: Text(INVOICE_LINE_TEXT_MAX),
          quantity: Type.Optional(Decimal),
          unit_price: Decimal,
        },
        closed,
      ),
      { minItems: 1, maxItems: INVOICE_LINES_MAX },
    ),
    tax: May(
      Type.Object(
        { label: Text(40), percent: Type.Optional(Decimal), amount: Type.Optional(Decimal) },
        { ...closed, description: 'percent of the subtotal, or an amount' },
      ),
    ),
    due_date: Type.String({ maxLength: 10, description: 'A day of the merchant’s time zone, such as 2026-12-31.' }),
    number: May(Text(INVOICE_NUMBER_MAX)),
    payer_email: May(Type.String({ minLength: 3, maxLength: 320 })),
    payer_locale: May(Type.String({ minLength: 2, maxLength: 35, pattern: LOCALE.source })),
    payer_name: May(Text(PAYER_NAME_MAX)),
    payer_details: May(Text(INVOICE_PARTY_MAX)),
    seller_details: May(Text(INVOICE_PARTY_MAX)),
    note: May(Text(INVOICE_NOTE_MAX)),
    external_id: May(Text(EXTERNAL_ID_MAX)),
    settle_chain: May(Text(80)),
    settle_asset: May(Text(80)),
    send: Type.Optional(Type.Boolean({ description: 'Mail it to payer_email at once.' })),
  },
  closed,
)

export interface Line {
  description: string
  /** Decimal text. */
  quantity: string
  /** Digits of the smallest unit, as all amounts of lines: they are kept as JSON. */
  unit: string
  amount: string
}

export interface InvoiceTerms {
  /** null: the next one of ours. */
  ownNumber: string | null
  currency: string
  exponent: number
  lines: readonly Line[]
  subtotalMinor: bigint
  taxLabel: string | null
  taxPercent: string | null
  taxMinor: bigint
  totalMinor: bigint
  /** A day of the merchant's time zone, kept as its first moment in UTC. */
  dueDate: Date
  sellerDetails: string | null
  payerEmail: string | null
  /** BCP 47. null: English. */
  payerLocale: string | null
  payerName: string | null
  payerDetails: string | null
  note: string | null
  externalId: string | null
  settleChain: string | null
  settleAsset: string | null
}

/** Decimals of a quantity, and of a percentage. */
const DECIMALS = 3
const THOUSAND = 10n ** BigInt(DECIMALS)
/** What an order of it may be in any currency; dollars have a bound of their own. */
const TOTAL_MAX = 10n ** 18n
const invoiceTotal: AmountName = { param: 'lines', name: 'The total' }
const OURS = /^(?:1NV|TE5T)-\d+$/
/** Letters of other scripts that are read as those of our prefixes, and what is read as a digit. */
const READ_AS: Readonly<Record<string, string>> = {
  ...{ Е: 'E', Ε: 'E', Ѕ: 'S', Т: 'T', Τ: 'T', Ν: 'N', Ѵ: 'V', І: 'I', Ι: 'I', Ӏ: 'I', О: 'O', Ο: 'O' },
}

/** What an eye reads: compatible forms, dashes, letters of other scripts and digits are one. */
const skeleton = (number: string): string =>
  number
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toUpperCase()
    .replace(/[\p{Pd}−]/gu, '-')
    .replace(/\s/g, '')
    .replace(/./gu, (letter) => READ_AS[letter] ?? letter)
    .replace(/[IL|]/g, '1')
    .replace(/O/g, '0')
    .replace(/S/g, '5')
    .replace(/\p{Nd}/gu, (digit) => (/\d/.test(digit) ? digit : '0'))

/** @param zone whose day is today. @throws AppError that names the field at fault. */
export function parseInvoice(body: Static<typeof CreateInvoiceBody>, now: Date, zone: string): InvoiceTerms {
  const currency = body.currency ?? 'USD'
  requireCurrent(currency, now)
  const { exponent } = parseAmountIn(currency, 1, 'currency')
  const money = (value: number | string, param: string): bigint => parseAmountIn(currency, value, param).minor
  const lines = body.lines.map((line, n): Line => {
    const quantity = parseThousandths(line.quantity ?? 1, `lines.${n}.quantity`, 1_000_000n)
    const unit = money(line.unit_price, `lines.${n}.unit_price`)
    const description = parseLine(line.description, { param: `lines.${n}.description`, max: INVOICE_LINE_TEXT_MAX })
    const amount = divCeil(quantity * unit, THOUSAND)
    return { description, quantity: plainText(quantity), unit: unit.toString(), amount: amount.toString() }
  })
  const subtotalMinor = lines.reduce((sum, line) => sum + BigInt(line.amount), 0n)
  const tax = taxOf(body.tax ?? null, subtotalMinor, money)
  const totalMinor = subtotalMinor + tax.taxMinor
  const max = currency === 'USD' ? AMOUNT_USD_MAX_MICROS / 10_000n : TOTAL_MAX
  if (totalMinor > max) throw aboveLimit(invoiceTotal)
  const may = <T>(value: string | null | undefined, parse: (text: string) => T): T | null =>
    value === null || value === undefined ? null : parse(value)
  const party = (param: 'payer_details' | 'seller_details') =>
    may(body[param], (text) => parseText(text, { param, max: INVOICE_PARTY_MAX }))
  const chain = may(body.settle_chain, (text) => parseChain(text, 'settle_chain'))
  if (chain !== null) may(body.settle_asset, (text) => parseAsset(chain, text, 'settle_asset'))
  return {
    ownNumber: may(body.number, parseOwnNumber),
    ...{
      currency,
      exponent,
      lines,
      subtotalMinor,
      ...tax,
      totalMinor,
      dueDate: parseDueDate(body.due_date, { today: dayOf(now, zone), zone }),
    },
    sellerDetails: party('seller_details'),
    payerEmail: may(body.payer_email, (text) => parseMailTo(text.trim(), 'payer_email')),
    payerLocale: body.payer_locale ?? null,
    payerName: may(body.payer_name, (text) => parseLine(text, { param: 'payer_name', max: PAYER_NAME_MAX })),
    payerDetails: party('payer_details'),
    note: may(body.note, (text) => parseText(text, { param: 'note', max: INVOICE_NOTE_MAX })),
    externalId: may(body.external_id, (text) => parseLine(text, { param: 'external_id', max: EXTERNAL_ID_MAX })),
    settleChain: chain?.id ?? null,
    settleAsset: body.settle_asset ?? null,
  }
}

const fault = (param: string, message: string): AppError => new AppError('validation_failed', { param, message })

function parseThousandths(value: number | string, param: string, max: bigint): bigint {
  const thousandths = parseMinor(value, DECIMALS)
  if (thousandths !== null && thousandths > 0n && thousandths <= max * THOUSAND) return thousandths
  throw fault(param, `${param} takes a number above 0 and up to ${max} with at most ${DECIMALS} decimals.`)
}

/** What an order of it is made of. */
export const orderTermsOf = (
  invoice: Pick<InvoiceTerms, 'currency' | 'exponent' | 'totalMinor' | 'settleChain' | 'settleAsset'>,
): OrderTerms => {
  const { currency, exponent, totalMinor, settleChain, settleAsset } = invoice
  const money = { currency, minor: totalMinor, exponent }
  const expiresInS = EXPIRES_IN_DEFAULT_S
  return { currency, settleChain, settleAsset, expiresInS, amounts: [{ ...invoiceTotal, money }] }
}

/** Without zeros at the end. */
function plainText(thousandths: bigint): string {
  const [whole, rest] = [thousandths / THOUSAND, thousandths % THOUSAND]
  const fraction = rest.toString().padStart(DECIMALS, '0').replace(/0+$/, '')
  return fraction === '' ? whole.toString() : `${whole}.${fraction}`
}

type Tax = Pick<InvoiceTerms, 'taxLabel' | 'taxPercent' | 'taxMinor'>

function taxOf(
  tax: { label: string; percent?: number | string; amount?: number | string } | null,
  subtotal: bigint,
  money: (value: number | string, param: string) => bigint,
): Tax {
  if (tax === null) return { taxLabel: null, taxPercent: null, taxMinor: 0n }
  const taxLabel = parseLine(tax.label, { param: 'tax.label', max: 40 })
  if ((tax.percent === undefined) === (tax.amount === undefined)) {
    throw fault('tax', 'A tax takes either percent or amount.')
  }
  if (tax.amount !== undefined) return { taxLabel, taxPercent: null, taxMinor: money(tax.amount, 'tax.amount') }
  const percent = parseThousandths(tax.percent ?? 0, 'tax.percent', 100n)
  return { taxLabel, taxPercent: plainText(percent), taxMinor: divCeil(subtotal * percent, 100n * THOUSAND) }
}

function parseOwnNumber(text: string): string {
  const number = parseLine(text, { param: 'number', max: INVOICE_NUMBER_MAX })
  refuseAddressInNumber(number, 'number')
  if (!OURS.test(skeleton(number))) return number
  throw new AppError('invoice_number_taken', {
    param: 'number',
    message: 'Numbers such as INV-000001 are given out here. Leave number out, or choose another form.',
  })
}

function parseDueDate(text: string, { today, zone }: { today: string; zone: string }): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseMoment(text, 'due_date') : null
  // The engine takes 31 February for a day of March.
  if (day === null || day.toISOString().slice(0, 10) !== text) {
    throw fault('due_date', 'due_date takes a day, such as 2026-12-31.')
  }
  if (text < today) throw fault('due_date', `due_date is in the past: in ${zone} it is ${today}.`)
  return day
}

export const numberText = (n: number, livemode: boolean): string =>
  `${livemode ? 'INV' : 'TEST'}-${String(n).padStart(6, '0')}`

/** What its orders and its merchant say of an invoice, whatever the day. Money counts more than a withdrawal that came too late. */
export type InvoiceState = 'unpaid' | 'processing' | 'paid' | 'void'

/** @param today the merchant's day, such as `2026-12-31`. */
export function statusOf(a: { state: InvoiceState; dueDate: Date }, today: string): InvoiceStatus {
  if (a.state !== 'unpaid') return a.state
  return today > a.dueDate.toISOString().slice(0, 10) ? 'overdue' : 'open'
}
