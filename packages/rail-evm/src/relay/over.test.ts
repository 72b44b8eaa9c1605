// Promises of what is over: a settlement or refund that an order no longer wants is not sent, however late it reaches the relay, and
// holds up no other. A restored database asks for what the chain has done already.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { randomOctets } from '@florin/platform/ids'
import { getAddress, toHex } from 'viem'
import { getOrder } from '../../../server/src/orders/store.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { aWorld, stopNodes, type World } from '../test/world.fixture.ts'

after(stopNodes)

/** All parts in turn until the chain has nothing new. */
async function untilQuiet(world: World): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await world.mine(5)
    await world.work()
    while ((await settleDue(world.deps)) > 0);
    world.clock.advance(10_000)
  }
}

const items = (world: World) =>
  world.deps.sql<{ id: string; kind: string; state: string }[]>`
    select id, kind, state from relay_items order by created_at, id`

test('relay: a settlement is asked for after the chain settled it → it takes no later money', async (t) => {
  const world = await aWorld(t)
  const { sql } = world.deps
  const { orderNo, settleAddress, legs } = await world.order({ refund_address: getAddress(toHex(randomOctets(20))) })
  const [leg] = legs
  assert.ok(leg)
  await world.pay(leg.address, world.node.usdc, leg.amountDue)
  await untilQuiet(world)
  assert.equal((await getOrder(sql, orderNo)).status, 'success')
  const settled = await world.unitsOf(world.node.usdc, settleAddress)
  // As it comes where the request was on its way while the watcher read the chain anew.
  await sql`update relay_items set state = 'waiting' where kind = 'settle'`
  await world.pay(leg.address, world.node.usdc, leg.amountDue)
  await untilQuiet(world)
  assert.equal(await world.unitsOf(world.node.usdc, settleAddress), settled, 'the merchant got it once')
  assert.deepEqual(
    (await items(world)).map(({ kind, state }) => [kind, state]),
    [
      ['settle', 'done'],
      ['refund_bound', 'done'],
    ],
  )
  assert.equal(await world.unitsOf(world.node.usdc, leg.address), 0n, 'what was too much went back')
})

test('relay: a refund that its order gave up is not sent, and the next one of that money is', async (t) => {
  const world = await aWorld(t)
  const { sql } = world.deps
  const payer = getAddress(toHex(randomOctets(20)))
  const { orderNo, legs } = await world.order({ refund_address: payer })
  const [leg] = legs
  assert.ok(leg)
  await world.pay(leg.address, world.node.usdc, leg.amountDue)
  await untilQuiet(world)
  await world.pay(leg.address, world.node.usdc, leg.amountDue)
  await untilQuiet(world)
  assert.equal(await world.unitsOf(world.node.usdc, payer), leg.amountDue)
  // After a restore the order finds on the chain that another transaction returned the money, and this one has failed.
  await sql`
    insert into refunds select (jsonb_populate_record(r, '{"id": "ref_another", "reason": "returned_by_others"}')).*
    from refunds r where order_no = ${orderNo}`
  await sql`update refunds set status = 'failed', failure = 'an earlier refund returned the money' 
    where order_no = ${orderNo} and id <> 'ref_another'`
  await sql`update relay_items set state = 'waiting' where kind = 'refund_bound'`
  const [old] = (await items(world)).filter(({ kind }) => kind === 'refund_bound')
  assert.ok(old)
  await world.pay(leg.address, world.node.usdc, leg.amountDue)
  await untilQuiet(world)
  const after = (await items(world)).filter(({ kind }) => kind === 'refund_bound')
  assert.equal(after.find(({ id }) => id === old.id)?.state, 'failed')
  await untilQuiet(world)
  assert.equal(await world.unitsOf(world.node.usdc, payer), 2n * leg.amountDue, 'what came last went back once')
})
