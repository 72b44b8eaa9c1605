// Promise: of one refund never two transactions are handed out that can both be valid, whatever becomes of the first.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Psbt } from 'bitcoinjs-lib'
import { nameRefundAddress, refundToSign } from '../../../server/src/orders/acts.ts'
import { readTransaction } from '../chain/block.ts'
import { addressOf } from '../chain/script.ts'
import { TestChain, txidOf } from '../test/chain.fixture.ts'
import { aWorld, output, startProcess } from '../test/world.fixture.ts'

/** $50 at $50,000. */
const DUE = 100_000n
const PAYER = `0014${'ab'.repeat(20)}`

/** An overpaid order whose merchant is asked for the excess, and other coins of the account. */
async function overpaid(t: TestContext, deep = 3) {
  const world = await aWorld(t, { fields: { confirmations: [{ belowUsd: 1_000, blocks: 1 }, { blocks: deep }] } })
  const { chain } = world
  const [order, ...others] = [await world.order(), await world.order(), await world.order()]
  for (const other of others) world.announce(other, DUE)
  world.announce(order, 2n * DUE)
  chain.mine()
  await world.settle()
  const refundId = (await world.read(order)).refunds[0]?.id ?? ''
  const by = { actor: 'test', refundId, address: addressOf(chain.network, PAYER) ?? '' }
  await nameRefundAddress(world.deps, await world.read(order), by, async () => undefined)
  await world.settle()
  const ask = async (a = { replace: false }, deps = world.deps) =>
    refundToSign(deps, await world.read(order), refundId, a)
  return {
    ...{ world, chain, order, ask },
    /** What the wallet would send. */
    async signed(a = { replace: false }): Promise<Buffer> {
      const { psbt, why } = await ask(a)
      assert.equal(why, null)
      return unsigned(psbt)
    },
    async why(a = { replace: false }): Promise<string> {
      return (await ask(a)).why ?? 'there is one'
    },
    async status(): Promise<string> {
      await world.settle()
      return (await world.read(order)).refunds[0]?.status ?? ''
    },
  }
}

const unsigned = (psbt: string | null): Buffer =>
  Buffer.from(Psbt.fromBase64(psbt ?? '').data.globalMap.unsignedTx.toBuffer())
const coinsOf = (raw: Buffer): string[] => readTransaction(raw).inputs.map(({ txid, vout }) => `${txid}:${vout}`)

test('asked again it is the same transaction, and once that is in the mempool or a block there is none', async (t) => {
  const { world, chain, ask, signed, why, status } = await overpaid(t)
  const first = await ask()
  const raw = await signed()
  // A better coin and another fee change nothing.
  const better = await world.order()
  world.announce(better, 50n * DUE)
  chain.mine()
  await world.settle()
  chain.answers.set('estimatesmartfee', () => ({ feerate: 0.0009 }))
  assert.deepEqual(await ask(), first)
  const txid = chain.send(raw)
  assert.match(await why(), /A transaction in the mempool spends a coin of this refund/)
  await world.look()
  assert.match(await why(), new RegExp(`already in the mempool: ${txid}`))
  const restarted = startProcess(world.deps, world.chains, world.addresses)
  assert.match((await ask({ replace: false }, restarted.deps)).why ?? '', new RegExp(txid))
  // The node forgot it: the same again, and no other.
  chain.pool.delete(txid)
  assert.deepEqual(await ask(), first)
  chain.send(raw)
  chain.mine()
  assert.match(await why(), /A block spends a coin of this refund/)
  assert.equal(await status(), 'succeeded')
  assert.match(await why(), /This refund is paid/)
  // A reorg takes it out, and it waits again.
  chain.leave(1, { toPool: true })
  chain.mine([])
  chain.mine([])
  await world.settle()
  assert.match(await why(), new RegExp(`already in the mempool: ${txid}`))
})

test('another one is drawn up once a block that is deep enough has spent a coin of the first otherwise', async (t) => {
  const { world, chain, signed, why } = await overpaid(t)
  const first = await signed()
  const [coin = ''] = coinsOf(first)
  const [txid = '', vout] = coin.split(':')
  const elsewhere = TestChain.transaction([output('51', DUE)], [{ txid, vout: Number(vout) }])
  chain.send(elsewhere)
  await world.look()
  assert.match(await why(), new RegExp(`is spent by ${txidOf(elsewhere)}, which waits in the mempool`))
  chain.mine()
  await world.look()
  assert.match(await why(), /once that has 3 confirmations \(now 1\)/)
  chain.leave(1, { toPool: true })
  chain.mine([])
  chain.mine([])
  await world.look()
  assert.match(await why(), /which waits in the mempool/)
  chain.mine()
  for (let n = 0; n < 2; n++) chain.mine([])
  await world.look()
  const second = await signed()
  assert.ok(!coinsOf(second).includes(coin))
  assert.deepEqual(await signed(), second)
})

test('one that is asked for explicitly spends the coins of the first, so that never both are valid', async (t) => {
  const { world, chain, order, signed, why, status } = await overpaid(t)
  // The first is drawn up while the best coin is away.
  const best = (await world.read(order)).payments[0]?.txHash
  chain.answers.set('gettxout', ([txid]) => (txid === best ? null : { value: '0.00100000' }))
  const first = await signed()
  chain.answers.delete('gettxout')
  assert.equal(coinsOf(first).length, 2)
  chain.answers.set('estimatesmartfee', () => ({ feerate: 0.0009 }))
  const second = await signed({ replace: true })
  assert.notDeepEqual(second, first)
  for (const coin of coinsOf(first)) assert.ok(coinsOf(second).includes(coin))
  assert.deepEqual(await signed(), second)
  chain.send(first)
  await world.look()
  assert.match(await why({ replace: true }), /already in the mempool/)
  chain.send(second)
  assert.equal(chain.pool.size, 1)
  await world.look()
  assert.match(await why(), new RegExp(`already in the mempool: ${txidOf(second)}`))
  chain.mine()
  assert.equal(await status(), 'succeeded')
})

test('a refund that is paid by its link is not drawn up beside it', async (t) => {
  const { world, chain, ask, why, status } = await overpaid(t)
  const txid = chain.send(TestChain.transaction([output(PAYER, DUE)]))
  await world.look()
  assert.match(await why(), new RegExp(`already in the mempool: ${txid}`))
  assert.match(await why({ replace: true }), new RegExp(`already in the mempool: ${txid}`))
  chain.pool.delete(txid)
  assert.equal((await ask()).why, null)
  chain.send(TestChain.transaction([output(PAYER, DUE)]))
  await world.look()
  assert.match(await why({ replace: true }), /already in the mempool/)
  chain.mine()
  assert.equal(await status(), 'succeeded')
})

test('requests at the same moment, also of two processes, are given one transaction', async (t) => {
  const { world, ask } = await overpaid(t)
  const other = startProcess(world.deps, world.chains, world.addresses)
  const all = await Promise.all(
    [world.deps, other.deps, world.deps, other.deps].map((deps) => ask({ replace: false }, deps)),
  )
  assert.equal(new Set(all.map((one) => one.psbt)).size, 1)
  const replaced = await Promise.all([world.deps, other.deps].map((deps) => ask({ replace: true }, deps)))
  const coins = [all[0], ...replaced].map((one) => coinsOf(unsigned(one?.psbt ?? null)))
  for (const some of coins) assert.ok(some.some((coin) => coins[0]?.includes(coin)))
})
