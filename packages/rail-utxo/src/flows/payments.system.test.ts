// Payments as payers make them, on a real litecoind: exact, in parts, too little, too much, late, again, of a miner, of many coins,
// and out of the extension block.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { nameRefundAddress } from '../../../server/src/orders/acts.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { addressOf, scriptOf } from '../chain/script.ts'
import { nodeRpc } from '../node/rpc.ts'
import { coins, PASSWORD, startLitecoind, USER } from '../test/litecoind.fixture.ts'
import { addressIn, aShop, aShopOn, DUE, endsWithFile, main, proven, regtest, state } from './shop.fixture.ts'

const shop = aShop()

test('the exact amount: announced, in a block, deep enough', async () => {
  const order = await shop().order()
  assert.match(order.pay?.uri ?? '', /^litecoin:rltc1q[a-z0-9]+\?amount=0\.5$/)
  const txid = await shop().node.send(addressIn(order), DUE)
  await shop().work()
  assert.deepEqual(state(await shop().read(order)), ['pending', 'seen_unconfirmed'])
  await shop().node.mine()
  await shop().work()
  assert.deepEqual(state(await shop().read(order)), ['processing', 'confirming'])
  await shop().node.mine()
  await shop().work()
  const done = await shop().read(order)
  assert.deepEqual([...state(done), done.amount_out, done.settle_tx_hash], ['success', 'paid', String(DUE), txid])
  await proven(shop(), order, ['order.processing', 'order.success'])
})

test('two payments, too little and the rest, too much', async () => {
  const [two, much] = [await shop().order(), await shop().order()]
  await shop().node.send(addressIn(two), DUE / 2n)
  await shop().node.send(addressIn(much), DUE + DUE / 2n)
  await shop().node.mine(2)
  await shop().work()
  assert.deepEqual(state(await shop().read(two)), ['pending', 'partially_paid'])
  assert.deepEqual(state(await shop().read(much)), ['success', 'refund_address_needed'])
  const last = await shop().node.send(addressIn(two), DUE / 2n)
  await shop().node.mine(2)
  await shop().work()
  const whole = await shop().read(two)
  assert.deepEqual([...state(whole), whole.settle_tx_hash, whole.payments.length], ['success', 'paid', last, 2])

  const row = await getOrder(shop().deps.sql, much.order_no)
  const refundId = row.refunds[0]?.id ?? ''
  const to = await shop().node.address()
  const script = scriptOf(regtest, to) ?? ''
  const address = addressOf(main, script) ?? ''
  await nameRefundAddress(shop().deps, row, { actor: 'test', refundId, address }, async () => undefined)
  await shop().work()
  const [item] = await shop().deps.sql<{ evidence: { uri: string } }[]>`
    select evidence from attention where kind = 'refund_by_wallet' and resolved_at is null`
  assert.equal(item?.evidence.uri, `litecoin:${to}?amount=0.25`)
  await shop().node.send(to, DUE / 2n)
  await shop().node.mine()
  await shop().work()
  assert.deepEqual(state(await shop().read(much)), ['success', 'overpaid'])
  for (const order of [two, much]) await proven(shop(), order, ['order.processing', 'order.success'])
})

