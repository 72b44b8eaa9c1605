// Dust and floods: what is not worth sending back, and more payments than keep a row of their own.
import assert from 'node:assert/strict'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import {
  accountedFor,
  confirms,
  costOf,
  finishes,
  nothing,
  pays,
  play,
  type Step,
  type Suite,
  sends,
  transfersOf,
  waits,
  whole,
} from './world.ts'

export function dustContract({ promise }: Suite): void {
  promise(
    'what costs more to send back than it is worth is held and said, and goes back in one refund',
    async (world) => {
      const order = await world.order({ refundAddress: world.payerAddress })
      const piece = costOf(order) / 10n
      const few: Step[] = Array.from({ length: 8 }, () => sends(piece))
      const held = await play(world, order, [...few, confirms, waits(31 * MINUTE_MS), waits(DAY_MS)])
      assert.deepEqual([held.status, held.refunds], ['expired', []])
      const [line] = world.host.balanceOf(held)
      assert.deepEqual([line?.held, line?.heldBelowCost], [8n * piece, 8n * piece])
      await assert.rejects(world.host.refund(held), /below the cost of sending it back/)
      const more: Step[] = Array.from({ length: 4 }, () => sends(piece))
      const done = await play(world, held, [...more, confirms, finishes, finishes])
      const [first, ...rest] = done.refunds
      assert.ok(first !== undefined && first.amount > costOf(order))
      assert.deepEqual([done.status, rest], ['refunded', []], 'one refund, not one a piece')
      assert.equal(first.amount + (world.host.balanceOf(done)[0]?.heldBelowCost ?? 0n), 12n * piece)
    },
  )

  promise('dust keeps nobody from canceling, and says nothing of how the order is paid', async (world) => {
    const dusted = await play(world, await world.order(), [sends(1n), sends(1n, 'wrong_asset'), confirms])
    const canceled = await world.host.cancel(dusted)
    assert.deepEqual([canceled.status, canceled.detail, canceled.refunds], ['expired', 'canceled', []])
  })

  promise('more payments than keep a row of their own pay an order, and are taken back one by one', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const count = world.host.maxSinglePayments + 4
    const piece = whole(order) / BigInt(count) + 1n
    for (let n = 0; n < count - 1; n++) await world.transfer(order, { amount: piece })
    const almost = await play(world, order, [nothing])
    // Some are deep enough to be confirmed, some are not: two rows for the others.
    assert.ok(almost.payments.length <= world.host.maxSinglePayments + 2)
    assert.deepEqual([almost.status, transfersOf(almost)], ['pending', count - 1])
    const gone = await play(world, almost, [...pays(() => piece), (w, o) => w.reorg(o)])
    assert.deepEqual([gone.status, gone.detail], ['processing', 'reorged'])
    const done = await play(world, gone, [(w, o) => w.reappear(o), confirms, finishes])
    assert.deepEqual([done.status, transfersOf(done)], ['success', count])
    await accountedFor(world, done)
  })
}
