import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import { testUsdcAbi } from '@florin/contracts/test-tokens'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { createWalletClient, encodeFunctionData, zeroAddress } from 'viem'
import { receiptOf } from '../../test/receipt.fixture.ts'
import { type Deposit, type RelayWorld, relayWorld } from '../../test/relay-world.fixture.ts'

const kindsOf = async (world: RelayWorld, deposit: Deposit): Promise<string[]> =>
  (await world.factsOf(deposit)).map((fact) => fact.kind)

const lastOf = async <K extends RailFact['kind']>(world: RelayWorld, deposit: Deposit, kind: K) => {
  const found = (await world.factsOf(deposit)).findLast((fact) => fact.kind === kind)
  assert.ok(found, `no ${kind}`)
  return found as Extract<RailFact, { kind: K }>
}

const payer = '0x8617e340b3d01fa5f11f306f4090fd50e238070d'
const DAY_S = 86_400

test('an order hears of the settlement at once and that it is final only at the depth of the chain', async (t) => {
  const world = await relayWorld(t)
  const deposit = await world.deposit({ token: world.usdt })
  await world.settle(deposit)
  const process = world.start()
  await world.work(process)
  await world.look(process)
  assert.deepEqual(await kindsOf(world, deposit), ['settlement_broadcast'])
  await world.mine()
  await world.look(process)
  assert.deepEqual(await kindsOf(world, deposit), ['settlement_broadcast'])
  await world.mine()
  await world.look(process)
  await world.look(process)
  assert.deepEqual(await kindsOf(world, deposit), ['settlement_broadcast', 'settlement_final'])
  const final = await lastOf(world, deposit, 'settlement_final')
  assert.equal(final.settlementId, `set_${deposit.id}`)
  assert.deepEqual([final.gross, final.fee, final.amountOut], [10_000_000n, 100_000n, 9_900_000n])
  assert.deepEqual(
    (await world.itemsOf(deposit)).map((row) => row.state),
    ['done'],
  )
})

test('a settlement that a reorg takes away is undone, sent again and final once', async (t) => {
  const world = await relayWorld(t)
  const deposit = await world.deposit()
  await world.settle(deposit)
  const process = world.start()
  const before = await world.node.snapshot()
  await world.work(process)
  await world.look(process)
  // The block is gone, and the node has forgotten the transaction with it.
  await world.node.revert({ id: before })
  await world.mine()
  await world.look(process)
  await world.look(process)
  await world.mine(3)
  await world.look(process)
  assert.deepEqual(await kindsOf(world, deposit), [
    'settlement_broadcast',
    'settlement_undone',
    'settlement_broadcast',
    'settlement_final',
  ])
  assert.equal(await world.unitsOf(deposit.token, deposit.merchant), 9_900_000n)
  assert.equal((await world.outbox()).length, 1, 'the same number, the same items')
})

test("somebody else's settlement counts, and ours is not sent any more", async (t) => {
  const world = await relayWorld(t)
  const deposit = await world.deposit()
  const { abi, address } = world.factory
  const other = createWalletClient({ transport: toAnvil(world.anvil.url), account: world.roles.relayer })
  await other.writeContract({
    ...{ abi, address, functionName: 'settle', chain: null },
    args: [deposit.route, deposit.token ?? zeroAddress, deposit.amount, 0],
  })
  await world.settle(deposit)
  const process = world.start()
  await world.work(process)
  await world.mine(3)
  await world.look(process)
  const final = await lastOf(world, deposit, 'settlement_final')
  assert.deepEqual([final.settlementId, final.gross, final.fee], [null, deposit.amount, 0n])
  assert.deepEqual(
    (await world.itemsOf(deposit)).map((row) => row.state),
    ['done'],
  )
  assert.equal((await world.outbox()).length, 0)
})

test('a refund to the bound address is made at once', async (t) => {
  const world = await relayWorld(t)
  for (const token of [world.usdc, null]) {
    const deposit = await world.deposit({ token, refundTo: payer })
    const had = await world.unitsOf(token, payer)
    await world.refund(deposit, payer, true)
    const process = world.start()
    await world.work(process)
    await world.mine(3)
    await world.look(process)
    assert.deepEqual(await kindsOf(world, deposit), ['refund_succeeded'])
    assert.equal((await world.unitsOf(token, payer)) - had, deposit.amount)
    world.clock.advance(61_000)
  }
})

