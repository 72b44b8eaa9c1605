// When answers are a rate: two that agree, their median, an age for each kind of source. The property: while a minority of sources
// lies, the rate lies within the honest answers; and no order is sold at a rate past its bound.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Currency, currencies, DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import fc from 'fast-check'
import { apartBps, product, quotient } from './arithmetic.ts'
import {
  type Context,
  decide,
  FIXING_MAX_AGE_MS,
  FIXING_SERVES_MS,
  LIVE_MAX_AGE_MS,
  type Seen,
  TOLERANCE_BPS,
  type Verdict,
} from './decide.ts'

const known = (code: string): Currency => {
  const found = currencies.get(code)
  assert.ok(found)
  return found
}
const at = (text: string): Date => new Date(text)
const context = (now: Date, more: Partial<Context> = {}): Context => ({ now, override: null, anchor: null, ...more })

const live = (source: string, rate: string, when: Date): Seen => ({
  ...{ source, quote: 'EUR', kind: 'live', rate, observedAt: when, fetchedAt: when },
})
const fixing = (source: string, rate: string, day: string, now: Date): Seen => ({
  ...{ source, quote: 'EUR', kind: 'fixing', rate, observedAt: at(`${day}T00:00:00.000Z`), fetchedAt: now },
})
const kindOf = (verdict: Verdict): string => verdict.kind
const look = (code: string, seen: readonly Seen[], now: Date, more: Partial<Context> = {}): Verdict =>
  decide(known(code), seen, context(now, more))

test('two sources have to answer; the median counts, until the first answer of it is too old', () => {
  const now = at('2026-11-20T16:00:00Z')
  const ecb = fixing('ecb', '0.87', '2026-11-20', now)
  assert.deepEqual(look('EUR', [ecb], now), { kind: 'silent', why: 'only ecb answers' })
  assert.deepEqual(look('EUR', [], now), { kind: 'silent', why: 'no source has it' })
  const both = look('EUR', [ecb, live('coinbase', '0.872', now)], now)
  assert.ok(both.kind === 'agreed')
  // Of two the one that is better for merchants: more dollars for the same amount.
  assert.deepEqual([both.rate, both.apartBps, both.validUntil.getTime() - now.getTime()], ['0.87', 23, LIVE_MAX_AGE_MS])
  assert.equal(both.observedAt.toISOString(), '2026-11-20T00:00:00.000Z')
  const three = look('EUR', [ecb, live('coinbase', '0.872', now), live('kraken', '0.871', now)], now)
  assert.ok(three.kind === 'agreed' && three.rate === '0.871')
})

test('a source that lies is outvoted, and two against two are no rate', () => {
  const now = at('2026-11-20T16:00:00Z')
  const voice = (source: string, rate: string): Seen => live(source, rate, now)
  const three = look('EUR', [voice('a', '0.87'), voice('b', '0.871'), voice('c', '1.15')], now)
  assert.ok(three.kind === 'agreed')
  assert.deepEqual([three.rate, three.sources.map((one) => one.id)], ['0.871', ['a', 'b']])
  const four = [voice('a', '0.87'), voice('b', '0.871'), voice('c', '1.15'), voice('d', '1.151')]
  assert.equal(kindOf(look('EUR', four, now)), 'disagree')
  assert.equal(kindOf(look('EUR', [voice('a', '0.87'), voice('b', '1'), voice('c', '1.15')], now)), 'disagree')
  const apart = (bps: number) => look('JPY', [voice('a', '100'), voice('b', String(100 + bps / 100))], now)
  assert.deepEqual([apart(TOLERANCE_BPS), apart(TOLERANCE_BPS + 1)].map(kindOf), ['agreed', 'disagree'])
})

test('a source of fixed rates counts alone, beside any market', () => {
  const now = at('2026-11-20T16:00:00Z')
  const fixed: Seen = { ...live('fixed', '0.8', now), kind: 'fixed' }
  const markets = [live('a', '0.87', now), live('b', '0.871', now)]
  const verdict = look('EUR', [...markets, fixed], now)
  assert.ok(verdict.kind === 'agreed')
  assert.deepEqual([verdict.rate, verdict.sources.map((one) => one.id)], ['0.8', ['fixed']])
  const without = look('EUR', markets, now, { override: { kind: 'source', source: 'fixed' } })
  assert.equal(kindOf(without), 'silent', 'another source does not stand in for the one that was named')
})

