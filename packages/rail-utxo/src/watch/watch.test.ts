import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import { isOk } from '@florin/platform/check'
import { makePartitions } from '@florin/platform/db/partitions'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { setDepths } from '../../../server/src/addresses/account-settings.ts'
import { fillLookAhead } from '../../../server/src/addresses/accounts/assign.ts'
import { nameRefundAddress } from '../../../server/src/orders/acts.ts'
import { parseChain } from '../../../server/src/parse-chain.ts'
import { partitionedTables } from '../../../server/src/partitions.ts'
import { exportOrders } from '../../../server/src/reports/export.ts'
import { listTimeline } from '../../../server/src/webhooks/events.store.ts'
import { anAsker } from '../../../server/test/factories.ts'
import { networkOf } from '../chain/networks.ts'
import { scriptOf } from '../chain/script.ts'
import { TestChain, txidOf } from '../test/chain.fixture.ts'
import { aWorld, output, type World } from '../test/world.fixture.ts'

const GIVEN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const main = networkOf('btc', 'main')
assert.ok(main)

/** $50 at $50,000. */
const DUE = 100_000n

const checksOf = async ({ deps }: World) => (await deps.rails.checks()).get('utxo') ?? []

async function look(world: World, orderNo: string) {
  await world.settle()
  return world.read({ orderNo } as never)
}

test('an announced payment is information, a block makes it count, its depth pays the order', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  assert.equal(order.legs[0]?.amountDue, DUE)
  assert.match(order.legs[0]?.uri ?? '', /^bitcoin:bcrt1q[a-z0-9]+\?amount=0\.001$/)
  const txid = world.announce(order, DUE)
  const seen = await look(world, order.orderNo)
  assert.deepEqual([seen.status, seen.detail, seen.payments[0]?.status], ['pending', 'seen_unconfirmed', 'unconfirmed'])
  assert.equal(balanceOf(seen)[0]?.received ?? 0n, 0n, 'nothing counts yet')
  const details = async () => world.deps.rails.servicesOf('utxo').details?.(order.orderRef)
  const asset = { chain: 'btc', asset: 'BTC', contract: null, decimals: 8 }
  const shown = { asset, txHash: txid, outputIndex: 0, replacedBy: null, spendableIn: 0, source: 'plain' as const }
  // 1000 satoshi for its bytes; the node counts the payment itself among those that have to be mined.
  const feeRate = `${1_000_000 / 82 / 1000}`.slice(0, 6)
  assert.deepEqual(await details(), { payments: [{ ...shown, feeRate, unconfirmedParents: 0 }], feeOwed: [] })
  const seenBelow = async () =>
    (await world.deps.sql`select seen_below::int as below from receiving_accounts`)[0]?.below
  assert.equal(await seenBelow(), 0, 'a stranger can announce and replace, and the wallet looks no further for it')

  world.clock.advance(6 * 60 * MINUTE_MS)
  await world.settle()
  assert.equal((await world.read(order)).status, 'pending', 'it does not expire while a payment that pays it waits')

  world.chain.mine()
  const mined = await look(world, order.orderNo)
  assert.deepEqual([mined.status, mined.detail, mined.payments.length], ['processing', 'confirming', 1])
  assert.deepEqual([mined.payments[0]?.status, mined.payments[0]?.use], ['detected', 'counted'])
  assert.equal(await seenBelow(), 1, 'the wallet looks on from the address that was paid')
  world.chain.mine()
  assert.equal((await look(world, order.orderNo)).status, 'processing', 'two of three blocks')
  world.chain.mine()
  const paid = await look(world, order.orderNo)
  assert.deepEqual([paid.status, paid.detail, paid.amountOut, paid.settleTxHash], ['success', 'paid', DUE, txid])
  const [owed] = await world.deps.sql`select fee_owed::text as owed, gross::text from utxo_settlements`
  assert.deepEqual({ ...owed }, { owed: '1000', gross: '100000' }, 'the fee is owed, not taken')
  assert.equal(balanceOf(paid)[0]?.fee, 0n)
  assert.deepEqual(await details(), {
    payments: [{ ...shown, feeRate, unconfirmedParents: null }],
    feeOwed: [{ asset, amount: 1_000n }],
  })
  const filter = {
    ...{ merchantId: order.merchantId, merchantNo: order.merchantNo, livemode: order.livemode, metadata: null },
    ...{ statuses: null, externalId: null },
    ...{
      settleChain: null,
      currency: null,
      amountUsd: null,
      paymentLinkId: null,
      invoiceId: null,
      createdFrom: null,
      createdTo: null,
      search: null,
    },
  }
  let csv = ''
  for await (const part of exportOrders(world.deps.sql, filter)) csv += part
  const [names = '', values = ''] = csv.split('\r\n')
  assert.equal(values.split('","')[names.split(',').indexOf('"fee_owed"')], '0.00001')
})

