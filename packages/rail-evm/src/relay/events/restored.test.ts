// After the restore of an older backup, on a real node: refunds that the chain shows are booked as the refunds that they are, without an
// alarm, and what comes later goes back automatically, once.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { payFactoryAbi } from '@florin/contracts'
import { toAnvil } from '@florin/contracts/anvil'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { makePartitions } from '@florin/platform/db/partitions'
import { randomOctets } from '@florin/platform/ids'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { createWalletClient, getAddress, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { backUp } from '../../../../server/src/backup/backup.ts'
import { restore } from '../../../../server/src/backup/restore.ts'
import { nameRefundAddress } from '../../../../server/src/orders/acts.ts'
import { expireDue } from '../../../../server/src/orders/expire.ts'
import { getOrder } from '../../../../server/src/orders/store.ts'
import { partitionedTables } from '../../../../server/src/partitions.ts'
import { ownDatabase, testDeps } from '../../../../server/test/harness.ts'
import { settleDue } from '../../../../server/test/orders.ts'
import { readRoute, type StoredRoute } from '../../address/stored-route.ts'
import { aWorld, type Process, startProcess, stopNodes, type World } from '../../test/world.fixture.ts'

// On a node of its own: it moves time by days, and another test may leave a coin held or stopped.
after(() => stopNodes())

async function aService(t: TestContext, fields: object = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'florin-restored-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const world = await aWorld(t, { fields: { maxReorg: 60, reorgWindow: 128, ...fields } })
  let process: Process = world
  /** All parts in turn until the chain has nothing new. */
  const work = async (): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      await world.mine(6)
      await process.work()
      while ((await settleDue(process.deps)) + (await expireDue(process.deps)) > 0);
      for (const clock of clocks) clock.advance(10_000)
    }
  }
  const clocks: { advance(ms: number): void }[] = [world.clock]
  return {
    world,
    work,
    /** Everybody's time, and the chain's. */
    async pass(ms: number): Promise<void> {
      for (const clock of clocks) clock.advance(ms)
      await makePartitions(process.deps.sql, partitionedTables, world.clock.now())
      await world.anvil.increaseTime({ seconds: ms / 1000 })
      await work()
    },
    /** As long as the leases of a process that is gone. */
    outlast(): void {
      for (const clock of clocks) clock.advance(MINUTE_MS)
    },
    /** Up to what is handed to the relay, which sends nothing yet. */
    async look(): Promise<void> {
      await world.mine(6)
      await process.look()
      while ((await settleDue(process.deps)) > 0);
    },
    /** The relay is quicker than the watcher. */
    async send(): Promise<void> {
      await world.mine(6)
      for (const job of process.forwarder.jobs)
        if (job.name.startsWith('relay-')) await job.run(new AbortController().signal)
    },
    save: () => backUp(world.databaseUrl, join(dir, 'older')),
    async restore(): Promise<void> {
      const url = await ownDatabase(t)
      await restore(url, join(dir, 'older'), { replaces: true })
      const { deps, clock } = await testDeps(t, {}, url)
      clock.advance(world.clock.now().getTime() - clock.now().getTime())
      await makePartitions(deps.sql, partitionedTables, clock.now())
      // By the time of the chain, which is ahead of the database's.
      const { timestamp } = await world.client.getBlock()
      await deps.sql`update installation set created_at = ${new Date(Number(timestamp) * 1_000 + 1_000)}`
      clocks.push(clock)
      process = startProcess(deps, world.chains)
    },
    read: (order: OrderState) => getOrder(process.deps.sql, order.orderNo),
    /** The merchant says where the first refund that waits goes to. */
    async give({ orderNo }: OrderState, address: string): Promise<void> {
      const order = await getOrder(process.deps.sql, orderNo)
      const refundId = order.refunds.find((row) => row.status === 'waiting')?.id ?? ''
      await nameRefundAddress(process.deps, order, { actor: 'test', refundId, address }, async () => undefined)
    },
    async routeOf(order: OrderState) {
      const [row] = await process.deps.sql<{ route: StoredRoute }[]>`
        select route from forwarder_vaults where leg_ref = ${order.legs.at(-1)?.ref ?? ''}`
      assert.ok(row)
      return readRoute(row.route)
    },
    /** What a person was asked to look at. */
    items: async (order: OrderState) =>
      (await process.deps.sql<{ kind: string }[]>`select kind from attention where order_no = ${order.orderNo}`).map(
        ({ kind }) => kind,
      ),
  }
}

