// Promises: no output is both the payout of a swap and a refund, whichever is seen first; what waits for a swap's end is decided by
// itself then; and no order is paid at an address that swaps pay.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deriveAddresses, openAccount } from '@florin/accounts'
import type { Sql } from '@florin/platform/db/pool'
import { nameRefundAddress } from '../../../server/src/orders/acts.ts'
import { askOwnRefund, nameTransaction } from '../../../server/src/orders/own-refunds/acts.ts'
import { ownRefundJob } from '../../../server/src/orders/own-refunds/watch.ts'
import { elsewhere } from '../../../server/test/elsewhere.ts'
import { addressOf } from '../chain/script.ts'
import { type Outpoint, TestChain, txidOf } from '../test/chain.fixture.ts'
import { ACCOUNT, aWorld, output } from '../test/world.fixture.ts'

/** $50 at $50,000. */
const DUE = 100_000n
const script = `0014${'ab'.repeat(20)}`

function aSwap(
  sql: Sql,
  a: { ref: string; to: string; at: Date; amount?: bigint; orderRef?: string },
): Promise<unknown> {
  const { ref, to, at, amount = DUE, orderRef = 'another' } = a
  return sql`
    insert into intents_legs (ref, order_ref, livemode, pay, settle, merchant_address, refund_address, address, opened, reply, created_at,
      pay_until, returns_from, watch_until, amount_due, amount_least, amount_out, refund_fee, fee_bps, stage, due_at)
    values (${ref}, ${orderRef}, false, '{}', '{"chain":"btc","asset":"BTC"}', ${to}, '', ${ref}, '{}', '{}', ${at},
      ${at}, ${at}, ${at}, 1, 1, ${amount.toString()}::numeric, 0, 0, 'paid', ${at})`
}

/** @param proof null: it did not bring its payout. */
const ended = (sql: Sql, ref: string, proof: string | null): Promise<unknown> =>
  sql`update intents_legs set stage = 'done', due_at = null, proof_key = ${proof} where ref = ${ref}`

/** A world whose overpaid orders ask for their refunds at one address. */
async function aScene(t: TestContext) {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { sql } = world.deps
  const address = addressOf(world.chain.network, script) ?? ''
  return {
    ...{ world, sql, address },
    swap: (ref: string, more: { at?: Date; amount?: bigint } = {}) =>
      aSwap(sql, { ref, to: address, at: world.clock.now(), ...more }),
    async refund() {
      const order = await world.order()
      world.chain.mine([TestChain.transaction([output(world.scriptOf(order), 2n * DUE)])])
      await world.settle()
      const paid = await world.read(order)
      const refundId = paid.refunds[0]?.id ?? ''
      await nameRefundAddress(world.deps, paid, { actor: 'test', refundId, address }, async () => undefined)
      await world.settle()
      const coin: Outpoint = { txid: paid.payments[0]?.txHash ?? '', vout: 0 }
      return { coin, status: async () => (await world.read(order)).refunds[0]?.status }
    },
    async isCounted(txid: string): Promise<boolean> {
      const transfer = { key: `btc:${txid}:0`, txHash: txid, from: null }
      return (await elsewhere.listCounted(sql, [transfer])).size > 0
    },
    /** An output there in a block of its own. @returns its transaction. */
    async sent(amount = DUE, coins?: readonly Outpoint[]): Promise<string> {
      const transaction = TestChain.transaction([output(script, amount)], coins)
      world.chain.mine([transaction])
      await world.settle()
      return txidOf(transaction)
    },
    async block(): Promise<void> {
      world.chain.mine([])
      await world.settle()
    },
  }
}

test('an output that may be the payout of a swap fulfils a refund when that has ended without it, and nothing twice', async (t) => {
  const { world, sql, swap, refund, isCounted, sent, block } = await aScene(t)
  const asked = await refund()
  await swap('swap_1')
  const payout = await sent()
  assert.deepEqual([await asked.status(), await isCounted(payout)], ['proposed', false])
  // The swap's it was.
  await ended(sql, 'swap_1', `btc:${payout}:0`)
  await block()
  assert.equal(await asked.status(), 'proposed')
  // This time one comes and leaves the chain while a swap is under way, and then two, which a reorg moves; one is the merchant's.
  await swap('swap_2')
  const gone = await sent()
  world.chain.leave(1, { toPool: false })
  for (let n = 0; n < 2; n++) world.chain.mine([])
  await world.settle()
  const [one, two] = [await sent(), await sent()]
  world.chain.leave(2, { toPool: true })
  for (let n = 0; n < 3; n++) world.chain.mine()
  await world.settle()
  assert.equal(await asked.status(), 'proposed')
  await ended(sql, 'swap_2', `btc:${one}:0`)
  await block()
  assert.deepEqual([await asked.status(), await isCounted(two)], ['succeeded', true], 'it proves no swap after that')
  assert.equal(await isCounted(gone), false)
  assert.equal((await sql`select 1 from utxo_held`).length, 0)
  // A swap that was made after it cannot have brought it.
  const next = await refund()
  const late = TestChain.transaction([output(script, DUE)])
  world.chain.send(late)
  await world.look()
  await swap('swap_3', { at: new Date(world.clock.now().getTime() + 1_000) })
  world.chain.mine()
  await world.settle()
  assert.equal(await next.status(), 'succeeded')
})

