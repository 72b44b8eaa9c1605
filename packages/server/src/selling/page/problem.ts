// What a payer is told when a page cannot start an order, in the payer's language. Pure: the sentences of the API are for
// merchants' programs and stay there.
import type { Language } from '@florin/checkout-core'
import type { AppError } from '@florin/platform/errors'
import { type ErrorCode, minorText } from '@florin/protocol'
import { type LinkTerms, leftOf, type Standing } from '../links/rules.ts'
import { boundsText } from './bounds.ts'
import { type SellingWord, sayIn } from './words/index.ts'

const fields: readonly SellingWord[] = ['amount', 'quantity', 'email', 'name', 'note']

type Offer = Pick<LinkTerms, 'currency' | 'exponent' | 'minMinor' | 'maxMinor' | 'quantityMax'> & Standing

/** @param offer what is sold; null: an invoice, of which nothing can be mistyped. */
export function problemOf(
  error: AppError,
  language: Language,
  offer: Offer | null = null,
): { text: string; field: string | null } {
  const say = sayIn(language)
  const { code } = error.entry
  const field = fields.find((name) => name === error.param) ?? null
  const about = (word: SellingWord, places: Record<string, string> = {}) => ({ text: say(word, places), field })
  const plain: Partial<Record<ErrorCode, SellingWord>> = {
    ...{ link_closed: 'closed', invoice_not_open: 'not_open', rate_limited: 'too_many', foreign_page: 'again' },
  }
  const word = plain[code]
  if (word !== undefined) return { text: say(word), field: null }
  if (code === 'missing_field' && field !== null) return about('missing', { field: say(field) })
  if (code === 'sold_out') {
    const left = offer === null ? 0 : leftOf(offer)
    return left > 0 ? about('left', { n: String(left) }) : about('sold_out')
  }
  // Below what a chain carries, above what an order may be, or no number: all of it is mended in the same field.
  if (code === 'invalid_amount' || code === 'amount_too_small' || code === 'amount_too_large') {
    return { text: offer === null ? say('not_now') : amountText(offer, code, language), field: 'amount' }
  }
  if (code === 'validation_failed') {
    if (field === 'quantity') return about('bad_quantity', { max: String(offer?.quantityMax ?? 1) })
    if (field === 'email') return about('bad_email')
    if (field !== null) return about('bad_text', { field: say(field) })
  }
  return { text: say('not_now'), field: null }
}

function amountText(offer: Offer, code: ErrorCode, language: Language): string {
  const say = sayIn(language)
  const bounds = boundsText(offer, language)
  const example = minorText(1250n, Math.min(2, offer.exponent))
  const word = code === 'amount_too_small' ? 'too_small' : code === 'amount_too_large' ? 'too_large' : 'bad_amount'
  const what = say(word, { example })
  return bounds === '' || code !== 'invalid_amount' ? what : `${what} ${bounds}`
}
