// Reorgs, before and past the depth at which a rail calls something final.
import assert from 'node:assert/strict'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { accountedFor, confirms, finishes, oneAndAHalf, pays, play, type Suite, waits, whole } from './world.ts'

export function reorgsContract({ promise, paysWallet }: Suite): void {
  const apart: Suite['promise'] = paysWallet ? () => undefined : promise

  promise('a payment that a reorg takes away is waited for', async (world) => {
    const gone = await play(world, await world.order(), [...pays(whole), (w, o) => w.reorg(o)])
    assert.deepEqual([gone.status, gone.detail], ['processing', 'reorged'])
    const done = await play(world, gone, [(w, o) => w.reappear(o), confirms, finishes])
    assert.equal(done.status, 'success')
    await accountedFor(world, done)
  })

  promise('a payment that never returns fails the order', async (world) => {
    const done = await play(world, await world.order(), [
      ...pays(whole),
      (w, o) => w.reorg(o),
      waits(31 * MINUTE_MS),
      waits(DAY_MS),
    ])
    assert.deepEqual([done.status, done.detail], ['failed', 'reorged'])
    await accountedFor(world, done)
  })

  apart('what was final and left the chain comes back, and is done once', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const done = await play(world, order, [...pays(oneAndAHalf), confirms, finishes, finishes])
    await accountedFor(world, done)
    const gone = await play(world, done, [(w, o) => w.undo(o)])
    assert.deepEqual([gone.status, gone.detail], ['success', 'settlement_left_the_chain'])
    assert.equal(world.host.balanceOf(gone)[0]?.held, oneAndAHalf(order))
    const items = async () => (await world.host.openItems(order)).toSorted()
    assert.deepEqual(await items(), ['refund_left_the_chain', 'settlement_left_the_chain'])
    const back = await play(world, gone, [finishes, finishes])
    assert.deepEqual([back.status, back.detail, back.refunds.length], ['success', 'overpaid', 1])
    assert.deepEqual(await items(), [])
    await accountedFor(world, back)
  })
}