test('a payment that is replaced by one that pays nobody here is dropped, and the order expires', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  const coin = TestChain.outpoint()
  world.announce(order, DUE, [coin])
  await world.settle()
  world.chain.send(TestChain.transaction([output('51', DUE)], [coin]))
  const dropped = await look(world, order.orderNo)
  assert.deepEqual([dropped.detail, dropped.payments[0]?.status], ['awaiting_payment', 'dropped'])
  const bumped = world.announce(order, DUE, [coin])
  assert.equal((await look(world, order.orderNo)).detail, 'seen_unconfirmed')
  // A block takes the coin otherwise: nothing of it ever touched a script of ours.
  const rival = TestChain.transaction([output('51', 1n)], [coin])
  world.chain.mine([rival])
  assert.equal((await look(world, order.orderNo)).detail, 'awaiting_payment')
  const [known] = await world.deps.sql<{ rival: string }[]>`select rival from utxo_pool where txid = ${bumped}`
  assert.equal(known?.rival, txidOf(rival), 'it is known who took it')
  const told = await world.deps.rails.servicesOf('utxo').details?.(order.orderRef)
  assert.equal(told?.payments.find((row) => row.txHash === bumped)?.replacedBy, txidOf(rival))
  world.clock.advance(31 * MINUTE_MS)
  await world.settle()
  assert.equal((await world.read(order)).status, 'expired')
})

test('reorgs that only move a payment are not heard of; one that takes it after success is told, and mended', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  world.announce(order, DUE)
  for (let n = 0; n < 3; n++) world.chain.mine()
  const paid = await look(world, order.orderNo)
  assert.equal(paid.status, 'success')
  const payment = world.chain.blocks.at(-3)?.transactions[1]
  assert.ok(payment)

  world.chain.leave(3, { toPool: true })
  for (let n = 0; n < 4; n++) world.chain.mine()
  const moved = await look(world, order.orderNo)
  assert.deepEqual([moved.status, moved.detail], ['success', 'paid'])
  const timeline = await listTimeline(world.deps.sql, moved)
  assert.ok(!timeline.some((row) => row.statusDetail === 'reorged'))

  const version = moved.version
  world.chain.leave(4, { toPool: false })
  world.chain.pool.clear()
  for (let n = 0; n < 5; n++) world.chain.mine([])
  const gone = await look(world, order.orderNo)
  assert.deepEqual([gone.status, gone.detail], ['success', 'reorged'])
  assert.ok(gone.version > version)
  const items = await world.deps.sql<{ kind: string }[]>`
    select kind from attention where order_no = ${order.orderNo} and resolved_at is null`
  assert.deepEqual(
    items.map((row) => row.kind),
    ['settlement_left_the_chain'],
  )

  world.chain.mine([payment])
  for (let n = 0; n < 2; n++) world.chain.mine([])
  const back = await look(world, order.orderNo)
  assert.deepEqual([back.status, back.detail, back.amountOut], ['success', 'paid', DUE])
  assert.equal(balanceOf(back)[0]?.held, 0n)
})

