// Promises: the countdown follows the server's time whatever the payer's clock says, and a screen reader is told rarely.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { announcementDue, countdownText, durationWords, momentText, serverNow } from '../src/clock.ts'

test('time goes on from what the server told', () => {
  const told = { serverMs: 1_000_000, pageMs: 500 }
  assert.equal(serverNow(told, 500), 1_000_000)
  assert.equal(serverNow(told, 1_750), 1_001_250)
  assert.equal(serverNow(told, 100), 1_000_000, 'it never runs backwards')
})

test('a countdown is rounded up and ends at 0:00', () => {
  assert.equal(countdownText(90_000, 0), '1:30')
  assert.equal(countdownText(1, 0), '0:01')
  assert.equal(countdownText(0, 0), '0:00')
  assert.equal(countdownText(0, 5_000), '0:00')
  assert.equal(countdownText(3_600_000, 0), '1:00:00')
  assert.equal(countdownText(86_399_000, 0), '23:59:59')
})

test('only a countdown that is over reads 0:00', () => {
  fc.assert(
    fc.property(fc.integer({ min: -10_000, max: 100_000_000 }), (left) => {
      assert.equal(countdownText(left, 0) === '0:00', left <= 0)
    }),
  )
})

test('each announced moment is announced once, also when looks at the clock are far apart', () => {
  const end = 1_000_000
  const looks = Array.from({ length: 1_000 }, (_, second) => second * 1_000)
  const told = looks.flatMap((now) => announcementDue(end, now - 1_000, now) ?? [])
  assert.deepEqual(told, [600, 300, 120, 60, 30])
  assert.equal(announcementDue(end, end - 700_000, end - 45_000), 60, 'after a sleep only the latest counts')
  assert.equal(announcementDue(end, end - 20_000, end - 10_000), null)
})

test('durations and moments are in the language of the page', () => {
  assert.equal(durationWords(300_000, 0, 'en'), '5 minutes')
  assert.equal(durationWords(60_000, 0, 'de'), '60 Sekunden')
  assert.equal(durationWords(7_200_000, 0, 'en'), '2 hours')
  assert.match(momentText('2026-11-21T10:00:00.000Z', 'en-US'), /Nov 2[012], 2026, .* (GMT|UTC|[A-Z]{3,4})/)
})
