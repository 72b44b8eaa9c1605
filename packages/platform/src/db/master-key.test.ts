// The master key: a wrong one is refused before anything is written under it, and one key can follow another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDeps } from '../../../server/test/harness.ts'
import { OperatorError } from '../errors.ts'
import { makeSecrets, type Secrets } from '../secrets.ts'
import { checkMasterKey } from './master-key.ts'
import type { Sql } from './pool.ts'

const [first, second, third] = ['a1', 'b2', 'c3'].map((byte) => byte.repeat(32)) as [string, string, string]

/** Holds nothing but its own check value. */
const check = (sql: Sql, secrets: Secrets) => checkMasterKey(sql, secrets, { rows: [], now: new Date() })

test('a database opens with its own key alone, and a refusal names no key', async (t) => {
  const { sql } = (await testDeps(t)).deps
  const stored = () => sql`select key_id, box from master_key_check`
  await check(sql, makeSecrets(first))
  const before = [...(await stored())]
  assert.equal(before.length, 1)
  await check(sql, makeSecrets(first))
  for (const wrong of [makeSecrets(second), makeSecrets(second, third)]) {
    await assert.rejects(check(sql, wrong), (error: Error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.message, /another master key.*MASTER_KEY_OLD/s)
      assert.ok(![first, second, third].some((key) => error.message.includes(key)))
      return true
    })
  }
  assert.deepEqual([...(await stored())], before, 'a wrong key changes nothing')
})

test('with the former key at hand another one takes over, and then stands alone', async (t) => {
  const { sql } = (await testDeps(t)).deps
  const old = makeSecrets(first)
  await check(sql, old)
  const box = old.seal('whsec_1', 'webhook secret 1')
  const both = makeSecrets(second, first)
  await check(sql, both)
  assert.equal(both.open(box, 'webhook secret 1'), 'whsec_1', 'what was sealed before still opens')
  assert.equal(both.seal('x', 'y').keyId, makeSecrets(second).keyId, 'what is sealed now is sealed under the new one')
  await check(sql, makeSecrets(second))
  await assert.rejects(check(sql, makeSecrets(first)), OperatorError)
})
