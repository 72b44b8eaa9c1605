// One transfer pays one order, however its transaction is spelled and whoever says that it came; and only what stays with the
// merchant is a payout.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderState, OwnRefund } from '@florin/order-model/state'
import { HOUR_MS, MINUTE_MS } from '@florin/protocol'
import type { OutsideSeen } from '@florin/rail-kit/interface/outside'
import { TRANSFER, topicOf } from '@florin/rail-kit/transfer-log'
import { actOnAttention } from '../../../server/src/decisions/acts.ts'
import { judge } from '../../../server/src/orders/own-refunds/judge.ts'
import { isAwaitedBySwap } from '../../../server/src/orders/own-refunds/payouts.store.ts'
import { listTaken } from '../../../server/src/orders/own-refunds/store.ts'
import { anAsker, aThirdParty } from '../../../server/test/factories.ts'
import { aNode, claimed, hash, itemsOf, merchant, receipt, USDC_OUT } from '../test/payouts.fixture.ts'
import { deposit, fill, giveBack } from '../test/swaps.fixture.ts'
import { aWorld, type World } from '../test/world.fixture.ts'
import { type Transfers, transfersOf } from './nodes.ts'

const txHash = `0x${'ab'.repeat(32)}`
const spellings = [
  txHash.toUpperCase().replace('0X', '0x'),
  txHash.toUpperCase(),
  `0xA${txHash.slice(3)}`,
  'ab'.repeat(32),
]

async function aChain(world: World, node: Awaited<ReturnType<typeof aNode>>): Promise<void> {
  const soon = Math.floor(world.clock.now().getTime() / 1000 + 3_600)
  node.answers.set('0xb10c', { timestamp: `0x${soon.toString(16)}` })
  node.answers.set('latest', { number: '0xb110' })
}

const shown = async (world: World, order: OrderState): Promise<unknown[]> => {
  const { status, settlements } = await world.read(order)
  return [status, settlements[0]?.proven ?? null, (await itemsOf(world, order)).map(({ kind }) => kind)]
}
const refused = ['processing', null, ['provider_contradicted']]

async function takeWord(world: World, order: OrderState): Promise<void> {
  const [item] = await itemsOf(world, order)
  const asker = { ...anAsker(world.caller.merchantId), no: 1, isOperator: false }
  await actOnAttention(world.deps, asker, item?.id ?? '', 'take-word')
  await world.settle()
}

test('a transaction that is spelled otherwise is the same, and proves nothing more', async (t) => {
  const node = await aNode(t)
  const world = await aWorld(t, { fields: { nodes: { base: node.url } } })
  await aChain(world, node)
  const first = await claimed(world, txHash)
  for (const one of [txHash, ...spellings]) node.answers.set(one, receipt(merchant(first), USDC_OUT))
  await world.settle()
  assert.deepEqual(await shown(world, first), ['success', true, []])
  // Nor is it a refund that the merchant, or another one, paid from a wallet.
  const transfer = { key: `base:${txHash}:7`, from: null, txHash }
  assert.deepEqual([...(await listTaken(world.deps.sql, [transfer]))], [transfer.key])
  for (const spelling of spellings) {
    const again = await claimed(world, spelling)
    await world.settle()
    assert.deepEqual(await shown(world, again), refused, spelling)
  }
})

