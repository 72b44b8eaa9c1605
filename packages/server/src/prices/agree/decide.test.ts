// When answers are a rate. The property: whatever one group of sources says, at whatever hour, it is not sold at; and nothing
// is sold at a rate past its bound.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Currency, currencies, DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import fc from 'fast-check'
import { apartBps, product, quotient } from './arithmetic.ts'
import { fixings, isMarketOpen, isWorkingDay, nextPublication, observedAt, publicationsBetween } from './calendar.ts'
import { ALONE_MS, FIXING_MAX_MS, LIVE_MS, toleranceBps } from './classes.ts'
import { type Context, decide, type Seen, type Verdict } from './decide.ts'

const known = (code: string): Currency => {
  const found = currencies.get(code)
  assert.ok(found)
  return found
}
const at = (text: string): Date => new Date(text)
const context = (now: Date, more: Partial<Context> = {}): Context => ({
  now,
  last: null,
  released: null,
  anchor: null,
  ...more,
})

function live(source: string, rate: string, when: Date, more: Partial<Seen> = {}): Seen {
  return {
    ...{ source, quote: 'EUR', market: 'official', group: source, via: null, kind: 'live', fixing: null, rate },
    ...{ observedAt: when, fetchedAt: when, changedAt: when },
    ...more,
  }
}
function fixing(source: 'ecb' | 'boc' | 'cnb', rate: string, day: string, now: Date, more: Partial<Seen> = {}): Seen {
  const observed = observedAt(day, fixings[source])
  const dates = { observedAt: observed, fetchedAt: now, changedAt: observed }
  return { ...live(source, rate, now), kind: 'fixing', fixing: source, ...dates, ...more }
}
const kindOf = (verdict: Verdict): string => verdict.kind

test('the calendar knows weekends, Easter, holidays and when the next fixing is due', () => {
  const day = (text: string): number => Date.parse(text) / DAY_MS
  for (const off of ['2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25', '2026-11-21', '2027-03-26', '2027-03-29'])
    assert.equal(isWorkingDay(day(off), 'target'), false, off)
  for (const on of ['2026-04-02', '2026-04-07', '2026-11-20', '2026-12-24'])
    assert.equal(isWorkingDay(day(on), 'target'), true, on)
  assert.equal(isWorkingDay(day('2026-04-06'), 'canada'), true)
  const easter = nextPublication(observedAt('2026-04-02', fixings.ecb), fixings.ecb)
  assert.equal(easter.toISOString(), '2026-04-07T15:30:00.000Z')
  assert.equal(publicationsBetween(at('2026-11-20T12:00:00Z'), at('2026-11-22T12:00:00Z')), 0)
  assert.equal(publicationsBetween(at('2026-11-20T12:00:00Z'), at('2026-11-24T12:00:00Z')), 2)
  assert.deepEqual(
    [
      '2026-11-20T21:59:00Z',
      '2026-11-20T22:00:00Z',
      '2026-11-22T21:59:00Z',
      '2026-11-22T22:00:00Z',
      '2026-12-25T12:00:00Z',
    ].map((text) => isMarketOpen(at(text))),
    [true, false, false, true, false],
  )
})

test('it takes two groups; a live market says the rate, and it holds for ten minutes', () => {
  const now = at('2026-11-20T16:00:00Z')
  const ecb = fixing('ecb', '0.87', '2026-11-20', now)
  const one = decide(known('EUR'), [ecb], context(now))
  assert.deepEqual([one.kind, 'why' in one && one.why], ['silent', 'only ecb answers'])
  const both = decide(known('EUR'), [ecb, live('coinbase', '0.872', now)], context(now))
  assert.ok(both.kind === 'agreed')
  assert.deepEqual([both.rate, both.apartBps, both.validUntil.getTime() - now.getTime()], ['0.872', 23, LIVE_MS])
  assert.equal(both.observedAt.toISOString(), '2026-11-20T12:15:00.000Z')
  // The same bank twice, and two banks through one operator, are one voice.
  const via = { via: 'frankfurter', source: 'frankfurter' }
  assert.equal(kindOf(decide(known('EUR'), [ecb, { ...ecb, ...via }], context(now))), 'silent')
  const passed = [
    fixing('boc', '0.87', '2026-11-19', now, via),
    fixing('cnb', '0.87', '2026-11-20', now, { ...via, source: 'other' }),
  ]
  assert.equal(kindOf(decide(known('EUR'), passed, context(now))), 'silent')
})

