// What a refusal of the provider means for the payer, and for how long the way is out. Pure. The provider has no codes, only
// sentences; its words are for the log, never for payers.
import { type ErrorCode, HOUR_MS, MINUTE_MS } from '@florin/protocol'

export interface Refusal {
  code: ErrorCode
  param?: string
  message: string
  /** Which end is out, for how long; null: neither is. */
  sick: { side: 'pay' | 'settle'; forMs: number } | null
}

const OTHER_WAY = 'Please choose another way to pay.'

/** A refund address that is no wallet's of the payer. */
export const notYours = {
  param: 'refund_address',
  message: 'The refund address cannot be used on this chain. Name an address of your own wallet there.',
}

export const TOO_SMALL = `The amount is too small for this coin. ${OTHER_WAY}`

const known: readonly (readonly [RegExp, Refusal])[] = [
  [/too low|minimum swap amount|swap limits/i, { code: 'amount_too_small', message: TOO_SMALL, sick: null }],
  [
    /^refundTo\b/i,
    {
      ...{ ...notYours, code: 'invalid_address', sick: null },
    },
  ],
  [
    /^recipient\b|withdraw/i,
    {
      code: 'rail_unavailable',
      message: `The shop’s address cannot be paid this way. ${OTHER_WAY}`,
      sick: { side: 'settle', forMs: 10 * MINUTE_MS },
    },
  ],
  [
    /tokenOut|supported as destination/i,
    {
      code: 'rail_unavailable',
      message: `The shop’s coin is not paid out this way now. ${OTHER_WAY}`,
      sick: { side: 'settle', forMs: HOUR_MS },
    },
  ],
  [
    /tokenIn|supported as origin/i,
    {
      code: 'rail_unavailable',
      message: `This coin is not taken now. ${OTHER_WAY}`,
      sick: { side: 'pay', forMs: HOUR_MS },
    },
  ],
  [
    /failed to get quote|no liquidity|NO_QUOTE|not available/i,
    {
      code: 'rail_unavailable',
      message: `Nobody exchanges this coin for the amount right now. ${OTHER_WAY}`,
      sick: { side: 'pay', forMs: 5 * MINUTE_MS },
    },
  ],
]

/** Neutral on purpose: a refusal to carry somebody's money is not explained, and not tried again. */
const unspoken: Refusal = {
  code: 'rail_unavailable',
  message: `This way to pay is not available. ${OTHER_WAY}`,
  sick: null,
}

export const isWrongMode = (says: string): boolean => /incorrect depositMode/i.test(says)

export function refusalOf(status: number, says: string): Refusal {
  if (status === 401 || status === 403 || status === 451 || /block(ed|list)|complian|sanction/i.test(says))
    return unspoken
  return known.find(([words]) => words.test(says))?.[1] ?? unspoken
}
