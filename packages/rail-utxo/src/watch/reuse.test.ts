// An address that is given out again because nobody paid for long: the newer order gets what is its own to the satoshi, and
// everything else goes to a person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { makePartitions } from '@florin/platform/db/partitions'
import { DAY_MS, formatUnits, HOUR_MS } from '@florin/protocol'
import { setWalletLimit } from '../../../server/src/addresses/account-settings.ts'
import { REUSED_AFTER_MS } from '../../../server/src/addresses/accounts/rules.ts'
import { tellLimits } from '../../../server/src/addresses/accounts/tell.ts'
import { readConditions } from '../../../server/src/orders/create/conditions.ts'
import { chooseLeg } from '../../../server/src/orders/payer.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { parseChain } from '../../../server/src/parse-chain.ts'
import { partitionedTables } from '../../../server/src/partitions.ts'
import { anAsker } from '../../../server/test/factories.ts'
import { anOrder } from '../../../server/test/orders.ts'
import { scriptOf } from '../chain/script.ts'
import { TestChain } from '../test/chain.fixture.ts'
import { aWorld, output } from '../test/world.fixture.ts'

const fullAccounts = async ({ deps, clock }: Awaited<ReturnType<typeof aWorld>>, order: OrderState) =>
  (await readConditions(deps.sql, order, clock.now())).fullAccounts

test('a reused address pays the newer order by its very amount alone; a doubt is the older one’s and a person’s', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { sql } = world.deps
  await setWalletLimit(world.deps, anAsker(world.caller.merchantId), parseChain('btc', 'chain'), 10)
  const old = [51, 52, 53, 54, 55]
  const given: Awaited<ReturnType<typeof world.order>>[] = []
  for (const amount_usd of old) given.push(await world.order({ amount_usd }))
  const open = () => sql<{ kind: string; order_no: string | null; evidence: Record<string, string> }[]>`
    select kind, order_no, evidence from attention where resolved_at is null order by id`
  await tellLimits(world.deps)
  assert.deepEqual(
    (await open()).map(({ kind, evidence }) => [kind, evidence.unpaid, evidence.unpaid_max, evidence.highest_index]),
    [['wallet_limit_near', '5', '5', '4']],
  )
  const [first, second, third, fourth, fifth] = given
  assert.ok(first && second && third && fourth && fifth)
  assert.equal((await fullAccounts(world, first)).size, 1)
  await assert.rejects(world.order({ amount_usd: 60 }), /wait for a payment/)
  // One of them is announced and taken back: it is given to nobody else, whatever becomes of it.
  const coin = TestChain.outpoint()
  world.announce(fifth, 1_000n, [coin])
  await world.settle()
  world.chain.send(TestChain.transaction([output('51', 1_000n)], [coin]))
  await world.settle()

  world.clock.advance(REUSED_AFTER_MS + DAY_MS)
  await makePartitions(sql, partitionedTables, world.clock.now())
  world.chain.mine([])
  await world.settle()
  assert.equal((await fullAccounts(world, first)).size, 0)
  const again = [await world.order({ amount_usd: 61 }), await world.order({ amount_usd: 62 }), await world.order()]
  const [a, b, c] = again
  assert.ok(a && b && c)
  assert.deepEqual(again.map(world.scriptOf), [first, second, third].map(world.scriptOf), 'the oldest first')
  assert.equal(world.scriptOf(await world.order({ amount_usd: 63 })), world.scriptOf(fourth))
  await assert.rejects(world.order({ amount_usd: 64 }), /wait for a payment/, 'the fifth was seen')

  // The very amount of the newer order; that of the older one; and one that is neither's.
  world.announce(a, a.legs[0]?.amountDue ?? 0n)
  world.announce(b, second.legs[0]?.amountDue ?? 0n)
  world.announce(c, 12_345n)
  world.chain.mine()
  await world.settle()
  assert.deepEqual([(await world.read(a)).status, (await world.read(first)).payments.length], ['success', 0])
  assert.deepEqual([(await world.read(b)).status, (await world.read(second)).payments[0]?.use], ['pending', 'late'])
  const [newer, older] = [await world.read(c), await world.read(third)]
  assert.deepEqual([newer.payments.length, older.payments[0]?.use, older.payments[0]?.amount], [0, 'late', 12_345n])
  const doubts = (await open()).filter(({ kind }) => kind === 'payment_of_two_orders')
  assert.deepEqual(
    doubts.map((row) => [row.order_no, row.evidence.amount, row.evidence.tx_hash]),
    [[c.orderNo, '12345', older.payments[0]?.txHash]],
  )
  assert.ok((await open()).some((row) => row.kind === 'refund_address_needed' && row.order_no === third.orderNo))
})

