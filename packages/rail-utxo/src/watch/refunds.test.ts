// Refunds as the chain shows them: an output is booked once, as a payment or as a refund.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REFUND_APPROVAL } from '@florin/order-model/attention/cause'
import { balanceOf } from '@florin/order-model/balance'
import { sentenceOf } from '../../../server/src/attention/words.ts'
import { nameRefundAddress } from '../../../server/src/orders/acts.ts'
import { giveRefundAddress } from '../../../server/src/orders/payer.ts'
import { noTips, orderView } from '../../../server/src/orders/view.ts'
import { anAsker, aReceivingAccount } from '../../../server/test/factories.ts'
import { networkOf } from '../chain/networks.ts'
import { addressOf } from '../chain/script.ts'
import { TestChain, txidOf } from '../test/chain.fixture.ts'
import { ACCOUNT, aWorld, output } from '../test/world.fixture.ts'

/** $50 at $50,000. */
const DUE = 100_000n

test('what pays an order fulfils no refund that was asked to the same address', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const overpaid = await world.order()
  world.announce(overpaid, 2n * DUE)
  world.chain.mine()
  await world.settle()
  const [refund] = (await world.read(overpaid)).refunds
  assert.equal(refund?.status, 'waiting')
  const other = await world.order()
  const main = networkOf('btc', 'main')
  const to = main === null ? null : addressOf(main, world.scriptOf(other))
  const legRef = overpaid.legs[0]?.ref ?? ''
  // Asked of the rail itself: orders refuse such an address, but one can also be given out after it was named.
  const asset = { chain: 'btc', asset: 'BTC', contract: null, decimals: 8 }
  const asked = { refundId: refund.id, orderRef: overpaid.orderRef, legRef, livemode: false, asset, amount: DUE }
  await world.rail.rail.refund([{ ...asked, to: to ?? '' } as never])
  // With the merchant's own coins, which are a refund's as a rule.
  const coin = { txid: (await world.read(overpaid)).payments[0]?.txHash ?? '', vout: 0 }
  world.chain.mine([TestChain.transaction([output(world.scriptOf(other), DUE)], [coin])])
  await world.settle()
  const paid = await world.read(other)
  assert.deepEqual([paid.status, balanceOf(paid)[0]?.received], ['success', DUE])
  const still = await world.read(overpaid)
  assert.notEqual(still.refunds[0]?.status, 'succeeded')
  const [line] = balanceOf(still)
  assert.deepEqual([line?.refunded, line?.held], [0n, DUE], 'its money is there yet')
  // Nor is it told of as a part of one.
  world.chain.mine([TestChain.transaction([output(world.scriptOf(other), DUE - 7n)], [{ ...coin, vout: 0 }])])
  await world.settle()
  assert.deepEqual(await world.deps.sql`select 1 from attention where kind = 'refund_short'`, [])
})

test('no refund goes to an address that orders are paid at, and in test mode one of the test network is taken', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const order = await world.order()
  const next = await world.order()
  const transaction = TestChain.transaction([output(world.scriptOf(order), 2n * DUE)])
  world.chain.mine([transaction])
  await world.settle()
  // A reorg gives it all back: what is too much waits for an address as it did before.
  world.chain.leave(1, { toPool: false })
  for (let n = 0; n < 2; n++) world.chain.mine([])
  await world.settle()
  assert.equal((await world.read(order)).detail, 'reorged')
  world.chain.mine([transaction])
  await world.settle()
  const back = await world.read(order)
  assert.deepEqual([back.status, back.detail, balanceOf(back)[0]?.held], ['success', 'refund_address_needed', DUE])
  const items = await world.deps.sql`
    select 1 from attention where kind = 'refund_address_needed' and resolved_at is null`
  assert.equal(items.length, 1)
  const refundId = back.refunds.find((row) => row.status === 'waiting')?.id ?? ''
  const main = networkOf('btc', 'main')
  const { network } = world.chain
  const named = (address: string) =>
    nameRefundAddress(world.deps, back, { actor: 'test', refundId, address }, async () => undefined)
  for (const one of [order, next]) {
    const script = world.scriptOf(one)
    for (const form of [network, main]) {
      const address = (form && addressOf(form, script)) ?? ''
      await assert.rejects(named(address), /Orders are paid at this address/)
      await assert.rejects(giveRefundAddress(world.deps, back, address, null), /Orders are paid at this address/)
    }
  }
  const own = addressOf(network, `0014${'ab'.repeat(20)}`) ?? ''
  assert.match(own, /^bcrt1/)
  const after = await named(own)
  assert.equal(after.refunds.find((row) => row.id === refundId)?.status, 'sending')
})

