// Many reorgs of one to three times the finality depth while orders are paid, settled and refunded. Payments come back
// in later blocks; of what the relay had sent the node knows nothing any more. At the end every order, every unit and every nonce must be
// right, and people must have been told of each final thing that was undone.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { testUsdcAbi } from '@florin/contracts/test-tokens'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { sendDigests } from '@florin/platform/mail/notices'
import { sendDueMail } from '@florin/platform/mail/send'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { reconcileJob } from '../../../server/src/orders/reconcile/reconcile.ts'
import { compareSoon } from '../../../server/src/orders/reconcile/store.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { receiptOf } from './receipt.fixture.ts'
import { dice } from './reorgs.fixture.ts'
import { aWorld, payers, type World } from './world.fixture.ts'

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const FINAL = 5

interface Payment {
  from: Address
  to: Address
  data: Hex
  height: bigint
}

export interface PlayedDeep {
  reorgs: number
  orders: number
  /** Settlements and refunds that were final and left. */
  undone: number
  wallMs: number
}

export async function playDeepReorgs(t: TestContext, a: { reorgs: number; seed: number }): Promise<PlayedDeep> {
  const began = performance.now()
  const roll = dice(a.seed)
  const world = await aWorld(t, {
    fields: { maxReorg: 100, reorgWindow: 200, finality: { depth: FINAL }, confirmations: { seen: 1, settle: 2 } },
  })
  // The node is shared with the other tests of the file.
  t.after(() => world.anvil.setAutomine(true))
  await world.anvil.setAutomine(false)
  const { deps, clock, node } = world
  const reconcile = reconcileJob(deps)
  const orders = [await world.order({ refund_address: PAYER })]
  const before = {
    merchant: await world.unitsOf(node.usdc, orders[0]?.settleAddress ?? ''),
    payer: await world.unitsOf(node.usdc, PAYER),
  }
  const payments: Payment[] = []
  const expected = new Map<string, number>()

  const pay = async (order: OrderState, percent: bigint): Promise<void> => {
    const vault = (order.legs[0]?.address ?? '0x') as Hex
    const amount = ((order.legs[0]?.amountDue ?? 0n) * percent) / 100n
    const from = payers[roll(payers.length)] ?? '0x'
    const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [vault, amount] })
    const payment = { from, to: node.usdc, data, height: 0n }
    payments.push(payment)
    await send(payment)
  }
  const send = async (payment: Payment): Promise<void> => {
    const { from, to, data } = payment
    const params = [{ from, to, data }]
    const hash = (await world.client.request({ method: 'eth_sendTransaction', params } as never)) as Hex
    await world.mine()
    const { status, blockNumber } = await receiptOf(world.client, hash)
    assert.equal(status, 'success')
    payment.height = blockNumber
  }
  /** Each idle key looks once a minute. */
  const step = async (): Promise<void> => {
    clock.advance(61_000)
    await world.work()
    await settleDue(deps)
    await world.work()
    await world.mine(1 + roll(2))
  }
  const reorg = async (depth: number): Promise<void> => {
    const fork = (await world.client.getBlockNumber()) - BigInt(depth)
    const gone = await deps.sql<{ orderNo: string; event: string }[]>`
      select o.order_no as "orderNo", l.event from forwarder_factory_logs l join forwarder_vaults v using (vault)
        join orders o using (order_ref)
      where l.relayed = 'final' and l.state = 'final' and l.height > ${fork.toString()}
        and l.event in ('Settled', 'Refunded')`
    for (const { orderNo, event } of gone) {
      const kind = `${event === 'Settled' ? 'settlement' : 'refund'}_left_the_chain ${orderNo}`
      expected.set(kind, (expected.get(kind) ?? 0) + 1)
    }
    await world.reorg(depth)
    // What the relay sent is offered before the payments are back, or after.
    if (roll(2) === 0) await step()
    const lost = payments.filter((payment) => payment.height > fork)
    while (lost.length > 0) {
      for (const payment of lost.splice(roll(lost.length), 1)) await send(payment)
      if (roll(3) === 0) await step()
    }
  }

  for (const order of orders) await pay(order, 100n)
  for (let reorgs = 0; reorgs < a.reorgs; reorgs++) {
    for (let fresh = 1 + roll(2); fresh > 0; fresh--) {
      const order = await world.order({ refund_address: PAYER })
      orders.push(order)
      await pay(order, [100n, 100n, 150n, 200n][roll(4)] ?? 100n)
    }
    for (let steps = 3 + roll(6); steps > 0; steps--) await step()
    await reorg(FINAL + roll(2 * FINAL + 1))
    if (roll(2) === 0) await reconcile.run(new AbortController().signal)
  }
  // Then the chain is quiet.
  for (let quiet = 0; quiet < 40; quiet++) {
    await step()
    if (quiet % 5 === 4 && (await isDone(world, orders))) break
  }
  await world.mine(FINAL)
  await step()
  await endedRight(world, orders, before)
  await nonesMissing(world)
  await peopleWereTold(world, expected)
  for (let look = 0; look < 3; look++) {
    clock.advance(120_000)
    await world.mine(2)
    await world.work()
    for (const order of orders) await compareSoon(deps.sql, order, clock.now())
    await reconcile.run(new AbortController().signal)
  }
  const differences = await deps.sql`select * from book_differences where resolved_at is null`
  assert.deepEqual([...differences], [], 'books and chain agree')
  const undone = [...expected.values()].reduce((sum, count) => sum + count, 0)
  const played = { reorgs: a.reorgs, orders: orders.length, undone, wallMs: Math.round(performance.now() - began) }
  t.diagnostic(JSON.stringify(played))
  return played
}

