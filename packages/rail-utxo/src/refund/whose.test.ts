// Whose refund a transfer is where two merchants owe the same payer: by whose coins it spends, and where nothing shows that, by
// who alone waits for it.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import type { KeyCaller } from '../../../server/src/callers.ts'
import { nameRefundAddress } from '../../../server/src/orders/acts.ts'
import { askOwnRefund, nameTransaction } from '../../../server/src/orders/own-refunds/acts.ts'
import { ownRefundJob } from '../../../server/src/orders/own-refunds/watch.ts'
import { anAsker, aReceivingAccount } from '../../../server/test/factories.ts'
import { aCaller, anOrder } from '../../../server/test/orders.ts'
import { addressOf } from '../chain/script.ts'
import { TestChain, txidOf } from '../test/chain.fixture.ts'
import { aWorld, OTHER_ACCOUNT, output, type World } from '../test/world.fixture.ts'

const DUE = 100_000n
const SCRIPT = `0014${'ab'.repeat(20)}`

async function twoShops(t: TestContext) {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const bob = await aCaller(world.deps, {})
  await aReceivingAccount(world.deps, anAsker(bob.merchantId), {
    chain: 'btc',
    text: OTHER_ACCOUNT,
    network: 'regtest',
  })
  const address = addressOf(world.chain.network, SCRIPT) ?? ''
  return { world, bob, address }
}

/** The merchant in the console, signed in a moment ago. */
const ownerOf = ({ merchantId }: KeyCaller) =>
  ({ merchantId, actor: 'test', isConsole: true, isFresh: true, livemode: false }) as never

/** An order that was paid `paid`: what is too much of it waits for an address. */
async function paidOrder(world: World, caller: KeyCaller, paid: bigint): Promise<OrderState> {
  const order = await anOrder(world.deps, caller, {
    ...{ amount_usd: 50, pay_chain: 'btc', pay_asset: 'BTC', settle_chain: 'btc', settle_asset: 'BTC' },
  })
  world.announce(order, paid)
  world.chain.mine()
  await world.settle()
  return world.read(order)
}

/** The merchant's wallet is asked to send what is too much. @returns what the inbox says. */
async function owed(world: World, caller: KeyCaller, a: { excess: bigint; address: string }) {
  const order = await paidOrder(world, caller, DUE + a.excess)
  const refundId = order.refunds[0]?.id ?? ''
  const by = { actor: 'test', refundId, address: a.address }
  await nameRefundAddress(world.deps, order, by, async () => undefined)
  await world.settle()
  const [item] = await world.deps.sql<{ evidence: Record<string, string> }[]>`
    select evidence from attention where kind = 'refund_by_wallet' and order_no = ${order.orderNo}`
  return { order, evidence: item?.evidence ?? {}, refund: async () => (await world.read(order)).refunds[0] }
}

const pay = async (world: World, amount: bigint): Promise<string> => {
  const raw = TestChain.transaction([output(SCRIPT, amount)])
  world.chain.mine([raw])
  await world.settle()
  return txidOf(raw)
}

test('two merchants who owe one payer the same are never credited with one another’s transfer', async (t) => {
  const { world, bob, address } = await twoShops(t)
  // Bob, who may be the payer himself, asked first and sends nothing.
  const his = await owed(world, bob, { excess: 50_000n, address })
  const hers = await owed(world, world.caller, { excess: 50_000n, address })
  assert.deepEqual([his.evidence.amount, hers.evidence.amount], ['50000', '50000'])
  assert.match(hers.evidence.uri ?? '', /amount=0\.0005$/)
  assert.equal(hers.evidence.to, address, 'as the test network writes it')
  const states = async () => [(await his.refund())?.status, (await hers.refund())?.status]
  // Nothing shows whose coins these are, and both wait for the amount: it counts for neither.
  await pay(world, 50_000n)
  assert.deepEqual(await states(), ['proposed', 'proposed'])
  const [coin] = hers.order.payments
  const sent = TestChain.transaction([output(SCRIPT, 50_000n)], [{ txid: coin?.txHash ?? '', vout: 0 }])
  world.chain.mine([sent])
  await world.settle()
  assert.deepEqual([...(await states()), (await hers.refund())?.txHash], ['proposed', 'succeeded', txidOf(sent)])
  const after = await world.read(hers.order)
  assert.deepEqual(
    balanceOf(after).map(({ refunded, held }) => [refunded, held]),
    [[50_000n, 0n]],
  )
  const holdings = await world.rail.rail.holdings(
    after.legs.map((leg) => ({ orderRef: after.orderRef, legRef: leg.ref, assets: [] })),
  )
  assert.deepEqual(
    holdings.map((one) => one.amount),
    [0n],
    'and so has the rail',
  )
  // He alone waits for it now.
  const last = await pay(world, 50_000n)
  assert.equal((await his.refund())?.txHash, last)
})

