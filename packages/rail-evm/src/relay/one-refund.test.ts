// Of one leg, asset and address one refund at a time, whoever asks how often, and whatever died in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Killed, killable } from '@florin/platform/testing/killable'
import type { RefundRequest } from '@florin/rail-kit/interface/moves'
import { testDeps } from '../../../server/test/harness.ts'
import { listWaitingItems, RefundUnderWay, reopenItem } from './items.store.ts'
import { queueRefunds } from './relay.ts'

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7'
const usdc = { chain: 'base', asset: 'USDC', contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 }

const waiting = {
  ...{ chain: 'base', kinds: ['refund_bound'] as const, limit: 50 },
  ...{ suspects: [], burners: [], restingBurners: [], resting: [], isApart: false },
}

async function aLeg(t: Parameters<typeof testDeps>[0]) {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const now = clock.now()
  await sql`
    insert into forwarder_vaults (leg_ref, order_ref, chain, livemode, vault, factory, impl, route, asset, contract,
      decimals, amount_due, opened, deadline, hot_until, watch_until, created_at)
    values ('leg', 'order', 'base', false, '0x0a', '0x0b', '0x0c',
      '{"chainId":"1","feeBps":"0","minAmount":"1","openAfter":"1"}', 'USDC', null, 6, 1, '{}', ${now}, ${now}, ${now}, ${now})`
  const refund = (refundId: string, over: Partial<RefundRequest> = {}): RefundRequest => ({
    ...{
      refundId,
      orderRef: 'order',
      legRef: 'leg',
      livemode: false,
      asset: usdc,
      amount: 5n,
      to: PAYER,
      isBound: true,
    },
    ...over,
  })
  const items = async () =>
    (await sql<{ id: string; state: string }[]>`select id, state from relay_items order by id`).map(
      ({ id, state }) => `${id} ${state}`,
    )
  const ready = async () => (await listWaitingItems(sql, { ...waiting, now })).map(({ id }) => id)
  return { sql, now, refund, items, ready }
}

test('of refunds to one address that are asked for at the same time one is taken, by any number of processes', async (t) => {
  const { sql, now, refund, items } = await aLeg(t)
  const asked = Array.from({ length: 12 }, (_, n) => queueRefunds(sql, [refund(`ref_${10 + n}`)], now))
  const results = await Promise.allSettled(asked)
  const refused = results.filter((one) => one.status === 'rejected')
  assert.equal(refused.length, 11)
  assert.ok(refused.every(({ reason }) => reason instanceof RefundUnderWay))
  const [only, ...more] = await items()
  assert.deepEqual(more, [])
  // The one that was taken may be asked for again, other money and other addresses go their own way.
  await queueRefunds(sql, [refund(only?.split(' ')[0] ?? '')], now)
  await queueRefunds(
    sql,
    [refund('ref_30', { to: OTHER }), refund('ref_31', { asset: { ...usdc, contract: null } })],
    now,
  )
  assert.equal((await items()).length, 3)
})

test('a process that dies between any two statements leaves no second one behind', async (t) => {
  const { sql, now, refund, items } = await aLeg(t)
  for (let killAt = 0; ; killAt++) {
    const dying = killable(sql, killAt)
    const isKilled = await queueRefunds(dying.sql, [refund('ref_1'), refund('ref_2')], now).then(
      () => false,
      (error: unknown) => error instanceof Killed,
    )
    await assert.rejects(queueRefunds(sql, [refund('ref_1'), refund('ref_2')], now), RefundUnderWay)
    assert.deepEqual(await items(), ['ref_1 waiting'])
    if (!isKilled) break
    await sql`delete from relay_items`
  }
})

test('the next one waits until nothing of the one before can be mined any more', async (t) => {
  const { sql, now, refund, items, ready } = await aLeg(t)
  await queueRefunds(sql, [refund('ref_1')], now)
  await sql`
    insert into relay_outbox (chain, signer, nonce, state, purpose, item_ids, to_address, data, gas, sent_height, sent_at, created_at)
    values ('base', '0x01', 0, 'open', 'refund_bound', '{ref_1}', '0x0b', '0x', 1, 1, ${now}, ${now})`
  // Given up, and its transaction may still come.
  await sql`update relay_items set state = 'failed' where id = 'ref_1'`
  await queueRefunds(sql, [refund('ref_2')], now)
  assert.deepEqual(await ready(), [])
  await sql`update relay_outbox set state = 'mined'`
  assert.deepEqual(await ready(), [])
  await sql`update relay_outbox set state = 'done'`
  assert.deepEqual(await ready(), ['ref_2'])
  // A deep reorg brings the first one back beside it: that is told, not refused.
  await sql`update relay_items set state = 'done' where id = 'ref_1'`
  await reopenItem(sql as never, { id: 'ref_1', state: 'sent', now })
  assert.deepEqual(await items(), ['ref_1 sent', 'ref_2 waiting'])
  assert.deepEqual(await ready(), [], 'they share an address')
})
