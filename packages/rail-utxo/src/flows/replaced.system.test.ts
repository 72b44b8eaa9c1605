// What a chain takes back, on a real litecoind: replaced, double-spent, and reorgs of one to six blocks before and after success.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import { coins } from '../test/litecoind.fixture.ts'
import { addressIn, aShop, booksEqualTheNode, DUE, proven, state } from './shop.fixture.ts'

const shop = aShop()

test('replaced by fee: a bump of the payer goes on, a replacement that pays nobody ends it', async () => {
  const order = await shop().order()
  const txid = await shop().node.rpc.call<string>('sendtoaddress', addressIn(order), coins(DUE), '', '', false, true)
  await shop().work()
  const bumped = await shop().node.rpc.call<{ txid: string }>('bumpfee', txid)
  await shop().work()
  const seen = await shop().read(order)
  assert.deepEqual(state(seen), ['pending', 'seen_unconfirmed'])
  assert.deepEqual(
    new Map(seen.payments.map((row) => [row.tx_hash, row.status])),
    new Map([
      [txid, 'dropped'],
      [bumped.txid, 'unconfirmed'],
    ]),
  )
  const raw = await shop().node.rpc.call<{ vin: { txid: string; vout: number }[]; vout: { value: string }[] }>(
    'getrawtransaction',
    bumped.txid,
    true,
  )
  const inputs = raw.vin.map(({ txid: id, vout }) => ({ txid: id, vout, sequence: 0xfffffffd }))
  const total = raw.vout.reduce((sum, one) => sum + BigInt(String(one.value).replace('.', '')), 0n)
  const empty = await shop().node.rpc.call<string>('createrawtransaction', inputs, [
    { [await shop().node.address()]: coins(total - 2_000_000n) },
  ])
  const signed = await shop().node.rpc.call<{ hex: string }>('signrawtransactionwithwallet', empty)
  await shop().node.rpc.call('sendrawtransaction', signed.hex, 0)
  await shop().work()
  assert.deepEqual(state(await shop().read(order)), ['pending', 'awaiting_payment'])
  await shop().node.mine()
  await shop().advance(31 * MINUTE_MS)
  await shop().node.mine()
  await shop().work()
  assert.deepEqual(state(await shop().read(order)), ['expired', 'unpaid'])
  await proven(shop(), order, ['order.expired'])
})

test('double-spent by a block that nobody announced', async () => {
  const order = await shop().order()
  const [coin] = await shop().node.rpc.call<{ txid: string; vout: number; amount: number }[]>(
    'listunspent',
    1,
    9999999,
    [],
    true,
    { minimumAmount: 1 },
  )
  assert.ok(coin)
  const pay = async (to: string, sat: bigint): Promise<string> => {
    const change = BigInt(Math.round(coin.amount * 1e8)) - sat - 100_000n
    const raw = await shop().node.rpc.call<string>(
      'createrawtransaction',
      [{ txid: coin.txid, vout: coin.vout }],
      [{ [to]: coins(sat) }, { [await shop().node.address()]: coins(change) }],
    )
    return (await shop().node.rpc.call<{ hex: string }>('signrawtransactionwithwallet', raw)).hex
  }
  const rival = await pay(await shop().node.address(), DUE)
  await shop().node.rpc.call('sendrawtransaction', await pay(addressIn(order), DUE))
  await shop().work()
  assert.equal((await shop().read(order)).status_detail, 'seen_unconfirmed')
  await shop().node.rpc.call('generateblock', await shop().node.address(), [rival])
  await shop().work()
  const left = await shop().read(order)
  assert.deepEqual([...state(left), left.payments[0]?.status], ['pending', 'awaiting_payment', 'dropped'])
  await proven(shop(), order, [])
})

for (const depth of [1, 2, 3, 4, 5, 6]) {
  test(`a reorg of ${depth} before and after success`, async () => {
    const order = await shop().order()
    // Blocks that hold nobody else's payment leave with it.
    await shop().node.mine(depth)
    const txid = await shop().node.send(addressIn(order), DUE)
    await shop().node.mine()
    await shop().work()
    assert.deepEqual(state(await shop().read(order)), ['processing', 'confirming'])
    await shop().node.reorg(depth, { keepPool: false })
    await shop().work()
    const announced = await shop().read(order)
    assert.deepEqual(state(announced), ['processing', 'reorged'], 'out of its block')
    await booksEqualTheNode(shop(), announced)
    const { hex } = await shop().node.rpc.call<{ hex: string }>('gettransaction', txid)
    // The node lets go of it where it spends a reward that a shorter chain makes unripe: the payer's wallet sends it again.
    const announce = async (): Promise<void> => {
      const pool = await shop().node.rpc.call<string[]>('getrawmempool')
      if (!pool.includes(txid)) await shop().node.rpc.call('sendrawtransaction', hex)
    }
    await announce()
    await shop().node.mine()
    await shop().work()
    assert.deepEqual(state(await shop().read(order)), ['processing', 'confirming'])
    await shop().node.reorg(depth, { keepPool: false })
    await announce()
    await shop().node.mine(depth + 1)
    await shop().work()
    const moved = await shop().read(order)
    assert.deepEqual(state(moved), ['success', 'paid'], 'moved, and deep enough in the other branch')
    await booksEqualTheNode(shop(), moved)

    // With two confirmations needed, the least that takes a paid order's payment is two: here two to seven.
    await shop().node.reorg(depth + 1, { keepPool: false })
    await shop().work()
    const gone = await shop().read(order)
    assert.deepEqual(state(gone), ['success', 'reorged'])
    assert.ok(gone.version > moved.version)
    await booksEqualTheNode(shop(), gone)
    await announce()
    await shop().node.mine(2)
    await shop().work()
    const again = await shop().read(order)
    assert.deepEqual([...state(again), again.settle_tx_hash], ['success', 'paid', txid])
    await shop().node.mine(depth - 1)
    await shop().work()
    // As deep, above the payment: nothing is heard of it.
    await shop().node.reorg(depth, { keepPool: false })
    await shop().work()
    const kept = await shop().read(order)
    assert.deepEqual([...state(kept), kept.version], ['success', 'paid', again.version])
    await proven(shop(), order, ['order.processing', 'order.success'])
  })
}
