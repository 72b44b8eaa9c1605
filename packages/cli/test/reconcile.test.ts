// Promises: what differs is shown in whole coins, and the exit code says whether something does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BookDifference } from '@florin/protocol'
import { aPlace } from './program.ts'
import { aService } from './service.ts'

const difference: BookDifference = {
  ...{ id: 'dif_1', livemode: true, order_no: 'ord_1', merchant: null },
  ...{ chain: 'base', asset: 'USDC', contract: '0xc', decimals: 6 },
  ...{ booked: '50000000', found: '49000000', block: '77' },
  ...{ told_at: '2026-01-31T10:00:00.000Z', resolved_at: null },
}

test('books that agree are one line and no failure', async (t) => {
  const service = await aService(t)
  service.reconciliation = { ...service.reconciliation, compared_since: '2026-01-31T09:00:00.000Z', waiting: 1 }
  const ran = await (await aPlace(t, service.baseUrl)).run(['reconcile'])
  assert.deepEqual([ran.code, ran.stdout.trim()], [0, 'Books and chain agree.'])
  assert.match(ran.stderr, /compared at 2026-01-31T09:00:00\.000Z or later/)
  assert.match(ran.stderr, /1 order waits to be compared/)
})

test('what differs is shown and is a failure while it is open', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  const page = { data: [difference], has_more: true, next_cursor: 'c1' }
  service.reconciliation = { ...service.reconciliation, differences: page }
  const ran = await place.run(['reconcile', '--status', 'open'])
  assert.equal(ran.code, 1)
  assert.match(ran.stdout, /ord_1 +USDC on base +booked 50 +found 49 +block 77 +open/)
  assert.match(ran.stderr, /More: --cursor c1/)
  assert.equal(service.requests[0]?.query.get('status'), 'open')
  const json = await place.run(['reconcile', '--json'])
  assert.deepEqual([json.code, JSON.parse(json.stdout).differences.data], [1, [difference]])

  const ended = { ...difference, resolved_at: '2026-01-31T11:00:00.000Z' }
  service.reconciliation = { ...service.reconciliation, differences: { ...page, data: [ended] } }
  assert.equal((await place.run(['reconcile'])).code, 0)
  assert.equal((await place.run(['reconcile', '--status', 'half'])).code, 2)
})
