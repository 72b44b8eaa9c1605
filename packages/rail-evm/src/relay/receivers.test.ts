// Receivers that behave otherwise on the chain than in a simulation: their own settlements fail, and nobody else's do.
import assert from 'node:assert/strict'
import { anvilKey } from '@florin/contracts/anvil-accounts'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { NoQuorum } from '../node/quorum.ts'
import { type Deposit, type Process, type RelayWorld, relayWorld } from '../test/relay-world.fixture.ts'
import { queueSettlements } from './relay.ts'

type Client = RelayWorld['client']

/** Where gas has no price they take the money; else they burn all that they are given. */
const BY_GAS_PRICE = '0x3a15600657fe5b00'
/** They burn all the gas in every other block. */
const IN_ODD_BLOCKS = '0x4360011615600957fe5b00'
const IN_EVEN_BLOCKS = '0x43600116600857fe5b00'
const AMOUNT = 10_000_000n
const HONEST = ['0x00000000000000000000000000000000000900d1', '0x00000000000000000000000000000000000900d2'] as const

async function receiver(world: RelayWorld, bytecode: Hex): Promise<Address> {
  const address: Address = `0x${'bad0'.repeat(9)}${bytecode.slice(2, 6)}`
  await world.node.setCode({ address, bytecode })
  return address
}

/** An account with a key, whose code is elsewhere (EIP-7702). */
async function delegated(world: RelayWorld): Promise<Address> {
  const thief = privateKeyToAccount(anvilKey(7))
  const contractAddress = await receiver(world, BY_GAS_PRICE)
  const authorization = await thief.signAuthorization({ chainId: 31337, contractAddress, nonce: 0 })
  await world.wallet.sendTransaction({ chain: null, to: thief.address, authorizationList: [authorization] })
  await world.mine()
  assert.equal(await world.client.getCode({ address: thief.address }), `0xef0100${contractAddress.slice(2)}`)
  return thief.address
}

async function deposits(
  world: RelayWorld,
  count: number,
  a: { merchant: Address; merchantId?: string; token?: Address | null },
) {
  const made: Deposit[] = []
  for (let n = 0; n < count; n++) made.push(await world.deposit({ token: null, amount: AMOUNT, ...a }))
  return made
}

/** Rounds of all processes for so long; each of them sees what was mined. */
async function goOn(world: RelayWorld, processes: readonly Process[], a: { ms: number; stepMs?: number }) {
  const step = a.stepMs ?? 10_000
  for (let at = 0; at < a.ms; at += step) {
    for (const process of processes) await world.work(process)
    await world.mine()
    for (const process of processes) await world.look(process)
    world.clock.advance(step)
  }
}

/** Each of them once, and none was ever said to have failed. @returns how many transactions carried them, reverted ones too. */
async function allSettled(world: RelayWorld, good: readonly Deposit[]): Promise<number> {
  for (const deposit of good) {
    const events = { ...world.factory, eventName: 'Settled', args: { vault: deposit.vault } } as const
    assert.equal((await world.client.getContractEvents({ ...events, fromBlock: 0n })).length, 1)
    const facts = await world.factsOf(deposit)
    assert.ok(!facts.some((fact) => fact.kind === 'settlement_failed'))
  }
  const ids = good.map((deposit) => `set_${deposit.id}`)
  const carriers = await world.deps.sql`select nonce from relay_outbox where item_ids && ${ids}::text[] limit 100`
  return carriers.length
}

/** As an operator's retry asks for it: another settlement of the same leg. */
const retry = (world: RelayWorld, of: readonly Deposit[], round: number) =>
  queueSettlements(
    world.deps.sql,
    of.map((deposit) => {
      const coin = { chain: 'base', asset: 'USDC', contract: deposit.token, decimals: 6 }
      return {
        ...{ settlementId: `set_${deposit.id}_${round}`, orderRef: deposit.orderRef, legRef: deposit.legRef },
        ...{ livemode: false, pay: coin, settle: coin, merchantAddress: deposit.merchant },
        ...{ gross: deposit.amount, least: deposit.amount, feeBps: 100 },
      }
    }),
    world.clock.now(),
  )