test('what is too much goes back by the merchant’s wallet, and is done when the chain shows it', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const order = await world.order()
  world.announce(order, 2n * DUE)
  world.chain.mine()
  const waiting = await look(world, order.orderNo)
  assert.deepEqual([waiting.status, waiting.detail], ['success', 'refund_address_needed'])
  const refundId = waiting.refunds[0]?.id ?? ''
  const script = scriptOf(main, GIVEN) ?? ''
  // Money that went there before it was asked for is no refund.
  const older = TestChain.transaction([output(script, DUE)])
  world.chain.mine([older])
  await world.settle()
  await nameRefundAddress(world.deps, waiting, { actor: 'test', refundId, address: GIVEN }, async () => undefined)
  const asked = await look(world, order.orderNo)
  assert.equal(asked.refunds[0]?.status, 'proposed')
  const [item] = await world.deps.sql<{ evidence: Record<string, string> }[]>`
    select evidence from attention where kind = 'refund_by_wallet' and resolved_at is null`
  assert.equal(item?.evidence.amount, String(DUE))
  assert.match(item?.evidence.uri ?? '', /^bitcoin:bcrt1q.*\?amount=0\.001$/)

  world.chain.leave(1, { toPool: false })
  world.chain.mine([older])
  world.chain.mine([])
  assert.equal(
    (await look(world, order.orderNo)).refunds[0]?.status,
    'proposed',
    'not even where a reorg shows it again',
  )
  world.chain.mine([TestChain.transaction([output(script, DUE - 1n)])])
  assert.equal((await look(world, order.orderNo)).refunds[0]?.status, 'proposed', 'one satoshi short')
  const made = TestChain.transaction([output(script, DUE)])
  world.chain.mine([made])
  const done = await look(world, order.orderNo)
  assert.deepEqual([done.refunds[0]?.status, done.detail], ['succeeded', 'overpaid'])
  const open = await world.deps.sql`select 1 from attention where resolved_at is null`
  assert.equal(open.length, 0)
  assert.equal(balanceOf(done)[0]?.held, 0n)
})

test('an address that is paid again a month later is seen, and the money is somebody’s to send back', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const order = await world.order()
  world.announce(order, DUE)
  world.chain.mine()
  assert.equal((await look(world, order.orderNo)).status, 'success')
  world.clock.advance(30 * DAY_MS)
  await makePartitions(world.deps.sql, partitionedTables, world.clock.now())
  world.announce(order, DUE)
  world.chain.mine()
  const again = await look(world, order.orderNo)
  assert.deepEqual([again.status, again.refunds.map((row) => [row.reason, row.amount])], ['success', [['excess', DUE]]])
})

test('a node that is away for ten minutes in any phase loses nothing, and nothing expires meanwhile', async (t) => {
  const world = await aWorld(t)
  const away = async (): Promise<void> => {
    world.chain.isDown = true
    world.clock.advance(10 * MINUTE_MS)
    await world.look()
    assert.deepEqual((await checksOf(world)).map(isOk), [false])
    world.chain.isDown = false
  }
  const order = await world.order()
  await away()
  world.announce(order, DUE)
  await world.settle()
  await away()
  await world.settle()
  assert.equal((await world.read(order)).detail, 'seen_unconfirmed')
  world.chain.isDown = true
  world.clock.advance(30 * MINUTE_MS)
  await world.settle()
  assert.equal((await world.read(order)).status, 'pending')
  world.chain.isDown = false
  world.chain.mine()
  await world.settle()
  await away()
  for (let n = 0; n < 2; n++) world.chain.mine()
  assert.equal((await look(world, order.orderNo)).status, 'success')
  assert.deepEqual((await checksOf(world)).map(isOk), [true])
})

