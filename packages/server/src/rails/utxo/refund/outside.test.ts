// A refund that the merchant paid after the settlement, and named: found in a block, deep enough, of the very amount, once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@florin/protocol'
import { anAsker, aReceivingAccount } from '../../../../test/factories.ts'
import { aCaller, anOrder } from '../../../../test/orders.ts'
import type { KeyCaller } from '../../../callers.ts'
import { askOwnRefund, cancelOwnRefund, nameTransaction } from '../../../orders/own-refunds/acts.ts'
import { watchOwnRefunds } from '../../../orders/own-refunds/watch.ts'
import { addressOf } from '../chain/script.ts'
import { type Outpoint, TestChain, txidOf } from '../test/chain.fixture.ts'
import { ACCOUNT, aWorld, output } from '../test/world.fixture.ts'

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
  world.announce(order, DUE)
  for (let n = 0; n < 2; n++) chain.mine()
  await world.settle()
  const { merchantId } = world.caller
  const caller = { merchantId, actor: 'test', isConsole: true, isFresh: true, livemode: false } as never
  const ask = async (amount: bigint) => {
    const wish = { amount, address, reason: null, mayExceed: false }
    return askOwnRefund(deps, caller, await world.read(order), wish)
  }
  const asked = await ask(40_000n)
  assert.deepEqual([asked.uri, asked.transaction], [`bitcoin:${address}?amount=0.0004`, null])
  const named = async (id: string, raw: Buffer) => {
    await nameTransaction(deps, caller, await world.read(order), { id, txHash: txidOf(raw) })
    return look(id)
  }
  const look = async (id: string) => {
    await world.look()
    world.clock.advance(60_000)
    await watchOwnRefunds(deps)
    const row = (await world.read(order)).ownRefunds.find((one) => one.id === id)
    return [row?.status, row?.failure ?? null]
  }
  assert.match(String((await named(asked.id, older))[1]), /older than the order/)
  const wrong = TestChain.transaction([output(script, 39_999n)])
  const right = TestChain.transaction([output('51', 5n), output(script, 40_000n)])
  chain.mine([wrong, right])
  chain.mine([])
  assert.match(String((await named(asked.id, wrong))[1]), /moves 39999 .* not 40000/)
  assert.deepEqual(await named(asked.id, right), ['recorded', null])
  // The same transfer refunds nothing twice; one that is not deep enough waits.
  const second = await ask(40_000n)
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
  const bobs = ACCOUNT.replace('/0/*', '/7/*')
  await aReceivingAccount(deps, anAsker(bob.merchantId), { chain: 'btc', text: bobs, network: 'regtest' })
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
  const ask = async (who: typeof ann, amount: bigint) =>
    (
      await askOwnRefund(deps, as(who), await world.read(who.order), {
        amount,
        address,
        reason: null,
        mayExceed: false,
      })
    ).id
  const name = async (who: typeof ann, id: string, txHash: string) => {
    await nameTransaction(deps, as(who), await world.read(who.order), { id, txHash })
    await world.look()
    world.clock.advance(60_000)
    await watchOwnRefunds(deps)
    const row = (await world.read(who.order)).ownRefunds.find((one) => one.id === id)
    return [row?.status, row?.sentFrom, row?.failure ?? null]
  }
  const pay = (amount: bigint, inputs?: Outpoint[]) => {
    const raw = TestChain.transaction([output(script, amount)], inputs)
    chain.mine([raw])
    return txidOf(raw)
  }
  // Of a coin that ann's order was paid: hers, whoever names it first.
  const [hers, his] = [await ask(ann, 40_000n), await ask(thief, 40_000n)]
  const own = pay(40_000n, [ann.coin])
  assert.match(String((await name(thief, his, own))[2]), /another merchant’s orders/)
  assert.deepEqual(await name(ann, hers, own), ['recorded', 'own', null])
  // Nothing shows whose: not while two wait for it; else by the merchant's word, and so it is called.
  const [again, waits] = [await ask(ann, 30_000n), await ask(thief, 30_000n)]
  const unknown = pay(30_000n)
  assert.match(String((await name(thief, waits, unknown))[2]), /Another merchant waits/)
  await cancelOwnRefund(deps, as(ann), await world.read(ann.order), again)
  assert.deepEqual(await name(thief, waits, unknown), ['recorded', 'word', null])
  // Asked for afterwards, and named: it counts elsewhere, and a person is told before it is paid twice.
  const late = await ask(ann, 30_000n)
  assert.match(String((await name(ann, late, unknown))[2]), /refund of another merchant/)
  const items = await deps.sql<{ kind: string; tx: string }[]>`
    select kind, evidence->>'tx_hash' as tx from attention where resolved_at is null and order_no = ${ann.order.orderNo}`
  assert.deepEqual(items, [{ kind: 'refund_counted_elsewhere', tx: unknown }])
  assert.deepEqual(await name(ann, late, pay(30_000n)), ['recorded', 'word', null])
  const [open] = await deps.sql<{ n: number }[]>`select count(*)::int as n from attention where resolved_at is null`
  assert.equal(open?.n, 0, 'the item ends with its own transfer')
})
