// Promises: two API processes and two workers over one PostgreSQL, under mixed load at half of what they can do, lose and double
// nothing while one of them is killed every twenty seconds, PostgreSQL is restarted and killed, connections are cut and every
// process is replaced by a new one; calls are answered well or 503 with Retry-After, and memory does not grow.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbedded } from '@florin/embedded-postgres'
import { openPool, withoutLimits } from '../../packages/platform/src/db/pool.ts'
import { endSessions } from '../../packages/server/test/outages/load.ts'
import { sized } from '../../scripts/sizes.ts'
import { until } from '../florin.ts'
import { checkBooks } from './books.ts'
import { startFleet, thisRelease } from './fleet.ts'
import { watchMemory } from './memory.ts'

const KILL_EVERY_MS = 20_000
const { KILLS, PEAK_MS } = sized({
  short: { KILLS: 2, PEAK_MS: 5_000 },
  full: { KILLS: 8, PEAK_MS: 10_000 },
  soak: { KILLS: 60, PEAK_MS: 30_000 },
})
/** What is allowed of a process that lived for minutes; a leak of one order's size would be several times as much. */
const MB_PER_MINUTE = 1

test(`${KILLS} kills of a fleet whose processes are replaced lose and double nothing`, async (t) => {
  const log = { info: () => undefined, warn: () => undefined }
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-fleet-'))
  let database = await startEmbedded({ dataDir, log })
  const sql = openPool({ url: database.url, max: 2, applicationName: 'fleet', limits: withoutLimits })
  const fleet = await startFleet({ databaseUrl: database.url, place: thisRelease })
  const { shoppers, members } = fleet
  const memory = watchMemory(() => members.map(({ role, florin }) => ({ what: role, pid: florin.pid })))
  t.after(async () => {
    await memory.stop()
    await fleet.close()
    await sql.end({ timeout: 1 })
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  await fleet.start('api', thisRelease)
  await fleet.start('worker', thisRelease)

  const first = [...members]
  const before = shoppers.counts.finished
  await wait(PEAK_MS)
  const peak = ((shoppers.counts.finished - before) / PEAK_MS) * 1000
  shoppers.pace = Math.max(1, peak / 2)
  t.diagnostic(`peak ${peak.toFixed(1)} orders/s, from here on ${shoppers.pace.toFixed(1)}`)

  const restartDatabase = async (isKilled: boolean): Promise<void> => {
    if (isKilled) process.kill(database.pid, 'SIGKILL')
    await database.stop()
    database = await startEmbedded({ dataDir, log })
  }
  const exchange = async (): Promise<void> => {
    for (const old of [...members]) {
      await fleet.start(old.role, thisRelease)
      await fleet.retire(old)
    }
  }
  const quarter = Math.ceil(KILLS / 4)
  let exchanging: Promise<void> | null = null
  for (let n = 0; n < KILLS; n++) {
    const began = performance.now()
    assert.deepEqual(shoppers.faults.slice(0, 3), [])
    if (n === quarter) exchanging = exchange()
    await exchanging
    if (n === 2 * quarter) await restartDatabase(false)
    if (n === 3 * quarter) await restartDatabase(true)
    // By turns an API and a worker; the second of each in the first half, the first in the other, so that some live long.
    const role = n % 2 === 0 ? 'api' : 'worker'
    const victim = members.filter((member) => member.role === role)[n < KILLS / 2 ? 1 : 0]
    await victim?.florin.kill()
    await victim?.florin.start()
    await endSessions(sql)
    await wait(Math.max(0, KILL_EVERY_MS - (performance.now() - began)))
  }
  const finished = shoppers.counts.finished
  await until(() => shoppers.counts.finished > finished + 20, 'orders after it all', t.signal)
  await shoppers.stop()
  assert.deepEqual(shoppers.faults.slice(0, 3), [])
  const growth = memory.growth({ atLeastMs: 60_000, afterMs: 60_000 })
  const books = await checkBooks({ ...fleet, sql })
  t.diagnostic(JSON.stringify({ ...books, ...shoppers.counts, slowestMs: shoppers.slowestMs }))
  for (const line of growth) t.diagnostic(`memory: ${JSON.stringify(line)}`)
  const judged = growth.filter(({ minutes }) => minutes >= 5)
  for (const { what, mbPerMinute } of judged)
    assert.ok(mbPerMinute < MB_PER_MINUTE, `${what} grows by ${mbPerMinute} MB a minute`)
  if (KILLS * KILL_EVERY_MS >= 20 * 60_000)
    assert.deepEqual([...new Set(judged.map(({ what }) => what))].toSorted(), ['api', 'worker'])
  assert.ok(
    members.every((member) => !first.includes(member)),
    'every process was replaced',
  )
})