test('tolerance grows with the publications between two observations', () => {
  const now = at('2026-11-24T05:00:00Z')
  const friday = fixing('ecb', '100', '2026-11-20', now, { fixing: 'any' })
  const look = (bps: number) =>
    decide(known('JPY'), [friday, live('coinbase', String(100 + bps / 100), now)], context(now))
  assert.deepEqual([look(250).kind, look(251).kind], ['agreed', 'disagree'])
})

test('fixings alone count for thirty hours, then only beside a market, or where a merchant takes them', () => {
  const day = '2026-11-20'
  const pair = (now: Date): Seen[] => [fixing('ecb', '0.87', day, now), fixing('boc', '0.871', day, now)]
  const look = (text: string): Verdict => decide(known('EUR'), pair(at(text)), context(at(text)))
  const young = look('2026-11-20T22:00:00Z')
  assert.ok(young.kind === 'agreed')
  assert.equal(young.rate, '0.87')
  assert.equal(young.validUntil.toISOString(), '2026-11-21T18:15:00.000Z')
  assert.equal(look('2026-11-21T18:14:00Z').kind, 'agreed')
  assert.equal(look('2026-11-21T18:15:00Z').kind, 'stale')
  assert.equal(look('2026-11-23T20:00:00Z').kind, 'stale')
  assert.equal(look('2026-11-23T22:00:00Z').kind, 'silent', 'the fixing of Monday is overdue')
  const sunday = at('2026-11-22T12:00:00Z')
  const beside = decide(known('EUR'), [...pair(sunday), live('coinbase', '0.8702', sunday)], context(sunday))
  assert.deepEqual([beside.kind, 'rate' in beside && beside.rate], ['agreed', '0.8702'])
})

test('over Christmas and Easter a fixing lasts as its calendar says, and never beyond five days', () => {
  const now = at('2026-04-07T20:00:00Z')
  const pair = [fixing('ecb', '0.87', '2026-04-02', now), fixing('cnb', '0.87', '2026-04-02', now)]
  assert.equal(kindOf(decide(known('EUR'), pair, context(at('2026-04-07T09:00:00Z')))), 'stale')
  assert.equal(kindOf(decide(known('EUR'), pair, context(now))), 'silent')
})

test('a dead market, a date from the future, an old rate under new dates are no voices', () => {
  const now = at('2026-11-20T16:00:00Z')
  const ecb = fixing('ecb', '0.87', '2026-11-20', now)
  const dead = live('coinbase', '0.87', now, { changedAt: new Date(now.getTime() - 2 * HOUR_MS - 1) })
  assert.equal(kindOf(decide(known('EUR'), [ecb, dead], context(now))), 'silent')
  const saturday = at('2026-11-21T12:00:00Z')
  const asleep = live('coinbase', '0.87', saturday, { changedAt: at('2026-11-20T21:00:00Z') })
  assert.equal(kindOf(decide(known('EUR'), [ecb, asleep], context(saturday))), 'agreed')
  const ahead = { ...ecb, observedAt: new Date(now.getTime() + 49 * HOUR_MS) }
  assert.equal(kindOf(decide(known('EUR'), [ahead, live('coinbase', '0.87', now)], context(now))), 'silent')
  const stuck = fixing('ecb', '0.87', '2026-11-20', now, { changedAt: at('2026-11-16T12:15:00Z') })
  assert.equal(kindOf(decide(known('EUR'), [stuck, live('coinbase', '0.87', now)], context(now))), 'silent')
  // Tomorrow's label is a time zone: it is not taken for younger than its fetch.
  const tomorrow = decide(
    known('EUR'),
    [fixing('cnb', '0.87', '2026-11-21', now), live('coinbase', '0.87', now)],
    context(now),
  )
  assert.ok(tomorrow.kind === 'agreed' && tomorrow.observedAt <= now)
})

