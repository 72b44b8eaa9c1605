// Each source's answer in its documented shape, and in the shapes that were seen to go wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apartBps } from '../agree/arithmetic.ts'
import { type Adapter, type Answer, readRate, UnreadableAnswer } from './adapter.ts'
import * as answers from './answers.fixture.ts'
import { boc, cnb, ecb } from './banks.ts'
import { frankfurter } from './frankfurter.ts'
import { coinbase, kraken, yadio } from './markets.ts'
import { fixed, own } from './own.ts'

const { truth } = answers
const now = new Date('2026-11-20T16:00:00.000Z')
const day = '2026-11-20'
const read = (adapter: Adapter, ...texts: string[]): Answer[] => adapter.read(texts, now)
const rateOf = (list: readonly Answer[], quote: string): string | undefined =>
  list.find((one) => one.quote === quote)?.rate
const refused = (adapter: Adapter, why: RegExp, ...texts: string[]): void =>
  assert.throws(
    () => read(adapter, ...texts),
    (error) => error instanceof UnreadableAnswer && why.test(error.message),
  )

function tellsTheTruth(list: readonly Answer[], codes: readonly string[]): void {
  assert.deepEqual(list.map((one) => one.quote).sort(), [...codes].sort())
  for (const { quote, rate } of list) assert.ok(apartBps(rate, String(truth[quote])) <= 2, `${quote} ${rate}`)
}

test('every source, as it documents its answer, tells units for one dollar', () => {
  const all = Object.keys(truth)
  const banks = [
    read(ecb, answers.ecbCsv(truth, day)),
    read(boc, answers.bocJson(truth, day)),
    read(cnb, answers.cnbJson(truth, day)),
  ]
  for (const list of banks) tellsTheTruth(list, all)
  assert.deepEqual(
    banks.map(([one]) => [one?.kind, one?.observedAt.toISOString()]),
    banks.map(() => ['fixing', '2026-11-20T00:00:00.000Z']),
  )
  tellsTheTruth(read(coinbase, answers.coinbaseJson(truth)), all)
  tellsTheTruth(
    read(kraken, ...answers.krakenJson(truth)),
    all.filter((code) => code !== 'CZK'),
  )
  tellsTheTruth(read(frankfurter, answers.frankfurterJson(truth, { ECB: day, NBP: day })), all)
  tellsTheTruth(read(own('bank', 'https://x.example'), answers.ownJson(truth, now.toISOString())), all)
  const street = read(
    yadio,
    JSON.stringify({ base: 'USD', timestamp: now.getTime(), USD: { LBP: 89500, BTC: 0.00001 } }),
  )
  assert.deepEqual(
    street.map(({ quote, rate }) => [quote, rate]),
    [['LBP', '89500']],
  )
  assert.ok(read(fixed).length > 60)
})

test('Frankfurter passes on one national bank, never one that is asked directly: of the newest the middle one', () => {
  const row = (providers: object[]) => JSON.stringify([{ date: day, base: 'USD', quote: 'PLN', rate: 9, providers }])
  const bank = (key: string, rate: number, more: object = {}) => ({ key, date: day, rate, excluded: false, ...more })
  const passed = (...providers: object[]) => {
    const [one] = read(frankfurter, row(providers))
    return [one?.rate, one?.observedAt.toISOString().slice(0, 10)]
  }
  assert.deepEqual(passed(bank('ECB', 3.7), bank('NBP', 3.71)), ['3.71', day])
  assert.deepEqual(passed(bank('A1', 3.6), bank('B1', 3.7), bank('C1', 37)), ['3.7', day])
  assert.deepEqual(passed(bank('A1', 3.6), bank('B1', 3.7, { excluded: true })), ['3.6', day])
  // The blend's date is today; the bank's is what counts.
  assert.equal(passed(bank('NBP', 3.7, { date: '2026-11-06' }))[1], '2026-11-06')
  refused(frankfurter, /no bank/, row([bank('NBP', 0)]))
  refused(frankfurter, /no bank/, row(['ECB', 'BOC', 'CNB'].map((key) => bank(key, 3.7))))
  refused(frankfurter, /no list/, '[]')
})

