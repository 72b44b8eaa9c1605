// A refund that the merchant paid after the settlement, and named: found in a block, deep enough, of the very amount, once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@florin/protocol'
import type { KeyCaller } from '../../../server/src/callers.ts'
import { askOwnRefund, cancelOwnRefund, nameTransaction } from '../../../server/src/orders/own-refunds/acts.ts'
import { ownRefundJob } from '../../../server/src/orders/own-refunds/watch.ts'
import { anAsker, aReceivingAccount } from '../../../server/test/factories.ts'
import { aCaller, anOrder } from '../../../server/test/orders.ts'
import { addressOf } from '../chain/script.ts'
import { type Outpoint, TestChain, txidOf } from '../test/chain.fixture.ts'
import { aWorld, OTHER_ACCOUNT, output, startProcess } from '../test/world.fixture.ts'

const DUE = 100_000n

test('an own refund in the coin is recorded once a block that is deep enough shows it', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 2 }] } })
  const { chain, deps } = world
  const script = `0014${'cd'.repeat(20)}`
  const address = addressOf(chain.network, script) ?? ''
  const older = TestChain.transaction([output(script, 40_000n)])
  chain.mine([older])
  world.clock.advance(DAY_MS)
  const order = await world.order()
  const txid = world.announce(order, DUE)
  for (let n = 0; n < 2; n++) chain.mine()
  await world.settle()
  const { merchantId } = world.caller
  const caller = { merchantId, actor: 'test', isConsole: true, isFresh: true, livemode: false } as never
  const ask = async (amount: bigint) => {
    const wish = { amount, address, reason: null, mayExceed: false }
    return askOwnRefund(deps, caller, await world.read(order), wish)
  }
  await assert.rejects(
    ask(293n),
    /No node relays a payment of 293 smallest units of BTC to this address: .* at least 294/,
  )
  const asked = await ask(40_000n)
  assert.deepEqual(
    [asked.uri, asked.address, asked.transaction],
    [`bitcoin:${address}?amount=0.0004`, address, null],
    'as the test network writes it',
  )
  const named = async (id: string, raw: Buffer) => {
    await nameTransaction(deps, caller, await world.read(order), { id, txHash: txidOf(raw) })
    return look(id)
  }
  const look = async (id: string) => {
    await world.look()
    world.clock.advance(60_000)
    await ownRefundJob(deps).run(AbortSignal.any([]))
    const row = (await world.read(order)).ownRefunds.find((one) => one.id === id)
    return [row?.status, row?.failure ?? null]
  }
  assert.match(String((await named(asked.id, older))[1]), /older than the order/)
  // Of the merchant's own coins: the amount decides all the same.
  const wrong = TestChain.transaction([output(script, 39_999n)], [{ txid, vout: 0 }])
  const right = TestChain.transaction([output('51', 5n), output(script, 40_000n)])
  const second = await ask(40_000n)
  chain.mine([wrong, right])
  chain.mine([])
  assert.match(String((await named(asked.id, wrong))[1]), /moves 39999 .* bcrt1q.* not 40000/)
  assert.deepEqual(await named(asked.id, right), ['recorded', null])
  // The same transfer refunds nothing twice; one that is not deep enough waits.
  assert.match(String((await named(second.id, right))[1]), /counts already/)
  const late = TestChain.transaction([output(script, 40_000n)])
  chain.mine([late])
  assert.deepEqual(await named(second.id, late), ['requested', null])
  chain.mine([])
  assert.deepEqual(await look(second.id), ['recorded', null])
})