test('a majority of voices counts; two against two is no rate', () => {
  const now = at('2026-11-20T16:00:00Z')
  const voice = (source: string, rate: string): Seen => live(source, rate, now)
  const three = decide(known('EUR'), [voice('a', '0.87'), voice('b', '0.871'), voice('c', '1.15')], context(now))
  assert.ok(three.kind === 'agreed')
  assert.deepEqual([three.rate, three.sources.map((one) => one.id)], ['0.87', ['a', 'b']])
  const four = [voice('a', '0.87'), voice('b', '0.871'), voice('c', '1.15'), voice('d', '1.151')]
  assert.equal(kindOf(decide(known('EUR'), four, context(now))), 'disagree')
})

test('a peg is held against its law, over the euro as well', () => {
  const now = at('2026-11-20T16:00:00Z')
  const pair = (rate: string): Seen[] => [live('a', rate, now), live('b', rate, now)]
  assert.equal(kindOf(decide(known('AED'), pair('3.6725'), context(now))), 'agreed')
  assert.equal(kindOf(decide(known('AED'), pair('3.7'), context(now))), 'off_peg')
  assert.equal(kindOf(decide(known('XOF'), pair('571.47'), context(now))), 'silent')
  assert.equal(kindOf(decide(known('XOF'), pair('571.47'), context(now, { anchor: '0.8712' }))), 'agreed')
  assert.equal(kindOf(decide(known('XOF'), pair('655.957'), context(now, { anchor: '0.8712' }))), 'off_peg')
})

test('a jump, or other zeros, waits for a person, who lets that rate pass and no other', () => {
  const now = at('2026-11-20T16:00:00Z')
  const pair = (rate: string): Seen[] => [live('a', rate, now), live('b', rate, now)]
  const last = { rate: '42', agreedAt: new Date(now.getTime() - HOUR_MS) }
  assert.equal(kindOf(decide(known('TRY'), pair('44'), context(now, { last }))), 'agreed')
  assert.equal(kindOf(decide(known('TRY'), pair('46'), context(now, { last }))), 'held')
  assert.equal(kindOf(decide(known('TRY'), pair('46'), context(now, { last, released: '46.1' }))), 'agreed')
  assert.equal(kindOf(decide(known('TRY'), pair('60'), context(now, { last, released: '46.1' }))), 'held')
  const month = { rate: '42', agreedAt: new Date(now.getTime() - 30 * DAY_MS) }
  assert.equal(
    kindOf(decide(known('TRY'), pair('50'), context(now, { last: month }))),
    'agreed',
    'it was away for a month',
  )
  assert.equal(kindOf(decide(known('TRY'), pair('0.42'), context(now, { last: month }))), 'held')
  assert.equal(kindOf(decide(known('SYP'), pair('130'), context(now))), 'held', 'new money under an old code')
})

