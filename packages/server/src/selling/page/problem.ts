// What a payer is told when a page cannot start an order. Pure.
import type { Language } from '@florin/checkout-core'
import type { ErrorCode } from '@florin/protocol'
import type { AppError } from '../../platform/errors.ts'
import { type SellingWord, sayIn } from './words.ts'

/** Refusals that are about what the payer typed or did. Others are between shop and service, and stay there. */
const forPayers: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['invalid_amount', 'amount_too_small', 'amount_too_large', 'validation_failed', 'missing_field'] as const),
  ...(['rate_limited', 'sold_out', 'link_closed', 'invoice_not_open', 'foreign_page'] as const),
])

const fields: readonly SellingWord[] = ['amount', 'quantity', 'email', 'name', 'note']

export function problemOf(error: AppError, language: Language): { text: string; field: string | null } {
  const say = sayIn(language)
  const { code } = error.entry
  const field = fields.find((name) => name === error.param) ?? null
  if (!forPayers.has(code)) return { text: say('not_now'), field: null }
  if (code === 'missing_field' && field !== null) return { text: say('missing', { field: say(field) }), field }
  if (code === 'link_closed') return { text: say('closed'), field: null }
  return { text: error.message, field }
}