test('payers who start by themselves fill a part of the row, and what lapsed unseen comes free after a day', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { sql } = world.deps
  await setWalletLimit(world.deps, anAsker(world.caller.merchantId), parseChain('btc', 'chain'), 25)
  const started = async (client: string, amount_usd = 50) => {
    const { orderNo } = await anOrder(world.deps, world.caller, {
      amount_usd,
      settle_chain: 'btc',
      settle_asset: 'BTC',
    })
    await sql`update orders set payment_link_id = 'plink_test' where order_no = ${orderNo}`
    await sql`
      insert into page_starts (order_no, page, client, created_at) values (${orderNo}, 'plink_test', ${client}, ${world.clock.now()})`
    return getOrder(sql, orderNo)
  }
  const choose = async (order: OrderState) => chooseLeg(world.deps, order, { chain: 'btc', asset: 'BTC' })
  const start = async (client: string, amount_usd?: number) => choose(await started(client, amount_usd))
  // Of twenty places ten are theirs, and four at most of one client.
  const first = await start('198.51.100.1')
  for (let n = 0; n < 3; n++) await start('198.51.100.1')
  await assert.rejects(start('198.51.100.1'), /several payments/)
  for (let n = 0; n < 6; n++) await start(`198.51.100.${2 + n}`)
  const late = await started('198.51.100.20')
  assert.equal((await fullAccounts(world, late)).size, 1, 'it is not offered to them')
  await assert.rejects(choose(late), /wait for a payment/)
  await tellLimits(world.deps)
  const [item] = await sql<
    { evidence: Record<string, string> }[]
  >`select evidence from attention where resolved_at is null`
  assert.deepEqual([item?.evidence.unpaid, item?.evidence.by_payers, item?.evidence.by_payers_max], ['10', '10', '10'])
  const own = await world.order()
  assert.equal((await fullAccounts(world, own)).size, 0, 'the shop goes on')

  // They lapse; a day later the oldest goes to whoever starts then.
  const later = async (ms: number) => {
    world.clock.advance(ms)
    world.chain.mine([])
    await world.settle()
  }
  await later(HOUR_MS)
  assert.equal((await world.read(first)).status, 'expired')
  await later(DAY_MS - HOUR_MS)
  await assert.rejects(start('203.0.113.1'), /wait for a payment/)
  await later(HOUR_MS + 1)
  const again = await start('203.0.113.1')
  const [newer, older] = [again.legs.at(-1), first.legs.at(-1)]
  assert.ok(newer && older)
  assert.equal(newer.address, older.address)
  // For the same price: told apart by a satoshi, so each payment is its own order's.
  assert.equal(newer.amountDue, older.amountDue + 1n)
  assert.ok(newer.uri.endsWith(formatUnits(newer.amountDue, 8)))
  const script = scriptOf(world.chain.network, newer.address) ?? ''
  for (const { amountDue } of [older, newer]) world.chain.send(TestChain.transaction([output(script, amountDue)]))
  world.chain.mine()
  await world.settle()
  assert.deepEqual([(await world.read(again)).status, (await world.read(first)).payments[0]?.use], ['success', 'late'])
})
