// Promises: what the database has no room for is refused so that it is tried again, and a balancer turns away meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pooledProcess } from '../test/outages/process.ts'

/** From here on every new order fails as it does on a machine in that state. */
const failing = (sqlstate: string): string => `
  create or replace function fail() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '${sqlstate}'; end $$;
  create or replace trigger fail before insert on orders for each row execute function fail()`

const REFUSED = 'writes are refused: the disk is full, or this is a standby'

test('a full disk is 503 with a time to come back, not 500, and the process is not ready until a write works', async (t) => {
  const at = await pooledProcess(t)
  assert.deepEqual(await at.ready(), { status: 200, database: 'ok' })
  await at.admin.unsafe(failing('53100'))
  for (let n = 0; n < 3; n++) {
    assert.deepEqual(await at.create(), { status: 503, code: 'unavailable', retryAfter: '10' })
    assert.deepEqual(await at.ready(), { status: 503, database: REFUSED })
  }
  assert.equal((await at.read()).status, 200)
  await at.admin.unsafe('drop trigger fail on orders')
  assert.deepEqual(await at.ready(), { status: 200, database: 'ok' })
  assert.equal((await at.create()).status, 201)
})

test('memory, connections and temporary room used up, and a device that fails, are 503 and no matter of writes', async (t) => {
  const at = await pooledProcess(t)
  for (const sqlstate of ['53000', '53200', '53300', '53400', '58030']) {
    await at.admin.unsafe(failing(sqlstate))
    assert.deepEqual(await at.create(), { status: 503, code: 'unavailable', retryAfter: '1' }, sqlstate)
    assert.deepEqual(await at.ready(), { status: 200, database: 'ok' })
  }
})

test('a database that takes no writes is found by the trial as well', async (t) => {
  const at = await pooledProcess(t)
  const [row] = await at.admin<{ name: string }[]>`select current_database() as name`
  const database = `alter database "${row?.name}"`
  const endOthers = `
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  await at.admin.unsafe(`${database} set default_transaction_read_only = on`)
  try {
    await at.admin.unsafe(endOthers)
    let refused = await at.create()
    for (let n = 0; n < 50 && refused.retryAfter !== '10'; n++) refused = await at.create()
    assert.deepEqual(refused, { status: 503, code: 'unavailable', retryAfter: '10' })
    for (let n = 0; n < 3; n++) assert.deepEqual(await at.ready(), { status: 503, database: REFUSED })
  } finally {
    // The database is used again by other tests.
    await at.admin.unsafe(`${database} reset default_transaction_read_only`)
    await at.admin.unsafe(endOthers)
  }
})