const kinds: Record<string, (world: RelayWorld) => Promise<Address>> = {
  'where gas has a price': (world) => receiver(world, BY_GAS_PRICE),
  'in odd blocks': (world) => receiver(world, IN_ODD_BLOCKS),
  'in even blocks': (world) => receiver(world, IN_EVEN_BLOCKS),
  'by a delegation': delegated,
}

for (const [kind, thiefOf] of Object.entries(kinds)) {
  const sized = kind === 'where gas has a price' ? test : slowTest
  sized(
    `a receiver that burns its gas ${kind}: eight orders of another merchant settle, after retries too`,
    async (t) => {
      const world = await relayWorld(t)
      const merchant = await thiefOf(world)
      const bad = await deposits(world, 9, { merchant })
      const good = await deposits(world, 8, { merchant: HONEST[0] })
      await world.settle(...bad, ...good)
      const processes = [world.start(), world.start()]
      await goOn(world, processes, { ms: 20_000 })
      assert.equal(await allSettled(world, good), 1, 'the first batch was not reverted')
      // A quarter of an hour later some have failed for good, and are tried again beside other orders.
      await goOn(world, processes, { ms: 900_000, stepMs: 60_000 })
      const failed: Deposit[] = []
      for (const deposit of bad) if ((await world.itemsOf(deposit))[0]?.state === 'failed') failed.push(deposit)
      const later = await deposits(world, 8, { merchant: HONEST[1] })
      await retry(world, failed, 1)
      await world.settle(...later)
      await goOn(world, processes, { ms: 20_000 })
      assert.equal(await allSettled(world, later), 1)
      assert.equal(await world.unitsOf(null, HONEST[0]), (8n * AMOUNT * 99n) / 100n)
    },
  )
}

slowTest('forty orders that burn gas cost a few transactions a day, however often they are tried again', async (t) => {
  const world = await relayWorld(t)
  const merchant = await receiver(world, BY_GAS_PRICE)
  const bad = await deposits(world, 40, { merchant })
  await world.settle(...bad)
  const process = world.start()
  let good = 0
  for (let hour = 0; hour < 24; hour++) {
    await goOn(world, [process], { ms: 3_600_000, stepMs: 300_000 })
    const failed: Deposit[] = []
    for (const deposit of bad)
      if ((await world.itemsOf(deposit)).every(({ state }) => state === 'failed')) failed.push(deposit)
    await retry(world, failed, hour)
    if (hour % 8 === 0) {
      const honest = await deposits(world, 1, { merchant: HONEST[0] })
      await world.settle(...honest)
      await goOn(world, [process], { ms: 20_000 })
      await allSettled(world, honest)
      good++
    }
  }
  const [sum] = await world.deps.sql<{ n: bigint; gas: string }[]>`
    select count(*) as n, sum(cost)::text as gas from relay_outbox`
  const failing = Number(sum?.n) - good
  assert.ok(failing >= 20 && failing <= 36, `${failing} transactions for nothing`)
})

/** Addresses whose code takes the money in a simulation and burns all gas on the chain. */
async function burners(world: RelayWorld, count: number): Promise<Address[]> {
  const all = Array.from({ length: count }, (_, n): Address => `0x${(0xbad00000 + n).toString(16).repeat(5)}`)
  for (const address of all) await world.node.setCode({ address, bytecode: BY_GAS_PRICE })
  return all
}

/** How often a transaction moved nothing of one of these, by the factory's own log or as it was reverted. */
async function failuresOf(world: RelayWorld, of: readonly Deposit[]): Promise<number> {
  const [row] = await world.deps.sql<{ n: number }[]>`
    select coalesce(sum(burnt), 0)::int as n from relay_items where leg_ref = any(${of.map((one) => one.legRef)}::text[])`
  return row?.n ?? 0
}

async function manyReceivers(world: RelayWorld, count: number): Promise<Deposit[]> {
  const bad: Deposit[] = []
  for (const merchant of await burners(world, count))
    bad.push(...(await deposits(world, 1, { merchant, merchantId: 'mer_bad' })))
  return bad
}