test('the reason for no rate names the answers', () => {
  const now = at('2026-11-20T16:00:00Z')
  const apart = look('EUR', [live('a', '0.87', now), live('b', '1', now)], now)
  const why = 'a 0.87 of 2026-11-20T16:00, b 1 of 2026-11-20T16:00'
  assert.deepEqual(apart, { kind: 'disagree', why })
  const own = look('EUR', [], now, { override: { kind: 'rate', rate: '0.9' } })
  assert.ok(own.kind === 'agreed' && own.validUntil.getTime() === now.getTime() + LIVE_MAX_AGE_MS)
  assert.deepEqual([own.rate, own.apartBps], ['0.9', 0])
})

test('a market’s answer counts for ten minutes, a date from the future not at all', () => {
  const now = at('2026-11-20T16:00:00Z')
  const pair = (ageMs: number): Seen[] => ['a', 'b'].map((id) => live(id, '0.87', new Date(now.getTime() - ageMs)))
  assert.equal(kindOf(look('EUR', pair(LIVE_MAX_AGE_MS - 1), now)), 'agreed')
  assert.deepEqual(look('EUR', pair(LIVE_MAX_AGE_MS), now), { kind: 'silent', why: 'no answer is young enough' })
  const ahead = { ...fixing('ecb', '0.87', '2026-11-20', now), observedAt: new Date(now.getTime() + 49 * HOUR_MS) }
  assert.equal(kindOf(look('EUR', [ahead, live('coinbase', '0.87', now)], now)), 'silent')
  // Tomorrow's label is a time zone: it is not taken for younger than its fetch.
  const tomorrow = look('EUR', [fixing('cnb', '0.87', '2026-11-21', now), live('coinbase', '0.87', now)], now)
  assert.ok(tomorrow.kind === 'agreed' && tomorrow.observedAt <= now)
})

test('fixings carry a whole weekend, and Easter from Thursday until Tuesday’s are out; four days after their time they are refused', () => {
  /** Hour by hour, with what the banks have published by then: after 16:00 of a working day its own fixing. */
  const run = (from: string, until: string, days: readonly string[]): Map<string, string> => {
    const found = new Map<string, string>()
    for (let ms = Date.parse(from); ms <= Date.parse(until); ms += HOUR_MS) {
      const now = new Date(ms)
      const newest = days.filter((day) => Date.parse(`${day}T16:00:00Z`) <= ms).at(-1) ?? ''
      const rate = `0.87${days.indexOf(newest)}`
      const verdict = look('EUR', [fixing('ecb', rate, newest, now), fixing('cnb', rate, newest, now)], now)
      found.set(now.toISOString().slice(0, 13), verdict.kind === 'agreed' ? verdict.rate : verdict.kind)
    }
    return found
  }
  const friday = '2026-11-20'
  const weekend = run(`${friday}T16:00:00Z`, '2026-11-24T15:00:00Z', [friday, '2026-11-23'])
  assert.deepEqual([...new Set(weekend.values())], ['0.870', '0.871'])
  assert.deepEqual([weekend.get('2026-11-22T12'), weekend.get('2026-11-23T15')], ['0.870', '0.870'])
  const thursday = '2026-04-02'
  const easter = run(`${thursday}T16:00:00Z`, '2026-04-08T15:00:00Z', [thursday, '2026-04-07'])
  assert.deepEqual([...new Set(easter.values())], ['0.870', '0.871'])
  assert.deepEqual([easter.get('2026-04-06T12'), easter.get('2026-04-07T15')], ['0.870', '0.870'])
  assert.equal(easter.get('2026-04-07T16'), '0.871')
  // No bank publishes on Tuesday: Friday is the day that Thursday's fixing serves, and four days after it there is none.
  const silent = run(`${thursday}T16:00:00Z`, '2026-04-09T00:00:00Z', [thursday])
  assert.deepEqual([silent.get('2026-04-07T23'), silent.get('2026-04-08T00')], ['0.870', 'silent'])
})

test('a peg is held against its law, over the euro as well', () => {
  const now = at('2026-11-20T16:00:00Z')
  const pair = (rate: string): Seen[] => [live('a', rate, now), live('b', rate, now)]
  assert.equal(kindOf(look('AED', pair('3.6725'), now)), 'agreed')
  assert.equal(kindOf(look('AED', pair('3.8'), now)), 'off_peg')
  assert.equal(kindOf(look('XOF', pair('571.47'), now, { anchor: '0.8712' })), 'agreed')
  assert.equal(kindOf(look('XOF', pair('655.957'), now, { anchor: '0.8712' })), 'off_peg')
  assert.deepEqual(look('XOF', pair('571'), now), {
    kind: 'silent',
    why: 'it is fixed to EUR, whose rate is not known',
  })
})

