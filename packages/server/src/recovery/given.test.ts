// Promises: an address of a wallet's account that was shown to a payer is given to no other order after a restore of an older
// backup, and what its payer sends there is shown as money of a lost order, never as the payment of another one.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { journalWriter } from '@florin/exit/journal'
import type { OrderState } from '@florin/order-model/state'
import type { Sql } from '@florin/platform/db/pool'
import { MINUTE_MS } from '@florin/protocol'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { TestChain } from '../../../rail-utxo/src/test/chain.fixture.ts'
import { aWorld, OTHER_ACCOUNT, output, startProcess, type World } from '../../../rail-utxo/src/test/world.fixture.ts'
import { anAsker, aReceivingAccount } from '../../test/factories.ts'
import { ownDatabase, testDeps } from '../../test/harness.ts'
import { anOrder, settleDue } from '../../test/orders.ts'
import { accountAddresses } from '../addresses/accounts/assign.ts'
import { backUp } from '../backup/backup.ts'
import { restore } from '../backup/restore.ts'
import { restoreGivenAddresses } from '../compose.ts'
import { getOrder } from '../orders/store.ts'
import { markGiven } from './given.ts'

const SEED = new Uint8Array(32).fill(7)
const PAID_IN_BTC = { amount_usd: 50, pay_chain: 'btc', pay_asset: 'BTC', settle_chain: 'btc', settle_asset: 'BTC' }

const journalOf = (t: TestContext, dir: string, now: () => Date) => {
  const writer = journalWriter({ dir, seed: SEED, now })
  t.after(() => writer.close())
  return { write: (record: Parameters<typeof writer.append>[0]) => writer.append(record) }
}

async function aJournaledWorld(t: TestContext): Promise<{ world: World; dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'florin-given-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const journal = (deps: World['deps']) => journalOf(t, join(dir, 'journal'), () => deps.clock.now())
  return { world: await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] }, journal }), dir }
}

/** Another Florin on a database that was restored, with the chain and the caller of the first. */
async function restored(t: TestContext, world: World, path: string) {
  const url = await ownDatabase(t)
  await restore(url, path, { replaces: true })
  const { deps: parts, clock } = await testDeps(t, {}, url)
  // The lease of the process that was saved lapses.
  clock.advance(world.clock.now().getTime() - clock.now().getTime() + 2 * MINUTE_MS)
  const process = startProcess(parts, world.chains, accountAddresses(parts.sql))
  return {
    ...process,
    sql: parts.sql,
    order: () => anOrder(process.deps, world.caller, PAID_IN_BTC),
    async work() {
      await process.look()
      for (let round = 0; round < 20; round++) if ((await settleDue(process.deps)) === 0) return
    },
  }
}

const listItems = (sql: Sql) =>
  sql<{ kind: string; merchantId: string | null; evidence: Record<string, string> }[]>`
    select kind, merchant_id as "merchantId", evidence from attention order by id`

const addressOf = (order: OrderState): string => order.legs[0]?.address ?? ''

test('after a restore no order gets an address of a lost one, and its payer pays no other order', async (t) => {
  const { world, dir } = await aJournaledWorld(t)
  const kept = await world.order()
  const path = join(dir, 'florin.backup')
  await backUp(world.databaseUrl, path)
  const lost = [await world.order(), await world.order(), await world.order()]
  const at = await restored(t, world, path)
  const journal = { dir: join(dir, 'journal'), seed: SEED, restore: restoreGivenAddresses }
  assert.equal((await markGiven(at.sql, journal)).marked, 3)
  assert.equal((await markGiven(at.sql, journal)).marked, 0, 'again, it changes nothing')

  const fresh = [await at.order(), await at.order(), await at.order()]
  const all = [kept, ...lost, ...fresh].map(addressOf)
  assert.equal(new Set(all).size, all.length, 'no address is given twice')

  // The payers of two lost orders pay what they were asked, and one of a new order.
  const [payer, , later] = lost
  const [one] = fresh
  assert.ok(payer && later && one)
  const sent = [payer, later, one].map((order) => output(world.scriptOf(order), order.legs[0]?.amountDue ?? 0n))
  for (const paid of sent) world.chain.mine([TestChain.transaction([paid])])
  await at.work()
  assert.deepEqual(await Promise.all(fresh.map(async ({ orderNo }) => (await getOrder(at.sql, orderNo)).status)), [
    'success',
    'pending',
    'pending',
  ])
  assert.equal((await getOrder(at.sql, kept.orderNo)).status, 'pending')
  const items = (await listItems(at.sql)).map(({ kind, merchantId, evidence }) => [kind, merchantId, evidence.to])
  const { merchantId } = world.caller
  assert.deepEqual(items, [
    ['payment_of_lost_order', merchantId, addressOf(payer)],
    ['payment_of_lost_order', merchantId, addressOf(later)],
  ])
})

slowTest('an account that was set after the backup gives out none of its addresses twice either', async (t) => {
  const { world, dir } = await aJournaledWorld(t)
  const path = join(dir, 'florin.backup')
  await backUp(world.databaseUrl, path)
  const asker = anAsker(world.caller.merchantId)
  const other = { chain: 'btc', text: OTHER_ACCOUNT, network: 'regtest' as const, walletLimit: 1_000 }
  await aReceivingAccount(world.deps, asker, other)
  const lost = [await world.order(), await world.order()]
  const at = await restored(t, world, path)
  await markGiven(at.sql, { dir: join(dir, 'journal'), seed: SEED, restore: restoreGivenAddresses })
  const before = await at.order()
  await aReceivingAccount(at.deps, asker, other)
  const fresh = [await at.order(), await at.order()]
  const all = [before, ...lost, ...fresh].map(addressOf)
  assert.equal(new Set(all).size, all.length)
  const [payer] = lost
  assert.ok(payer)
  world.chain.mine([TestChain.transaction([output(world.scriptOf(payer), payer.legs[0]?.amountDue ?? 0n)])])
  await at.work()
  assert.deepEqual(
    (await listItems(at.sql)).map(({ kind, evidence }) => [kind, evidence.to]),
    [['payment_of_lost_order', addressOf(payer)]],
  )
})

test('no address is shown that the journal does not have', async (t) => {
  let isFull = true
  const write = async (): Promise<void> => {
    if (isFull) throw new Error('ENOSPC')
  }
  const world = await aWorld(t, { journal: () => ({ write }) })
  await assert.rejects(world.order(), /could not be written to the journal first/)
  isFull = false
  assert.equal((await world.order()).status, 'pending')
})
