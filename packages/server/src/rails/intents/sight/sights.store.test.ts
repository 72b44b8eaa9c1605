// Whoever looks for open swaps reads those, and not all that ever were.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { testDeps } from '../../../../test/harness.ts'
import { explained, vacuumed } from '../../../../test/plans.ts'
import { listSeen } from '../watch/swaps.store.ts'
import { hasOpen, listCrowded, listOpen } from './sights.store.ts'

/** The table has some six hundred; the hundred that wait lie on a page each. */
const PAGES_MOST = 160

test('open swaps, and what was seen of them, are found by their indexes however many have ended', async (t) => {
  const { deps, databaseUrl, clock } = await testDeps(t)
  const now = clock.now()
  const later = new Date(now.getTime() + HOUR_MS)
  const ago = new Date(now.getTime() - 2 * MINUTE_MS)
  // One in a hundred waits, and something was seen of every fifth of these.
  await deps.sql`
    insert into intents_legs (ref, order_ref, livemode, pay, settle, merchant_address, refund_address, address, opened, reply,
      created_at, pay_until, returns_from, watch_until, amount_due, amount_least, amount_out, refund_fee, fee_bps, stage, due_at,
      seen, seen_at, seen_due_at)
    select 'leg' || n, 'order' || n, false, '{"chain":"arb","asset":"USDC","contract":"0xaa","decimals":6}', '{}', '', '', 'at' || n,
      '{}', '{}', ${now}, ${later}, ${later}, ${later}, 1, 1, 1, 0, 0, case when n % 100 = 0 then 'waiting' else 'done' end,
      case when n % 100 = 0 then ${later}::timestamptz end, '{}', null, case when n % 500 = 0 then ${ago}::timestamptz end
    from generate_series(1, 10000) n`
  await deps.sql`insert into intents_sights (chain, node) values ('arb', 'one'), ('arb', 'two'), ('base', 'one')`
  await vacuumed(deps.sql, ['intents_legs', 'intents_sights'])
  const { sql, taken } = await explained(t, databaseUrl)
  const from = new Date(now.getTime() - DAY_MS)
  const open = await listOpen(sql, { chain: 'arb', from })
  assert.deepEqual([open.length, open[0]?.asset], [100, { contract: '0xaa' }])
  assert.deepEqual(
    [await hasOpen(sql, { chain: 'arb', from }), await hasOpen(sql, { chain: 'base', from })],
    [true, false],
  )
  assert.deepEqual(await listCrowded(sql, { before: now }), ['arb'])
  assert.equal((await listSeen(sql, { now, limit: 5, crowded: [] })).length, 5)
  // One that was seen on another chain after all these has its turn, and the first one where they are too many.
  await deps.sql`
    update intents_legs set pay = '{"chain":"base","asset":"USDC","contract":"0xaa","decimals":6}', seen_due_at = ${now}
    where ref = 'leg500'`
  const turns = async (crowded: string[]): Promise<number> =>
    (await listSeen(sql, { now, limit: 5, crowded })).findIndex(({ ref }) => ref === 'leg500')
  assert.deepEqual([await turns([]), await turns(['arb']), await turns(['base'])], [1, 0, -1])
  const plans = taken()
  for (const { query, buffers } of plans) assert.ok(buffers < PAGES_MOST, `${buffers} pages: ${query}`)
  assert.ok(plans.length >= 5)
})
