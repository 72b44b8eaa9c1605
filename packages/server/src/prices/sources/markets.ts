// Venues where currencies trade: Coinbase, Kraken, and Yadio, where people trade among each other. Pure. Neither Coinbase nor Kraken says a
// time, so theirs is the fetch's. Their documented shapes, not tried live (docs/currencies.md).
import { MINUTE_MS } from '@florin/protocol'
import { apartBps, compareRates, middle, quotient } from '../agree/arithmetic.ts'
import {
  type Adapter,
  type Answer,
  isObject,
  isQuote,
  objectAt,
  onlyOnce,
  parseJson,
  readRate,
  refuse,
} from './adapter.ts'

const live = (quote: string, rate: string, observedAt: Date): Answer => ({
  ...{ quote, rate, kind: 'live', observedAt },
})

export const coinbase: Adapter = {
  id: 'coinbase',
  everyMs: 2 * MINUTE_MS,
  urls: ['https://api.coinbase.com/v2/exchange-rates?currency=USD'],
  type: 'json',
  read([text = ''], fetchedAt) {
    const data = objectAt(parseJson(text), 'data')
    // Asked for one base, it has answered with another.
    if (data.currency !== 'USD') return refuse('its base is not the dollar')
    return Object.entries(objectAt(data, 'rates')).flatMap(([code, value]) => {
      const rate = isQuote(code) ? readRate(value) : null
      return rate === null ? [] : [live(code, rate, fetchedAt)]
    })
  },
}

const krakenPairs = ['EURUSD', 'GBPUSD', 'AUDUSD', 'USDCAD', 'USDCHF', 'USDJPY'].join(',')
/** A market with a wider gap between its two sides is not one. */
const GAP_MAX_BPS = 100

export const kraken: Adapter = {
  id: 'kraken',
  everyMs: 2 * MINUTE_MS,
  urls: [
    `https://api.kraken.com/0/public/AssetPairs?pair=${krakenPairs}`,
    `https://api.kraken.com/0/public/Ticker?pair=${krakenPairs}`,
  ],
  type: 'json',
  read(texts, fetchedAt) {
    const [pairs, tickers] = texts.map((text) => {
      const answer = parseJson(text)
      const [fault] = isObject(answer) && Array.isArray(answer.error) ? answer.error : ['no list of errors']
      return fault === undefined ? objectAt(answer, 'result') : refuse(`it says ${String(fault).slice(0, 60)}`)
    }) as [Record<string, unknown>, Record<string, unknown>]
    const answers = Object.entries(pairs).flatMap(([key, pair]) => {
      if (!isObject(pair) || pair.status !== 'online' || typeof pair.wsname !== 'string') return []
      const [base = '', quote = ''] = pair.wsname.split('/')
      const middle = middleOf(Object.hasOwn(tickers, key) ? tickers[key] : null)
      if (middle === null) return []
      if (base === 'USD' && isQuote(quote)) return [live(quote, middle, fetchedAt)]
      if (quote === 'USD' && isQuote(base)) return [live(base, quotient('1', middle), fetchedAt)]
      return []
    })
    return onlyOnce(answers)
  },
}

/** Between what is asked (a) and bid (b). */
function middleOf(ticker: unknown): string | null {
  if (!isObject(ticker) || !Array.isArray(ticker.a) || !Array.isArray(ticker.b)) return null
  const [ask, bid] = [readRate(ticker.a[0]), readRate(ticker.b[0])]
  if (ask === null || bid === null || compareRates(bid, ask) > 0 || apartBps(bid, ask) > GAP_MAX_BPS) return null
  return middle(ask, bid)
}

/** Rates that people pay each other: an override of the operator takes them where banks have another rate. */
export const yadio: Adapter = {
  id: 'yadio',
  everyMs: 5 * MINUTE_MS,
  urls: ['https://api.yadio.io/exrates/USD'],
  type: 'json',
  read([text = '']) {
    const answer = parseJson(text)
    if (!isObject(answer) || answer.base !== 'USD') return refuse('its base is not the dollar')
    const stamp = answer.timestamp
    if (typeof stamp !== 'number' || !Number.isSafeInteger(stamp) || stamp < 1e12 || stamp > 1e14) {
      return refuse('its time cannot be read')
    }
    return Object.entries(objectAt(answer, 'USD')).flatMap(([code, value]): Answer[] => {
      const rate = isQuote(code) ? readRate(value) : null
      return rate === null ? [] : [live(code, rate, new Date(stamp))]
    })
  },
}
