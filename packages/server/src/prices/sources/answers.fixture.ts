// Answers in the shapes that the sources document, over one table of rates: written here, not recorded.
export type Table = Readonly<Record<string, number>>

/** Units for one dollar. */
export const truth: Table = { EUR: 0.8712, GBP: 0.7604, JPY: 155.2, CAD: 1.4035, CHF: 0.8041, AUD: 1.5387, CZK: 21.104 }

const units = (table: Table): [string, number][] => [...Object.entries(table), ['USD', 1]]
const round = (value: number): number => Number(value.toPrecision(7))

export function ecbCsv(table: Table, day: string): string {
  const euro = table.EUR ?? 1
  const head = 'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE'
  const rows = units(table)
    .filter(([code]) => code !== 'EUR')
    .map(
      ([code, rate]) =>
        `EXR.D.${code}.EUR.SP00.A,D,${code},EUR,SP00,A,${day},${round(rate / euro)},A,"${code}, in euro"`,
    )
  return [head, ...rows, ''].join('\n')
}

export function bocJson(table: Table, day: string): string {
  const cad = table.CAD ?? 1
  const rows = units(table)
    .filter(([code]) => code !== 'CAD')
    .map(([code, rate]) => [`FX${code}CAD`, { v: String(round(cad / rate)) }])
  return JSON.stringify({ terms: { url: '' }, observations: [{ d: day, ...Object.fromEntries(rows) }] })
}

/** Yen and the like for a hundred. */
export function cnbJson(table: Table, day: string): string {
  const czk = table.CZK ?? 1
  const rates = units(table)
    .filter(([code]) => code !== 'CZK')
    .map(([currencyCode, rate]) => {
      const amount = czk / rate < 1 ? 100 : 1
      return {
        validFor: day,
        order: 224,
        country: '',
        currency: '',
        amount,
        currencyCode,
        rate: round((czk / rate) * amount),
      }
    })
  return JSON.stringify({ rates })
}

export const coinbaseJson = (table: Table, currency = 'USD'): string =>
  JSON.stringify({
    data: { currency, rates: Object.fromEntries(units(table).map(([code, rate]) => [code, String(rate)])) },
  })

export function krakenJson(table: Table): [pairs: string, tickers: string] {
  const names = ['EUR/USD', 'GBP/USD', 'AUD/USD', 'USD/CAD', 'USD/CHF', 'USD/JPY']
  const key = (name: string): string => `Z${name.replace('/', 'Z')}`
  const price = (name: string): number => {
    const [base = '', quote = ''] = name.split('/')
    return round((table[quote] ?? 1) / (table[base] ?? 1))
  }
  const pairs = names.map((wsname) => [key(wsname), { wsname, status: 'online' }])
  const sides = (value: number) => ({
    a: [String(round(value * 1.0001)), '1', '1'],
    b: [String(round(value * 0.9999)), '1', '1'],
  })
  const tickers = names.map((name) => [key(name), { ...sides(price(name)), c: [String(price(name)), '1'] }])
  return [
    JSON.stringify({ error: [], result: Object.fromEntries(pairs) }),
    JSON.stringify({ error: [], result: Object.fromEntries(tickers) }),
  ]
}

/** @param banks the date that each bank tells. */
export const frankfurterJson = (table: Table, banks: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.entries(table).map(([quote, rate]) => ({
      ...{ date: Object.values(banks)[0], base: 'USD', quote, rate },
      providers: Object.entries(banks).map(([key, date]) => ({ key, date, rate, excluded: false })),
    })),
  )

export const ownJson = (table: Table, time: string, more: object = {}): string =>
  JSON.stringify({
    base: 'USD',
    time,
    rates: Object.fromEntries(Object.entries(table).map(([c, r]) => [c, String(r)])),
    ...more,
  })
