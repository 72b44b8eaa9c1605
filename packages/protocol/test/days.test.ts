import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, dayOf, dayText, isoIn, momentText, startOfDay, timeZoneNamed, zoneOr } from '../src/days.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const zones = Intl.supportedValuesOf('timeZone')

/** To make one takes longer than all else here. */
const forms = new Map<string, Intl.DateTimeFormat>()

/** The second computation: what a formatter of another locale and of other fields writes. */
function written(ms: number, zone: string): string {
  const form = forms.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: zone })
  forms.set(zone, form)
  return form.format(ms)
}

test('days: over zones and years → each begins where a formatter changes the date', () => {
  const day = fc.integer({ min: Date.UTC(2012, 0) / DAY, max: Date.UTC(2037, 0) / DAY })
  fc.assert(
    fc.property(fc.constantFrom(...zones), day, fc.nat({ max: DAY - 1 }), (zone, n, rest) => {
      const name = new Date(n * DAY).toISOString().slice(0, 10)
      const start = startOfDay(name, zone).getTime()
      assert.equal(written(start, zone), name)
      assert.ok(written(start - 1, zone) < name)
      const at = new Date(n * DAY + rest)
      assert.equal(dayOf(at, zone), written(at.getTime(), zone))
      assert.equal(new Date(isoIn(at, zone)).getTime(), at.getTime())
      assert.equal(isoIn(at, zone).slice(0, 10), written(at.getTime(), zone))
    }),
    { seed: 21, numRuns: 2_000 },
  )
})

test('days: every zone over a year → days meet without a gap', () => {
  for (const zone of zones) {
    let last = startOfDay('2025-12-30', zone)
    for (let day = '2025-12-31'; day < '2027-01-02'; day = addDays(day, 1)) {
      const next = startOfDay(day, zone)
      const hours = (next.getTime() - last.getTime()) / (60 * MINUTE)
      assert.ok(hours >= 22 && hours <= 26, `${zone} ${day}: ${hours}`)
      if (hours !== 24) {
        assert.equal(dayOf(next, zone), day)
        assert.equal(dayOf(new Date(next.getTime() - 1), zone), addDays(day, -1))
      }
      last = next
    }
  }
})

test('days: of odd zones and days → the moments that are known', () => {
  const cases: readonly (readonly [zone: string, day: string, start: string, hours: number])[] = [
    ['Asia/Kathmandu', '2026-11-27', '2026-11-26T18:15:00.000Z', 24],
    ['Pacific/Tongatapu', '2026-11-27', '2026-11-26T11:00:00.000Z', 24],
    ['Pacific/Pago_Pago', '2026-11-27', '2026-11-27T11:00:00.000Z', 24],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
    // Midnight does not exist: the clock goes from 0:00 to 1:00.
    ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z', 23],
    // The clock goes back from midnight to 23:00 of the day before.
    ['America/Nuuk', '2026-10-24', '2026-10-24T01:00:00.000Z', 25],
    // Samoa went over the date line: the day was skipped.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
    // Newfoundland went back at one minute past midnight.
    ['America/St_Johns', '2005-10-29', '2005-10-29T02:30:00.000Z', 25],
  ]
  for (const [zone, day, start, hours] of cases) {
    const from = startOfDay(day, zone)
    const to = startOfDay(addDays(day, 1), zone)
    assert.equal(from.toISOString(), start, zone)
    // The minute that Newfoundland had twice makes its day a minute longer or not.
    assert.ok(Math.abs((to.getTime() - from.getTime()) / (60 * MINUTE) - hours) <= 1, zone)
    for (let at = from.getTime(); at < to.getTime(); at += 7 * MINUTE) assert.equal(dayOf(new Date(at), zone), day)
  }
})

test('time zones: names of zones are taken as they are written, and nothing else', () => {
  assert.deepEqual(['europe/berlin', 'UTC', 'Asia/Kathmandu'].map(timeZoneNamed), [
    'Europe/Berlin',
    'UTC',
    'Asia/Kathmandu',
  ])
  for (const name of [
    '',
    '+05:45',
    'Mars/Base',
    'Europe/Berlin ',
    '../etc',
    '01:00',
    'CET\n',
    'BST',
    'ist',
    'SystemV/PST8',
  ]) {
    assert.equal(timeZoneNamed(name), null, name)
  }
  assert.deepEqual([zoneOr(null), zoneOr('Mars/Base'), zoneOr('Asia/Tokyo')], ['UTC', 'UTC', 'Asia/Tokyo'])
})

test('time zones: a text names its zone in the locale of its reader', () => {
  const at = new Date('2026-11-26T23:30:00Z')
  assert.equal(momentText(at, { zone: 'Europe/Berlin', locale: 'de' }), '27. November 2026 um 00:30 MEZ')
  assert.equal(momentText(at, { zone: 'America/New_York', locale: 'en-GB' }), '26 November 2026 at 18:30 GMT-5')
  assert.equal(dayText(at, { zone: 'Asia/Tokyo', locale: 'en' }), 'November 27, 2026 (GMT+9)')
})
