// Central banks that are asked themselves: ECB, Bank of Canada, Czech National Bank. Pure. Their documented shapes, not
// tried live (docs/currencies.md).
import { HOUR_MS } from '@florin/protocol'
import { quotient } from '../agree/arithmetic.ts'
import {
  type Adapter,
  type Answer,
  isObject,
  isQuote,
  listAt,
  onlyOnce,
  parseJson,
  readDay,
  readRate,
  refuse,
  startOf,
} from './adapter.ts'

/** What a bank printed of one currency. */
interface Row {
  code: string
  date: string
  rate: string
}

const answerOf = (quote: string, rate: string, date: string): Answer => ({
  ...{ quote, rate, kind: 'fixing', observedAt: startOf(date) },
})

/**
 * Crossed over the dollar of the same day: a currency that was fixed on another day than it is left out, since the
 * quotient of two days is no rate.
 * @param own the bank's own currency. @param per what is printed: units `per_own` one of it, or its units `of_each`.
 */
function crossed(own: string, per: 'per_own' | 'of_each', rows: readonly Row[]): Answer[] {
  const dollars = rows.filter((row) => row.code === 'USD')
  const [dollar] = dollars
  if (dollar === undefined || dollars.some((row) => row.rate !== dollar.rate || row.date !== dollar.date)) {
    return refuse('the dollar is not in it, or twice')
  }
  const others = rows
    .filter((row) => isQuote(row.code) && row.code !== own && row.date === dollar.date)
    .map(({ code, rate, date }) => {
      const units = per === 'per_own' ? quotient(rate, dollar.rate) : quotient(dollar.rate, rate)
      return answerOf(code, units, date)
    })
  const itself = per === 'per_own' ? quotient('1', dollar.rate) : quotient(dollar.rate, '1')
  return onlyOnce([answerOf(own, itself, dollar.date), ...others])
}

export const ecb: Adapter = {
  id: 'ecb',
  everyMs: HOUR_MS,
  urls: ['https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?lastNObservations=1&format=csvdata'],
  type: 'csv',
  read([text = '']) {
    const [head = [], ...lines] = parseCsv(text)
    const [code, day, value, denominator] = ['CURRENCY', 'TIME_PERIOD', 'OBS_VALUE', 'CURRENCY_DENOM'].map((name) =>
      head.indexOf(name),
    ) as [number, number, number, number]
    if (code < 0 || day < 0 || value < 0) return refuse('its columns are others')
    const rows = lines.flatMap((line): Row[] => {
      const [rate, date] = [readRate(line[value]), readDay(line[day])]
      if (denominator >= 0 && line[denominator] !== 'EUR') return []
      return rate === null || date === null ? [] : [{ code: line[code] ?? '', date, rate }]
    })
    return crossed('EUR', 'per_own', rows)
  },
}

/** Quoted fields may hold commas and doubled quotes. */
function parseCsv(text: string): string[][] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  if (lines.length < 2) return refuse('it is empty')
  if (text.trimStart().startsWith('<')) return refuse('it is a page, not a table')
  return lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    ),
  )
}

export const boc: Adapter = {
  id: 'boc',
  everyMs: HOUR_MS,
  urls: ['https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json?recent=1'],
  type: 'json',
  read([text = '']) {
    const newest = listAt(parseJson(text), 'observations').at(-1)
    const date = isObject(newest) ? readDay(newest.d) : null
    if (!isObject(newest) || date === null) return refuse('its day cannot be read')
    const rows = Object.entries(newest).flatMap(([series, value]): Row[] => {
      const code = /^FX([A-Z]{3})CAD$/.exec(series)?.[1]
      const rate = isObject(value) ? readRate(value.v) : null
      return code === undefined || rate === null ? [] : [{ code, date, rate }]
    })
    return crossed('CAD', 'of_each', rows)
  },
}

/** Crowns for so many units: 1, 100 or 1000. */
export const cnb: Adapter = {
  id: 'cnb',
  everyMs: HOUR_MS,
  urls: ['https://api.cnb.cz/cnbapi/exrates/daily?lang=EN'],
  type: 'json',
  read([text = '']) {
    const rows = listAt(parseJson(text), 'rates').flatMap((entry): Row[] => {
      if (!isObject(entry) || typeof entry.currencyCode !== 'string') return []
      const [rate, amount, date] = [readRate(entry.rate), readRate(entry.amount), readDay(entry.validFor)]
      if (rate === null || amount === null || date === null || !/^10*$/.test(amount)) return []
      return [{ code: entry.currencyCode, date, rate: quotient(rate, amount) }]
    })
    return crossed('CZK', 'of_each', rows)
  },
}
