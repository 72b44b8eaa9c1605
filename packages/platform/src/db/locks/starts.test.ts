// Promises: while a migration builds an index, workers start, stop and are killed as at any other time, and what a start waits for is
// in its log. And each advisory lock has a number of its own.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DAY_MS } from '@florin/protocol'
import { partitionedTables } from '../../../../server/src/partitions.ts'
import { ownDatabase } from '../../../../server/test/harness.ts'
import { startsDuringABuild } from '../../../../server/test/upgrade/slow-build.ts'
import { OperatorError } from '../../errors.ts'
import { makePartitions, preparePartitions } from '../partitions.ts'
import { openPool, withoutLimits } from '../pool.ts'
import { lockNames, lockNumber } from './advisory-locks.ts'

test('every advisory lock has a name, and names have numbers of their own', () => {
  assert.equal(new Set(lockNames.map((name) => lockNumber(name))).size, lockNames.length)
  assert.notEqual(lockNumber('sign-in email', 'a'), lockNumber('sign-in email', 'b'))
  const root = join(import.meta.dirname, '../../../..')
  const files = globSync(['{platform,order-model,rail-*,server}/src/**/*.ts', 'server/migrations/*.sql'], {
    cwd: root,
  }).filter((file) => !file.endsWith('.test.ts') && /pg_(try_)?advisory/.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(files, ['platform/src/db/locks/advisory-locks.ts'], 'locks are taken by name')
})

test('partitions are made by four processes at once, each partition once', async (t) => {
  const url = await ownDatabase(t)
  const sql = openPool({ url, max: 4, applicationName: 'starts test' })
  t.after(() => sql.end({ timeout: 1 }))
  const later = new Date(Date.now() + 100 * DAY_MS)
  const made = await Promise.all(Array.from({ length: 4 }, () => makePartitions(sql, partitionedTables, later)))
  assert.ok(made.reduce((sum, n) => sum + n) >= 16 + 2, `${made}`)
  assert.equal(await makePartitions(sql, partitionedTables, later), 0)
})

test('a start goes on where a session keeps a partitioned table locked, and says so', async (t) => {
  const url = await ownDatabase(t)
  const sql = openPool({ url, max: 2, applicationName: 'starts test', limits: withoutLimits })
  t.after(() => sql.end({ timeout: 1 }))
  const said: string[] = []
  const prepare = (now: number) => preparePartitions(sql, partitionedTables, new Date(now), (line) => said.push(line))
  await sql.begin(async (tx) => {
    await tx`lock table order_events in share mode`
    await prepare(Date.now() + 8 * DAY_MS)
    assert.match(said.join(), /partitions of order_events could not be made.* \d+ days are there/)
    await assert.rejects(
      prepare(Date.now() + 50 * DAY_MS),
      (error) => error instanceof OperatorError && /order_events has no partition for today/.test(error.message),
    )
  })
})

test('while an index is built workers start, and a start that waits says for whom and may be killed', async (t) => {
  await startsDuringABuild(t, await ownDatabase(t))
})
