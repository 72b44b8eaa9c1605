// A provider that lies about SUCCESS is caught where a second source exists: a node of the destination chain, over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { OutsideSeen, OutsideTransfers } from '@florin/rail-kit/interface/outside'
import { actOnAttention } from '../../../server/src/decisions/acts.ts'
import { anAsker } from '../../../server/test/factories.ts'
import { aNode, claimed, hash, itemsOf, merchant, receipt, USDC_OUT, word } from '../test/payouts.fixture.ts'
import { aWorld } from '../test/world.fixture.ts'
import { transfersOf } from './nodes.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

test('payouts: in test mode the chain does not show one → the order says so within a minute', async (t) => {
  const node = await aNode(t)
  const world = await aWorld(t, { fields: { nodes: { base: node.url } } })
  const order = await claimed(world, hash(1))
  await world.settle()
  assert.equal((await world.read(order)).detail, 'settling')
  for (let seconds = 0; seconds < 60; seconds += 10) await world.later(10 * SECOND_MS)
  assert.equal((await world.read(order)).detail, 'settlement_unproven')
  assert.deepEqual(
    (await itemsOf(world, order)).map((row) => row.kind),
    ['settlement_unproven'],
  )
})

test('a payout that the chain shows is proven, one that it does not is told as a lie, and one transfer pays one order', async (t) => {
  const node = await aNode(t)
  const world = await aWorld(t, { fields: { nodes: { base: node.url } } })
  const time = (minutes: number): unknown => ({
    timestamp: `0x${Math.floor(world.clock.now().getTime() / 1000 + 60 * minutes).toString(16)}`,
  })
  node.answers.set('0xb10c', time(60))
  node.answers.set('latest', { number: '0xb110' })
  const told = async (n: number): Promise<OrderState> => {
    const order = await claimed(world, hash(n))
    await world.settle()
    return world.read(order)
  }
  const out = USDC_OUT
  const kinds = async (order: OrderState): Promise<string[]> => (await itemsOf(world, order)).map((row) => row.kind)

  // Not in a block yet: it waits, and people hear of it when it takes long.
  const waiting = await told(1)
  assert.deepEqual([waiting.status, waiting.detail], ['processing', 'settling'])
  await world.later(11 * MINUTE_MS)
  assert.deepEqual(
    [(await world.read(waiting)).detail, await kinds(waiting)],
    ['settlement_unproven', ['settlement_unproven']],
  )
  // In a block that is not deep yet: the chain may still take it back.
  node.answers.set(hash(1), receipt(merchant(waiting), out))
  node.answers.set('latest', { number: '0xb10f' })
  await world.settle()
  assert.equal((await world.read(waiting)).status, 'processing')
  node.answers.set('latest', { number: '0xb110' })
  await world.settle()
  const done = await world.read(waiting)
  assert.deepEqual([done.status, done.settlements[0]?.proven, await kinds(waiting)], ['success', true, []])

  // The same transfer for another order; too little; another token; a transaction that failed; another recipient.
  const again = await told(1)
  assert.deepEqual([again.status, await kinds(again)], ['processing', ['provider_contradicted']])
  node.answers.set(hash(2), receipt(merchant(done), out - 1n))
  node.answers.set(hash(3), receipt(merchant(done), out, '0x1111111111111111111111111111111111111111'))
  node.answers.set(hash(4), { ...(receipt(merchant(done), out) as object), status: '0x0' })
  node.answers.set(hash(5), receipt('0x2222222222222222222222222222222222222222', out))
  // More than a hundredth too much came for something else.
  node.answers.set(hash(8), receipt(merchant(done), (out * 101n) / 100n + 1n))
  // A payment to the merchant from before there was a swap.
  node.answers.set(hash(7), receipt(merchant(done), out, USDC, '0x01d'))
  for (const n of [2, 3, 4, 5, 7, 8]) {
    node.answers.set('0x01d', time(-0.2))
    const lied = await told(n)
    assert.deepEqual(
      [lied.status, lied.detail, await kinds(lied)],
      ['processing', 'settlement_unproven', ['provider_contradicted']],
    )
  }
  // A node that is away says nothing, neither for nor against.
  node.status.code = 503
  const unseen = await told(6)
  assert.deepEqual([unseen.status, unseen.detail, await kinds(unseen)], ['processing', 'settling', []])
  node.status.code = 200
  node.answers.set(hash(6), receipt(merchant(unseen), out))
  await world.settle()
  assert.equal((await world.read(unseen)).status, 'success')
})

