// Promises of the doctor: of a database and a process that are well it says so; each thing that is wrong is a sentence with a cure; and
// it changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Check, fault, isOk, ok } from '@florin/platform/check'
import { readInstallation } from '@florin/platform/db/installation'
import { daysAhead } from '@florin/platform/db/partitions'
import { openPool } from '@florin/platform/db/pool'
import { ownDatabase, testDeps } from '../../../test/harness.ts'
import { buildApp } from '../../app.ts'
import { partitionedTables } from '../../partitions.ts'
import { examineDatabase, ofEmbedded } from './database.ts'
import { examineProcess } from './processes.ts'
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

  await sql`insert into migrations (package, number, name, min_code, checksum) values ('server', 9001, 'more', 0, '')`
  assert.deepEqual(await look(), ['warning migrations: A newer release has been here: 1 are not of this one.'])
  await sql`update migrations set min_code = 9001 where number = 9001`
  assert.match((await look()).join(), /^fault migrations: A newer release took something away/)
  await sql`delete from migrations where package = 'server' and number in (9001, 1)`
  assert.deepEqual(await look(), ['fault migrations: 1 of this release are missing, first server/1.'])
  await sql`insert into migrations (package, number, name, min_code, checksum) values ('server', 1, 'foundation', 0, '')`
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

test('doctor: a process reports failing checks → the same checks with the address of the process', async (t) => {
  const { deps } = await testDeps(t)
  const since = new Date('2026-11-23T12:00:00Z')
  const wrong = { ...fault(['chain', 'base'], 'base: no node answers', 'Look at the node.'), since }
  const app = await buildApp(deps, { required: () => [], others: () => [wrong] })
  t.after(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  assert.deepEqual(await examineProcess(url), [
    ok('database', 'The database takes writes.'),
    { ...wrong, summary: `${url}: base: no node answers` },
    ok(['process', url], `${url} is ready.`),
  ])
  assert.match(reportOf(await examineProcess(url)), /→ Look at the node\.\n\n1 to be mended, 0 to be looked at\.\n$/)
  await app.close()
  assert.deepEqual(
    (await examineProcess(url)).map(({ id, status }) => `${id} ${status}`),
    ['process fault'],
  )
})
