// Sources that pass on what others say: Frankfurter (banks, each by its name), ExchangeRate-API (nobody says whose). Pure.
// Their documented shapes, not tried live (docs/currencies.md).
import { HOUR_MS, SECOND_MS } from '@florin/protocol'
import { compareRates } from '../agree/arithmetic.ts'
import { fixings, observedAt } from '../agree/calendar.ts'
import {
  type Adapter,
  type Answer,
  isObject,
  isQuote,
  objectAt,
  onlyOnce,
  parseJson,
  readDay,
  readRate,
  refuse,
} from './adapter.ts'

/** Banks that are asked themselves: their answer is taken from here only where nobody else is passed on. */
const direct: Readonly<Record<string, 'ecb' | 'boc' | 'cnb'>> = { ECB: 'ecb', BOC: 'boc', CNB: 'cnb' }

interface BankRate {
  key: string
  date: string
  rate: string
}

/**
 * One bank's answer for each currency: the middle one of those with the newest date. The blend itself is not taken: it
 * hides who is in it, and carries an old rate forward for a fortnight.
 */
export const frankfurter: Adapter = {
  id: 'frankfurter',
  everyMs: HOUR_MS,
  urls: ['https://api.frankfurter.dev/v2/rates?base=USD&expand=providers'],
  type: 'json',
  read([text = '']) {
    const rows = parseJson(text)
    if (!Array.isArray(rows) || rows.length === 0) return refuse('there is no list of rates in it')
    const answers = rows.flatMap((row): Answer[] => {
      if (!isObject(row) || row.base !== 'USD' || !isQuote(row.quote)) return []
      const bank = middleBank(Array.isArray(row.providers) ? row.providers : [])
      if (bank === null) return []
      const known = direct[bank.key]
      const fixing = known ?? 'any'
      const group = known ?? `bank-${bank.key.toLowerCase()}`
      const at = observedAt(bank.date, fixings[fixing])
      return [
        {
          ...{
            quote: row.quote,
            rate: bank.rate,
            market: 'official',
            group,
            via: 'frankfurter',
            kind: 'fixing',
            fixing,
          },
          observedAt: at,
        },
      ]
    })
    return answers.length > 0 ? onlyOnce(answers) : refuse('no bank of it can be read')
  },
}

function middleBank(providers: readonly unknown[]): BankRate | null {
  const banks = providers.flatMap((entry): BankRate[] => {
    if (!isObject(entry) || entry.excluded === true || typeof entry.key !== 'string') return []
    const [rate, date] = [readRate(entry.rate), readDay(entry.date)]
    return rate === null || date === null || !/^[A-Z0-9_-]{2,20}$/.test(entry.key)
      ? []
      : [{ key: entry.key, date, rate }]
  })
  const others = banks.filter((bank) => !Object.hasOwn(direct, bank.key))
  const pool = others.length > 0 ? others : banks
  const newest = pool
    .map((bank) => bank.date)
    .sort()
    .at(-1)
  const sorted = pool.filter((bank) => bank.date === newest).sort((a, b) => compareRates(a.rate, b.rate))
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}

/** Asks for attribution: the checkout shows it where this was a source. */
export const erapi: Adapter = {
  id: 'erapi',
  everyMs: HOUR_MS,
  urls: ['https://open.er-api.com/v6/latest/USD'],
  type: 'json',
  read([text = '']) {
    const answer = parseJson(text)
    if (!isObject(answer) || answer.result !== 'success') return refuse('it is not a success')
    if (answer.base_code !== 'USD') return refuse('its base is not the dollar')
    const at = answer.time_last_update_unix
    if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 1e9 || at > 1e11)
      return refuse('its time cannot be read')
    const observed = new Date(at * SECOND_MS)
    return Object.entries(objectAt(answer, 'rates')).flatMap(([code, value]): Answer[] => {
      const rate = isQuote(code) ? readRate(value) : null
      if (rate === null) return []
      const from = { market: 'official', group: 'erapi', via: null, kind: 'fixing', fixing: 'any' } as const
      return [{ quote: code, rate, ...from, observedAt: observed }]
    })
  },
}