slowTest('coins that nobody knows end no refund that another merchant asks for after the settlement', async (t) => {
  const { world, bob, address } = await twoShops(t)
  const his = await owed(world, bob, { excess: 30_000n, address })
  const order = await paidOrder(world, world.caller, DUE)
  const owner = ownerOf(world.caller)
  const { id, amount } = await askOwnRefund(world.deps, owner, order, {
    ...{ amount: 30_000n, address, reason: null, mayExceed: false },
  })
  assert.equal(amount, '30000')
  const sent = await pay(world, 30_000n)
  assert.equal((await his.refund())?.status, 'proposed')
  await nameTransaction(world.deps, owner, await world.read(order), { id, txHash: sent })
  world.clock.advance(60_000)
  await ownRefundJob(world.deps).run(AbortSignal.any([]))
  const [row] = (await world.read(order)).ownRefunds
  assert.deepEqual([row?.status, row?.amount, row?.sentFrom], ['recorded', 30_000n, 'word'])
  assert.equal((await his.refund())?.status, 'proposed', 'a transfer counts once')
})

slowTest('what was announced before the merchant’s wallet was asked is no refund', async (t) => {
  const { world, address } = await twoShops(t)
  const order = await paidOrder(world, world.caller, 2n * DUE)
  const early = TestChain.transaction([output(SCRIPT, DUE)])
  world.chain.send(early)
  await world.look()
  world.clock.advance(60_000)
  const refundId = order.refunds[0]?.id ?? ''
  await nameRefundAddress(world.deps, order, { actor: 'test', refundId, address }, async () => undefined)
  await world.settle()
  world.chain.mine([early])
  await world.settle()
  assert.equal((await world.read(order)).refunds[0]?.status, 'proposed')
  world.clock.advance(60_000)
  world.chain.send(TestChain.transaction([output(SCRIPT, DUE)]))
  await world.look()
  world.chain.mine()
  await world.settle()
  assert.equal((await world.read(order)).refunds[0]?.status, 'succeeded')
})

test('coins of one merchant refund nothing of another, whatever the amount', async (t) => {
  const { world, bob, address } = await twoShops(t)
  const his = await owed(world, bob, { excess: 50_000n, address })
  const hers = await owed(world, world.caller, { excess: 50_000n, address })
  const [coin] = hers.order.payments
  const byHand = TestChain.transaction([output(SCRIPT, 50_000n)], [{ txid: coin?.txHash ?? '', vout: 0 }])
  world.chain.mine([byHand])
  await world.settle()
  assert.deepEqual([(await his.refund())?.status, (await hers.refund())?.status], ['proposed', 'succeeded'])
  // Nor where she waits for nothing there, and sends it all the same.
  const [spare] = (await paidOrder(world, world.caller, DUE)).payments
  world.chain.mine([TestChain.transaction([output(SCRIPT, 50_000n)], [{ txid: spare?.txHash ?? '', vout: 0 }])])
  await world.settle()
  assert.equal((await his.refund())?.status, 'proposed')
})

slowTest('what comes back to a payer by a payment of his own is no refund', async (t) => {
  const { world, address } = await twoShops(t)
  const { deps, caller } = world
  const held = await owed(world, caller, { excess: 20_000n, address })
  const settled = await paidOrder(world, caller, DUE)
  const owner = ownerOf(caller)
  const wish = { amount: 30_000n, address, reason: null, mayExceed: false }
  const { id } = await askOwnRefund(deps, owner, await world.read(settled), wish)
  // His wallet has one address: the change of what he pays goes where his money is to come back to.
  const next = await anOrder(deps, caller, {
    ...{ amount_usd: 50, pay_chain: 'btc', pay_asset: 'BTC', settle_chain: 'btc', settle_asset: 'BTC' },
  })
  const raw = TestChain.transaction([
    ...[output(world.scriptOf(next), DUE), output(SCRIPT, 30_000n), output(SCRIPT, 700_000n)],
    // Also to the satoshi.
    output(SCRIPT, 20_000n),
  ])
  world.chain.mine([raw])
  await world.settle()
  assert.equal((await world.read(next)).status, 'success')
  assert.equal((await held.refund())?.status, 'proposed')
  await nameTransaction(deps, owner, await world.read(settled), { id, txHash: txidOf(raw) })
  world.clock.advance(60_000)
  await ownRefundJob(deps).run(AbortSignal.any([]))
  const [row] = (await world.read(settled)).ownRefunds
  assert.deepEqual([row?.status, row?.txHash], ['requested', null])
  assert.match(row?.failure ?? '', /pays an order/)
})

