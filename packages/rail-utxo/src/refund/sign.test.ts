// A refund as a transaction for the merchant's wallet: coins that the node knows, the payer's amount to the satoshi, change
// to an address that no order gets; and why there is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { Psbt } from 'bitcoinjs-lib'
import { nameRefundAddress, refundToSign } from '../../../server/src/orders/acts.ts'
import { addressOf } from '../chain/script.ts'
import { TestChain, txidOf } from '../test/chain.fixture.ts'
import { aWorld, output, type World } from '../test/world.fixture.ts'

const DUE = 100_000n
const PAYER = `0014${'ab'.repeat(20)}`

/** From then on the merchant's wallet is asked for the order's refund. */
async function namePayer(world: World, order: OrderState): Promise<void> {
  const now = await world.read(order)
  const by = { actor: 'test', refundId: refundOf(now), address: addressOf(world.chain.network, PAYER) ?? '' }
  await nameRefundAddress(world.deps, now, by, async () => undefined)
  await world.settle()
}

const refundOf = ({ refunds }: OrderState): string => refunds[0]?.id ?? ''

test('an overpaid order’s refund is signed from its own coins first, and the same again when asked again', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { chain } = world
  const other = await world.order()
  const order = await world.order()
  world.announce(other, DUE)
  world.announce(order, 2n * DUE)
  chain.mine()
  await world.settle()
  const refundId = refundOf(await world.read(order))
  const rail = world.deps.rails.servicesOf('utxo')
  const make = async () => (await rail.refundToSign?.(refundId)) ?? assert.fail('it signs')
  assert.match((await make()).why ?? '', /^This refund waits for an address/)
  await namePayer(world, order)
  chain.answers.set('gettxout', () => null)
  assert.match((await make()).why ?? '', /do not suffice/, 'the node knows no coin')

  // Asked as nodes are: text of an amount in coins, null for what is spent.
  const unspent = new Map<string, string>()
  const idOf = async (of: typeof order): Promise<string> => (await world.read(of)).payments[0]?.txHash ?? ''
  unspent.set(await idOf(other), '0.00100000')
  unspent.set(await idOf(order), '0.00200000')
  chain.answers.set('gettxout', ([txid]) => {
    const value = unspent.get(String(txid))
    return value === undefined ? null : { value }
  })
  chain.answers.set('estimatesmartfee', () => ({ feerate: 0.00002 }))
  const made = await make()
  assert.equal(made.why, null)
  const psbt = Psbt.fromBase64(made.psbt ?? '')
  assert.equal(psbt.inputCount, 1, 'its own coin is enough')
  assert.deepEqual(
    psbt.txOutputs.map((one) => one.value),
    [DUE, DUE - (made.fee ?? 0n)],
  )
  assert.equal(Buffer.from(psbt.txOutputs[0]?.script ?? []).toString('hex'), PAYER)
  assert.equal(made.fee, 2n * (11n + 31n + 68n + 31n))
  const change = Buffer.from(psbt.txOutputs[1]?.script ?? []).toString('hex')
  assert.deepEqual(await make(), made)
  assert.ok(
    (await world.addresses.isOurs?.(world.deps.sql, [change])) === true && change !== PAYER,
    'the change is his own',
  )
  assert.notEqual(world.scriptOf(await world.order()), change, 'the change is no order’s')

  // Had nothing been drawn up before it was spent: the other coin of the account is the amount alone.
  unspent.delete(await idOf(order))
  await world.deps.sql`update utxo_refunds set draft_psbt = null, draft_fee = null, draft_inputs = null`
  assert.match((await make()).why ?? '', /do not suffice/, 'and nothing for the fee')
})

test('what the chain took back is not drawn up, however many coins the wallet has', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { chain } = world
  const coin = TestChain.outpoint()
  const [order, other] = [await world.order(), await world.order()]
  world.announce(other, 5n * DUE)
  world.announce(order, 2n * DUE, [coin])
  chain.mine()
  await world.settle()
  const refundId = refundOf(await world.read(order))
  await namePayer(world, order)
  chain.answers.set('gettxout', ([txid]) => (txid === spare ? { value: '0.00500000' } : null))
  const spare = (await world.read(other)).payments[0]?.txHash
  const make = async () => refundToSign(world.deps, await world.read(order), refundId)
  assert.notEqual((await make()).psbt, null)
  // By the rail of its own leg, whichever leg pays the order.
  assert.notEqual(
    (await refundToSign(world.deps, { ...(await world.read(order)), rail: 'sandbox' }, refundId)).psbt,
    null,
  )
  const [, ...kept] = chain.leave(1, { toPool: false })[0]?.transactions ?? []
  const twice = TestChain.transaction([output('51', DUE)], [coin])
  chain.mine([twice, ...kept.filter((raw) => txidOf(raw) === spare)])
  chain.mine([])
  await world.settle()
  assert.deepEqual(
    (await world.read(order)).refunds.map((row) => row.status),
    ['failed'],
  )
  const made = await make()
  assert.deepEqual(
    [made.psbt, made.why],
    [null, 'There is nothing to sign: the payment left the chain before it was paid back.'],
  )
})

test('coins of a miner’s reward that cannot be spent yet are not said to be too few, but when they can be', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { chain } = world
  const order = await world.order()
  chain.mineTo([output(world.scriptOf(order), 2n * DUE)])
  await world.settle()
  const refundId = refundOf(await world.read(order))
  await namePayer(world, order)
  chain.answers.set('gettxout', () => null)
  const why = async () => (await refundToSign(world.deps, await world.read(order), refundId)).why ?? ''
  assert.match(await why(), /cannot be spent yet.*the next can in 99 blocks\. Ask again then/)
  for (let n = 0; n < 99; n++) chain.mine([])
  await world.settle()
  assert.match(await why(), /do not suffice\. Use the payment link/)
})

test('an order that was paid in many small outputs is refunded with larger coins of the account', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { chain } = world
  const [other, order] = [await world.order(), await world.order()]
  world.announce(other, DUE)
  const dust = Array.from({ length: 90 }, () => output(world.scriptOf(order), 3_000n))
  chain.mine([...chain.pool.values(), TestChain.transaction(dust)])
  await world.settle()
  await namePayer(world, order)
  const of = await world.read(order)
  assert.deepEqual([of.status, of.refunds[0]?.amount], ['success', 170_000n])
  const coins = new Map([[(await world.read(other)).payments[0]?.txHash ?? '', '0.00100000']])
  chain.answers.set('gettxout', ([txid]) => ({ value: coins.get(String(txid)) ?? '0.00003000' }))
  chain.answers.set('estimatesmartfee', () => ({ feerate: 0.00002 }))
  const made = await world.deps.rails.servicesOf('utxo').refundToSign?.(refundOf(of))
  assert.equal(made?.why, null)
  const psbt = Psbt.fromBase64(made?.psbt ?? '')
  assert.ok(psbt.inputCount <= 50, `${psbt.inputCount} inputs`)
  assert.equal(psbt.txOutputs[0]?.value, 170_000n)
})