test('while a swap is to pay an address, what arrives there is nobody’s refund, and no longer', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  const { sql } = world.deps
  const row = { chain: 'base', asset: 'USDC', address: merchant(order).toLowerCase() }
  const after = (ms: number): Date => new Date(order.createdAt.getTime() + ms)
  const awaited = (amount: bigint, more: object = {}, madeBy: Date | undefined = after(MINUTE_MS)) =>
    isAwaitedBySwap(sql, { row: { ...row, ...more }, amount, madeBy, now: world.clock.now() })
  for (const amount of [USDC_OUT, USDC_OUT + 1n, (USDC_OUT * 101n) / 100n]) assert.equal(await awaited(amount), true)
  // What is a little less its merchant may take.
  assert.equal(await awaited((USDC_OUT * 9n) / 10n + 1n), true)
  for (const amount of [(USDC_OUT * 9n) / 10n - 1n, (USDC_OUT * 101n) / 100n + 1n])
    assert.equal(await awaited(amount), false)
  assert.equal(await awaited(USDC_OUT, { chain: 'op' }), false)
  assert.equal(await awaited(USDC_OUT, { asset: 'ETH' }), false)
  assert.equal(await awaited(USDC_OUT, { address: '0x2222222222222222222222222222222222222222' }), false)
  // A swap that was made after the transfer brought something else: nobody holds up what was sent before.
  assert.equal(await awaited(USDC_OUT, {}, after(-1)), false)
  const settled = await world.read(order)
  const refund = { id: 'mrf_1', ...row, amount: USDC_OUT } as OwnRefund
  const verdict = (from: string, madeBy = after(MINUTE_MS)) => {
    const seen: OutsideSeen = { txHash, key: `base:${txHash}:7`, amount: USDC_OUT, from, madeBy }
    return judge(world.deps, settled, refund, [seen])
  }
  const stranger = '0x3333333333333333333333333333333333333333'
  // Nor where it comes from what somebody set as his own address: swaps are paid from some address, too.
  for (const from of [stranger, merchant(order).toLowerCase()])
    assert.deepEqual(await verdict(from), { fitting: null, failure: null })
  assert.notEqual((await verdict(stranger, after(-1))).fitting, null)
  // What nobody paid in time holds up nothing, an hour after.
  await world.later(3 * HOUR_MS)
  assert.notEqual((await verdict(stranger)).fitting, null)
  const paid = await world.order()
  deposit(world.swapOf(paid), paid.legs[0]?.amountDue ?? 0n, world.clock.now())
  await world.later(3 * HOUR_MS)
  assert.equal(await awaited(USDC_OUT, {}, after(9 * HOUR_MS)), true)
  // One that is said to have failed may bring it yet.
  await sql`update intents_legs set stage = 'failed' where order_ref = ${paid.orderRef}`
  assert.equal(await awaited(USDC_OUT, {}, after(9 * HOUR_MS)), true)
  await sql`update intents_legs set stage = 'paid' where order_ref = ${paid.orderRef}`
  giveBack(world.swapOf(paid), 'SLIPPAGE_EXCEEDED', world.clock.now())
  await world.settle()
  assert.equal(await awaited(USDC_OUT, {}, after(9 * HOUR_MS)), false)
})

const stranger = (n: number): string => `0x${String(n).repeat(40)}`

test('what was believed by the merchant’s word proves no other order once a node shows it', async (t) => {
  const node = await aNode(t)
  const world = await aWorld(t, { fields: { nodes: { base: node.url } } })
  await aChain(world, node)
  const believed = await claimed(world, txHash)
  node.answers.set(txHash, { ...(receipt(merchant(believed), USDC_OUT) as object), status: '0x0' })
  await world.settle()
  assert.deepEqual(await shown(world, believed), refused)
  await takeWord(world, believed)
  assert.deepEqual(await shown(world, believed), ['success', false, []])
  node.answers.set(txHash, receipt(merchant(believed), USDC_OUT))
  const second = await claimed(world, txHash)
  await world.settle()
  assert.deepEqual(await shown(world, second), refused)
  // Nor is it anybody's refund.
  const [place, asset] = [merchant(believed).toLowerCase(), 'USDC']
  const named = (address: string): Promise<unknown> => {
    const refund = { id: 'mrf_1', chain: 'base', asset, address, amount: USDC_OUT } as OwnRefund
    const stranger = '0x3333333333333333333333333333333333333333'
    const seen: OutsideSeen = { txHash, key: `base:${txHash}:9`, amount: USDC_OUT, from: stranger }
    return judge(world.deps, { ...second, merchantId: 'mer_other' }, refund, [{ ...seen, madeBy: new Date(0) }])
  }
  assert.match(String(Object(await named(place)).failure), /counts already/)
  assert.notEqual(Object(await named(stranger(4))).fitting, null)
  // A transaction with two such transfers pays both.
  node.answers.set(txHash, receipt(merchant(believed), USDC_OUT, undefined, '0xb10c', 2))
  await world.settle()
  assert.deepEqual(await shown(world, second), ['success', true, []])
})

test('the same holds where a rail reads the chain itself', async (t) => {
  const seen = { txHash, amount: USDC_OUT, from: hash(7).slice(0, 42) }
  const keys: string[] = []
  const world = await aWorld(t, {
    witnesses: [
      {
        ...{ sees: () => true, request: () => ({ uri: '', transaction: null }) },
        look: async () =>
          keys.length === 0
            ? { kind: 'other', why: 'it moves nothing' }
            : { kind: 'found', transfers: keys.map((key) => ({ ...seen, key })) },
        search: async () => ({ found: [], upTo: null }),
      },
    ],
  })
  const believed = await claimed(world, txHash)
  await world.settle()
  await takeWord(world, believed)
  assert.deepEqual(await shown(world, believed), ['success', false, []])
  keys.push('base:0')
  const second = await claimed(world, txHash)
  await world.settle()
  assert.deepEqual(await shown(world, second), refused)
  keys.push('base:1')
  await world.settle()
  assert.deepEqual(await shown(world, second), ['success', true, []])
})