test('where a refund goes is written as the wallets of its network write it, wherever people read it', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const order = await world.order()
  const script = `0014${'ab'.repeat(20)}`
  const own = addressOf(world.chain.network, script) ?? ''
  const view = async () => orderView(await world.read(order), { baseUrl: '', tips: noTips })
  const saidTo = async (kind: string) =>
    (await world.deps.sql`select evidence->>'to' as to from attention where kind = ${kind} and resolved_at is null`)[0]
      ?.to
  world.chain.mine([TestChain.transaction([output(world.scriptOf(order), 2n * DUE)])])
  await world.settle()
  const paid = await world.read(order)
  await giveRefundAddress(world.deps, paid, own, null)
  assert.equal(await saidTo(REFUND_APPROVAL), own)
  const refundId = paid.refunds[0]?.id ?? ''
  await nameRefundAddress(world.deps, paid, { actor: 'test', refundId, address: own }, async () => undefined)
  await world.settle()
  assert.deepEqual([(await view()).refunds[0]?.address, await saidTo('refund_by_wallet')], [own, own])
  world.chain.mine([TestChain.transaction([output(script, DUE)])])
  await world.settle()
  assert.equal((await view()).refunds[0]?.status, 'succeeded')
  world.chain.leave(1, { toPool: false })
  for (let n = 0; n < 2; n++) world.chain.mine([])
  await world.settle()
  assert.deepEqual(
    [(await view()).status_detail, await saidTo('refund_left_the_chain')],
    ['refund_left_the_chain', own],
  )
})

test('an account that is changed between order, coin and payment leaves each order where its payer was sent', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const order = await world.order()
  const script = world.scriptOf(order)
  const text = ACCOUNT.replace('/0/*)', '/6/*)')
  const merchant = anAsker(world.caller.merchantId)
  await aReceivingAccount(world.deps, merchant, { chain: 'btc', text, network: 'regtest' })
  const later = await world.order()
  assert.notEqual(world.scriptOf(later), script)
  assert.equal(world.scriptOf(await world.read(order)), script)
  world.announce(order, DUE)
  world.announce(later, DUE)
  world.chain.mine()
  await world.settle()
  for (const one of [order, later]) {
    const { status, settleTxHash, payments } = await world.read(one)
    assert.deepEqual([status, settleTxHash], ['success', payments[0]?.txHash])
  }
  const [old, own] = await world.deps.sql<{ index: number }[]>`
    select d.index::int as index from account_addresses d where d.is_paid order by d.assigned_at`
  assert.deepEqual([old?.index, own?.index], [0, 0], 'each account counts its own')
})

test('less of the merchant’s own coins than a refund asks for is no refund, and is said with what is missing', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const order = await world.order()
  const script = `0014${'ab'.repeat(20)}`
  const address = addressOf(world.chain.network, script) ?? ''
  world.chain.mine([TestChain.transaction([output(world.scriptOf(order), 2n * DUE)])])
  await world.settle()
  const paid = await world.read(order)
  const coin = { txid: paid.payments[0]?.txHash ?? '', vout: 0 }
  const refundId = paid.refunds[0]?.id ?? ''
  await nameRefundAddress(world.deps, paid, { actor: 'test', refundId, address }, async () => undefined)
  await world.settle()
  const items = () => world.deps.sql<{ evidence: Record<string, string> }[]>`
    select evidence from attention where kind = 'refund_short' and resolved_at is null`
  // Anybody can send something there: only what is the merchant's is his to explain.
  world.chain.mine([TestChain.transaction([output(script, DUE - 7n)])])
  await world.settle()
  assert.equal((await items()).length, 0)
  const part = TestChain.transaction([output(script, DUE - 500n)], [coin])
  world.chain.mine([part])
  await world.settle()
  assert.equal((await world.read(order)).refunds[0]?.status, 'proposed')
  const [item] = await items()
  assert.deepEqual(item?.evidence, {
    ...{ amount: String(DUE - 500n), asset: 'BTC', chain: 'btc', to: address, tx_hash: txidOf(part) },
    ...{ refund: refundId, asked: String(DUE), missing: '500' },
  })
  assert.match(
    sentenceOf('refund_short', item?.evidence ?? {}),
    /0\.000995 BTC.*asks for 0\.001 BTC.*: 0\.000005 BTC.* less\./,
  )
  // A reorg that only moves it says it once.
  world.chain.leave(1, { toPool: false })
  world.chain.mine([part])
  world.chain.mine([])
  await world.settle()
  assert.equal((await items()).length, 1)
  world.chain.mine([TestChain.transaction([output(script, DUE)])])
  await world.settle()
  assert.equal((await world.read(order)).refunds[0]?.status, 'succeeded')
  assert.equal((await items()).length, 1, 'the first is yet to be explained')
})
