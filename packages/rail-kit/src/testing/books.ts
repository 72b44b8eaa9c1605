// Books against the chain: forged settlements, differences, and money that nobody reported.
import assert from 'node:assert/strict'
import { MINUTE_MS } from '@florin/protocol'
import type { SuiteOrder } from './host.ts'
import {
  accountedFor,
  confirms,
  exactly,
  finishes,
  half,
  pays,
  play,
  type RailWorld,
  type Suite,
  waits,
  whole,
} from './world.ts'

export function booksContract({ promise, paysWallet, byProvider }: Suite): void {
  const forgeable: Suite['promise'] = paysWallet || byProvider ? () => undefined : promise
  forgeable('a settlement in a token of no worth settles nothing, and people hear of it', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const forged = await play(world, order, [(w, o) => w.forge(o), confirms, finishes])
    assert.deepEqual([forged.status, forged.amountOut], ['pending', null])
    assert.ok((await world.host.openItems(order)).includes('settlement_not_as_bound'))
    const done = await play(world, forged, exactly)
    assert.equal(done.status, 'success')
    const due = order.legs[0]?.amountDue ?? 0n
    assert.equal(done.amountOut, due - due / 100n)
  })

  promise('books that differ are told at the second final block, and end when they agree', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    await play(world, order, [...pays(half), confirms])
    assert.deepEqual(await look(world, order), [])
    assert.deepEqual(await look(world, order), [], 'books and chain agree')
    await world.deal(order, half(order) - 7n)
    assert.deepEqual(await look(world, order), [], 'one look is not enough')
    assert.deepEqual(await look(world, order), ['books_differ'])
    assert.deepEqual(await look(world, order), ['books_differ'], 'told once')
    assert.deepEqual(await world.host.differences(order), [{ booked: half(order), found: half(order) - 7n }])
    await world.deal(order, half(order))
    assert.deepEqual(await look(world, order), [])
  })

  promise(
    'money that nobody reported is found where there is a chain, and told of where there is none',
    async (world) => {
      const order = await world.order({ refundAddress: world.payerAddress })
      const paid = await play(world, order, exactly)
      assert.deepEqual(await look(world, order), [])
      await world.deal(order, whole(order))
      assert.deepEqual(await look(world, order), [])
      // Where whole blocks are read there is nowhere else to look: what differs is told.
      const isOnChain = !paysWallet && world.host.rails.byKind(order.rail)?.capabilities.isOnChain === true
      assert.deepEqual(await look(world, order), isOnChain ? [] : ['books_differ'])
      if (!isOnChain) return
      const found = await play(world, paid, [finishes, finishes])
      assert.deepEqual(
        found.payments.map(({ amount }) => amount),
        [whole(order), whole(order)],
      )
      assert.equal(world.host.balanceOf(found)[0]?.refunded, whole(order))
      await accountedFor(world, found)
    },
  )
}

/** The standing comparison of an order, now. @returns what is open about it. */
async function look(world: RailWorld, order: SuiteOrder): Promise<string[]> {
  await play(world, order, [confirms, waits(2 * MINUTE_MS), confirms])
  await world.host.compare(order)
  return world.host.openItems(order)
}