test('a merchant’s refund is nobody else’s to name: by whose coins it spends, and by who else waits for it', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { chain, deps } = world
  const bob = await aCaller(deps, {})
  await aReceivingAccount(deps, anAsker(bob.merchantId), { chain: 'btc', text: OTHER_ACCOUNT, network: 'regtest' })
  const paid = async (caller: KeyCaller) => {
    const order = await anOrder(deps, caller, {
      ...{ amount_usd: 50, pay_chain: 'btc', pay_asset: 'BTC', settle_chain: 'btc', settle_asset: 'BTC' },
    })
    const txid = world.announce(order, DUE)
    chain.mine()
    await world.settle()
    return { order, caller, coin: { txid, vout: 0 } }
  }
  const [ann, thief] = [await paid(world.caller), await paid(bob)]
  const script = `0014${'ab'.repeat(20)}`
  const address = addressOf(chain.network, script) ?? ''
  const as = ({ caller }: typeof ann) =>
    ({ merchantId: caller.merchantId, actor: 'test', isConsole: true, isFresh: true, livemode: false }) as never
  const asked = async (who: typeof ann, amount: bigint) =>
    askOwnRefund(deps, as(who), await world.read(who.order), { amount, address, reason: null, mayExceed: false })
  const ask = async (who: typeof ann, amount: bigint) => (await asked(who, amount)).id
  const restarted = async () => {
    for (const job of world.rail.jobs) await job.end?.()
    const next = startProcess(deps, world.chains, world.addresses)
    await next.look()
    return next
  }
  const name = async (who: typeof ann, id: string, txHash: string) => {
    await nameTransaction(deps, as(who), await world.read(who.order), { id, txHash })
    await world.look()
    world.clock.advance(60_000)
    await ownRefundJob(deps).run(AbortSignal.any([]))
    const row = (await world.read(who.order)).ownRefunds.find((one) => one.id === id)
    return [row?.status, row?.sentFrom, row?.failure ?? null]
  }
  const pay = (amount: bigint, inputs?: Outpoint[]) => {
    const raw = TestChain.transaction([output(script, amount)], inputs)
    chain.mine([raw])
    return txidOf(raw)
  }
  // Of a coin that ann's order was paid: hers, whoever names it first.
  const [his, hers] = [await ask(thief, 40_000n), await ask(ann, 39_999n)]
  const both = TestChain.transaction([output(script, 40_000n), output(script, 39_999n)], [ann.coin])
  chain.mine([both])
  const own = txidOf(both)
  assert.match(String((await name(thief, his, own))[2]), /another merchant’s orders/)
  assert.deepEqual(await name(ann, hers, own), ['recorded', 'own', null])
  // Nothing shows whose: by the merchant's word, and so it is called. It counts once, and whoever comes later is told so.
  const [again, waits] = [await asked(ann, 30_000n), await asked(thief, 30_000n)]
  assert.deepEqual([again.amount, waits.amount], ['30000', '30000'])
  const unknown = pay(30_000n)
  assert.deepEqual(await name(ann, again.id, unknown), ['recorded', 'word', null])
  assert.match(String((await name(thief, waits.id, unknown))[2]), /counts already, for a refund of another merchant/)
  // Asked for when it was to be seen already: it pays for something else.
  await cancelOwnRefund(deps, as(thief), await world.read(thief.order), waits.id)
  const seen = pay(20_000n)
  await world.look()
  const late = await ask(thief, 20_000n)
  assert.match(String((await name(thief, late, seen))[2]), /there before this refund was asked for/)
  // The same where it waited in the mempool then, also where the process that read it there has ended.
  for (const isRestarted of [false, true]) {
    const raw = TestChain.transaction([output(script, 10_000n)])
    chain.send(raw)
    await world.look()
    world.clock.advance(60_000)
    const watcher = isRestarted ? await restarted() : world
    const { id } = await asked(thief, 10_000n)
    world.clock.advance(60_000)
    await watcher.look()
    chain.mine([raw])
    await watcher.look()
    assert.match(String((await name(thief, id, txidOf(raw)))[2]), /there before this refund was asked for/)
    await cancelOwnRefund(deps, as(thief), await world.read(thief.order), id)
  }
  // And after it was asked for it counts, announced or not.
  const inTime = await ask(ann, 10_000n)
  world.clock.advance(60_000)
  const announced = TestChain.transaction([output(script, 10_000n)])
  chain.send(announced)
  await world.look()
  chain.mine([announced])
  assert.deepEqual(await name(ann, inTime, txidOf(announced)), ['recorded', 'word', null])
})
