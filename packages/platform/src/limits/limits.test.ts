// Promises: a holder's requests are counted over all processes, within a second of each other; who makes few is never written; a
// database that is away refuses nobody; the next minute begins anew.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import { testDeps } from '../../../server/test/harness.ts'
import { AppError } from '../errors.ts'
import { makeSharedLimits, type SharedLimits } from './limits.ts'

const key = { kind: 'key', id: 'key_1', perMinute: 100 }
const merchant = { kind: 'merchant', id: 'mer_1', perMinute: 150 }

function taken(
  limits: SharedLimits,
  times: number,
  holders = [key, merchant],
): { refused: number; said: Record<string, string> } {
  const said: Record<string, string> = {}
  let refused = 0
  for (let n = 0; n < times; n++) {
    try {
      limits.take(holders, (name, value) => {
        said[name] = value
      })
    } catch (error) {
      assert.ok(error instanceof AppError && error.retryAfterS !== null)
      refused += 1
    }
  }
  return { refused, said }
}

test('requests of a key and a merchant are counted over all processes', async (t) => {
  const { deps, clock } = await testDeps(t)
  const [one, other] = [makeSharedLimits(deps), makeSharedLimits(deps)]
  const { said } = taken(one, 60)
  assert.equal(said['RateLimit-Policy'], '"key";q=100;w=60, "merchant";q=150;w=60')
  assert.match(said.RateLimit ?? '', /^"key";r=40;t=\d+$/)
  assert.equal(taken(other, 30).refused, 0)
  for (const limits of [one, other, one]) await limits.flush()
  assert.deepEqual(await deps.sql`select scope, n from limits order by 1`, [
    { scope: 'requests key key_1', n: 90 },
    { scope: 'requests merchant mer_1', n: 90 },
  ])
  // 60 here, 30 there; the other process was told of before the first asked again.
  assert.equal(taken(other, 11).refused, 1)
  // Another key of the same merchant meets the merchant's limit.
  const second = { ...key, id: 'key_2' }
  assert.match(taken(other, 1, [second, merchant]).said.RateLimit ?? '', /^"merchant";r=48/)
  clock.advance(MINUTE_MS)
  assert.equal(taken(other, 100).refused, 0)
  assert.equal(taken(other, 1).refused, 1)
})

test('a holder of few requests is not written, and no failure of the database refuses one', async (t) => {
  const { deps } = await testDeps(t)
  const limits = makeSharedLimits(deps)
  taken(limits, 1)
  await limits.flush()
  assert.equal((await deps.sql`select from limits`).length, 0)
  await deps.sql`alter table limits rename to elsewhere`
  taken(limits, 50)
  await assert.rejects(limits.flush())
  assert.equal(taken(limits, 20).refused, 0)
  await deps.sql`alter table elsewhere rename to limits`
})