test('a block that the node has pruned is read from a host, and from an honest one', async (t) => {
  let asked = 0
  const world = await aWorld(t, {
    fields: { confirmations: [{ blocks: 1 }] },
    sources: async (chain) => {
      const liar = await chain.host(t, (path, honest) => (path.endsWith('/raw') ? { status: 200, body: 'x' } : honest))
      const honest = await chain.host(t, (path, reply) => {
        if (path.endsWith('/raw')) asked++
        return reply
      })
      return { node: await chain.node(t), hosts: [liar, honest] }
    },
  })
  const order = await world.order()
  world.announce(order, DUE)
  world.chain.pruned.add(world.chain.mine().hash)
  assert.equal((await look(world, order.orderNo)).status, 'success')
  assert.equal(asked, 1)
  world.chain.mine()
  await world.look()
  assert.equal(asked, 1, 'a host is asked for nothing that the node has')
})

test('a merchant may ask for more blocks than the operator, and never for fewer', async (t) => {
  const world = await aWorld(t)
  const depths = async (blocks: number): Promise<number | undefined> => {
    const tiers = [
      { belowUsd: 50, blocks: 1 },
      { belowUsd: null, blocks },
    ]
    await setDepths(world.deps, anAsker(world.caller.merchantId), parseChain('btc', 'chain'), tiers)
    return (await world.order()).legs[0]?.confirmationsRequired
  }
  assert.deepEqual([await depths(2), await depths(4)], [3, 4])
  const small = await world.order({ amount_usd: 49.99 })
  assert.equal(small.legs[0]?.confirmationsRequired, 3)
  const order = await world.order()
  world.announce(order, DUE)
  for (let n = 0; n < 3; n++) world.chain.mine()
  assert.equal((await look(world, order.orderNo)).status, 'processing')
  world.chain.mine()
  assert.equal((await look(world, order.orderNo)).status, 'success')
})

test('a block that the node has pruned is said, and read once the node has it', async (t) => {
  const world = await aWorld(t, {
    fields: { confirmations: [{ blocks: 1 }] },
    sources: async (chain) => ({ node: await chain.node(t) }),
  })
  const order = await world.order()
  world.announce(order, DUE)
  const { hash } = world.chain.mine()
  world.chain.pruned.add(hash)
  await world.look()
  assert.match((await checksOf(world))[0]?.summary ?? '', /pruned block .* Nothing is lost: name a block host/)
  world.chain.pruned.clear()
  assert.equal((await look(world, order.orderNo)).status, 'success')
})

test('an address that another wallet of the merchant gave out and that was paid is given to no order', async (t) => {
  const world = await aWorld(t)
  await fillLookAhead(world.deps.sql)
  const [third] = (await world.addresses.lookAhead?.('btc', 'regtest'))?.slice(2, 3) ?? []
  assert.ok(third)
  await world.look()
  world.chain.send(TestChain.transaction([output(third.script, DUE)]))
  world.chain.mine()
  await world.look()
  const order = await world.order()
  const [given] = await world.deps
    .sql`select index::int as index from account_assignments where order_ref = ${order.orderRef}`
  assert.equal(given?.index, 3)
  const items = await world.deps.sql<{ kind: string; evidence: Record<string, string> }[]>`
    select kind, evidence from attention where resolved_at is null`
  assert.deepEqual(
    items.map(({ kind, evidence }) => [kind, evidence.index]),
    [['account_used_elsewhere', '2']],
  )
})

test('a rate holds for a day, not for as long as a node keeps a payment', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const order = await world.order()
  world.announce(order, DUE)
  await world.settle()
  world.clock.advance(2 * DAY_MS)
  assert.equal((await look(world, order.orderNo)).status, 'expired')
  world.chain.mine()
  const mined = await look(world, order.orderNo)
  assert.deepEqual([mined.status, mined.payments[0]?.use, mined.refunds[0]?.reason], ['expired', 'late', 'late'])
})