test('by the provider’s word alone a transaction is believed once, and what is no transaction never', async (t) => {
  const world = await aWorld(t)
  const { merchantId } = world.caller
  await aThirdParty(world.deps, { merchantId, livemode: false, chain: 'base', isOn: true, takesUnproven: true })
  const first = await claimed(world, txHash)
  await world.settle()
  assert.deepEqual(await shown(world, first), ['success', false, []])
  for (const spelling of [txHash, ...spellings]) {
    const again = await claimed(world, spelling)
    await world.settle()
    assert.deepEqual(await shown(world, again), refused, spelling)
  }
  // Also where several are asked about at the same moment.
  const other = hash(9)
  const together = [await world.order(), await world.order(), await world.order()]
  for (const one of together) deposit(world.swapOf(one), one.legs[0]?.amountDue ?? 0n, world.clock.now())
  await world.settle()
  for (const one of together) fill(world.swapOf(one), world.clock.now(), { hash: other })
  const all = Promise.withResolvers<void>()
  let waiting = together.length
  world.provider.beforeAnswer = async (_path, answer) => {
    const text = JSON.stringify(answer)
    if (!together.some(({ legs }) => text.includes(legs[0]?.address ?? ''))) return
    if (--waiting === 0) all.resolve()
    await all.promise
  }
  await world.settle()
  world.provider.beforeAnswer = null
  const ends = await Promise.all(together.map((order) => shown(world, order)))
  assert.deepEqual(ends.map(([status]) => status).toSorted(), ['processing', 'processing', 'success'])

  // The merchant says that it is there all the same, of one whose amount is not even what was promised: his word is enough.
  const vouched = await world.order()
  deposit(world.swapOf(vouched), vouched.legs[0]?.amountDue ?? 0n, world.clock.now())
  await world.settle()
  fill(world.swapOf(vouched), world.clock.now(), { hash: other, amountOut: USDC_OUT - 1n })
  await world.settle()
  assert.deepEqual(await shown(world, vouched), refused)
  await takeWord(world, vouched)
  assert.deepEqual(await shown(world, vouched), ['success', false, []])

  const nothing = await claimed(world, 'not a hash')
  await world.settle()
  await world.later(11 * MINUTE_MS)
  assert.deepEqual(await shown(world, nothing), refused)
})

test('what the merchant sent, or what left again, is no payout', async (t) => {
  const { url, answers } = await aNode(t)
  const [shop, other] = ['0x00000000000000000000000000000000000000aa', '0x00000000000000000000000000000000000000bb']
  const contract = '0x00000000000000000000000000000000000000cc'
  const evm = transfersOf({ chain: 'base', kind: 'evm', url }, 2_000)
  const keptOf = (found: Awaited<ReturnType<Transfers>>): unknown => (typeof found === 'string' ? found : found.kept)
  const moves = async (...all: [string, string, number][]): Promise<unknown> => {
    answers.set('0x1', { timestamp: '0x3e8' })
    answers.set('latest', { number: '0x9' })
    const logs = all.map(([from, to, amount]) => ({
      ...{ address: contract, topics: [TRANSFER, topicOf(from), topicOf(to)], data: `0x${amount.toString(16)}` },
    }))
    answers.set(txHash, { status: '0x1', blockNumber: '0x1', logs })
    const asset = { chain: 'base', asset: 'USDC', contract, decimals: 6 }
    return keptOf(await evm({ asset, txHash, to: shop, notBefore: new Date(0) }))
  }
  assert.equal(await moves([other, shop, 20]), 20n)
  assert.equal(await moves([shop, shop, 20]), 0n)
  assert.equal(await moves([other, shop, 20], [shop, other, 20]), 0n)
  assert.equal(await moves([other, shop, 20], [shop, other, 5]), 15n)
  assert.equal(await moves([shop, other, 20]), -20n)
  const btc = transfersOf({ chain: 'btc', kind: 'esplora', url }, 2_000)
  const txid = 'cd'.repeat(32)
  answers.set('/blocks/tip/height', 801)
  answers.set(`/tx/${txid}`, {
    status: { confirmed: true, block_height: 800, block_time: 1_000 },
    vin: [{ prevout: { scriptpubkey_address: 'bc1qshop', value: 60 } }, { prevout: null }],
    vout: [{ scriptpubkey_address: 'bc1qshop', value: 70 }],
  })
  const coin = { chain: 'btc', asset: 'BTC', contract: null, decimals: 8 }
  assert.equal(keptOf(await btc({ asset: coin, txHash: txid, to: 'bc1qshop', notBefore: new Date(0) })), 10n)
})
