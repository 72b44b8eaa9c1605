import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseClock } from '@florin/platform/clock'
import { metrics } from '@florin/platform/metrics'
import { MINUTE_MS } from '@florin/protocol'
import { testDeps } from '../../../test/harness.ts'
import { watchTransactions } from './transactions.ts'

test('a transaction that stays open is counted, and named after ten minutes', async (t) => {
  const at = await testDeps(t)
  const { sql } = at.deps
  const warned: { seconds: number; pid: number }[] = []
  const log = Object.assign(Object.create(at.deps.log), { warn: (fields: (typeof warned)[0]) => warned.push(fields) })
  const time = await databaseClock(sql)
  let laterMs = 0
  const clock = { ...time, now: () => new Date(time.now().getTime() + laterMs) }
  const look = () => watchTransactions({ sql, log, clock })
  const seconds = async () =>
    Number((await metrics.getSingleMetricAsString('florin_oldest_transaction_seconds')).split(' ').at(-1))

  await sql.begin('isolation level repeatable read', async (tx) => {
    const [reader] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    laterMs = 9 * MINUTE_MS
    await look()
    assert.ok((await seconds()) >= 540)
    assert.equal(warned.length, 0)
    laterMs = 11 * MINUTE_MS
    await look()
    assert.equal(warned.length, 1)
    assert.equal(warned[0]?.pid, reader?.pid)
    assert.ok((warned[0]?.seconds ?? 0) >= 660)
  })
  laterMs = 0
  await look()
  assert.ok((await seconds()) < 60)
})
