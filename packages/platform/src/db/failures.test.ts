import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDeps } from '../../../server/test/harness.ts'
import { failureFields } from './failures.ts'

test('log lines: the database is busy → one sentence; a fault of a statement → its stack', async (t) => {
  const { sql } = (await testDeps(t)).deps
  const fail = (code: string): Promise<unknown> =>
    sql.unsafe(`do $$ begin raise 'the words of the database' using errcode = '${code}'; end $$`).then(
      () => assert.fail('it passed'),
      (error: unknown) => error,
    )
  for (const busy of ['55P03', '57014', '53300', '40P01'])
    assert.deepEqual(failureFields(await fail(busy)), { reason: 'the words of the database' }, busy)
  const fault = await fail('22012')
  assert.deepEqual(failureFields(fault), { err: fault })
})