test('one larger transfer proves no number of smaller payouts, and what is a little more proves one', async (t) => {
  const node = await aNode(t)
  const world = await aWorld(t, { fields: { nodes: { base: node.url } } })
  const soon = Math.floor(world.clock.now().getTime() / 1000 + 3_600)
  node.answers.set('0xb10c', { timestamp: `0x${soon.toString(16)}` })
  node.answers.set('latest', { number: '0xb110' })
  const lied = [await claimed(world, hash(1)), await claimed(world, hash(1)), await claimed(world, hash(2))]
  const [first] = lied
  assert.ok(first !== undefined)
  // One that is worth many of them, and the provider says of its payout that it was as large.
  node.answers.set(hash(1), receipt(merchant(first), 10n * USDC_OUT))
  node.answers.set(hash(2), receipt(merchant(first), 10n * USDC_OUT))
  for (const order of lied.slice(2)) world.swapOf(order).amountOut = 10n * USDC_OUT
  await world.settle()
  await world.settle()
  for (const order of lied) {
    const kinds = (await itemsOf(world, order)).map(({ kind }) => kind)
    assert.deepEqual([(await world.read(order)).status, kinds], ['processing', ['provider_contradicted']])
  }
  const more = await claimed(world, hash(3))
  node.answers.set(hash(3), receipt(merchant(first), USDC_OUT + 1n))
  await world.settle()
  const paid = await world.read(more)
  assert.deepEqual(
    [paid.status, paid.settlements[0]?.proven, paid.settlements[0]?.amountOut],
    ['success', true, USDC_OUT + 1n],
  )
})

test('a node that answers one transaction under two names proves nothing by the second', async (t) => {
  const node = await aNode(t)
  const { url, answers } = node
  const notBefore = new Date(0)
  const to = '0x2222222222222222222222222222222222222222'
  answers.set('0xb10c', { timestamp: '0x3e8' })
  answers.set('latest', { number: '0xb110' })
  answers.set(hash(2), { ...(receipt(to, USDC_OUT) as object), transactionHash: hash(1) })
  answers.set('/blocks/tip/height', 900)
  const status = { confirmed: true, block_height: 800, block_time: 1_000 }
  answers.set(`/tx/${'cd'.repeat(32)}`, { txid: 'ab'.repeat(32), status, vout: [] })
  answers.set('second', { meta: {}, transaction: { signatures: ['first'] }, blockTime: 1_000 })
  const asset = { chain: 'base', asset: 'USDC', contract: USDC, decimals: 6 }
  const at = (chain: string, kind: 'evm' | 'esplora' | 'solana') => transfersOf({ chain, kind, url }, 2_000)
  const asked = { asset, to, notBefore }
  for (const question of [
    () => at('base', 'evm')({ ...asked, txHash: hash(2) }),
    () => at('btc', 'esplora')({ ...asked, txHash: 'cd'.repeat(32) }),
    () => at('sol', 'solana')({ ...asked, txHash: 'second' }),
  ])
    await assert.rejects(question, /another transaction/)
  // It says nothing of the payout, neither for nor against.
  const world = await aWorld(t, { fields: { nodes: { base: url } } })
  const order = await claimed(world, hash(2))
  await world.settle()
  assert.deepEqual([(await world.read(order)).detail, await itemsOf(world, order)], ['settling', []])
})

test('of several transactions that a payout is said to be, any proves it', async (t) => {
  const node = await aNode(t)
  const world = await aWorld(t, { fields: { nodes: { base: node.url } } })
  const soon = Math.floor(world.clock.now().getTime() / 1000 + 3_600)
  node.answers.set('0xb10c', { timestamp: `0x${soon.toString(16)}` })
  node.answers.set('latest', { number: '0xb110' })
  const order = await claimed(world, hash(1))
  world.swapOf(order).destination = [hash(1), hash(2)]
  node.answers.set(hash(1), receipt('0x2222222222222222222222222222222222222222', USDC_OUT))
  node.answers.set(hash(2), receipt(merchant(order), USDC_OUT))
  await world.settle()
  const { status, settlements } = await world.read(order)
  assert.deepEqual([status, settlements[0]?.proven, settlements[0]?.txHash], ['success', true, hash(2)])
})

