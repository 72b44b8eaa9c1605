// The dated table of the world's currencies: digits, pegs, beginnings and ends. Pure.
// Made from ISO 4217 list one and its amendments to no. 180. Intl is not this table: it prints HUF, IQD, COP and others
// with digits of its own, which differ between browsers.

/** When somebody last compared the table with the amendments of ISO 4217. */
export const CURRENCIES_AS_OF = '2026-11-22'

export interface Currency {
  code: string
  /** Of its smallest unit: 2 for EUR, 0 for JPY, 3 for KWD. */
  digits: number
  /** Its first day as a currency to price in, where the table is younger than the code. */
  from?: string
  /** The first day on which nothing new is priced in it. */
  ended?: string
  /** What took its place, and how many old units are one new one. */
  successor?: string
  ratio?: string
  /** A fixed rate by law: units of this currency for one of `to`. */
  peg?: { to: string; rate: string }
}

const unpegged =
  'USD AUD CAD CHF CNY DKK EUR GBP HKD JPY NOK NZD SEK SGD ' +
  'BRL CLP COP CZK HUF IDR ILS INR ISK KRW KWD MAD MXN MYR PEN PHP PLN RON RSD THB TRY TWD ZAR ' +
  'ALL AMD AOA ARS AZN BDT BIF BOB BTN BND BWP BYN CDF CRC DOP DZD EGP ERN ETB FJD FKP GEL GHS GIP GMD GNF GTQ GYD ' +
  'HNL HTG IQD JMD KES KGS KHR KZT LAK LKR LRD LSL MDL MGA MKD MNT MOP MRU MUR MVR MZN NAD NGN NIO NPR PGK PKR PYG ' +
  'RUB RWF SBD SCR SHP SLE SOS SRD SZL TJS TND TOP TTD TZS UAH UGX UYU UZS VND VUV WST ZMW ' +
  'AFN CUP IRR KPW LBP LYD MMK MWK SDG SSP SYP TMT VES YER ZWG'

/** Units for one dollar or euro, by law. */
const pegs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  USD: {
    ...{ AED: '3.6725', AWG: '1.79', BBD: '2', BHD: '0.376', BMD: '1', BSD: '1', BZD: '2', DJF: '177.721' },
    ...{ JOD: '0.709', KYD: '0.833333', OMR: '0.3845', PAB: '1', QAR: '3.64', SAR: '3.75', SVC: '8.75' },
    ...{ XCD: '2.7', XCG: '1.79' },
  },
  EUR: {
    ...{ BAM: '1.95583', CVE: '110.265', KMF: '491.96775', STN: '24.5', XAF: '655.957', XOF: '655.957' },
    XPF: '119.331742',
  },
}

const digits: Readonly<Record<string, number>> = {
  ...{ BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, VND: 0, VUV: 0 },
  ...{ XAF: 0, XOF: 0, XPF: 0, BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3 },
}

/** What changed, by the amendment that says so. Codes that ended stay, to name what took their place. */
const changes: Readonly<Record<string, Omit<Partial<Currency>, 'code'>>> = {
  SLE: { from: '2022-07-01' },
  ZWG: { from: '2024-06-25' },
  XCG: { from: '2025-03-31' },
  SLL: { ended: '2022-07-01', successor: 'SLE', ratio: '1000' },
  HRK: { ended: '2023-01-01', successor: 'EUR', ratio: '7.5345' },
  ZWL: { ended: '2024-06-25', successor: 'ZWG', ratio: '2498.7242' },
  CUC: { ended: '2021-01-01', successor: 'CUP', ratio: '0.041666' },
  ANG: { ended: '2025-03-31', successor: 'XCG', ratio: '1' },
  BGN: { ended: '2026-01-01', successor: 'EUR', ratio: '1.95583' },
  BYR: { ended: '2016-07-01', successor: 'BYN', ratio: '10000' },
  LTL: { ended: '2015-01-01', successor: 'EUR', ratio: '3.4528' },
  LVL: { ended: '2014-01-01', successor: 'EUR', ratio: '0.702804' },
  EEK: { ended: '2011-01-01', successor: 'EUR', ratio: '15.6466' },
  MRO: { ended: '2018-01-01', successor: 'MRU', ratio: '10' },
  STD: { ended: '2018-01-01', successor: 'STN', ratio: '1000' },
  VEF: { ended: '2018-08-20', successor: 'VES', ratio: '100000' },
  VED: { ended: '2021-10-01', successor: 'VES', ratio: '1' },
}

function makeTable(): ReadonlyMap<string, Currency> {
  const table = new Map<string, Currency>()
  const add = (code: string, more: Partial<Currency> = {}): void => {
    table.set(code, { code, digits: digits[code] ?? 2, ...more, ...changes[code] })
  }
  for (const code of unpegged.split(' ')) add(code)
  for (const [to, rates] of Object.entries(pegs)) {
    for (const [code, rate] of Object.entries(rates)) add(code, { peg: { to, rate } })
  }
  for (const code of Object.keys(changes)) if (!table.has(code)) add(code)
  return table
}

/** By code. @example currencies.get('KWD')?.digits // 3 */
export const currencies: ReadonlyMap<string, Currency> = /* @__PURE__ */ makeTable()

/** Digits of a currency's smallest unit; what no table knows is written with two. */
export const digitsOf = (code: string): number => currencies.get(code)?.digits ?? 2

/** Whether something can be priced in it on a day, and what took its place where not. */
export type CurrencyVerdict =
  | { kind: 'current'; currency: Currency }
  | { kind: 'ended'; currency: Currency }
  | { kind: 'not_yet'; currency: Currency }
  | { kind: 'unknown' }

/** @param day an ISO time or date. */
export function judgeCurrency(code: string, day: string): CurrencyVerdict {
  const currency = currencies.get(code)
  if (currency === undefined) return { kind: 'unknown' }
  const today = day.slice(0, 10)
  if (currency.ended !== undefined && today >= currency.ended) return { kind: 'ended', currency }
  if (currency.from !== undefined && today < currency.from) return { kind: 'not_yet', currency }
  return { kind: 'current', currency }
}

/** All that something can be priced in on a day, by code. */
export function listCurrencies(day: string): Currency[] {
  return [...currencies.values()]
    .filter(({ code }) => judgeCurrency(code, day).kind === 'current')
    .sort((a, b) => (a.code < b.code ? -1 : 1))
}