test('relay: one merchant, many addresses that burn gas → a few failures in all, and others settle at once', async (t) => {
  const world = await relayWorld(t)
  const bad = await manyReceivers(world, 14)
  const good = await deposits(world, 4, { merchant: HONEST[0], merchantId: 'mer_good' })
  await world.settle(...bad, ...good)
  const processes = [world.start(), world.start()]
  await goOn(world, processes, { ms: 80_000 })
  assert.equal(await allSettled(world, good), 1)
  // Five at once in the first transaction, then one after the other, each after twice the pause of the one before.
  assert.ok((await failuresOf(world, bad)) <= 7, `${await failuresOf(world, bad)} failures`)
  // Another order of the same merchant in a token, which runs no receiver's code, waits for none of it.
  const inToken = await deposits(world, 1, {
    merchant: bad[0]?.merchant ?? '0x',
    merchantId: 'mer_bad',
    token: world.usdc,
  })
  const later = await deposits(world, 4, { merchant: HONEST[1], merchantId: 'mer_good' })
  await world.settle(...inToken, ...later)
  await goOn(world, processes, { ms: 20_000 })
  await allSettled(world, [...inToken, ...later])
})

test('relay: a receiver of native coins rests after failures → its token settlements do not wait', async (t) => {
  const world = await relayWorld(t)
  const merchant = await receiver(world, BY_GAS_PRICE)
  const bad = await deposits(world, 4, { merchant })
  await world.settle(...bad)
  const process = world.start()
  await goOn(world, [process], { ms: 600_000, stepMs: 30_000 })
  const before = await failuresOf(world, bad)
  assert.ok(before >= 4, `${before} failures`)
  const inTokens = [
    ...(await deposits(world, 2, { merchant, token: world.usdc })),
    ...(await deposits(world, 1, { merchant, token: world.usdt })),
  ]
  await world.settle(...inTokens)
  await goOn(world, [process], { ms: 20_000 })
  assert.equal(await allSettled(world, inTokens), 1, 'in one transaction, as for any receiver')
})

slowTest('relay: a hundred addresses of one merchant that burn gas → a bounded number of failures a day', async (t) => {
  const world = await relayWorld(t)
  const bad = await manyReceivers(world, 100)
  await world.settle(...bad)
  const process = world.start()
  await goOn(world, [process], { ms: 24 * 3_600_000, stepMs: 300_000 })
  const failures = await failuresOf(world, bad)
  assert.ok(failures >= 20 && failures <= 36, `${failures} failures`)
})

test('relay: payers’ contracts that burn gas → few failures for their shop, and no payer with an account waits', async (t) => {
  const world = await relayWorld(t)
  const refund = async (refundTo: Address, merchantId: string): Promise<Deposit> => {
    const deposit = await world.deposit({ token: null, amount: AMOUNT, merchant: HONEST[0], merchantId, refundTo })
    await world.refund(deposit, refundTo, true)
    return deposit
  }
  const bad: Deposit[] = []
  for (const address of await burners(world, 12)) bad.push(await refund(address, 'mer_bad'))
  const processes = [world.start(), world.start()]
  await goOn(world, processes, { ms: 60_000 })
  const before = await failuresOf(world, bad)
  assert.ok(before >= 4 && before <= 9, `${before} failures`)
  const [own, others]: Address[] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
  const paid = [await refund(own ?? '0x', 'mer_bad'), await refund(others ?? '0x', 'mer_good')]
  await goOn(world, processes, { ms: 20_000 })
  for (const deposit of paid) assert.equal((await world.itemsOf(deposit))[0]?.state, 'done')
  assert.equal(await world.unitsOf(null, own ?? '0x'), AMOUNT)
  assert.ok((await failuresOf(world, bad)) <= before + 1)
})

test('a batch that is reverted is split by receiver, then alone, and is no failure of those that settle', async (t) => {
  const world = await relayWorld(t)
  const merchants: Address[] = [...HONEST, '0x00000000000000000000000000000000000900d3']
  const good: Deposit[] = []
  for (const merchant of merchants) good.push(...(await deposits(world, 6, { merchant, token: world.usdc })))
  await world.settle(...good)
  // A node that has far too low an estimate for several.
  const low: Client = Object.assign(Object.create(world.client) as Client, {
    estimateGas: async (call: { data: Hex }) =>
      call.data.length > 2_000 ? 100_000n : world.client.estimateGas(call as Parameters<Client['estimateGas']>[0]),
  })
  const processes = [world.start(world.deps.sql, low), world.start(world.deps.sql, low)]
  await goOn(world, processes, { ms: 300_000 })
  await allSettled(world, good)
  for (const deposit of good) {
    assert.deepEqual(await world.itemsOf(deposit), [{ state: 'done', failures: 0, failure: null }])
  }
  const sizes = await world.deps.sql<{ size: number }[]>`
    select cardinality(item_ids) as size from relay_outbox order by nonce limit 100`
  assert.deepEqual(
    sizes.slice(0, 2).map((row) => row.size),
    [18, 6],
  )
  assert.equal(sizes.at(-1)?.size, 1)
})

