import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reconciliation } from '@florin/protocol'
import { actInSandbox } from '@florin/rail-kit/sandbox/simulate'
import { OPERATOR, testConsole } from '../../../test/console.ts'
import { settleDue } from '../../../test/orders.ts'
import { reconcileJob } from './reconcile.ts'
import { roundsJob } from './rounds.ts'

test('differences are listed to their merchant, to its keys and to operators, with what is compared', async (t) => {
  const at = await testConsole(t)
  const { deps, clock } = at
  const empty = (await at.get<Reconciliation>('reconciliation?livemode=false')).data
  assert.deepEqual(empty, {
    ...{ compared_since: null, waiting: 0 },
    differences: { data: [], has_more: false, next_cursor: null },
  })
  const orders = [await at.order(), await at.order()]
  for (const { orderRef, legs } of orders) {
    const legRef = legs[0]?.ref ?? ''
    await actInSandbox(deps.sql, orderRef, { kind: 'transfer', legRef, amount: 50n, seenAt: clock.now() }, clock.now())
    await actInSandbox(deps.sql, orderRef, { kind: 'deal', legRef, amount: 20n }, clock.now())
  }
  while ((await settleDue(deps)) > 0);
  const run = async (): Promise<void> => {
    for (const job of [roundsJob(deps), reconcileJob(deps)]) await job.run(new AbortController().signal)
  }
  await run()
  const once = (await at.get<Reconciliation>('reconciliation?livemode=false')).data
  assert.deepEqual([once.compared_since, once.differences.data.length], [clock.now().toISOString(), 0])
  clock.advance(61_000)
  await run()

  const first = (await at.get<Reconciliation>('reconciliation?livemode=false&status=open&limit=1')).data.differences
  assert.deepEqual([first.data.length, first.has_more], [1, true])
  const rest = (await at.get<Reconciliation>(`reconciliation?livemode=false&cursor=${first.next_cursor}`)).data
    .differences
  const all = [...first.data, ...rest.data]
  assert.deepEqual(new Set(all.map((row) => row.order_no)), new Set(orders.map((order) => order.orderNo)))
  assert.deepEqual(
    all.map(({ booked, found, asset, merchant, resolved_at }) => [booked, found, asset, merchant, resolved_at]),
    [
      ['50', '20', 'USDC', null, null],
      ['50', '20', 'USDC', null, null],
    ],
  )
  assert.deepEqual((await at.get<Reconciliation>('reconciliation?livemode=true')).data.differences.data, [])
  assert.deepEqual(
    (await at.get<Reconciliation>('reconciliation?livemode=false&status=resolved')).data.differences.data,
    [],
  )

  const byKey = await at.app.inject({ url: '/v1/reconciliation', headers: { 'x-api-key': at.key.apiKey } })
  assert.deepEqual(
    (byKey.json() as Reconciliation).differences.data.map((row) => row.id),
    all.map((row) => row.id),
  )
  const stranger = await at.another()
  const theirs = (await stranger.get<Reconciliation>('reconciliation?livemode=false')).data
  assert.deepEqual(theirs, { ...empty, compared_since: once.compared_since }, 'the round was over all orders')
  const operator = await at.another(OPERATOR)
  const seen = (await operator.get<Reconciliation>('reconciliation?livemode=false')).data.differences.data
  assert.deepEqual(
    seen.map((row) => row.merchant),
    [at.merchant.email, at.merchant.email],
  )
  for (const url of ['/v1/reconciliation', '/api/v1/boss/reconciliation?livemode=false']) {
    assert.equal((await at.app.inject(url)).statusCode, 401)
  }
  assert.equal((await at.get('reconciliation?livemode=false&status=half')).error?.code, 'validation_failed')
})
