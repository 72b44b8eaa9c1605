// Which legs are opened on a real chain, which are refused, and how long their addresses are watched.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DAY_MS, type ErrorCode, MINUTE_MS } from '@florin/protocol'
import { settleDue } from '../../../../test/orders.ts'
import { expireDue } from '../../../orders/expire.ts'
import { getOrder } from '../../../orders/store.ts'
import { partitionedTables } from '../../../partitions.ts'
import { makePartitions } from '../../../platform/db/partitions.ts'
import { AppError } from '../../../platform/errors.ts'
import type { LegRequest } from '../../rail.ts'
import { aWorld, stopNodes, type World } from '../test/world.fixture.ts'
import { closeVaults } from './vaults.store.ts'

after(stopNodes)

const MERCHANT = '0x52908400098527886E0F7030069857D2E4169EE7'

function requestOf(world: World, overrides: Partial<LegRequest> = {}): LegRequest {
  const asset = { chain: 'base', asset: 'USDC', contract: world.node.usdc, decimals: 6 }
  const now = world.clock.now()
  return {
    ...{ legRef: 'ref.1', orderRef: 'ref', livemode: false, pay: asset, settle: asset, amountUsdMicros: 50_000_000n },
    ...{ feeBps: 100, merchantAddress: MERCHANT, refundAddress: null, now },
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
