import assert from 'node:assert/strict'
import { Killed, killable } from '@florin/platform/testing/killable'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { type Deposit, type RelayWorld, relayWorld } from '../test/relay-world.fixture.ts'
import { relayRound } from './relay.ts'

/** Every unit where it belongs: 99 % with the merchant, 1 % with the collector, nothing left. */
async function settledOnce(world: RelayWorld, deposit: Deposit): Promise<void> {
  const { token, merchant, vault, amount } = deposit
  assert.equal(await world.unitsOf(token, merchant), amount - amount / 100n, 'the merchant has it')
  assert.equal(await world.unitsOf(token, vault), 0n, 'nothing is left')
}

const settledLogs = async (world: RelayWorld): Promise<number> => {
  const logs = await world.client.getContractEvents({ ...world.factory, eventName: 'Settled', fromBlock: 0n })
  return logs.length
}

test('twelve orders in three kinds of money are settled in one transaction', async (t) => {
  const world = await relayWorld(t)
  const deposits: Deposit[] = []
  for (const token of [world.usdc, world.usdt, null]) {
    for (let n = 0; n < 4; n++) deposits.push(await world.deposit({ token }))
  }
  await world.settle(...deposits)
  await world.settle(...deposits)
  const process = world.start()
  await world.work(process)
  for (const deposit of deposits) await settledOnce(world, deposit)
  assert.equal(await settledLogs(world), 12)
  assert.deepEqual(
    (await world.outbox()).map((row) => row.state),
    ['mined'],
  )
  await world.mine(3)
  await world.work(process)
  assert.deepEqual(
    (await world.outbox()).map((row) => row.state),
    ['done'],
  )
})

slowTest('killed between any two statements, the next process ends with every order settled once', async (t) => {
  const world = await relayWorld(t)
  for (let killAt = 0; ; killAt++) {
    const deposits = [await world.deposit(), await world.deposit({ token: null })]
    await world.settle(...deposits)
    const before = await settledLogs(world)
    world.clock.advance(61_000)
    const dying = killable(world.deps.sql, killAt)
    const ended = await world.work(world.start(dying.sql)).then(
      () => true,
      (error: unknown) => {
        assert.ok(error instanceof Killed)
        return false
      },
    )
    // The dead process's lease has to expire first.
    world.clock.advance(61_000)
    await world.work(world.start())
    for (const deposit of deposits) await settledOnce(world, deposit)
    assert.equal((await settledLogs(world)) - before, 2)
    if (ended) {
      assert.ok(killAt > 10, `only ${killAt} places to be killed at`)
      return
    }
  }
})

test('a transaction that the node never got is offered by the next process, the same one', async (t) => {
  const world = await relayWorld(t)
  const deposit = await world.deposit()
  await world.settle(deposit)
  const deaf: typeof world.client = Object.assign(Object.create(world.client) as typeof world.client, {
    request: (call: { method: string }) => {
      if (call.method === 'eth_sendRawTransaction') throw new Killed('killed before the broadcast')
      return world.client.request(call as Parameters<typeof world.client.request>[0])
    },
  })
  await relayRound(world.start(world.deps.sql, deaf).relayer, 'a process that dies').catch(() => undefined)
  assert.deepEqual(
    (await world.outbox()).map((row) => [row.state, row.attempts]),
    [['open', 1n]],
  )
  assert.equal(await settledLogs(world), 0)
  world.clock.advance(61_000)
  await world.work(world.start())
  await settledOnce(world, deposit)
  assert.deepEqual(
    (await world.outbox()).map((row) => [row.state, row.attempts]),
    [['mined', 1n]],
  )
})

test('one process sends with a key, another takes over when it is gone', async (t) => {
  const world = await relayWorld(t)
  const [first, second] = [world.start(), world.start()]
  await world.work(first)
  const deposit = await world.deposit()
  await world.settle(deposit)
  await world.work(second)
  assert.equal(await settledLogs(world), 0, 'the first one holds the lease')
  world.clock.advance(61_000)
  await world.work(second)
  await settledOnce(world, deposit)
})