test('an override is the operator’s own rate, or one source alone while that is young enough', () => {
  const now = at('2026-11-20T16:00:00Z')
  const seen = [live('coinbase', '15000', now), live('yadio', '89500', now)]
  assert.equal(kindOf(look('LBP', seen, now)), 'disagree')
  const own = look('LBP', seen, now, { override: { kind: 'rate', rate: '90000' } })
  assert.ok(own.kind === 'agreed' && own.rate === '90000' && own.sources[0]?.id === 'operator')
  const one = look('LBP', seen, now, { override: { kind: 'source', source: 'yadio' } })
  assert.ok(one.kind === 'agreed' && one.rate === '89500' && one.sources.length === 1)
  const later = new Date(now.getTime() + LIVE_MAX_AGE_MS)
  assert.equal(kindOf(look('LBP', seen, later, { override: { kind: 'source', source: 'yadio' } })), 'silent')
  assert.equal(kindOf(look('LBP', seen, now, { override: { kind: 'source', source: 'ecb' } })), 'silent')
})

const truths = Object.entries({
  ...{ JPY: '155.2', KRW: '1464.3', VND: '26355', CLP: '934.6', ISK: '127.15', UGX: '3621', XOF: '571.47' },
  ...{ KWD: '0.307', BHD: '0.376', TND: '2.9551', IQD: '1309.4', JOD: '0.709', OMR: '0.3845', AED: '3.6725' },
  ...{ EUR: '0.8712', GBP: '0.7604', CHF: '0.8041', HUF: '332.45', IDR: '16712', COP: '3778', TRY: '42.37' },
  ...{ PLN: '3.6918', CZK: '21.104', BRL: '5.3317', INR: '88.614', ZAR: '17.218', EGP: '47.31', NGN: '1447.8' },
  ...{ ARS: '1421.5', PKR: '280.9', CAD: '1.4035' },
})
const lies = {
  inverted: (rate: string) => quotient('1', rate),
  hundredfold: (rate: string) => product(rate, '100'),
  thousandth: (rate: string) => quotient(rate, '1000'),
  'of another': (rate: string) => product(rate, '17.3'),
  'a tenth more': (rate: string) => product(rate, '1.1'),
  half: (rate: string) => quotient(rate, '2'),
}
const ages = fc.constantFrom(0, 5 * MINUTE_MS, 11 * MINUTE_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, -DAY_MS, -3 * DAY_MS)
const sources = ['ecb', 'boc', 'cnb', 'frankfurter', 'coinbase', 'kraken'] as const
const told = fc.record({ isSilent: fc.boolean(), ageMs: ages, drift: fc.integer({ min: -40, max: 40 }) })

test('thirty currencies, one source that lies, any hour: no rate is far from the truth or past its bound', () => {
  let agreed = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...truths),
      fc.integer({ min: Date.UTC(2026, 0, 5), max: Date.UTC(2026, 11, 31) }).map((ms) => new Date(ms)),
      fc.tuple(told, told, told, told, told, told),
      fc.constantFrom(...sources),
      fc.constantFrom(...(Object.keys(lies) as (keyof typeof lies)[])),
      ([code, truth], now, states, liar, how) => {
        const seen = sources.flatMap((source, n): Seen[] => {
          const state = states[n]
          if (state === undefined || state.isSilent) return []
          const honest = quotient(product(truth, String(10_000 + state.drift)), '10000')
          const when = new Date(now.getTime() - state.ageMs)
          const kind = source === 'coinbase' || source === 'kraken' ? 'live' : 'fixing'
          const rate = source === liar ? lies[how](honest) : honest
          return [{ source, quote: code, kind, rate, observedAt: when, fetchedAt: now }]
        })
        const verdict = look(code, seen, now, { anchor: '0.8712' })
        if (verdict.kind !== 'agreed') return
        agreed++
        // Where only the liar and one other answer, both have to be within the tolerance.
        assert.ok(apartBps(verdict.rate, truth) <= TOLERANCE_BPS + 41, `${code} ${verdict.rate} for ${truth}`)
        assert.ok(verdict.validUntil > now && verdict.sources.length >= 2)
        for (const { observed_at: observedAt } of verdict.sources) {
          const ageMs = now.getTime() - Date.parse(observedAt)
          assert.ok(ageMs >= 0 && ageMs < FIXING_SERVES_MS + FIXING_MAX_AGE_MS)
        }
        const isLive = verdict.sources.some(({ id }) => id === 'coinbase' || id === 'kraken')
        if (isLive) assert.ok(verdict.validUntil.getTime() <= now.getTime() + LIVE_MAX_AGE_MS)
      },
    ),
    { numRuns: 3_000 },
  )
  assert.ok(agreed > 300, `${agreed} rates were agreed on`)
})