test('a whole answer that is none is refused', () => {
  for (const adapter of [coinbase, boc, cnb, frankfurter, yadio, own('bank', 'https://x.example')]) {
    refused(adapter, /not JSON/, '<html>Request Rejected</html>')
    refused(adapter, /not JSON/, '')
    refused(adapter, /not JSON/, '{"data":{"currency":"USD","rates":{"EUR":"0.8')
    for (const text of [
      'null',
      '[]',
      '{}',
      '"EUR"',
      '{"success":false,"error":{"code":101}}',
      '{"rates":[],"observations":[]}',
    ])
      refused(adapter, /./, text)
  }
  refused(ecb, /empty/, '')
  refused(ecb, /page/, '<html>\n<p>captcha</p>')
  refused(ecb, /columns/, 'A,B\n1,2')
  refused(ecb, /dollar/, answers.ecbCsv(truth, day).replace(/.*,USD,.*\n/, ''))
  refused(coinbase, /base/, answers.coinbaseJson(truth, 'BTC'))
  refused(kraken, /EQuery/, '{"error":["EQuery:Unknown asset pair"]}', '{"error":[]}')
  for (const time of ['2026-11-20', '20.11.2026', '2026-11-20T16:00:00', '2026-13-20T16:00:00Z', 1763654400])
    refused(own('bank', 'https://x.example'), /time/, answers.ownJson(truth, '', { time }))
})

test('one bad currency is left out alone', () => {
  const day2 = '2022-03-01'
  const old = answers.ecbCsv(truth, day).replace(/(,JPY,EUR,SP00,A),[^,]*/, `$1,${day2}`)
  assert.equal(rateOf(read(ecb, old), 'JPY'), undefined, 'a currency that ended keeps its last day')
  assert.notEqual(rateOf(read(ecb, old), 'GBP'), undefined)
  const twice = `${answers.ecbCsv(truth, day)}EXR,D,GBP,EUR,SP00,A,${day},0.5,A,x\n`
  assert.equal(rateOf(read(ecb, twice), 'GBP'), undefined)
  const said = (value: unknown) =>
    rateOf(read(coinbase, JSON.stringify({ data: { currency: 'USD', rates: { CHF: '1', EUR: value } } })), 'EUR')
  assert.equal(said('8.1e-1'), '0.81')
  for (const bad of [
    '49,90',
    '1.000,50',
    '-1',
    '+1',
    '0',
    '0.0',
    0,
    null,
    true,
    [],
    {},
    '',
    ' 1',
    'NaN',
    '0x1',
    '1e99',
    '9'.repeat(41),
  ])
    assert.equal(said(bad), undefined, JSON.stringify(bad))
  const odd = read(
    coinbase,
    '{"data":{"currency":"USD","rates":{"__proto__":"5","constructor":"5","CUC":"1","BTC":"1","usd":"1","EUR":"0.87"}}}',
  )
  assert.deepEqual(
    odd.map((one) => one.quote),
    ['EUR'],
  )
  const [pairs, tickers] = answers.krakenJson(truth)
  const crossed = tickers.replace(/("ZEURZUSD":\{"a":\["[^"]*",)/, '"ZEURZUSD":{"a":["0.5",')
  assert.equal(rateOf(read(kraken, pairs, crossed), 'EUR'), undefined, 'more is bid than asked')
  assert.equal(rateOf(read(kraken, pairs.replace('online', 'cancel_only'), tickers), 'EUR'), undefined)
})

test('numbers are read to their end', () => {
  assert.equal(readRate('8.1e-7'), '0.00000081')
  assert.equal(readRate(8.1e-7), '0.00000081')
  assert.equal(readRate('1.2E-05'), '0.000012')
  assert.equal(readRate('1.5e3'), '1500')
  assert.equal(readRate('0.12345678901234567890123'), '0.123456789012345678')
  for (const bad of ['49,90', '1e21', 1e21, '1e-13', '1.2.3', '12abc', Number.NaN, Number.POSITIVE_INFINITY, -1])
    assert.equal(readRate(bad), null, String(bad))
})
