// What a payer paid that the shop cannot spend yet: said where it is so, and until then alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDetails as readOrderDetails } from '@florin/rail-kit/registry'
import { output, aWorld as utxoWorld } from '../../../rail-utxo/src/test/world.fixture.ts'
import { noBrand } from '../brand/brand.ts'
import { noConditions } from '../orders/create/route.ts'
import { onChainView } from '../orders/view.ts'
import { checkoutView, readDetails } from './view.ts'

test('a payment out of a miner’s reward says when the shop can spend it, another one nothing', async (t) => {
  const world = await utxoWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const [plain, mined] = [await world.order(), await world.order()]
  const read = async (of: typeof plain) => {
    const order = await world.read(of)
    const parts = { rails: world.deps.rails, tips: () => null, brand: noBrand(''), now: world.clock.now(), service: '' }
    const details = await readDetails(world.deps.rails, order)
    return checkoutView(order, { ...parts, viewer: null, conditions: noConditions, details })
  }
  assert.equal((await read(plain)).maturing, null)
  world.announce(plain, 100_000n)
  world.chain.mine()
  world.chain.mineTo([output(world.scriptOf(mined), 100_000n)])
  await world.settle()
  const paid = await read(mined)
  assert.deepEqual([paid.status, paid.maturing], ['success', { source: 'coinbase', blocks: 99 }])
  assert.deepEqual([(await read(plain)).status, (await read(plain)).maturing], ['success', null])
  // A payer who went on in another coin has paid in both: what came here stays told.
  const elsewhere = { ...(await world.read(mined)), rail: 'sandbox' as const }
  const { payments } = onChainView(elsewhere, await readOrderDetails(world.deps.rails, elsewhere))
  assert.deepEqual(
    payments.map((row) => [row.chain, row.asset, row.decimals, row.source, row.spendable_in]),
    [['btc', 'BTC', 8, 'coinbase', 99]],
  )
  for (let n = 0; n < 98; n++) world.chain.mine([])
  await world.settle()
  assert.deepEqual((await read(mined)).maturing, { source: 'coinbase', blocks: 1 })
  world.chain.mine([])
  await world.settle()
  assert.equal((await read(mined)).maturing, null)
})