test('a base fee that jumps is followed; above the cap sending pauses and says so', async (t) => {
  const world = await relayWorld(t, { minesByItself: false, relayer: { maxFeeGwei: '50' } })
  const deposits = [await world.deposit(), await world.deposit(), await world.deposit()]
  const process = world.start()
  await world.settle(deposits[0] as Deposit)
  await relayRound(process.relayer, process.holder)
  // 1 gwei → 10 gwei: the fee that was offered is too low now.
  await world.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 10_000_000_000n })
  for (let n = 0; n < 8 && (await settledLogs(world)) === 0; n++) {
    await world.mine()
    await world.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 10_000_000_000n })
    await relayRound(process.relayer, process.holder)
  }
  await settledOnce(world, deposits[0] as Deposit)
  const [row] = await world.outbox()
  assert.ok(row !== undefined && row.attempts > 1n, 'the same number was offered again for more')

  await world.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 80_000_000_000n })
  await world.mine()
  await world.settle(deposits[1] as Deposit)
  await relayRound(process.relayer, process.holder)
  assert.match((await world.error()) ?? '', /cap .*paused/)
  assert.equal((await world.outbox()).length, 1, 'nothing was signed above the cap')

  await world.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n })
  await world.mine()
  await relayRound(process.relayer, process.holder)
  await world.mine()
  await settledOnce(world, deposits[1] as Deposit)
  assert.equal(await world.error(), null)
})

test('a blocked merchant is set apart with the reason, and costs the others nothing', async (t) => {
  const world = await relayWorld(t)
  const bad = await world.deposit()
  const good = [await world.deposit(), await world.deposit()]
  await world.wallet.writeContract({
    ...world.contract.usdc,
    functionName: 'setBlacklisted',
    args: [bad.merchant, true],
    chain: null,
  })
  await world.settle(bad, ...good)
  const process = world.start()
  await world.work(process)
  for (const deposit of good) await settledOnce(world, deposit)
  assert.deepEqual(await world.factsOf(bad), [], 'one failure is not the end')
  world.clock.advance(31_000)
  await world.work(process)
  const [fact] = await world.factsOf(bad)
  assert.equal(fact?.kind, 'settlement_failed')
  assert.match(fact?.kind === 'settlement_failed' ? fact.failure : '', /TokenTransferFailed.*lack/)
  assert.equal(await world.unitsOf(bad.token, bad.vault), bad.amount, 'the money is untouched')
  assert.equal((await world.outbox()).length, 1, 'no gas was spent on it')
})

test('a blocked collector costs the fee, not the order', async (t) => {
  const world = await relayWorld(t)
  const deposit = await world.deposit()
  const args = [world.deployment.feeVault, true] as const
  await world.wallet.writeContract({ ...world.contract.usdc, functionName: 'setBlacklisted', args, chain: null })
  await world.settle(deposit)
  await world.work(world.start())
  assert.equal(await world.unitsOf(deposit.token, deposit.merchant), deposit.amount)
})

test('money that is not there is waited for; a day later the order hears of it', async (t) => {
  const world = await relayWorld(t)
  const deposit = await world.deposit({ paid: 0n })
  await world.settle(deposit)
  const process = world.start()
  await world.work(process)
  assert.deepEqual(
    (await world.itemsOf(deposit)).map((row) => [row.state, row.failures]),
    [['waiting', 0]],
  )
  await world.pay(deposit, deposit.amount)
  world.clock.advance(6_000)
  await world.work(process)
  await settledOnce(world, deposit)

  const never = await world.deposit({ paid: 0n })
  await world.settle(never)
  world.clock.advance(25 * 3_600_000)
  await world.work(world.start())
  assert.equal((await world.factsOf(never))[0]?.kind, 'settlement_failed')
})

test('a part of the money is not settled as the whole; but for what a token keeps for itself, up to a hundredth', async (t) => {
  const world = await relayWorld(t)
  const [part, nearly] = [await world.deposit({ paid: 9_899_999n }), await world.deposit({ paid: 9_900_000n })]
  await world.settle(part, nearly)
  await world.work(world.start())
  const states = await Promise.all([part, nearly].map(async (deposit) => (await world.itemsOf(deposit))[0]?.state))
  assert.deepEqual(states, ['waiting', 'sent'])
  assert.equal(await settledLogs(world), 1)
  assert.equal(await world.unitsOf(part.token, part.vault), 9_899_999n)
})