test('a miner pays out of his coinbase, and one pays with two hundred inputs', async () => {
  const [coinbase, many] = [await shop().order(), await shop().order()]
  // The reward of a block is more than is due.
  await shop().node.rpc.call('generatetoaddress', 1, addressIn(coinbase))
  const addresses = await shop().node.rpc.batch<string>(
    Array.from({ length: 200 }, () => ({ method: 'getnewaddress', params: ['', 'bech32'] })),
  )
  const small = Object.fromEntries(addresses.map((address) => [address ?? '', 0.0026]))
  await shop().node.rpc.call('sendmany', '', small)
  await shop().node.mine()
  const unspent = await shop().node.rpc.call<{ txid: string; vout: number; amount: number }[]>(
    'listunspent',
    1,
    9999999,
    Object.keys(small),
  )
  assert.equal(unspent.length, 200)
  const inputs = unspent.map(({ txid, vout }) => ({ txid, vout }))
  const raw = await shop().node.rpc.call<string>('createrawtransaction', inputs, [{ [addressIn(many)]: coins(DUE) }])
  const { hex } = await shop().node.rpc.call<{ hex: string }>('signrawtransactionwithwallet', raw)
  await shop().node.rpc.call('sendrawtransaction', hex, 0)
  await shop().work()
  assert.equal((await shop().read(many)).status_detail, 'seen_unconfirmed')
  await shop().node.mine(2)
  await shop().work()
  assert.equal((await shop().read(coinbase)).status, 'success')
  assert.deepEqual(state(await shop().read(many)), ['success', 'paid'])
  for (const order of [coinbase, many]) await proven(shop(), order, ['order.processing', 'order.success'])
})

test('late, and an address that is paid again a month later', async () => {
  const [late, again] = [await shop().order(), await shop().order()]
  await shop().node.send(addressIn(again), DUE)
  await shop().node.mine(2)
  await shop().work()
  assert.equal((await shop().read(again)).status, 'success')
  await shop().advance(40 * MINUTE_MS)
  await shop().node.mine()
  await shop().work()
  await shop().node.send(addressIn(late), DUE)
  await shop().node.mine(2)
  await shop().work()
  assert.deepEqual(state(await shop().read(late)), ['expired', 'refund_address_needed'])
  await shop().advance(30 * DAY_MS)
  await shop().node.mine()
  await shop().node.send(addressIn(again), DUE)
  await shop().node.mine(2)
  await shop().work()
  const paid = await shop().read(again)
  assert.deepEqual([...state(paid), paid.payments.length], ['success', 'refund_address_needed', 2])
  await proven(shop(), late, ['order.expired'])
  await proven(shop(), again, ['order.processing', 'order.success'])
})

test('payers out of the extension block: seen, mined under another id, one payment each', async () => {
  const node = await startLitecoind({ mweb: true })
  endsWithFile(() => node.stop())
  // The extension block begins at 432, with what is pegged in by then.
  await node.mine(320)
  const mweb = await aShopOn(node)
  await node.rpc.call('createwallet', 'hidden')
  const at = (wallet: string) => {
    const login = { kind: 'user', user: USER, password: PASSWORD } as const
    return nodeRpc({ name: wallet, url: `${node.url}/wallet/${wallet}`, login }, { timeoutMs: 60_000 })
  }
  const [payer, hidden] = [at('payer'), at('hidden')]
  await payer.call('sendtoaddress', await hidden.call<string>('getnewaddress', '', 'mweb'), coins(4n * DUE))
  await payer.call('sendtoaddress', await hidden.call<string>('getnewaddress', '', 'mweb'), coins(4n * DUE))
  await payer.call('generatetoaddress', 12, await payer.call<string>('getnewaddress', '', 'bech32'))
  await mweb.work()
  const orders = [await mweb.order(), await mweb.order()]
  const ids: string[] = []
  for (const order of orders) ids.push(await hidden.call<string>('sendtoaddress', addressIn(order), coins(DUE)))
  await mweb.work()
  for (const order of orders) assert.deepEqual(state(await mweb.read(order)), ['pending', 'seen_unconfirmed'])
  const mine = async (n: number): Promise<void> => {
    await payer.call('generatetoaddress', n, await payer.call<string>('getnewaddress', '', 'bech32'))
    await mweb.work()
  }
  await mine(2)
  const done = await Promise.all(orders.map((order) => mweb.read(order)))
  for (const order of done) {
    assert.deepEqual([...state(order), order.payments.length], ['success', 'paid', 1])
    assert.ok(!ids.includes(order.settle_tx_hash ?? ''), 'the block shows it under an id of its own')
    await proven(mweb, order, ['order.processing', 'order.success'])
  }
  assert.equal(new Set(done.map((order) => order.settle_tx_hash)).size, 1, 'all of a block come in one transaction')
})