/** An order whose payer has bound an address of its own. */
async function anOrder(world: World) {
  const payer = getAddress(toHex(randomOctets(20)))
  const order = await world.order({ refund_address: payer })
  const leg = order.legs.at(-1)
  assert.ok(leg)
  return {
    ...{ order, payer, due: leg.amountDue },
    pay: (amount: bigint, token = world.node.usdc) => world.pay(leg.address, token, amount),
    back: (token = world.node.usdc) => world.unitsOf(token, payer),
  }
}

const X = 7_000_000n
const Y = 3_000_000n

test('relay: refunds left after the backup that is restored → booked as they are, later excess goes back', async (t) => {
  const { world, work, pass, look, send, save, restore, read, items } = await aService(t)
  const { usdc, usdt } = world.node
  const [before, later, apart, rest] = [
    await anOrder(world),
    await anOrder(world),
    await anOrder(world),
    await anOrder(world),
  ]
  const [token, short] = [await anOrder(world), await anOrder(world)]
  const [settled, returned] = [await anOrder(world), await anOrder(world)]
  for (const one of [before, apart, rest, token, returned]) await one.pay(one.due)
  await work()
  // In the backup a settlement and a refund wait for the relay.
  await settled.pay(settled.due)
  await returned.pay(X)
  await look()
  await save()
  await before.pay(X)
  await later.pay(later.due + X)
  await apart.pay(X)
  await rest.pay(X)
  await token.pay(X, usdt)
  await short.pay(X)
  await work()
  await apart.pay(Y)
  await work()
  await pass(31 * MINUTE_MS)
  await pass(DAY_MS + MINUTE_MS)
  const all = [before, later, apart, rest, token, short, settled, returned]
  const backs = () => Promise.all(all.map((one) => one.back(one === token ? usdt : usdc)))
  /** Some rounds more where a busy machine took more blocks. */
  const hasGoneBack = async (sums: bigint[], message: string): Promise<void> => {
    for (let n = 0; n < 5 && String(await backs()) !== String(sums); n++) await work()
    assert.deepEqual(await backs(), sums, message)
  }
  await hasGoneBack([X, X, X + Y, X, X, X, 0n, X], 'refunds that are due were sent')
  assert.equal((await read(settled.order)).status, 'success')
  const { settleAddress } = settled.order
  const got = await world.unitsOf(usdc, settleAddress)
  // Not read before the database was lost; as much as waits in the backup.
  await rest.pay(Y)
  await settled.pay(settled.due)
  await returned.pay(X)
  await restore()
  await world.anvil.increaseTime({ seconds: 600 })
  await send()
  await work()
  await work()
  assert.equal(await world.unitsOf(usdc, settleAddress), got, 'the merchant got it once')
  const expected = [X, X, X + Y, X + Y, X, X, settled.due, X + X]
  await hasGoneBack(expected, 'nothing went back twice')
  const told = async () => {
    const rows = await Promise.all(
      all.map(async ({ order }) => ({ ...(await read(order)), items: await items(order) })),
    )
    for (const row of rows) {
      assert.ok(balanceOf(row).every(({ held }) => held === 0n))
      assert.ok(!row.refunds.some(({ reason }) => reason === 'returned_by_others'))
    }
    return rows.map((row) => [row.status, row.detail, ...row.items])
  }
  const overpaid = ['success', 'overpaid']
  const quiet = [
    overpaid,
    overpaid,
    overpaid,
    overpaid,
    ['success', 'paid', 'wrong_asset'],
    ['refunded', 'refunded'],
    overpaid,
    overpaid,
  ]
  assert.deepEqual(await told(), quiet)
  for (const one of all) await one.pay(Y, one === token ? usdt : usdc)
  await work()
  const more = expected.map((sum) => sum + Y)
  await hasGoneBack(more, 'later excess went back')
  quiet[4] = ['success', 'paid', 'wrong_asset', 'wrong_asset']
  assert.deepEqual(await told(), quiet)
})

