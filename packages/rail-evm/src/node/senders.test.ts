// A native coin leaves no log of its sender. Attacks that try to be named as the sender of somebody else's money.
import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { createWalletClient, type Hex } from 'viem'
import { quickTest as test } from '../../../../scripts/sizes.ts'
import { aLyingNode, type Lie } from '../test/lying-node.fixture.ts'
import { aWorld, chainOver, lower, payers, stopNodes, testNode, type World } from '../test/world.fixture.ts'

after(stopNodes)

type Seen = Extract<RailFact, { kind: 'payment_seen' }>
interface Transaction {
  /** Index in `payers`. */
  by: number
  to?: Hex
  data?: Hex
  value: bigint
}

const [PAYER, STRANGER] = [0, 1]
const nativeOrder = (world: World) => world.order({ pay_asset: 'ETH', settle_asset: 'ETH' })
const addressOf = (order: { legs: readonly { address: string }[] }): Hex => lower(order.legs[0]?.address ?? '')

/** Contracts that pass their value on while they are created: by a call, and by ending themselves. */
const byCall = (to: Hex): Hex => `0x60006000600060003473${to.slice(2)}5af100`
const bySelfDestruct = (to: Hex): Hex => `0x73${to.slice(2)}ff`
const REVERTS: Hex = '0x600080fd'

/** Mines all of them in one block, in this order. @returns their hashes */
async function mineTogether(t: TestContext, world: World, transactions: readonly Transaction[]): Promise<Hex[]> {
  await world.anvil.setAutomine(false)
  t.after(() => world.anvil.setAutomine(true))
  const hashes: Hex[] = []
  for (const [n, { by, ...transaction }] of transactions.entries()) {
    const account = payers[by]
    assert.ok(account)
    const wallet = createWalletClient({ transport: toAnvil(world.node.url), account })
    const fees = {
      gas: 200_000n,
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: BigInt(50 - n) * 1_000_000_000n,
    }
    hashes.push(await wallet.sendTransaction({ ...transaction, ...fees, chain: null }))
  }
  await world.waitForPool(transactions.length)
  await world.mine()
  await world.anvil.setAutomine(true)
  return hashes
}

async function seenOf(world: World, orderRef: string): Promise<Seen[]> {
  await world.look()
  return (await world.factsOf(orderRef)).flatMap((fact) => (fact.kind === 'payment_seen' ? [fact] : []))
}

const told = (seen: readonly Seen[]) => seen.map(({ amount, from }) => [amount, from === null ? null : lower(from)])

test('senders: one transaction brought all that came in its block → it is named', async (t) => {
  const world = await aWorld(t)
  const order = await nativeOrder(world)
  const [hash] = await mineTogether(t, world, [{ by: PAYER, to: addressOf(order), value: 500n }])
  const seen = await seenOf(world, order.orderRef)
  assert.deepEqual(told(seen), [[500n, lower(payers[PAYER] ?? '')]])
  const { timestamp } = await world.client.getBlock()
  assert.deepEqual([seen[0]?.txHash, seen[0]?.minedAt], [hash, new Date(Number(timestamp) * 1000)])
})

const attacks: Record<string, (to: Hex) => Transaction[]> = {
  'a wei ahead of the payer in the same block': (to) => [
    { by: STRANGER, to, value: 1n },
    { by: PAYER, to, value: 500n },
  ],
  'a wei behind the payer in the same block': (to) => [
    { by: PAYER, to, value: 500n },
    { by: STRANGER, to, value: 1n },
  ],
  'a wei beside a payment by a contract': (to) => [
    { by: STRANGER, to, value: 1n },
    { by: PAYER, data: byCall(to), value: 500n },
  ],
  'a wei by a contract beside the payment': (to) => [
    { by: STRANGER, data: byCall(to), value: 1n },
    { by: PAYER, to, value: 500n },
  ],
  'a wei by a contract that ends itself': (to) => [
    { by: STRANGER, data: bySelfDestruct(to), value: 1n },
    { by: PAYER, to, value: 500n },
  ],
}

for (const [name, transactionsOf] of Object.entries(attacks)) {
  test(`senders: ${name} → nobody is named`, async (t) => {
    const world = await aWorld(t)
    const order = await nativeOrder(world)
    await mineTogether(t, world, transactionsOf(addressOf(order)))
    const seen = await seenOf(world, order.orderRef)
    const { hash } = await world.client.getBlock()
    assert.deepEqual(told(seen), [[501n, null]])
    assert.deepEqual([seen[0]?.txHash, seen[0]?.minedAt], [hash, null], 'no transaction stands for all of it')
  })
}

test('senders: a failing transaction of the right value → it is not named', async (t) => {
  const world = await aWorld(t)
  const order = await nativeOrder(world)
  const to = addressOf(order)
  await world.anvil.setCode({ address: to, bytecode: REVERTS })
  const [failing] = await mineTogether(t, world, [
    { by: STRANGER, to, value: 500n },
    { by: PAYER, data: bySelfDestruct(to), value: 500n },
  ])
  assert.ok(failing)
  assert.equal((await world.client.getTransactionReceipt({ hash: failing })).status, 'reverted')
  assert.deepEqual(told(await seenOf(world, order.orderRef)), [[500n, null]])
})

test('senders: money of many blocks that were read as a range → nobody is named', async (t) => {
  const world = await aWorld(t)
  const order = await nativeOrder(world)
  await world.look()
  await world.mine(30)
  await mineTogether(t, world, [{ by: PAYER, data: byCall(addressOf(order)), value: 500n }])
  await world.mine(39)
  await mineTogether(t, world, [{ by: STRANGER, to: addressOf(order), value: 1n }])
  // The range ends where a reorg can reach: at the stranger's block.
  await world.mine(16)
  assert.deepEqual(told(await seenOf(world, order.orderRef)), [[501n, null]])
})

test('senders: one of two providers invents the transaction → nobody is named', async (t) => {
  const node = await testNode()
  let lie: Lie = () => null
  const liar = await aLyingNode(t, node.url, (call) => lie(call))
  const honest = await aLyingNode(t, node.url, () => null)
  const world = await aWorld(t, { node, chains: [chainOver(node, { rpc: [liar.url, honest.url] })] })
  const order = await nativeOrder(world)
  await world.look()
  const thief = lower(payers[STRANGER] ?? '')
  const invented = { hash: `0x${'77'.repeat(32)}`, from: thief, to: addressOf(order), value: '0x1f4' }
  lie = ({ method, params }) => {
    if (method === 'eth_getBlockByHash')
      return { edit: (block) => ({ ...(block as object), transactions: [invented] }) }
    if (method !== 'eth_getTransactionReceipt') return null
    const { hash, ...parts } = invented
    return params[0] === hash ? { result: { ...parts, transactionHash: hash, status: '0x1', logs: [] } } : null
  }
  // Each of the two is asked first at every other block.
  for (let n = 0; n < 2; n++) {
    await mineTogether(t, world, [{ by: PAYER, data: byCall(addressOf(order)), value: 500n }])
    await world.look()
  }
  assert.deepEqual(told(await seenOf(world, order.orderRef)), [
    [500n, null],
    [500n, null],
  ])
})