slowTest('a key that is used elsewhere costs one number, no order', async (t) => {
  const world = await relayWorld(t, { minesByItself: false })
  const deposit = await world.deposit()
  await world.settle(deposit)
  const process = world.start()
  await relayRound(process.relayer, process.holder)
  // Another sender with the same key and nonce wins.
  const [{ hash }] = await world.deps.sql<[{ hash: `0x${string}` }]>`select hash from relay_attempts limit 1`
  await world.node.dropTransaction({ hash })
  await world.node.sendUnsignedTransaction({
    from: world.roles.relayer.address,
    to: world.roles.owner.address,
    nonce: 0,
    value: 1n,
  })
  await world.mine(4)
  for (let n = 0; n < 6; n++) {
    await relayRound(process.relayer, process.holder)
    await world.mine()
  }
  await settledOnce(world, deposit)
  assert.deepEqual((await world.outbox()).map((row) => row.state)[0], 'lost')
})

slowTest('two open transactions of one key have a number each, though the node knows neither yet', async (t) => {
  const world = await relayWorld(t, { minesByItself: false })
  const process = world.start()
  const deposits = [await world.deposit(), await world.deposit()]
  for (const deposit of deposits) {
    await world.settle(deposit)
    await relayRound(process.relayer, process.holder)
  }
  assert.deepEqual(
    (await world.outbox()).map((row) => [row.state, row.nonce]),
    [
      ['open', 0n],
      ['open', 1n],
    ],
  )
  // What is on its way waits for nothing any more.
  await relayRound(process.relayer, process.holder)
  assert.equal((await world.outbox()).length, 2)
  await world.mine(3)
  await world.work(process)
  for (const deposit of deposits) await settledOnce(world, deposit)
})

test('a transaction that no block takes is an alarm for its orders and the operator, and ends by itself', async (t) => {
  const world = await relayWorld(t, { minesByItself: false, relayer: { alarmAfterBlocks: 6 } })
  const deposit = await world.deposit()
  await world.settle(deposit)
  const process = world.start()
  await relayRound(process.relayer, process.holder)
  // The node drops it again and again.
  for (let block = 0; block < 8; block++) {
    for (const { hash } of await world.deps.sql<{ hash: `0x${string}` }[]>`select hash from relay_attempts`) {
      await world.node.dropTransaction({ hash })
    }
    await world.mine()
    await relayRound(process.relayer, process.holder)
  }
  assert.match((await world.error()) ?? '', /nonce 0 of 0x\w+ waits unmined for \d blocks/)
  const [first] = await world.deps.sql<{ hash: string }[]>`select hash from relay_attempts order by created_at, max_fee`
  const alarm = { what: 'transaction_not_mined', txHash: first?.hash }
  assert.deepEqual(await world.factsOf(deposit), [
    {
      ...alarm,
      kind: 'alarm_raised',
      chain: 'base',
      token: world.usdc,
      amount: deposit.amount,
      to: deposit.merchant,
      why: null,
    },
  ])
  for (let block = 0; block < 4; block++) {
    await world.mine()
    await relayRound(process.relayer, process.holder)
  }
  await settledOnce(world, deposit)
  assert.deepEqual((await world.factsOf(deposit)).at(-1), { ...alarm, kind: 'alarm_over' })
  assert.equal(await world.error(), null)
})