test('what was believed to be a payout fulfils no refund', async (t) => {
  const { sql, address, swap, refund, sent, block } = await aScene(t)
  const asked = await refund()
  await swap('swap_1')
  const payout = await sent()
  await ended(sql, 'swap_1', `btc:${payout}:${address}:BTC`)
  await block()
  assert.equal(await asked.status(), 'proposed')
  assert.equal((await sql`select 1 from utxo_held`).length, 0)
  await sent()
  assert.equal(await asked.status(), 'succeeded')
})

test('one output of the merchant’s own that pays two refunds pays both when the swap has ended', async (t) => {
  const { sql, swap, refund, sent, block } = await aScene(t)
  const both = [await refund(), await refund()]
  const statuses = () => Promise.all(both.map((one) => one.status()))
  await swap('swap_1', { amount: 2n * DUE + 10n })
  await sent(
    2n * DUE + 10n,
    both.map((one) => one.coin),
  )
  assert.deepEqual(await statuses(), ['proposed', 'proposed'])
  await ended(sql, 'swap_1', null)
  await block()
  assert.deepEqual(await statuses(), ['succeeded', 'succeeded'])
})

test('a refund that leaves the chain has what was held beside it, and nothing is held for one that is done long ago', async (t) => {
  const { world, sql, swap, refund, sent, block } = await aScene(t)
  const asked = await refund()
  await swap('swap_1')
  await sent()
  // Of the merchant's own coins, and more than the swap is to bring.
  await sent(3n * DUE, [asked.coin])
  assert.equal(await asked.status(), 'succeeded')
  world.chain.leave(1, { toPool: false })
  for (let n = 0; n < 2; n++) world.chain.mine([])
  await world.settle()
  assert.equal(await asked.status(), 'sending')
  await ended(sql, 'swap_1', null)
  await block()
  assert.equal(await asked.status(), 'succeeded')
  const next = await refund()
  await swap('swap_2')
  await sent()
  await sent(3n * DUE, [next.coin])
  assert.equal((await sql`select 1 from utxo_held`).length, 1)
  await sql`update utxo_refunds set height = height - 101`
  await block()
  assert.equal((await sql`select 1 from utxo_held`).length, 0)
})

test('of one output two refunds, one before and one after the settlement, never take more than it has, at whatever moment', async (t) => {
  const { world, sql, address, refund, sent, block } = await aScene(t)
  const before = await refund()
  const order = await world.order()
  world.chain.mine([TestChain.transaction([output(world.scriptOf(order), DUE)])])
  await world.settle()
  const { merchantId } = world.caller
  const owner = { merchantId, actor: 'test', isConsole: true, isFresh: true, livemode: false } as never
  const asked = { amount: DUE, address, reason: null, mayExceed: false }
  const after = await askOwnRefund(world.deps, owner, await world.read(order), asked)
  const output150 = (3n * DUE) / 2n
  const [stored] = (await world.read(order)).ownRefunds
  await aSwap(sql, { ref: 'swap_1', to: stored?.address ?? '', at: world.clock.now(), amount: output150 })
  const txHash = await sent(output150, [before.coin])
  await nameTransaction(world.deps, owner, await world.read(order), { id: after.id, txHash })
  const look = async () => {
    world.clock.advance(120_000)
    await ownRefundJob(world.deps).run(AbortSignal.any([]))
    return (await world.read(order)).ownRefunds.find((one) => one.id === after.id)
  }
  assert.deepEqual(
    [await before.status(), (await look())?.status],
    ['proposed', 'requested'],
    'the swap may have brought it',
  )
  await ended(sql, 'swap_1', null)
  // Between the look at what is left of it and the record, the other one takes its part.
  const { outside } = world.rail.services
  const read = outside.look
  t.mock.method(outside, 'look', async (a: Parameters<typeof read>[0]) => {
    const verdict = await read(a)
    await block()
    return verdict
  })
  assert.equal((await look())?.status, 'requested')
  assert.equal(await before.status(), 'succeeded')
  const told = await look()
  assert.equal(told?.status, 'requested', 'another transaction may be named')
  assert.match(told?.failure ?? '', /50000 smallest units of BTC are left, and this refund needs 100000/)
})

