// Promise: no test depends on the day on which it runs. What knows of dates is run on each weekday, at the end of a month
// and of a year, on 29 February and across both changes of summer time, with Debian's libfaketime under the tests. The
// PostgreSQL below keeps the real time: its timers do not bear a shifted one, and nothing but the clock of a whole
// Florin asks it for the time.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { needsDebian } from '../packages/server/test/debian.ts'

const root = join(import.meta.dirname, '..')

/** What reckons with weekdays, months, years and ranges of days by itself: under each of the moments. */
const ofEachDay = [
  'packages/server/src/webhooks/retention.test.ts',
  'packages/server/src/webhooks/queue/schedule.test.ts',
  'packages/server/src/webhooks/rules.test.ts',
  'packages/server/src/reports/audit.test.ts',
  'packages/server/src/reports/stats/range.test.ts',
  'packages/checkout/test/clock.test.ts',
  'packages/console/src/overview/range.test.ts',
  'packages/console/src/ui/format.test.ts',
]

/** Where dates pass through a whole application: across a year's end, on 29 February, and where an hour comes twice. */
const ofDates = [
  'packages/server/src/webhooks/feed/feed.test.ts',
  'packages/server/src/webhooks/log/routes.test.ts',
  'packages/server/src/webhooks/queue/deliver.test.ts',
  'packages/server/src/reports/days.test.ts',
  'packages/server/src/reports/export.test.ts',
  'packages/server/src/reports/stats/stats.test.ts',
  'packages/server/src/orders/console.routes.test.ts',
]

/** Where so much time has to pass, whatever the date: where an hour is missing. */
const ofDurations = [
  'packages/server/src/decisions/attention.test.ts',
  'packages/server/src/keys/keys.test.ts',
  'packages/server/src/login/session.test.ts',
  'packages/server/src/login/sign-in.test.ts',
  'packages/server/src/orders/advance.test.ts',
  'packages/server/src/orders/create/create.test.ts',
]

/** A little before the moment where one is meant, so that the tests run across it. */
const moments: readonly (readonly [moment: string, what: string, besides: readonly string[]])[] = [
  ['2027-11-01T12:00:00Z', 'a Monday, the first of a month', []],
  ['2028-02-29T10:00:00Z', 'a Tuesday, 29 February', ofDates],
  ['2027-03-31T23:59:50Z', 'a Wednesday, the end of a month', []],
  ['2026-12-31T23:59:50Z', 'a Thursday, the end of a year', ofDates],
  ['2027-12-31T12:00:00Z', 'a Friday, the last day of a year', []],
  ['2026-10-31T12:00:00Z', 'a Saturday, the last day of a month', []],
  ['2027-03-28T00:59:50Z', 'a Sunday, when summer time begins', ofDurations],
  ['2027-10-31T00:59:50Z', 'a Sunday, when summer time ends', ofDates],
]

const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`

/**
 * An offset, so that all processes agree however late they start. Only the time of day is shifted: what measures how long
 * something takes, such as a timer, goes on as it is.
 */
function shiftedTo(moment: string): Record<string, string> {
  const seconds = Math.round((Date.parse(moment) - Date.now()) / 1_000)
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
}

async function runAll(
  files: readonly string[],
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<{ code: number | null; out: string }> {
  // In one process, as loading the files takes as long as their tests. What the runner of this file says is not for it.
  const { NODE_TEST_CONTEXT: _, ...outside } = process.env
  const child = spawn(
    process.execPath,
    ['--test', '--test-isolation=none', '--test-reporter=tap', ...files],
    // Summer time is somebody's: the processes keep the time of a zone that has it.
    { cwd: root, env: { ...outside, ...env, TZ: 'Europe/Berlin' }, signal, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out }
}

before(() => needsDebian('faketime'))

test('what is run is there', () => {
  for (const file of [...ofEachDay, ...ofDates, ...ofDurations]) assert.ok(existsSync(join(root, file)), file)
})

test('the suite of dates passes', { concurrency: availableParallelism() }, async (t) => {
  const runs = moments.map(([moment, what, besides]) =>
    t.test(`${moment}: ${what}`, async ({ signal }) => {
      const { code, out } = await runAll([...ofEachDay, ...besides], shiftedTo(moment), signal)
      assert.match(out, /^# pass ([3-9]\d|[1-9]\d{2})$/m, out.slice(-5_000))
      assert.equal(
        code,
        0,
        out
          .split('\n')
          .filter((line) => !/^ *(ok|#|---|\.\.\.|duration_ms|type)/.test(line))
          .join('\n'),
      )
    }),
  )
  await Promise.all(runs)
})