slowTest('a batch fits into half a block and what the key can pay for', async (t) => {
  const world = await relayWorld(t)
  const good = await deposits(world, 20, { merchant: HONEST[0] })
  await world.node.setBlockGasLimit({ gasLimit: 3_000_000n })
  await world.mine()
  await world.settle(...good)
  await goOn(world, [world.start()], { ms: 60_000 })
  await allSettled(world, good)
  const [most] = await world.deps.sql<{ gas: bigint }[]>`select max(gas) as gas from relay_outbox`
  assert.ok((most?.gas ?? 0n) <= 1_500_000n, `${most?.gas} gas`)

  const more = await deposits(world, 4, { merchant: HONEST[1] })
  await world.settle(...more)
  // At 3 gwei or so for a unit, enough for one or two of them at a time.
  await world.node.setBalance({ address: world.roles.relayer.address, value: 3_000_000_000_000_000n })
  world.clock.advance(61_000)
  await goOn(world, [world.start()], { ms: 60_000 })
  await allSettled(world, more)
})

test('receivers take turns: sixty orders that came first leave room for one that came last', async (t) => {
  const world = await relayWorld(t)
  const many = await deposits(world, 60, { merchant: HONEST[0], token: world.usdc })
  const few = await deposits(world, 1, { merchant: HONEST[1], token: world.usdc })
  await world.settle(...many)
  world.clock.advance(1_000)
  await world.settle(...few)
  await world.work(world.start())
  const [first] = await world.deps.sql<{ ids: string[] }[]>`select item_ids as ids from relay_outbox where nonce = 0`
  assert.equal(first?.ids.length, 50)
  assert.ok(few.every((deposit) => first?.ids.includes(`set_${deposit.id}`)))
})

test('refunds take turns too: those of one merchant, whoever is paid, leave room for those of another', async (t) => {
  const world = await relayWorld(t)
  const refunds: string[] = []
  for (const merchant of [HONEST[0], HONEST[0], HONEST[0], HONEST[0], HONEST[1]]) {
    const refundTo: Address = `0x${String(refunds.length + 1).repeat(40)}`
    const deposit = await world.deposit({ token: null, amount: AMOUNT, merchant, refundTo })
    await world.refund(deposit, refundTo, true)
    refunds.push(`ref_${deposit.id}`)
    world.clock.advance(1_000)
  }
  await world.work(world.start())
  const sent = await world.deps.sql<{ id: string }[]>`
    select item_ids[1] as id from relay_outbox where purpose = 'refund_bound' order by nonce limit 10`
  assert.equal(sent.length, refunds.length)
  assert.equal(sent[1]?.id, refunds.at(-1))
})

slowTest('a receiver about which providers disagree holds up its own settlement alone', async (t) => {
  const world = await relayWorld(t)
  const merchant = await receiver(world, BY_GAS_PRICE)
  const bad = await deposits(world, 2, { merchant })
  const good = await deposits(world, 2, { merchant: HONEST[0] })
  await world.settle(...bad, ...good)
  const apart: Client = Object.assign(Object.create(world.client) as Client, {
    request: (call: { method: string; params?: unknown }) => {
      if (call.method === 'eth_call' && JSON.stringify(call.params).includes(merchant.slice(2).toLowerCase()))
        throw new NoQuorum('two providers contradict each other about eth_call', true)
      return world.client.request(call as Parameters<Client['request']>[0])
    },
  })
  await goOn(world, [world.start(world.deps.sql, apart)], { ms: 60_000 })
  await allSettled(world, good)
  for (const deposit of bad) assert.equal((await world.itemsOf(deposit))[0]?.state, 'waiting')
  world.clock.advance(61_000)
  const agreed = world.start()
  await goOn(world, [agreed], { ms: 30_000 })
  assert.equal((await world.outbox()).length > 1, true, 'it is tried once they agree')
})
