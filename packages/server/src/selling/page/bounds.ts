// Between which amounts a link sells, in the payer's words. Pure.
import type { Language } from '@florin/checkout-core'
import { formatMoney, minorText } from '@florin/protocol'
import type { LinkTerms } from '../links/rules.ts'
import { sayIn } from './words/index.ts'

export type Bounded = Pick<LinkTerms, 'currency' | 'exponent' | 'minMinor' | 'maxMinor'>

/** Nothing where there are none worth saying. */
export function boundsText({ currency, exponent, minMinor, maxMinor }: Bounded, language: Language): string {
  const say = sayIn(language)
  const money = (minor: bigint): string => formatMoney(minorText(minor, exponent), currency, language)
  const min = minMinor === null || minMinor === 1n ? null : money(minMinor)
  const max = maxMinor === null ? null : money(maxMinor)
  if (min !== null) return max === null ? say('at_least', { min }) : say('between', { min, max })
  return max === null ? '' : say('at_most', { max })
}
