// Sources of the operator's own, and the built-in rates of a test install. Pure.
import { currencies, MINUTE_MS } from '@florin/protocol'
import { product } from '../agree/arithmetic.ts'
import { type Adapter, type Answer, isObject, isQuote, objectAt, parseJson, readRate, refuse } from './adapter.ts'

/** @param url answers `{base: "USD", time, rates: {EUR: "0.87"}}`, as docs/currencies.md says. */
export function own(id: string, url: string): Adapter {
  return {
    id,
    everyMs: MINUTE_MS,
    urls: [url],
    type: 'json',
    read([text = '']) {
      const answer = parseJson(text)
      if (!isObject(answer) || answer.base !== 'USD') return refuse('its base is not USD')
      const { time } = answer
      // Without its zone a time is a guess.
      if (typeof time !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(time)) {
        return refuse('its time is not like 2026-11-22T12:00:00Z')
      }
      const observedAt = new Date(time)
      if (Number.isNaN(observedAt.getTime())) return refuse('its time does not exist')
      return Object.entries(objectAt(answer, 'rates')).flatMap(([code, value]): Answer[] => {
        const rate = isQuote(code) ? readRate(value) : null
        return rate === null ? [] : [{ quote: code, rate, kind: 'live', observedAt }]
      })
    },
  }
}

const plausible: Readonly<Record<string, string>> = {
  ...{ EUR: '0.8712', GBP: '0.7604', JPY: '155.2', CHF: '0.8041', CAD: '1.4035', AUD: '1.5387', NZD: '1.7742' },
  ...{ SEK: '9.5311', NOK: '10.192', DKK: '6.5063', SGD: '1.3049', HKD: '7.7812', CNY: '7.1102' },
  ...{ PLN: '3.6918', CZK: '21.104', HUF: '332.45', RON: '4.4312', ILS: '3.2716', MXN: '18.402', BRL: '5.3317' },
  ...{ ZAR: '17.218', INR: '88.614', IDR: '16712', THB: '32.418', KRW: '1464.3', TRY: '42.37', ISK: '127.15' },
  ...{ KWD: '0.307', PHP: '58.72', MYR: '4.1355', TWD: '31.24', CLP: '934.6', COP: '3778', PEN: '3.3812' },
  ...{ VND: '26355', TND: '2.9551', IQD: '1309.4', ARS: '1421.5', EGP: '47.31', NGN: '1447.8', UAH: '42.18' },
  ...{ UGX: '3621', KES: '129.2', PKR: '280.9', RSD: '102.1', MAD: '9.2641', UYU: '39.81' },
}

/** Rates that never move, so that a test install sells in any currency: nobody's market. Pegs are at their law. */
export const fixed: Adapter = {
  id: 'fixed',
  everyMs: MINUTE_MS,
  urls: [],
  type: 'json',
  read(_texts, fetchedAt) {
    const euro = plausible.EUR ?? '1'
    const pegged = [...currencies.values()].flatMap(({ code, peg }) => {
      if (peg === undefined) return []
      const each = peg.to === 'USD' ? '1' : euro
      return [[code, product(peg.rate, each)] as const]
    })
    return [...Object.entries(plausible), ...pegged].map(([quote, rate]) => ({
      ...{ quote, rate, kind: 'fixed', observedAt: fetchedAt },
    }))
  },
}
