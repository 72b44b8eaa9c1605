// How the money of a payment gets to the shop, in the payer's words: through whose hands, for how much in all, how soon.
import type { Checkout, PayChoice } from '@florin/protocol'
import { coinText, rateText } from './amount.ts'
import { type Phrase, phrase } from './words/index.ts'

const names: Readonly<Record<string, string>> = { intents: 'NEAR Intents' }

/** Who holds the money for some minutes on its way; null: nobody. */
export const thirdPartyOf = (rail: string, custody: 'none' | 'third-party'): string | null =>
  custody === 'none' ? null : (names[rail] ?? rail)

/** Of the leg that is shown. */
export const payerPasses = ({ pay }: Pick<Checkout, 'pay'>): string | null =>
  pay === null || pay.route === null ? null : thirdPartyOf(pay.rail, pay.route.custody)

/** What a third party takes of money that it sends back; null: nothing is known. */
export function refundCost({ pay }: Pick<Checkout, 'pay'>, locale: string): Phrase | null {
  const fee = pay?.route?.refund_fee
  if (pay === null || fee === undefined || fee === '0') return null
  return phrase('refund_cost', { amount: `${coinText(fee, pay.decimals, locale)} ${pay.asset}` })
}

/** What stands below everything: where the money goes. */
export function custodyPhrase({ pay, choices }: Pick<Checkout, 'pay' | 'choices'>): Phrase {
  const by = payerPasses({ pay })
  if (by !== null) return phrase('custody_through', { by })
  const isMixed = pay === null && choices.some((choice) => choice.custody === 'third-party')
  return phrase(isMixed ? 'custody_mixed' : 'non_custodial')
}

const MINUTE_S = 60
const HOUR_S = 3_600

/** How long it takes once the network has confirmed the payment. */
export function soonPhrase(expectedS: number): Phrase {
  if (expectedS < MINUTE_S) return phrase('way_soon')
  if (expectedS < HOUR_S) return phrase('way_minutes', { n: String(Math.ceil(expectedS / MINUTE_S)) })
  return phrase('way_hours', { n: String(Math.ceil(expectedS / HOUR_S)) })
}

/** Price, time and third party of one choice, each where it is known. */
export function wayPhrases(
  {
    rail,
    custody,
    total_usd: total,
    expected_s: expectedS,
  }: Pick<PayChoice, 'rail' | 'custody' | 'total_usd' | 'expected_s'>,
  locale: string,
): Phrase[] {
  const by = thirdPartyOf(rail, custody)
  return [
    ...(total === null ? [] : [phrase('way_total', { usd: rateText(total, locale) })]),
    ...(expectedS === null ? [] : [soonPhrase(expectedS)]),
    ...(by === null ? [] : [phrase('via', { by })]),
  ]
}