async function isDone(world: World, orders: readonly OrderState[]): Promise<boolean> {
  const states = await Promise.all(orders.map(({ orderNo }) => getOrder(world.deps.sql, orderNo)))
  return states.every((order) => order.status === 'success' && balanceOf(order).every((line) => line.held === 0n))
}

/** What each order says of its money is where the money is. */
async function endedRight(
  world: World,
  orders: readonly OrderState[],
  before: { merchant: bigint; payer: bigint },
): Promise<void> {
  const total = { merchant: 0n, payer: 0n }
  for (const { orderNo } of orders) {
    const order = await getOrder(world.deps.sql, orderNo)
    const whole = balanceOf(order)[0]
    const isOver = (whole?.refunded ?? 0n) > 0n
    assert.deepEqual([order.status, order.detail], ['success', isOver ? 'overpaid' : 'paid'], orderNo)
    assert.equal(whole?.held, 0n, `${orderNo} holds nothing`)
    assert.equal(order.settlements.filter((row) => row.status === 'final').length, 1)
    assert.ok(order.refunds.every((row) => row.status === 'succeeded'))
    assert.equal(await world.unitsOf(world.node.usdc, order.legs[0]?.address ?? ''), 0n)
    total.merchant += order.amountOut ?? 0n
    total.payer += whole?.refunded ?? 0n
  }
  const merchant = orders[0]?.settleAddress ?? ''
  assert.equal(await world.unitsOf(world.node.usdc, merchant), before.merchant + total.merchant)
  assert.equal((await world.unitsOf(world.node.usdc, PAYER)) - before.payer, total.payer, 'nobody is refunded twice')
}

async function nonesMissing({ deps, client }: World): Promise<void> {
  const rows = await deps.sql<{ signer: Hex; nonce: bigint; state: string }[]>`
    select signer, nonce, state from relay_outbox order by signer, nonce`
  for (const [signer, own] of Map.groupBy(rows, (row) => row.signer)) {
    assert.ok(own.every((row) => row.state === 'done' || row.state === 'mined'))
    const first = own[0]?.nonce ?? 0n
    assert.deepEqual(
      own.map((row) => row.nonce),
      own.map((_, n) => first + BigInt(n)),
    )
    assert.equal(await client.getTransactionCount({ address: signer }), Number(first) + own.length)
  }
}

async function peopleWereTold({ deps, clock, mailbox }: World, expected: ReadonlyMap<string, number>): Promise<void> {
  const items = await deps.sql<{ name: string; resolution: string | null }[]>`
    select kind || ' ' || order_no as name, resolution from attention where kind like '%_left_the_chain'`
  const told = Map.groupBy(items, (item) => item.name)
  assert.deepEqual(
    new Map([...told].map(([name, rows]) => [name, rows.length]).toSorted() as [string, number][]),
    new Map([...expected].toSorted()),
    'each final thing undone is an item',
  )
  assert.ok(
    items.every((item) => item.resolution === 'it is on the chain again'),
    'and each of them ended by itself',
  )
  clock.advance(3_600_000)
  for (let round = 0; round < 50; round++) {
    if ((await sendDigests(deps)) + (await sendDueMail(deps)) === 0) break
  }
  const mails = mailbox.mails.map((mail) => mail.text).join('\n')
  for (const name of expected.keys()) assert.ok(mails.includes(name.split(' ')[1] ?? ''), `${name} was mailed`)
}
