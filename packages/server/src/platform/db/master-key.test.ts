// The master key: a wrong one is refused before anything is written under it, and one key can follow another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDeps } from '../../../test/harness.ts'
import { makeSecrets } from '../secrets.ts'
import { checkMasterKey, WrongMasterKey } from './master-key.ts'

const [first, second, third] = ['a1', 'b2', 'c3'].map((byte) => byte.repeat(32)) as [string, string, string]

test('a database opens with its own key alone, and a refusal names no key', async (t) => {
  const { sql } = (await testDeps(t)).deps
  const stored = () => sql`select key_id, box from master_key_check`
  await checkMasterKey(sql, makeSecrets(first))
  const before = [...(await stored())]
  assert.equal(before.length, 1)
  await checkMasterKey(sql, makeSecrets(first))
  for (const wrong of [makeSecrets(second), makeSecrets(second, third)]) {
    await assert.rejects(checkMasterKey(sql, wrong), (error: Error) => {
      assert.ok(error instanceof WrongMasterKey)
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
  await checkMasterKey(sql, old)
  const box = old.seal('whsec_1', 'webhook secret 1')
  const both = makeSecrets(second, first)
  await checkMasterKey(sql, both)
  assert.equal(both.open(box, 'webhook secret 1'), 'whsec_1', 'what was sealed before still opens')
  assert.equal(both.seal('x', 'y').keyId, makeSecrets(second).keyId, 'what is sealed now is sealed under the new one')
  await checkMasterKey(sql, makeSecrets(second))
  await assert.rejects(checkMasterKey(sql, makeSecrets(first)), WrongMasterKey)
})
