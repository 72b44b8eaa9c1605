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

test('tx: a conflict, and a statement sent behind it is noticed first → the work is done again', async (t) => {
  const { sql } = (await testDeps(t)).deps
  let attempts = 0
  await withTx(sql, async (tx) => {
    if (++attempts > 1) return
    const conflict = tx.unsafe("do $$ begin raise 'again' using errcode = '40001'; end $$").execute()
    const behind = tx`select 1`.execute()
    const noticedLate = conflict.catch(async (error: unknown) => {
      await behind.catch(() => undefined)
      throw error
    })
    await Promise.all([noticedLate, behind])
  })
  assert.equal(attempts, 2)
})
