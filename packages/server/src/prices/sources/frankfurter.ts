// Frankfurter passes on the rates of some eighty national banks, each by its name. Pure. Its documented shape, not tried live
// (docs/currencies.md).
import { HOUR_MS } from '@florin/protocol'
import { compareRates } from '../agree/arithmetic.ts'
import {
  type Adapter,
  type Answer,
  isObject,
  isQuote,
  onlyOnce,
  parseJson,
  readDay,
  readRate,
  refuse,
  startOf,
} from './adapter.ts'

/** Banks that are asked themselves: passed on they would be a second voice of the same bank. */
const direct: ReadonlySet<string> = new Set(['ECB', 'BOC', 'CNB'])

interface BankRate {
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
      return [{ quote: row.quote, rate: bank.rate, kind: 'fixing', observedAt: startOf(bank.date) }]
    })
    return answers.length > 0 ? onlyOnce(answers) : refuse('no bank of it can be read')
  },
}

function middleBank(providers: readonly unknown[]): BankRate | null {
  const banks = providers.flatMap((entry): BankRate[] => {
    if (!isObject(entry) || entry.excluded === true || typeof entry.key !== 'string') return []
    const [rate, date] = [readRate(entry.rate), readDay(entry.date)]
    return rate === null || date === null || direct.has(entry.key) ? [] : [{ date, rate }]
  })
  const newest = banks
    .map((bank) => bank.date)
    .sort()
    .at(-1)
  const sorted = banks.filter((bank) => bank.date === newest).sort((a, b) => compareRates(a.rate, b.rate))
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}