test('relay: a backup of this minute is restored → nothing is sent before the chain is read', async (t) => {
  const { world, work, outlast, look, send, save, restore, read } = await aService(t)
  const { usdc } = world.node
  const one = await anOrder(world)
  // The relay of the process that is lost has begun long before.
  await work()
  await one.pay(one.due)
  await look()
  await save()
  const { settleAddress } = one.order
  const before = await world.unitsOf(usdc, settleAddress)
  let got = before
  for (let n = 0; n < 10 && got === before; n++) {
    await send()
    got = await world.unitsOf(usdc, settleAddress)
  }
  assert.ok(got > before)
  await one.pay(one.due)
  await restore()
  outlast()
  // The relay is quicker than the watcher.
  await send()
  for (let n = 0; n < 5 && (await one.back()) === 0n; n++) await work()
  assert.equal(await world.unitsOf(usdc, settleAddress), got, 'it settles once')
  assert.equal(await one.back(), one.due, 'the second payment went back')
  assert.equal((await read(one.order)).status, 'success')
})

test('relay: announced after the backup that is restored, carried out by a stranger → the refund that is due', async (t) => {
  const { world, work, pass, save, restore, read, items, give, routeOf } = await aService(t)
  const { usdc } = world.node
  const order = await world.order()
  const leg = order.legs.at(-1)
  assert.ok(leg)
  await world.pay(leg.address, usdc, leg.amountDue)
  await work()
  await save()
  await world.pay(leg.address, usdc, X)
  for (let n = 0; n < 5 && (await read(order)).refunds.length === 0; n++) await work()
  const to = getAddress(toHex(randomOctets(20)))
  await give(order, to)
  const announced = async (): Promise<boolean> => (await read(order)).refunds[0]?.status === 'proposed'
  for (let n = 0; n < 5 && !(await announced()); n++) await work()
  assert.ok(await announced())
  await world.pay(leg.address, usdc, Y)
  await restore()
  await world.anvil.increaseTime({ seconds: 600 })
  for (let n = 0; n < 5 && (await read(order)).refunds.length === 0; n++) await work()
  await work()
  assert.deepEqual(
    (await items(order)).filter((kind) => kind !== 'refund_address_needed'),
    [],
    'the Florin that was saved asked for it',
  )
  await pass(DAY_MS + MINUTE_MS)
  const stranger = createWalletClient({
    transport: toAnvil(world.node.url),
    account: privateKeyToAccount(generatePrivateKey()),
  })
  await world.anvil.setBalance({ address: stranger.account.address, value: 10n ** 18n })
  const on = { address: world.node.factory, abi: payFactoryAbi, chain: null, gas: 1_000_000n } as const
  const args = [await routeOf(order), usdc, to, X] as const
  await stranger.writeContract({ ...on, functionName: 'executeRefund', args } as never)
  const succeeded = async () => (await read(order)).refunds.filter((row) => row.status === 'succeeded')
  for (let n = 0; n < 5 && (await succeeded()).length === 0; n++) await work()
  assert.deepEqual(
    (await succeeded()).map(({ amount, reason, address }) => [amount, reason, address]),
    [[X, 'excess', to]],
  )
  const rest = (await read(order)).refunds.filter((row) => row.status !== 'succeeded')
  assert.deepEqual(
    rest.map(({ amount, status }) => [amount, status]),
    [[Y, 'waiting']],
  )
  assert.deepEqual(
    (await items(order)).filter((kind) => kind !== 'refund_address_needed'),
    [],
  )
})