test('one transaction proves as many payouts as it brought, and each transfer one', async (t) => {
  const node = await aNode(t)
  const world = await aWorld(t, { fields: { nodes: { base: node.url } } })
  const soon = Math.floor(world.clock.now().getTime() / 1000 + 3_600)
  node.answers.set('0xb10c', { timestamp: `0x${soon.toString(16)}` })
  node.answers.set('latest', { number: '0xb110' })
  // Two that are asked about in one run, and one that comes later.
  const orders = [await claimed(world, hash(1)), await claimed(world, hash(1))]
  const [first] = orders
  assert.ok(first !== undefined)
  node.answers.set(hash(1), receipt(merchant(first), USDC_OUT, USDC, '0xb10c', 2))
  await world.settle()
  await world.settle()
  for (const order of orders) {
    const { status, settlements } = await world.read(order)
    assert.deepEqual([status, settlements[0]?.proven, settlements[0]?.amountOut], ['success', true, USDC_OUT])
  }
  const third = await claimed(world, hash(1))
  await world.settle()
  const [item] = await itemsOf(world, third)
  const { asset, deposit_address: place, tx_hash: named } = item?.evidence ?? {}
  assert.deepEqual([asset, place, named], ['USDC', third.legs[0]?.address, hash(1)])
  assert.equal((await world.read(third)).status, 'processing')
  assert.deepEqual([item?.kind, item?.actions], ['provider_contradicted', ['take-word', 'dismiss']])

  // The merchant finds it in his wallet, whatever the node says: the order is a success by his word, and says so.
  const asker = { ...anAsker(world.caller.merchantId), no: 1, isOperator: false }
  await actOnAttention(world.deps, asker, item?.id ?? '', 'take-word')
  await world.settle()
  const vouched = await world.read(third)
  assert.deepEqual([vouched.status, vouched.settlements[0]?.proven], ['success', false])
  assert.deepEqual(await itemsOf(world, third), [])
})

test('of two transfers of one transaction that both fit an order, the smaller pays it and leaves the other to the larger', async (t) => {
  const node = await aNode(t)
  const world = await aWorld(t, { fields: { nodes: { base: node.url } } })
  const soon = Math.floor(world.clock.now().getTime() / 1000 + 3_600)
  node.answers.set('0xb10c', { timestamp: `0x${soon.toString(16)}` })
  node.answers.set('latest', { number: '0xb110' })
  const small = await claimed(world, hash(1))
  const more = (USDC_OUT * 1005n) / 1000n
  const logs = [more, USDC_OUT].map((amount) => Object(receipt(merchant(small), amount)).logs[0])
  const [first, second] = logs.map((log, at) => ({ ...log, logIndex: `0x${(7 + at).toString(16)}` }))
  node.answers.set(hash(1), { ...(receipt(merchant(small), more) as object), logs: [first, second] })
  await world.settle()
  const { status, settlements } = await world.read(small)
  assert.deepEqual([status, settlements[0]?.proven, settlements[0]?.amountOut], ['success', true, USDC_OUT])
})

test('what Florin sent itself proves no swap, and of several transfers a free one does', async (t) => {
  const transfers: OutsideSeen[] = []
  const witness: OutsideTransfers = {
    ...{ sees: () => true, request: () => ({ uri: '', transaction: null }) },
    look: async () => ({ kind: 'found', transfers }),
    search: async () => ({ found: [], upTo: null }),
  }
  const world = await aWorld(t, { witnesses: [witness] })
  const seen = (n: number, from: string): OutsideSeen => ({
    ...{ txHash: hash(1), key: `base:${hash(1)}:${n}`, amount: USDC_OUT, from },
  })
  // Another order's pay address: that order was settled by it.
  const settled = await world.order()
  transfers.push(seen(0, (settled.legs[0]?.address ?? '').toLowerCase()))
  const order = await claimed(world, hash(1))
  await world.settle()
  const kinds = (await itemsOf(world, order)).map((row) => row.kind)
  assert.deepEqual([(await world.read(order)).status, kinds], ['processing', ['provider_contradicted']])
  transfers.push(seen(1, hash(7).slice(0, 42)))
  await world.settle()
  assert.equal((await world.read(order)).status, 'success')
  // And each once.
  const again = await claimed(world, hash(1))
  await world.settle()
  assert.equal((await world.read(again)).status, 'processing')
  transfers.push(seen(2, hash(7).slice(0, 42)))
  await world.settle()
  assert.equal((await world.read(again)).status, 'success')
})

