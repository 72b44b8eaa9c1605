// Which legs are opened on a real chain, which are refused, and how long their addresses are watched.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { payFactoryAbi } from '@florin/contracts'
import { toAnvil } from '@florin/contracts/anvil'
import { checkProof, shown } from '@florin/exit'
import { readJournal, refOf } from '@florin/exit/journal'
import { makePartitions } from '@florin/platform/db/partitions'
import { AppError } from '@florin/platform/errors'
import { DAY_MS, type ErrorCode, MINUTE_MS } from '@florin/protocol'
import type { LegRequest } from '@florin/rail-kit/interface/leg'
import { createWalletClient } from 'viem'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { partitionedTables } from '../../../server/src/partitions.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { receiptOf } from '../test/receipt.fixture.ts'
import { aWorld, owner, SEED, stopNodes, type World } from '../test/world.fixture.ts'
import { closeVaults, listJournalEntries } from './vaults.store.ts'

after(stopNodes)

const MERCHANT = '0x52908400098527886E0F7030069857D2E4169EE7'
const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

function requestOf(world: World, overrides: Partial<LegRequest> = {}): LegRequest {
  const asset = { chain: 'base', asset: 'USDC', contract: world.node.usdc, decimals: 6 }
  const now = world.clock.now()
  return {
    merchantId: 'mer_1',
    ...{ legRef: 'ref.1', orderRef: 'ref', livemode: false, pay: asset, settle: asset, amountUsdMicros: 50_000_000n },
    ...{ underpayToleranceBps: 50, feeBps: 100, merchantAddress: MERCHANT, refundAddress: null, now },
    latePolicy: 'settle',
    expiresAt: new Date(now.getTime() + 30 * MINUTE_MS),
    ...overrides,
  }
}

test('an order that is too small, or cannot be carried, is refused by its code, with what would be right', async (t) => {
  const world = await aWorld(t, { fields: { minOrderUsd: '2.50' } })
  const refused = async (overrides: Partial<LegRequest>, code: ErrorCode, message: RegExp): Promise<void> => {
    await assert.rejects(world.forwarder.rail.open(requestOf(world, overrides)), (error: unknown) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.entry.code, code)
      assert.match(error.message, message)
      return true
    })
  }
  await refused({ amountUsdMicros: 2_499_999n }, 'amount_too_small', /smallest order .* on base is 2\.5 USD/)
  await refused({ feeBps: 1_001 }, 'no_rail', /10 %/)
  const asset = { chain: 'base', asset: 'DAI', contract: null, decimals: 18 }
  await refused({ pay: asset, settle: asset }, 'no_rail', /./)
  const { factory, impl, usdc } = world.node
  for (const merchantAddress of [factory, impl, usdc, `0x${'0'.repeat(40)}`]) {
    await refused({ merchantAddress }, 'invalid_address', /cannot pass money on/)
  }
  assert.equal(
    (await world.forwarder.rail.open(requestOf(world, { amountUsdMicros: 2_500_000n }))).amountDue,
    2_500_000n,
  )
})

test('what binds a leg is in the journal when it is shown, its proof names its vault, and its ref comes from the seed', async (t) => {
  const world = await aWorld(t)
  const opened = await world.forwarder.rail.open(requestOf(world, { refundAddress: PAYER }))
  const { entries, notes } = await readJournal(world.deps.config.journalDir, SEED)
  assert.deepEqual(notes, [])
  const [entry, ...more] = entries
  assert.ok(entry !== undefined && more.length === 0)
  assert.deepEqual(entry.proof, opened.proof)
  assert.deepEqual([entry.leg_ref, entry.chain, entry.asset, entry.decimals], ['ref.1', 'base', 'USDC', 6])
  const exit = checkProof(opened.proof)
  assert.equal(shown(exit.vault), opened.address)
  assert.equal(exit.route.ref, refOf(SEED, 'ref.1'))
  assert.deepEqual(await listJournalEntries(world.deps.sql, ''), entries)
  assert.deepEqual(await listJournalEntries(world.deps.sql, 'ref.1'), [])
})