test('what a payer gets at that address from elsewhere is no refund, however much it is', async (t) => {
  const { world, address } = await twoShops(t)
  const held = await owed(world, world.caller, { excess: 20_000n, address })
  await pay(world, 700_000n)
  assert.equal((await held.refund())?.status, 'proposed')
  const sent = await pay(world, 20_000n)
  assert.deepEqual([(await held.refund())?.status, (await held.refund())?.txHash], ['succeeded', sent])
})

test('one transfer of the merchant’s own coins pays as many refunds of the merchant as it is large enough for', async (t) => {
  const { world, bob, address } = await twoShops(t)
  const { deps, caller } = world
  const held = await owed(world, caller, { excess: 10_000n, address })
  const his = await owed(world, bob, { excess: 10_000n, address })
  const order = await paidOrder(world, caller, DUE)
  const owner = ownerOf(caller)
  const ask = async (amount: bigint) =>
    (await askOwnRefund(deps, owner, await world.read(order), { amount, address, reason: null, mayExceed: false })).id
  const name = async (id: string, txHash: string) => {
    await nameTransaction(deps, owner, await world.read(order), { id, txHash })
    world.clock.advance(60_000)
    await ownRefundJob(deps).run(AbortSignal.any([]))
    const row = (await world.read(order)).ownRefunds.find((one) => one.id === id)
    return [row?.status, row?.sentFrom, row?.failure ?? row?.amount ?? null]
  }
  const requests = [await ask(40_000n), await ask(5_000n), await ask(1_000n)]
  const coins = order.payments.map((one) => ({ txid: one.txHash, vout: 0 }))
  // Of coins that nobody knows only the very amount counts.
  const unknown = await pay(world, 55_000n)
  assert.match(String((await name(requests[0] ?? '', unknown))[2]), /moves 55000 .* not 40000/)
  const raw = TestChain.transaction([output(SCRIPT, 55_000n)], coins)
  world.chain.mine([raw])
  await world.settle()
  assert.equal((await held.refund())?.status, 'succeeded')
  const found = []
  for (const id of requests) found.push(await name(id, txidOf(raw)))
  assert.deepEqual(found.slice(0, 2), [
    ['recorded', 'own', 40_000n],
    ['recorded', 'own', 5_000n],
  ])
  assert.match(
    String(found[2]?.[2]),
    /counts already.*(nothing|units of BTC are).* left, and this refund needs/,
    'all of it is spoken for',
  )
  assert.equal((await his.refund())?.status, 'proposed')
  // What another request waits for to the unit is not taken apart for a smaller one, whoever asks for that.
  const small = await owed(world, caller, { excess: 10_000n, address })
  const whole = await ask(30_000n)
  const spare = TestChain.transaction([output(SCRIPT, 30_000n)], coins)
  world.chain.mine([spare])
  await world.settle()
  assert.match(String((await name(requests[2] ?? '', txidOf(spare)))[2]), /name it there/)
  assert.equal((await small.refund())?.status, 'proposed')
  assert.deepEqual(await name(whole, txidOf(spare)), ['recorded', 'own', 30_000n])
})

slowTest(
  'one transfer ends two refunds that the merchant’s wallet was asked for, and a reorg takes both back',
  async (t) => {
    const { world, address } = await twoShops(t)
    const { caller } = world
    const [first, second] = [
      await owed(world, caller, { excess: 10_000n, address }),
      await owed(world, caller, { excess: 20_000n, address }),
    ]
    const third = await owed(world, caller, { excess: 10_000n, address })
    const coins = first.order.payments.map((one) => ({ txid: one.txHash, vout: 0 }))
    const raw = TestChain.transaction([output(SCRIPT, 34_000n)], coins)
    const states = async () => [(await first.refund())?.status, (await second.refund())?.status]
    world.chain.mine([raw])
    await world.settle()
    assert.deepEqual(await states(), ['succeeded', 'succeeded'])
    assert.equal((await third.refund())?.status, 'proposed', 'too little is left for it')
    world.chain.leave(1, { toPool: false })
    for (let n = 0; n < 2; n++) world.chain.mine([])
    await world.settle()
    assert.deepEqual(await states(), ['sending', 'sending'])
    world.chain.mine([raw])
    await world.settle()
    assert.deepEqual(await states(), ['succeeded', 'succeeded'])
    const books = await Promise.all([first, second].map(async ({ order }) => balanceOf(await world.read(order))))
    assert.deepEqual(
      books.map(([line]) => [line?.refunded, line?.held]),
      [
        [10_000n, 0n],
        [20_000n, 0n],
      ],
    )
  },
)
