// Promises of the doctor: of a database and a process that are well it says so; each thing that is wrong is a sentence with a cure; and
// it changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Check, isOk } from '@florin/platform/check'
import { machineClock } from '@florin/platform/clock'
import { readInstallation } from '@florin/platform/db/installation'
import { daysAhead } from '@florin/platform/db/partitions'
import { openPool } from '@florin/platform/db/pool'
import { metrics } from '@florin/platform/metrics'
import { makePoller } from '@florin/platform/worker/poller'
import { MINUTE_MS } from '@florin/protocol'
import { ownDatabase } from '../../../test/harness.ts'
import { partitionedTables } from '../../partitions.ts'
import { examineDatabase, ofEmbedded } from './database.ts'
import { judge, readMetrics } from './processes.ts'
import { reportOf } from './report.ts'

const wrong = (checks: readonly Check[]): string[] =>
  checks.flatMap((one) => (isOk(one) ? [] : [`${one.status} ${one.id}: ${one.summary}`]))

test('a database that is well, one that lacks a migration, waits, is of a newer release, or tells another time', async (t) => {
  const url = await ownDatabase(t)
  const sql = openPool({ url, max: 1, applicationName: 'doctor test' })
  const settings = { default_transaction_read_only: 'on' }
  const reading = openPool({ url, max: 1, applicationName: 'doctor', settings })
  t.after(() => Promise.all([sql.end({ timeout: 1 }), reading.end({ timeout: 1 })]))
  const look = async (now = () => new Date()) =>
    wrong(await examineDatabase(reading, now)).filter((line) => !/connections/.test(line))
  assert.deepEqual(await look(), [])

  // The day after the last partition is the first without room, as the metric counts it.
  const all = await examineDatabase(reading, () => new Date())
  const partitions = all.filter(({ id }) => id === 'partitions').map(({ summary }) => summary)
  for (const table of partitionedTables) {
    const days = await daysAhead(sql, table, new Date())
    assert.ok(partitions.includes(`${table.name} has partitions for ${days} days.`), partitions.join())
  }

  await sql`insert into mail_outbox (id, key_id, box, due_at, created_at, attempts, drop_after)
    values ('m', 'k', 'x', now() - interval '1 hour', now() - interval '1 hour', 3, now() + interval '1 hour')`
  assert.deepEqual(await look(), ['fault queue: 1 in it, the oldest due for 60 min.'])
  await sql`delete from mail_outbox`

  const late = await look(() => new Date(Date.now() - 60_000))
  assert.match(late.join(), /^fault clock: The database's clock and this machine's are (59|60)\.\d s apart\.$/)

  await sql`insert into migrations (number, name, min_code) values (9001, 'more', 0)`
  assert.deepEqual(await look(), ['warning migrations: A newer release has been here: 1 are not of this one.'])
  await sql`update migrations set min_code = 9001 where number = 9001`
  assert.match((await look()).join(), /^fault migrations: A newer release took something away/)
  await sql`delete from migrations where number in (9001, 1)`
  assert.deepEqual(await look(), ['fault migrations: 1 of this release are missing, first 1.'])
  await sql`insert into migrations (number, name, min_code) values (1, 'foundation', 0)`
  await assert.rejects(reading`delete from migrations`, { code: '25006' })

  // Whose backups count is found by a session that only reads.
  const { id } = await readInstallation(sql, new Date())
  assert.equal((await readInstallation(reading, new Date())).id, id)
})

test('doctor: the embedded PostgreSQL is behind → a warning with the way to an own one; on loopback only a sentence', () => {
  const warned = ofEmbedded(180_004, false)
  assert.deepEqual([warned.status, warned.id], ['warning', 'embedded'])
  assert.match(
    warned.summary,
    /PostgreSQL 18\.4 lacks the fixes of minor releases up to 18\.6, and npm has none newer\./,
  )
  assert.match(warned.remedy ?? '', /docs\/operations\.md#a-postgresql-of-your-own/)
  assert.deepEqual([ofEmbedded(180_004, true).status, ofEmbedded(180_006, false).status], ['ok', 'ok'])
})

test('what a process measures is judged, a sentence for each that is wrong', () => {
  const now = new Date('2026-11-23T12:00:00Z')
  const at = now.getTime() / 1000
  const lines = (text: string) => wrong(judge(readMetrics(text), now))
  const well = `
florin_chain_head_age_seconds{chain="base"} 3
florin_chain_head_age_limit_seconds{chain="base"} 60
florin_chain_provider{chain="base",provider="one",verdict="ok"} 1
florin_chain_provider{chain="base",provider="one",verdict="liar"} 0
florin_gas_runway_days{chain="base",role="relayer"} 40
florin_job_interval_seconds{name="send-mail"} 5
florin_job_last_success_timestamp_seconds{name="send-mail"} ${at - 4}
florin_reconcile_differences 0
`
  assert.deepEqual(lines(well), [])
  assert.match(reportOf(judge(readMetrics(well), now)), /1 chains are read up to date[\s\S]*Nothing is wrong\.\n$/)
  for (const [from, to, says] of [
    ['{chain="base"} 3\n', '{chain="base"} 300\n', 'fault chain: base: the newest block known is 5 min old.'],
    ['verdict="liar"} 0', 'verdict="liar"} 1', 'fault provider: base: one is liar.'],
    ['} 40', '} 0.5', 'fault gas: base: the gas of the relayer lasts 12 h.'],
    ['} 40', '} 3', 'warning gas: base: the gas of the relayer lasts 3 days.'],
    [`${at - 4}`, `${at - 4_000}`, 'fault job: send-mail has not succeeded for 67 min.'],
    ['differences 0', 'differences 2', 'fault books: florin_reconcile_differences is 2.'],
  ] as const) {
    const broken = well.replace(from, to)
    assert.notEqual(broken, well)
    assert.deepEqual(lines(broken), [says])
    assert.match(reportOf(judge(readMetrics(broken), now)), /→ (docs\/operations\.md#\w+|Send native coins)/)
  }
})

test('doctor: a job runs only while a page is open, and the page was closed → no fault', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const poller = makePoller({ clock: machineClock, log }, { name: 'watch a page', look: async () => {}, wakes: [] })
  const faults = async (): Promise<string[]> => {
    const later = new Date(Date.now() + 16 * MINUTE_MS)
    return wrong(judge(readMetrics(await metrics.metrics()), later)).filter((line) => line.includes('watch a page'))
  }
  const close = poller.hold()
  assert.deepEqual(await faults(), ['fault job: watch a page has not succeeded for 16 min.'])
  close()
  // The next visitor comes before the loop of the last one has ended.
  const closeAgain = poller.hold()
  assert.equal((await faults()).length, 1)
  closeAgain()
  await poller.close()
  assert.deepEqual(await faults(), [])
})
