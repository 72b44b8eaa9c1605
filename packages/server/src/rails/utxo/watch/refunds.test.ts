// Refunds as the chain shows them: an output is booked once, as a payment or as a refund.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceOf } from '../../../orders/model/ledger.ts'
import { networkOf } from '../chain/networks.ts'
import { addressOf } from '../chain/script.ts'
import { aWorld } from '../test/world.fixture.ts'

/** $50 at $50,000. */
const DUE = 100_000n

test('what pays an order fulfils no refund that was asked to the same address', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const overpaid = await world.order()
  world.announce(overpaid, 2n * DUE)
  world.chain.mine()
  await world.settle()
  const [refund] = (await world.read(overpaid)).refunds
  assert.equal(refund?.status, 'waiting')
  const other = await world.order()
  const main = networkOf('btc', 'main')
  const to = main === null ? null : addressOf(main, world.scriptOf(other))
  const legRef = overpaid.legs[0]?.ref ?? ''
  // Asked of the rail itself: orders refuse such an address, but one can also be given out after it was named.
  const asset = { chain: 'btc', asset: 'BTC', contract: null, decimals: 8 }
  const asked = { refundId: refund.id, orderRef: overpaid.orderRef, legRef, livemode: false, asset, amount: DUE }
  await world.rail.rail.refund([{ ...asked, to: to ?? '' } as never])
  world.announce(other, DUE)
  world.chain.mine()
  await world.settle()
  const paid = await world.read(other)
  assert.deepEqual([paid.status, balanceOf(paid)[0]?.received], ['success', DUE])
  const still = await world.read(overpaid)
  assert.notEqual(still.refunds[0]?.status, 'succeeded')
  const [line] = balanceOf(still)
  assert.deepEqual([line?.refunded, line?.held], [0n, DUE], 'its money is there yet')
})