test('what nodes of other chains show of a transaction', async (t) => {
  const { url, answers } = await aNode(t)
  const btc = transfersOf({ chain: 'btc', kind: 'esplora', url }, 2_000)
  const coin = { chain: 'btc', asset: 'BTC', contract: null, decimals: 8 }
  const txid = 'ab'.repeat(32)
  const notBefore = new Date(1_000_000)
  const asked = { asset: coin, txHash: txid, to: 'bc1qshop', notBefore }
  assert.equal(await btc(asked), 'unseen')
  const vout = [
    { scriptpubkey_address: 'bc1qshop', value: 70 },
    { scriptpubkey_address: 'bc1qother', value: 9 },
  ]
  answers.set(`/tx/${txid}`, { status: { confirmed: false }, vout })
  assert.equal(await btc(asked), 'unseen')
  answers.set('/blocks/tip/height', 800)
  answers.set(`/tx/${txid}`, { status: { confirmed: true, block_height: 800, block_time: 1_000 }, vout })
  assert.equal(await btc(asked), 'unseen')
  answers.set('/blocks/tip/height', 801)
  answers.set(`/tx/${txid}`, { status: { confirmed: true, block_height: 800, block_time: 999 }, vout })
  assert.equal(await btc(asked), 'too_old')
  answers.set(`/tx/${txid}`, { status: { confirmed: true, block_height: 800, block_time: 1_000 }, vout })
  const moved = (place: string | number, amount: bigint) => ({ key: `btc:${txid}:${place}`, amount, from: null })
  assert.deepEqual(await btc(asked), { transfers: [moved(0, 70n)], kept: 70n })
  // Each output is one, with its own name.
  const more = [...vout, { scriptpubkey_address: 'bc1qshop', value: 30 }]
  answers.set(`/tx/${txid}`, { status: { confirmed: true, block_height: 800, block_time: 1_000 }, vout: more })
  assert.deepEqual(await btc(asked), { transfers: [moved(0, 70n), moved(2, 30n)], kept: 100n })

  const sol = transfersOf({ chain: 'sol', kind: 'solana', url }, 2_000)
  const mint = { chain: 'sol', asset: 'USDC', contract: 'Mint', decimals: 6 }
  const held = (amount: string) => [{ mint: 'Mint', owner: 'Shop', uiTokenAmount: { amount } }]
  const meta = {
    err: null,
    preTokenBalances: held('5'),
    postTokenBalances: held('12'),
    preBalances: [9, 1],
    postBalances: [2, 8],
  }
  const transaction = { message: { accountKeys: [{ pubkey: 'Payer' }, { pubkey: 'Shop' }] } }
  const native = { ...mint, asset: 'SOL', contract: null }
  const ofSol = (asset: typeof mint | typeof native) => sol({ asset, txHash: 'sig', to: 'Shop', notBefore })
  const one = (amount: bigint) => ({ transfers: [{ key: 'sol:sig:Shop', amount, from: null }], kept: amount })
  answers.set('sig', { meta, transaction, blockTime: 999 })
  assert.equal(await ofSol(mint), 'too_old')
  answers.set('sig', { meta, transaction, blockTime: 1_000 })
  assert.deepEqual(await ofSol(mint), one(7n))
  assert.deepEqual(await ofSol(native), one(7n))
  assert.deepEqual(await ofSol({ ...mint, contract: 'Other' }), { transfers: [], kept: 0n })
  answers.set('sig', { meta: { ...meta, err: { some: 'error' } }, blockTime: 1_000 })
  assert.deepEqual(await ofSol(mint), { transfers: [], kept: 0n })

  // Transfers that the balance bears out are told apart; those that it does not are one change of it.
  const accountKeys = ['Payer', 'Shop', 'ShopsUsdc'].map((pubkey) => ({ pubkey }))
  const inTokens = (rows: ReturnType<typeof held>) => rows.map((row) => ({ ...row, accountIndex: 2 }))
  const known = { ...meta, preTokenBalances: inTokens(held('5')), postTokenBalances: inTokens(held('12')) }
  const into = (destination: string, info: object) => ({ parsed: { type: 'transfer', info: { destination, ...info } } })
  const checked = {
    parsed: { type: 'transferChecked', info: { destination: 'ShopsUsdc', tokenAmount: { amount: '4' } } },
  }
  const transfers = (first: string) => ({
    meta: { ...known, innerInstructions: [{ instructions: [checked, { data: 'unknown' }] }] },
    transaction: {
      message: { accountKeys, instructions: [into('ShopsUsdc', { amount: first }), into('Shop', { lamports: 7 })] },
    },
    blockTime: 1_000,
  })
  answers.set('sig', transfers('3'))
  const parts = [3n, 4n].map((amount, n) => ({ key: `sol:sig:Shop:${n}`, amount, from: null }))
  assert.deepEqual(await ofSol(mint), { transfers: parts, kept: 7n })
  assert.deepEqual(await ofSol(native), one(7n))
  answers.set('sig', transfers('900'))
  assert.deepEqual(await ofSol(mint), one(7n))
  // A coin that comes out of a contract is in no log.
  const evm = transfersOf({ chain: 'base', kind: 'evm', url }, 2_000)
  assert.equal(
    await evm({
      asset: { chain: 'base', asset: 'ETH', contract: null, decimals: 18 },
      txHash: word('1'),
      to: '0x',
      notBefore,
    }),
    'cannot_say',
  )
})
