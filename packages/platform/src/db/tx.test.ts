import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDeps } from '../../../server/test/harness.ts'
import { withTx } from './tx.ts'

test('what the database broke off for the sake of another transaction is done again, anything else is not', async (t) => {
  const { sql } = (await testDeps(t)).deps
  const run = async (code: string, failures: number): Promise<number> => {
    let attempts = 0
    await withTx(sql, async (tx) => {
      attempts++
      await tx`insert into leases (name, holder, token, until) values (${code}, 'a', ${attempts}, now())`
      if (attempts <= failures) await tx.unsafe(`do $$ begin raise 'again' using errcode = '${code}'; end $$`)
    }).catch(() => undefined)
    return attempts
  }
  for (const code of ['40001', '40P01']) {
    assert.equal(await run(code, 2), 3, code)
    const rows = await sql<{ token: bigint }[]>`select token from leases where name = ${code}`
    assert.deepEqual(
      rows.map((row) => row.token),
      [3n],
      'of the attempts that were broken off nothing is left',
    )
    await sql`delete from leases`
  }
  assert.equal(await run('40P01', 9), 3, 'not for ever')
  assert.equal(await run('23505', 9), 1)
})