test('however many are held for a swap that does not end, what another one has set free is booked', async (t) => {
  const { world, sql, swap, refund, sent, block } = await aScene(t)
  const both = [await refund(), await refund()]
  await swap('swap_1')
  await swap('swap_2', { amount: 2n * DUE })
  await sent(
    2n * DUE,
    both.map((one) => one.coin),
  )
  await sql`
    insert into utxo_held
    select refund_id, chain, md5(n::text) || md5(n::text), 0, height, ${DUE.toString()}::numeric, false, made_by, 'epoch'
    from (select * from utxo_held limit 1) one, generate_series(1, 250) n`
  await ended(sql, 'swap_2', null)
  for (let n = 0; n < 2; n++) {
    world.clock.advance(1_000)
    await block()
  }
  assert.deepEqual(await Promise.all(both.map((one) => one.status())), ['succeeded', 'succeeded'])
})

test('any number of outputs to the address of a refund costs what their blocks cost', async (t) => {
  const { world, sql, swap, refund, sent } = await aScene(t)
  const asked = await refund()
  await swap('swap_1')
  const questions = t.mock.method(elsewhere, 'listCounted')
  const dust = Array.from({ length: 300 }, () => output(script, 300n))
  world.chain.mine([TestChain.transaction(dust)])
  await world.settle()
  assert.equal(questions.mock.callCount(), 0)
  // Nor do those of its very amount, which whoever sends them pays to himself.
  world.chain.mine([TestChain.transaction(Array.from({ length: 60 }, () => output(script, DUE)))])
  await sent()
  assert.ok(questions.mock.callCount() < 80, `${questions.mock.callCount()} questions`)
  assert.equal(await asked.status(), 'proposed')
  await ended(sql, 'swap_1', null)
  await sent(1_000n)
  assert.equal(await asked.status(), 'succeeded')
})

test('thousands of outputs to the address of an order, announced or in a block, stop nobody', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { sql } = world.deps
  const order = await world.order()
  const honest = await world.order()
  const dust = () => TestChain.transaction(Array.from({ length: 2_500 }, () => output(world.scriptOf(order), 300n)))
  world.chain.send(dust())
  world.announce(honest, DUE)
  await world.settle()
  const [pool] = await sql<{ rows: number; raws: number }[]>`
    select count(*)::int as rows, count(raw)::int as raws from utxo_pool where order_ref = ${order.orderRef}`
  assert.deepEqual(pool, { rows: 100, raws: 1 })
  assert.equal((await world.read(honest)).detail, 'seen_unconfirmed')
  world.chain.mine()
  world.chain.mine([dust()])
  await world.settle()
  assert.equal((await world.read(honest)).status, 'success')
  const [found] = await sql<{ count: number }[]>`
    select count(*)::int as count from utxo_outputs where order_ref = ${order.orderRef}`
  assert.equal(found?.count, 5_000)
})

test('an order that is paid in many small outputs is paid in time by all of them where one was announced in time', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const order = await world.order()
  const many = Array.from({ length: 200 }, () => output(world.scriptOf(order), DUE / 200n))
  world.chain.send(TestChain.transaction(many))
  await world.settle()
  world.clock.advance(order.expiresAt.getTime() - world.clock.now().getTime() + 60_000)
  world.chain.mine()
  await world.settle()
  const paid = await world.read(order)
  assert.deepEqual([paid.status, paid.payments.some((row) => row.use === 'late')], ['success', false])
})

test('an address that the merchant’s swaps pay is given to none of its orders, new or again, within what its wallet sees', async (t) => {
  const world = await aWorld(t)
  const { sql, clock } = world.deps
  const wallet = deriveAddresses(openAccount(ACCOUNT, { chain: 'btc', network: 'regtest' }), 0, 30).map(
    (one) => one.address,
  )
  const indexOf = async (): Promise<number> => wallet.indexOf((await world.order()).legs[0]?.address ?? '')
  const mine = await world.order()
  const paid = (index: number, orderRef = mine.orderRef): Promise<unknown> =>
    aSwap(sql, { ref: `swap_${index}`, to: wallet[index] ?? '', at: clock.now(), orderRef })
  assert.equal(wallet.indexOf(mine.legs[0]?.address ?? ''), 0)
  await paid(1)
  assert.equal(await indexOf(), 2)
  // Another merchant's pays this one's wallet: nothing that has to be kept from it, and nothing to fill its row with.
  await paid(3, 'another')
  assert.equal(await indexOf(), 3)
  await sql`update receiving_accounts set wallet_limit = 10`
  for (let index = 4; index < 30; index++) await paid(index)
  await assert.rejects(world.order(), /As many addresses/)
  await sql`delete from intents_legs where merchant_address <> ${wallet[1] ?? ''}`
  assert.equal(await indexOf(), 4)
  // Of those that are given out again, none that a swap pays by now.
  await sql`update receiving_accounts set next_index = 10`
  await sql`update receiving_accounts set next_index = 10`
  await sql`update account_addresses set assigned_at = assigned_at - interval '60 days'`
  await paid(0)
  assert.equal(await indexOf(), 2)
})
