// Why money goes the way it goes, in a merchant's words. Pure.
import type { PassedOver, Route, RouteReason } from '@florin/protocol'
import { railName } from '../rail-words.ts'

const reasons: Readonly<Record<RouteReason, string>> = {
  direct: 'The money comes to you as it is paid.',
  cheapest: 'It costs the payer least.',
  only: 'Nothing else carries it to you.',
  others_out: 'A better way was in trouble.',
}

const whys: Readonly<Record<PassedOver, string>> = {
  converts: 'would change it on the way',
  dearer: 'costs more',
  slower: 'takes longer',
  in_trouble: 'was in trouble',
  custody_not_allowed: 'is not switched on by you',
  no_real_money: 'moves no real money',
}

export const routeWhy = ({ reason }: Pick<Route, 'reason'>): string => reasons[reason]

export const passedOverText = (others: Route['passed_over']): string =>
  others.map(({ rail, why }) => `${railName(rail)} (${whys[why]})`).join(', ')

/** From the payment's confirmation to the settlement. */
export function soon(expectedS: number): string {
  if (expectedS < 60) return 'under a minute'
  return expectedS < 3_600 ? `about ${Math.ceil(expectedS / 60)} min` : `about ${Math.ceil(expectedS / 3_600)} h`
}
