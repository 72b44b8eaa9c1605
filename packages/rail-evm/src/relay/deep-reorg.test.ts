// Reorgs past the depth at which settlements and refunds are final, on a real node: what was final is offered again,
// orders and people hear of it, and every order ends right.
import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { sendDueMail } from '@florin/platform/mail/send'
import { logFailures } from '@florin/platform/worker/failures'
import { sized, slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { capturedLog } from '../../../server/test/captured-log.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { playDeepReorgs } from '../test/deep-reorgs.fixture.ts'
import { aWorld, stopNodes, type World } from '../test/world.fixture.ts'

after(stopNodes)

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const OPERATOR = 'operator@florin.example'

async function aChain(t: TestContext, fields: object = {}) {
  const deep = { maxReorg: 60, reorgWindow: 128, ...fields }
  const world = await aWorld(t, { fields: deep, config: { operatorEmails: [OPERATOR] } })
  const { deps, clock } = world
  /** All that watchers, relay and orders do, until nothing is left; a minute later idle keys look again. */
  const rest = async (): Promise<void> => {
    clock.advance(61_000)
    for (let round = 0; round < 30; round++) {
      await world.work()
      if ((await settleDue(deps)) === 0) return
    }
    throw new Error('it never comes to rest')
  }
  const final = async (): Promise<void> => {
    await world.mine(6)
    await rest()
    await world.mine(6)
    await rest()
  }
  return {
    ...{ world, rest, final },
    async paid(amount: (due: bigint) => bigint = (due) => due): Promise<OrderState> {
      const order = await world.order({ refund_address: PAYER })
      await world.pay(order.legs[0]?.address ?? '', world.node.usdc, amount(order.legs[0]?.amountDue ?? 0n))
      await final()
      await final()
      return getOrder(deps.sql, order.orderNo)
    },
    again: (order: OrderState) => getOrder(deps.sql, order.orderNo),
    items: (order: OrderState) => deps.sql<{ kind: string; resolution: string | null }[]>`
      select kind, resolution from attention where order_no = ${order.orderNo} order by id`,
    nonces: () => deps.sql<{ signer: string; nonce: bigint; state: string }[]>`
      select signer, nonce, state from relay_outbox order by signer, nonce`,
    async mails(to: string): Promise<string[]> {
      await sendDueMail(deps)
      const subjects = world.mailbox.mails.filter((mail) => mail.to === to).map((mail) => mail.subject)
      return subjects.filter((subject) => subject.includes('left'))
    },
  }
}

/** Every unit is with the merchant, the collector or the payer, and the chain says the same. */
async function endedRight(world: World, order: OrderState): Promise<void> {
  for (const line of balanceOf(order)) assert.equal(line.held, 0n, `${order.status}: ${line.held} is held`)
  for (const leg of order.legs) assert.equal(await world.unitsOf(world.node.usdc, leg.address), 0n)
}

const merchantOf = async (world: World, { merchantId }: OrderState): Promise<string> =>
  (await world.deps.sql<{ email: string }[]>`select email from merchants where id = ${merchantId}`)[0]?.email ?? ''

test('a settlement that was final and left is offered again, the same one, and everybody hears of it', async (t) => {
  const { world, rest, final, paid, again, items, nonces, mails } = await aChain(t)
  const order = await paid()
  assert.deepEqual([order.status, order.detail], ['success', 'paid'])
  const [attempt] = await world.deps.sql<{ hash: string }[]>`select hash from relay_attempts`
  await world.anvil.setAutomine(false)
  t.after(() => world.anvil.setAutomine(true))
  const [log] = await world.deps.sql<{ height: bigint }[]>`select height from forwarder_factory_logs`
  await world.reorg(Number((await world.client.getBlockNumber()) - (log?.height ?? 0n)) + 1)
  await rest()
  const gone = await again(order)
  assert.deepEqual([gone.status, gone.detail], ['success', 'settlement_left_the_chain'])
  assert.deepEqual(
    (await items(order)).map((row) => [row.kind, row.resolution]),
    [['settlement_left_the_chain', null]],
  )
  assert.deepEqual(await mails(await merchantOf(world, order)), ['[test] A final settlement left the chain'])
  assert.deepEqual(await mails(OPERATOR), ['[test] Something final left a chain'])
  assert.deepEqual(
    (await nonces()).map((row) => row.state),
    ['open'],
  )
  await world.anvil.setAutomine(true)
  await final()
  const back = await again(order)
  assert.deepEqual([back.status, back.detail, back.settleTxHash], ['success', 'paid', attempt?.hash])
  assert.deepEqual(
    (await items(order)).map((row) => row.resolution),
    ['it is on the chain again'],
  )
  await endedRight(world, back)

  // The nonce is no gap: the next order settles.
  const next = await paid()
  assert.equal(next.status, 'success')
  await endedRight(world, next)
  assert.equal((await mails(await merchantOf(world, order))).length, 1, 'told once')
})

slowTest('payment, settlement and refund that leave together come back, and nobody is paid twice', async (t) => {
  const { world, rest, final, paid, again, items, nonces } = await aChain(t)
  const order = await paid((due) => 2n * due)
  assert.deepEqual([order.status, order.detail], ['success', 'overpaid'])
  const [leg] = order.legs
  assert.ok(leg)
  const merchant = await world.unitsOf(world.node.usdc, order.settleAddress)
  const payer = await world.unitsOf(world.node.usdc, PAYER)
  const [payment] = order.payments
  await world.reorg(Number((await world.client.getBlockNumber()) - (payment?.height ?? 0n)) + 1)
  await rest()
  const gone = await again(order)
  assert.deepEqual([gone.status, gone.detail], ['success', 'settlement_left_the_chain'])
  assert.deepEqual(
    gone.payments.map((row) => row.status),
    ['orphaned'],
  )
  assert.deepEqual((await items(order)).map((row) => row.kind).toSorted(), [
    'refund_left_the_chain',
    'settlement_left_the_chain',
  ])
  await world.pay(leg.address, world.node.usdc, 2n * leg.amountDue)
  for (let n = 0; n < 3; n++) await final()
  const back = await again(order)
  assert.deepEqual([back.status, back.detail], ['success', 'overpaid'])
  await endedRight(world, back)
  assert.equal(await world.unitsOf(world.node.usdc, order.settleAddress), merchant)
  assert.equal(await world.unitsOf(world.node.usdc, PAYER), payer)
  assert.deepEqual(
    (await items(order)).filter((row) => row.resolution === null),
    [],
  )
  const bySigner = Map.groupBy(await nonces(), (row) => row.signer)
  for (const rows of bySigner.values()) {
    assert.ok(rows.every((row) => row.state === 'done'))
    const [first] = rows
    assert.deepEqual(
      rows.map((row) => row.nonce - (first?.nonce ?? 0n)),
      rows.map((_, n) => BigInt(n)),
    )
  }
})

slowTest(
  'relay: a refund leaves with its payment, and less is paid again → that goes back, nothing waits',
  async (t) => {
    const { world, rest, final, paid, again, items } = await aChain(t)
    const order = await paid()
    const [leg] = order.legs
    assert.ok(leg)
    const payer = await world.unitsOf(world.node.usdc, PAYER)
    const height = await world.client.getBlockNumber()
    await world.pay(leg.address, world.node.usdc, 2_000_000n)
    for (let n = 0; n < 2; n++) await final()
    assert.equal((await world.unitsOf(world.node.usdc, PAYER)) - payer, 2_000_000n)
    await world.reorg(Number((await world.client.getBlockNumber()) - height))
    await rest()
    assert.equal((await again(order)).detail, 'refund_left_the_chain')
    await world.pay(leg.address, world.node.usdc, 1_500_000n)
    for (let n = 0; n < 4; n++) await final()
    const back = await again(order)
    assert.deepEqual([back.status, back.detail], ['success', 'overpaid'])
    assert.equal((await world.unitsOf(world.node.usdc, PAYER)) - payer, 1_500_000n)
    await endedRight(world, back)
    assert.deepEqual(
      (await items(order)).filter((row) => row.resolution === null),
      [],
    )
  },
)

test('a reorg deeper than the limit stops the chain and says so; nothing more is sent into the gap', async (t) => {
  const { world, rest, paid } = await aChain(t, { maxReorg: 8, reorgWindow: 16 })
  const order = await paid()
  assert.equal(order.status, 'success')
  await world.reorg(24)
  await assert.rejects(rest(), /a reorg deeper than 8 blocks/)
  const checks = (await world.deps.rails.checks()).get('forwarder') ?? []
  assert.match(checks.map(({ summary }) => summary).join(), /a reorg deeper than 8 blocks/)
  // However often it is looked at: one line of words.
  const { log, text } = capturedLog()
  const failures = logFailures(log)
  for (let n = 0; n < 8; n++) failures.failed('watch-base', await rest().catch((error: unknown) => error))
  const lines = text().trim().split('\n')
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /a reorg deeper than 8 blocks below \d+: is every provider on the right chain\?/)
  assert.doesNotMatch(lines[0] ?? '', /"stack"/)
})

const run = sized({ short: { reorgs: 3, seed: 1 }, full: { reorgs: 50, seed: 1 }, soak: { reorgs: 1_000, seed: 2 } })

slowTest(`after ${run.reorgs} reorgs of one to three times the finality depth everything is right`, async (t) => {
  const played = await playDeepReorgs(t, { ...run, seed: Number(process.env.REORG_SEED ?? run.seed) })
  assert.ok(played.undone >= run.reorgs / 2, `only ${played.undone} final things were undone`)
})