test('while the journal cannot be written no address is shown: 503 with the cure, and nothing is kept of it', async (t) => {
  const world = await aWorld(t)
  const { journalDir } = world.deps.config
  await writeFile(journalDir, 'in the way of the folder')
  await assert.rejects(world.order(), (error: unknown) => {
    assert.ok(error instanceof AppError)
    assert.deepEqual([error.entry.code, error.entry.status], ['rail_unavailable', 503])
    assert.match(error.message, /journal.*make room in JOURNAL_DIR/)
    return true
  })
  assert.deepEqual(await world.deps.sql`select 1 from forwarder_vaults`, [])
  assert.deepEqual(await world.deps.sql`select 1 from orders`, [])
  await rm(journalDir)
  const order = await world.order()
  assert.equal((await readJournal(journalDir, SEED)).entries[0]?.proof.vault, order.legs[0]?.address)
})

test('the address is bound to the least that the service would settle: the tolerance, at most a dollar, rounded up', async (t) => {
  const world = await aWorld(t)
  const cases = [
    { underpayToleranceBps: 0, least: '50000000' },
    { underpayToleranceBps: 50, least: '49750000' },
    { underpayToleranceBps: 1_000, least: '49000000' },
    { amountUsdMicros: 3_333_333n, underpayToleranceBps: 50, least: '3316667' },
  ]
  for (const [n, { least, ...terms }] of cases.entries()) {
    const { proof, uri } = await world.forwarder.rail.open(requestOf(world, { ...terms, legRef: `ref.${n}` }))
    assert.equal(proof?.route.minAmount, least)
    assert.match(
      uri,
      new RegExp(`uint256=${terms.amountUsdMicros ?? 50_000_000n}$`),
      'the payer is asked for all of it',
    )
  }
})

test('without Florin the merchant gets what Florin would have settled, and the payer what is a unit less', async (t) => {
  const world = await aWorld(t)
  const { node, client, anvil } = world
  const stranger = createWalletClient({ transport: toAnvil(node.url), account: owner })
  const open = (legRef: string) => world.forwarder.rail.open(requestOf(world, { legRef, refundAddress: PAYER }))
  const legs = [await open('enough'), await open('short')]
  const least = 49_750_000n
  const had = await Promise.all([MERCHANT, PAYER].map((who) => world.unitsOf(node.usdc, who)))
  for (const [n, leg] of legs.entries()) await world.pay(leg.address, node.usdc, least - BigInt(n))
  await anvil.increaseTime({ seconds: 8 * 24 * 3600 })
  await anvil.mine({ blocks: 1 })
  for (const { proof } of legs) {
    const { factory, route } = checkProof(proof)
    const call = { address: factory, abi: payFactoryAbi, functionName: 'settleOpen', args: [route] } as const
    const hash = await stranger.writeContract({ ...call, chain: null })
    assert.equal((await receiptOf(client, hash)).status, 'success')
  }
  const has = await Promise.all([MERCHANT, PAYER].map((who) => world.unitsOf(node.usdc, who)))
  assert.deepEqual(
    has.map((units, n) => units - (had[n] ?? 0n)),
    [least - least / 100n, least - 1n],
  )
})

test('the address of a closed order is looked at for 90 days, and no longer', async (t) => {
  const world = await aWorld(t)
  const { sql } = world.deps
  const { orderNo, expiresAt, legs } = await world.order()
  await world.look()
  world.clock.advance(expiresAt.getTime() + 89 * DAY_MS - world.clock.now().getTime())
  await world.anvil.increaseTime({ seconds: 89 * 24 * 3600 })
  await makePartitions(sql, partitionedTables, world.clock.now())
  await expireDue(world.deps)
  await world.pay(legs[0]?.address ?? '', world.node.usdc, 7n)
  await world.look()
  await settleDue(world.deps)
  const late = await getOrder(sql, orderNo)
  assert.deepEqual([late.status, late.payments.map(({ amount, use }) => [amount, use])], ['expired', [[7n, 'late']]])
  const end = expiresAt.getTime() + 90 * DAY_MS
  assert.equal(await closeVaults(sql, new Date(end)), 0)
  assert.equal(await closeVaults(sql, new Date(end + 1)), 1)
})
