// What somebody may be asked to pay, as a request says it: dollars, or an amount in a currency. Pure.
import { AppError } from '@florin/platform/errors'
import { parseUsdMicros } from '@florin/platform/money'
import { AMOUNT_USD_MAX_MICROS, currencies, dollarMoney, type Money, minorText, parseMinor } from '@florin/protocol'
import { Type } from 'typebox'
import { refusalError } from './refusal.ts'

const decimal = (description: string) =>
  Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 40 })], { description }))

/** Of a body that names an amount: exactly one of the two ways. */
export const amountFields = {
  amount_usd: decimal('US dollars: above 0, at most 6 decimals, at most 1000000. This, or amount with currency.'),
  amount: decimal('In currency: above 0, at most as many decimals as it has, worth at most 1000000 US dollars.'),
  currency: Type.Optional(Type.String({ maxLength: 20, description: 'ISO 4217, such as EUR; with amount.' })),
}

export interface AmountFields {
  amount_usd?: number | string
  amount?: number | string
  currency?: string
}

/** Beyond this no currency is worth a dollar's millionth a unit; the bound keeps a slip out of the database. */
const MINOR_MAX = 10n ** 18n

/** @throws AppError that names the field: missing_field, validation_failed, invalid_amount, unknown_currency */
export function parseMoney(body: AmountFields): Money {
  if (body.amount_usd !== undefined) {
    const other = body.amount !== undefined ? 'amount' : body.currency !== undefined ? 'currency' : null
    if (other !== null) {
      throw new AppError('validation_failed', {
        param: other,
        message: 'Say either amount_usd, or amount with currency, not both.',
      })
    }
    const micros = parseUsdMicros(body.amount_usd)
    if (micros === null || micros > AMOUNT_USD_MAX_MICROS) throw new AppError('invalid_amount', { param: 'amount_usd' })
    return dollarMoney(micros)
  }
  if (body.amount === undefined) {
    const message =
      body.currency === undefined
        ? 'Say how much: amount_usd, or amount with currency.'
        : 'currency needs amount beside it.'
    throw new AppError('missing_field', { param: body.currency === undefined ? 'amount_usd' : 'amount', message })
  }
  if (body.currency === undefined) {
    throw new AppError('missing_field', {
      param: 'currency',
      message: 'amount needs currency beside it, such as "EUR".',
    })
  }
  return parseAmountIn(body.currency, body.amount)
}

/** @param param the field that the amount came in. @throws AppError invalid_amount, unknown_currency */
export function parseAmountIn(currency: string, amount: number | string, param = 'amount'): Money {
  const exponent = getDigits(currency)
  const minor = parseMinor(amount, exponent)
  if (minor !== null && minor > 0n && minor <= MINOR_MAX) return { currency, minor, exponent }
  const decimals = exponent === 0 ? 'no decimals' : `at most ${exponent} decimals`
  throw new AppError('invalid_amount', {
    param,
    message: `${param} takes a number above 0 with a point and, in ${currency}, ${decimals}, such as ${minorText(
      499n * 10n ** BigInt(exponent),
      exponent,
    )}.`,
  })
}

/** Whether it is in use on the day is asked where it is priced: what is read may be an old thing. */
function getDigits(code: string): number {
  const known = currencies.get(code)
  if (known !== undefined) return known.digits
  throw refusalError(code, { kind: 'unknown' })
}

/** The field at fault, and what a sentence begins with. */
export interface AmountName {
  param: string
  name: string
}

export const aboveLimit = ({ param, name }: AmountName): AppError =>
  new AppError('invalid_amount', {
    param,
    message: `${name} is worth more than 1000000 US dollars, the most that one order may be.`,
  })