test('a replacement is offered while the one before is mined: one of them counts, nothing is sent twice', async (t) => {
  const world = await relayWorld(t, { minesByItself: false })
  const deposits = [await world.deposit(), await world.deposit()]
  const process = world.start()
  await world.settle(deposits[0] as Deposit)
  await relayRound(process.relayer, process.holder)
  const [old] = await world.deps.sql<
    { hash: `0x${string}`; raw: `0x${string}` }[]
  >`select hash, raw from relay_attempts`
  assert.ok(old)
  // It is offered for more, and the block takes the first one.
  await world.node.dropTransaction({ hash: old.hash })
  await world.mine(4)
  await relayRound(process.relayer, process.holder)
  const [, dearer] = await world.deps.sql<{ hash: `0x${string}` }[]>`select hash from relay_attempts order by max_fee`
  assert.ok(dearer, 'a replacement was made')
  await world.node.dropTransaction({ hash: dearer.hash })
  await world.client.sendRawTransaction({ serializedTransaction: old.raw })
  await world.mine()
  await world.settle(deposits[1] as Deposit)
  await world.work(process)
  await world.mine()
  await world.work(process)
  for (const deposit of deposits) await settledOnce(world, deposit)
  assert.deepEqual(
    (await world.outbox()).map((row) => [row.nonce, row.state]),
    [
      [0n, 'mined'],
      [1n, 'mined'],
    ],
  )
  assert.equal(await settledLogs(world), 2)
})

slowTest('a count that a lagging node gives reopens nothing for good', async (t) => {
  const world = await relayWorld(t)
  const deposits = [await world.deposit(), await world.deposit()]
  const process = world.start()
  for (const deposit of deposits) {
    await world.settle(deposit)
    await world.work(process)
  }
  await world.mine(3)
  await world.work(process)
  const lagging: typeof world.client = Object.assign(Object.create(world.client) as typeof world.client, {
    getTransactionCount: async () => 0,
  })
  const misled = world.start(world.deps.sql, lagging)
  world.clock.advance(61_000)
  await relayRound(misled.relayer, misled.holder)
  assert.deepEqual(
    (await world.outbox()).map((row) => row.state),
    ['open', 'open'],
  )
  const told = world.start()
  world.clock.advance(61_000)
  await world.work(told)
  assert.deepEqual(
    (await world.outbox()).map((row) => [row.state, row.attempts]),
    [
      ['done', 1n],
      ['done', 1n],
    ],
  )
  assert.equal(await settledLogs(world), 2)
})

test('a false count reopens nothing beyond the reach of a reorg, and nothing is sent into the gap', async (t) => {
  const world = await relayWorld(t)
  const process = world.start()
  const deposits = [await world.deposit(), await world.deposit()]
  await world.settle(deposits[0] as Deposit)
  await world.work(process)
  await world.mine(60)
  await world.work(process)
  const mistaken: typeof world.client = Object.assign(Object.create(world.client) as typeof world.client, {
    getTransactionCount: async () => 0,
  })
  world.clock.advance(61_000)
  await world.settle(deposits[1] as Deposit)
  const misled = world.start(world.deps.sql, mistaken)
  await relayRound(misled.relayer, misled.holder)
  assert.deepEqual(
    (await world.outbox()).map((row) => row.state),
    ['done'],
  )
  assert.match((await world.error()) ?? '', /no transaction with nonce 0 .* nothing later can be mined/)
  world.clock.advance(61_000)
  await world.work(world.start())
  await settledOnce(world, deposits[1] as Deposit)
})

test('a done transaction that left the chain is offered again as it was, before anything later is sent', async (t) => {
  const world = await relayWorld(t)
  const deposits = [await world.deposit(), await world.deposit()]
  const process = world.start()
  await world.settle(deposits[0] as Deposit)
  await world.work(process)
  await world.mine(3)
  await world.work(process)
  const stateOf = async () => (await world.outbox()).map((row) => [row.nonce, row.state, row.attempts])
  assert.deepEqual(await stateOf(), [[0n, 'done', 1n]])
  // Nobody has looked at the logs yet: the count of the key alone says it.
  await world.client.request({ method: 'anvil_reorg', params: [4, []] } as never)
  assert.equal(await settledLogs(world), 0)
  await world.settle(deposits[1] as Deposit)
  world.clock.advance(61_000)
  await world.work(process)
  for (const deposit of deposits) await settledOnce(world, deposit)
  assert.deepEqual(await stateOf(), [
    [0n, 'mined', 1n],
    [1n, 'mined', 1n],
  ])
  assert.equal(await world.error(), null)
})