test('a refund without a bound address is announced, waits a day and is made; restarted at every step', async (t) => {
  const world = await relayWorld(t)
  const deposit = await world.deposit()
  const restart = () => {
    world.clock.advance(61_000)
    return world.start()
  }
  await world.refund(deposit, payer, false)
  await world.work(restart())
  await world.look(restart())
  assert.deepEqual(await kindsOf(world, deposit), ['refund_proposed'])
  await world.mine(3)
  await world.look(restart())
  assert.equal(await world.unitsOf(deposit.token, payer), 0n, 'not before its time')
  await world.node.increaseTime({ seconds: DAY_S })
  await world.mine()
  world.clock.advance(DAY_S * 1000 + 120_000)
  await world.work(restart())
  assert.equal(await world.unitsOf(deposit.token, payer), deposit.amount)
  await world.look(restart())
  await world.mine(3)
  await world.look(restart())
  await world.look(restart())
  assert.deepEqual(await kindsOf(world, deposit), ['refund_proposed', 'refund_succeeded'])
})

test('a vetoed refund fails and says who struck it out', async (t) => {
  const world = await relayWorld(t)
  const deposit = await world.deposit()
  const process = world.start()
  await world.refund(deposit, payer, false)
  await world.work(process)
  await world.look(process)
  const guardian = createWalletClient({ transport: toAnvil(world.anvil.url), account: world.roles.guardian })
  await guardian.writeContract({
    ...{ ...world.factory, functionName: 'vetoRefund', chain: null },
    args: [deposit.route, deposit.token ?? zeroAddress, payer, deposit.amount],
  })
  await world.mine(3)
  await world.look(process)
  const failed = await lastOf(world, deposit, 'refund_failed')
  assert.match(failed.failure, new RegExp(world.roles.guardian.address, 'i'))
})

test('a settlement that fails on the chain alone is tried once more, then its order hears why', async (t) => {
  const world = await relayWorld(t, { minesByItself: false })
  const deposit = await world.deposit()
  const process = world.start()
  const block = async (on: boolean): Promise<void> => {
    const hash = await world.wallet.writeContract({
      ...{ ...world.contract.usdc, functionName: 'setBlacklisted', args: [deposit.merchant, on], chain: null },
      ...{ maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 80_000_000_000n },
    })
    await world.mine()
    await receiptOf(world.client, hash)
  }
  await world.settle(deposit)
  for (let n = 0; n < 2; n++) {
    // The simulation passes, and the merchant is blocked before the transaction is mined.
    await world.work(process)
    await block(true)
    await world.look(process)
    await block(false)
    world.clock.advance(31_000)
  }
  const failed = await lastOf(world, deposit, 'settlement_failed')
  assert.match(failed.failure, /TokenTransferFailed/)
  assert.equal(await world.unitsOf(deposit.token, deposit.vault), deposit.amount)
})

test('a settlement in a token of no worth, or on an address of another leg, is an alarm and settles nothing', async (t) => {
  const world = await relayWorld(t)
  const deposit = await world.deposit()
  // A relayer key in the wrong hands settles what it minted itself.
  await world.send(world.usdt, {
    data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [deposit.vault, 10n ** 18n] }),
  })
  const relayer = createWalletClient({ transport: toAnvil(world.anvil.url), account: world.roles.relayer })
  await relayer.writeContract({
    ...{ ...world.factory, functionName: 'settle', chain: null },
    args: [deposit.route, world.usdt, 10n ** 18n, 0],
  })
  await world.mine(3)
  const process = world.start()
  await world.look(process)
  await world.look(process)
  const facts = await world.factsOf(deposit)
  assert.deepEqual(
    facts.map((fact) => fact.kind === 'alarm_raised' && [fact.what, fact.token, fact.why]),
    [['settlement_not_as_bound', world.usdt, 'it is not the asset that the order asked for']],
  )
  assert.equal(await world.unitsOf(deposit.token, deposit.vault), deposit.amount)
  // What the order asked for still settles.
  await world.settle(deposit)
  await world.work(process)
  await world.mine(3)
  await world.look(process)
  assert.deepEqual((await kindsOf(world, deposit)).slice(1), ['settlement_final'])
})
