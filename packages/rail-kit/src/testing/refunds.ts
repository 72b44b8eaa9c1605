// Refunds and settlements that cannot be: where the money goes then, once.
import assert from 'node:assert/strict'
import {
  accountedFor,
  confirms,
  finishes,
  nothing,
  oneAndAHalf,
  pays,
  play,
  type Step,
  type Suite,
  whole,
} from './world.ts'

export function refundsContract({ promise, paysWallet }: Suite): void {
  const refusable: Suite['promise'] = paysWallet ? () => undefined : promise
  refusable('a settlement that cannot be is retried, or the money goes back', async (world) => {
    const failing: Step[] = [...pays(whole), confirms, (w, o) => w.refuse(o)]
    const failed = await play(world, await world.order({ refundAddress: world.payerAddress }), failing)
    assert.deepEqual([failed.status, failed.detail], ['failed', 'settlement_failed'])
    await world.host.retrySettlement(failed)
    const done = await play(world, failed, [nothing, finishes])
    assert.equal(done.status, 'success')
    await accountedFor(world, done)

    const again = await play(world, await world.order({ refundAddress: world.payerAddress }), failing)
    await world.host.refund(again)
    const returned = await play(world, again, [nothing, finishes])
    assert.equal(returned.status, 'refunded')
    await accountedFor(world, returned)
  })

  promise('a refund waits for an address that the merchant names', async (world) => {
    const waiting = await play(world, await world.order(), [...pays(oneAndAHalf), confirms, finishes])
    assert.equal(waiting.detail, 'refund_address_needed')
    await world.host.nameRefundAddress(waiting, waiting.refunds[0]?.id ?? '', world.payerAddress)
    const done = await play(world, waiting, [nothing, finishes])
    assert.equal(done.refunds[0]?.status, 'succeeded')
    assert.equal(done.detail, 'overpaid')
    await accountedFor(world, done)
  })

  promise('two refunds to one address go one after the other, never side by side', async (world) => {
    const waiting = await play(world, await world.order(), [
      ...pays(oneAndAHalf),
      confirms,
      finishes,
      ...pays(whole),
      confirms,
    ])
    const rows = waiting.refunds.filter((row) => row.status === 'waiting')
    assert.equal(rows.length, 2)
    for (const { id } of rows) await world.host.nameRefundAddress(waiting, id, world.payerAddress)
    const handedOver = () => world.host.countRefundsHandedOver(waiting)
    await play(world, waiting, [nothing])
    assert.equal(await handedOver(), 1)
    const one = await play(world, waiting, [finishes])
    // A rail may say at once that it proposed the next one.
    const states = one.refunds.map((row) => (row.status === 'proposed' ? 'sending' : row.status))
    assert.deepEqual(states.sort(), ['sending', 'succeeded'])
    assert.equal(await handedOver(), 2)
    const done = await play(world, one, [finishes])
    assert.deepEqual(
      done.refunds.map((row) => row.status),
      ['succeeded', 'succeeded'],
    )
    await accountedFor(world, done)
  })
}