// The world of the property: what is true of thirty currencies, and sources that tell it or lie.
const truths = Object.entries({
  ...{ JPY: '155.2', KRW: '1464.3', VND: '26355', CLP: '934.6', ISK: '127.15', UGX: '3621', XOF: '571.47' },
  ...{ KWD: '0.307', BHD: '0.376', TND: '2.9551', IQD: '1309.4', JOD: '0.709', OMR: '0.3845', AED: '3.6725' },
  ...{ EUR: '0.8712', GBP: '0.7604', CHF: '0.8041', HUF: '332.45', IDR: '16712', COP: '3778', TRY: '42.37' },
  ...{ PLN: '3.6918', CZK: '21.104', BRL: '5.3317', INR: '88.614', ZAR: '17.218', EGP: '47.31', NGN: '1447.8' },
  ...{ ARS: '1421.5', PKR: '280.9', CAD: '1.4035' },
})
const times = fc.oneof(
  fc
    .constantFrom(
      '2026-11-21T12:00:00Z',
      '2026-04-06T09:00:00Z',
      '2026-03-29T01:30:00Z',
      '2026-10-25T01:30:00Z',
      '2026-12-31T23:59:59Z',
    )
    .map(at),
  fc.integer({ min: Date.UTC(2026, 0, 5), max: Date.UTC(2026, 11, 31) }).map((ms) => new Date(ms)),
)
const lies = ['inverted', 'hundredfold', 'thousandth', 'of another', 'a tenth more', 'half'] as const
function lie(kind: (typeof lies)[number], rate: string): string {
  switch (kind) {
    case 'inverted':
      return quotient('1', rate)
    case 'hundredfold':
      return product(rate, '100')
    case 'thousandth':
      return quotient(rate, '1000')
    case 'of another':
      return product(rate, '17.3')
    case 'a tenth more':
      return product(rate, '1.3')
    case 'half':
      return quotient(rate, '2')
  }
}
const ages = fc.constantFrom(
  0,
  5 * MINUTE_MS,
  11 * MINUTE_MS,
  8 * HOUR_MS,
  DAY_MS,
  3 * DAY_MS,
  6 * DAY_MS,
  -DAY_MS,
  -3 * DAY_MS,
)
const sources = ['ecb', 'boc', 'cnb', 'frankfurter', 'coinbase', 'kraken'] as const
const told = fc.record({ isSilent: fc.boolean(), ageMs: ages, drift: fc.integer({ min: -40, max: 40 }) })

test('thirty currencies, lies of one group, any hour: no rate is far from the truth or past its bound', () => {
  let agreed = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...truths),
      times,
      fc.tuple(told, told, told, told, told, told),
      fc.constantFrom(...sources),
      fc.option(fc.constantFrom(...lies)),
      ([code, truth], now, states, liar, how) => {
        const currency = known(code)
        // Honest sources differ by little; pegs by almost nothing.
        const scale = currency.class === 'peg' ? 4 : 1
        const seen = sources.flatMap((source, n): Seen[] => {
          const state = states[n]
          if (state === undefined || state.isSilent) return []
          const honest = quotient(product(truth, String(10_000 + Math.trunc(state.drift / scale))), '10000')
          const rate = source === liar && how !== null ? lie(how, honest) : honest
          const when = new Date(now.getTime() - state.ageMs)
          const one = live(source, rate, when, { quote: code, fetchedAt: when < now ? when : now, changedAt: when })
          const dates = { observedAt: when, fetchedAt: now, changedAt: when }
          if (source === 'coinbase' || source === 'kraken') return [one]
          if (source === 'frankfurter')
            return [{ ...one, ...dates, kind: 'fixing', fixing: 'any', group: 'bank-x', via: source }]
          const lying = source === liar && how !== null
          // A liar of one group lies under two names, directly and passed on.
          const both: Seen = { ...one, ...dates, kind: 'fixing', fixing: source }
          return lying ? [both, { ...both, source: 'copy', via: 'frankfurter' }] : [both]
        })
        const anchor = currency.peg?.to === 'EUR' ? '0.8712' : null
        const verdict = decide(currency, seen, context(now, { anchor }))
        if (verdict.kind !== 'agreed' && verdict.kind !== 'stale') return
        agreed++
        assert.ok(apartBps(verdict.rate, truth) <= toleranceBps(currency, 5), `${code} ${verdict.rate} for ${truth}`)
        assert.ok(verdict.validUntil > now)
        assert.ok(new Set(verdict.sources.map((one) => one.group)).size >= 2)
        for (const { observed_at } of verdict.sources) {
          const age = now.getTime() - Date.parse(observed_at)
          assert.ok(age >= 0 && age < FIXING_MAX_MS)
        }
        const isLive = verdict.sources.some((one) => one.group === 'coinbase' || one.group === 'kraken')
        const oldest = verdict.observedAt.getTime()
        if (verdict.kind === 'agreed' && !isLive) assert.ok(verdict.validUntil.getTime() <= oldest + ALONE_MS)
        if (isLive) assert.ok(verdict.validUntil.getTime() <= now.getTime() + LIVE_MS)
      },
    ),
    { numRuns: 3_000 },
  )
  assert.ok(agreed > 300, `${agreed} rates were agreed on`)
})
