import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDeps } from '../../../server/test/harness.ts'
import { claimLease, holdLease, LeaseLost, releaseLease } from './lease.ts'
import { withTx } from './tx.ts'

test('one holder at a time; a lapsed lease changes hands and its old holder can write nothing', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const claim = (holder: string) => claimLease(sql, { name: 'watch base', holder, now: clock.now(), leaseMs: 15_000 })
  const hold = (lease: NonNullable<Awaited<ReturnType<typeof claim>>>) =>
    withTx(sql, (tx) => holdLease(tx, lease, { now: clock.now(), leaseMs: 15_000 }))

  const first = await claim('a')
  assert.ok(first)
  assert.equal(await claim('b'), null)
  clock.advance(10_000)
  await hold(first)
  clock.advance(10_000)
  assert.equal(await claim('b'), null, 'writing under a lease lengthens it')
  assert.equal((await claim('a'))?.token, first.token)

  clock.advance(15_000)
  const second = await claim('b')
  assert.equal(second?.token, first.token + 1n)
  await assert.rejects(hold(first), LeaseLost)

  assert.ok(second)
  await releaseLease(sql, second, clock.now())
  assert.equal((await claim('a'))?.token, second.token + 1n, 'given back early')
})

test('who lost a lease and has it again cannot write what was begun under the first one', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const take = async (holder: string) => {
    const lease = await claimLease(sql, { name: 'relay base', holder, now: clock.now(), leaseMs: 15_000 })
    assert.ok(lease)
    clock.advance(15_000)
    return lease
  }
  const [first, , third] = [await take('a'), await take('b'), await take('a')]
  const hold = (lease: typeof first) => withTx(sql, (tx) => holdLease(tx, lease, { now: clock.now(), leaseMs: 15_000 }))
  await assert.rejects(hold(first), LeaseLost)
  await releaseLease(sql, first, new Date(0))
  await hold(third)
  assert.equal(await claimLease(sql, { name: 'relay base', holder: 'b', now: clock.now(), leaseMs: 1 }), null)
})
