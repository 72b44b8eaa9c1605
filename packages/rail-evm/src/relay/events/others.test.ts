// What anybody may do with the money of an order once its time has come, on a real node: the books follow the chain, and
// people hear of it before it goes to the other side.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { payFactoryAbi } from '@florin/contracts'
import { toAnvil } from '@florin/contracts/anvil'
import { testUsdcAbi } from '@florin/contracts/test-tokens'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { makePartitions } from '@florin/platform/db/partitions'
import { sendDueMail } from '@florin/platform/mail/send'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { createWalletClient } from 'viem'
import { attentionJob } from '../../../../server/src/attention/lapse.ts'
import { sentenceOf } from '../../../../server/src/attention/words.ts'
import { expireDue } from '../../../../server/src/orders/expire.ts'
import { getOrder } from '../../../../server/src/orders/store.ts'
import { partitionedTables } from '../../../../server/src/partitions.ts'
import { settleDue } from '../../../../server/test/orders.ts'
import { readRoute, type StoredRoute } from '../../address/stored-route.ts'
import { receiptOf } from '../../test/receipt.fixture.ts'
import { aWorld, owner, stopNodes } from '../../test/world.fixture.ts'

after(stopNodes)

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const OPERATOR = 'operator@florin.example'

test('what strangers send back is booked, and a push that failed is told with the time that it opens', async (t) => {
  // Nobody has a refunder key: what is too little waits at its address.
  const world = await aWorld(t, {
    fields: { refunder: undefined, maxReorg: 60, reorgWindow: 128 },
    config: { operatorEmails: [OPERATOR] },
  })
  const { deps, clock, node, anvil, client } = world
  const stranger = createWalletClient({ transport: toAnvil(node.url), account: owner })
  const rest = async (): Promise<void> => {
    for (let round = 0; round < 30; round++) {
      await world.look()
      for (const job of world.forwarder.jobs) {
        if (job.name.startsWith('relay-logs')) await job.run(new AbortController().signal)
      }
      if ((await settleDue(deps)) + (await expireDue(deps)) === 0) return
    }
    throw new Error('it never comes to rest')
  }
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await makePartitions(deps.sql, partitionedTables, clock.now())
    await anvil.increaseTime({ seconds: ms / 1000 })
    await world.mine(6)
    await rest()
  }
  const call = async (functionName: 'settleOpen' | 'rescue', order: OrderState): Promise<void> => {
    const [row] = await deps.sql<{ route: StoredRoute }[]>`
      select route from forwarder_vaults where leg_ref = ${order.legs.at(-1)?.ref ?? ''}`
    assert.ok(row)
    const args = [readRoute(row.route), ...(functionName === 'rescue' ? [node.usdc] : [])]
    const on = { address: node.factory, abi: payFactoryAbi, chain: null, gas: 6_000_000n }
    await receiptOf(client, await stranger.writeContract({ ...on, functionName, args } as never))
    await world.mine(6)
    await rest()
  }
  const block = async (isBlocked: boolean): Promise<void> => {
    const on = { address: node.usdc, abi: testUsdcAbi, chain: null }
    const hash = await stranger.writeContract({ ...on, functionName: 'setBlacklisted', args: [PAYER, isBlocked] })
    await receiptOf(client, hash)
  }
  const half = async (): Promise<OrderState> => {
    const order = await world.order({ refund_address: PAYER })
    const leg = order.legs.at(-1)
    await world.pay(leg?.address ?? '', node.usdc, (leg?.amountDue ?? 0n) / 2n)
    return order
  }
  const items = (order: OrderState) => deps.sql<
    { kind: string; evidence: Record<string, string>; end: string | null }[]
  >`
    select kind, evidence, resolution as end from attention where order_no = ${order.orderNo} order by id`
  const again = (order: OrderState): Promise<OrderState> => getOrder(deps.sql, order.orderNo)

  const [back, stuck] = [await half(), await half()]
  await pass(31 * MINUTE_MS)
  await pass(8 * DAY_MS)
  // More than the refund that waits for a key, so that it is not the same one.
  await world.pay(back.legs.at(-1)?.address ?? '', node.usdc, 1_000_000n)
  await rest()
  await call('settleOpen', back)
  const returned = await again(back)
  assert.deepEqual([returned.status, returned.detail], ['refunded', 'refunded'])
  const [gone] = returned.refunds.filter((row) => row.status === 'succeeded')
  assert.deepEqual([gone?.reason, gone?.address], ['returned_by_others', PAYER])
  assert.deepEqual(
    balanceOf(returned).map(({ received, refunded, held }) => [received === refunded, held]),
    [[true, 0n]],
  )
  const told = await items(back)
  assert.deepEqual(
    told.filter(({ end }) => end === null).map(({ kind }) => kind),
    ['returned_by_others'],
    'nobody needed a key for it, so it is no alarm; and the refund that waited is nobody’s any more',
  )

  await block(true)
  await call('rescue', stuck)
  const { timestamp } = await client.getBlock({ blockNumber: (await client.getBlockNumber()) - 6n })
  const [alarm] = (await items(stuck)).filter(({ kind }) => kind === 'push_failed')
  const { settleAddress } = stuck
  assert.deepEqual(
    [alarm?.end, alarm?.evidence.cannot_be_paid, alarm?.evidence.to, alarm?.evidence.goes_to],
    [null, 'payer', PAYER, settleAddress],
  )
  assert.equal(alarm?.evidence.opens_at, new Date(Number(timestamp) * 1000 + 7 * DAY_MS).toISOString())
  assert.match(
    sentenceOf('push_failed', alarm?.evidence ?? {}),
    /refund address of the payer could not be paid: the token refused the transfer \(.*\)\. From \d{4}-\d\d-\d\d \d\d:\d\d UTC on anybody may have it sent to your receiving address/,
  )
  await sendDueMail(deps)
  const mails = world.mailbox.mails.map(({ to, subject }) => [to === OPERATOR, subject])
  assert.deepEqual(mails.filter(([, subject]) => /could not be paid/.test(String(subject))).toSorted(), [
    [false, '[test] A payer could not be paid'],
    [true, '[test] Somebody could not be paid by the contract'],
  ])
  await pass(8 * DAY_MS)
  const had = await world.unitsOf(node.usdc, settleAddress)
  await call('rescue', stuck)
  assert.ok((await world.unitsOf(node.usdc, settleAddress)) > had)
  const moved = await again(stuck)
  assert.deepEqual(
    balanceOf(moved).map(({ received, settled, fee, held }) => [received === settled + fee, held]),
    [[true, 0n]],
  )
  assert.equal((await items(stuck)).find(({ kind }) => kind === 'push_failed')?.end, 'it is over by itself')

  // What the contract no longer counts is over by time alone.
  const left = await half()
  await pass(31 * MINUTE_MS)
  await pass(8 * DAY_MS)
  await call('rescue', left)
  await block(false)
  clock.advance(31 * DAY_MS)
  await attentionJob(deps).run(new AbortController().signal)
  assert.equal((await items(left)).find(({ kind }) => kind === 'push_failed')?.end, 'lapsed')
})
