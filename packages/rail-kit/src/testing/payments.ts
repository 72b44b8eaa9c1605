// Money that comes: exact, too little, in parts, too much, twice, late, in another coin, on another chain.
import assert from 'node:assert/strict'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import {
  accountedFor,
  COINS,
  confirms,
  costOf,
  exactly,
  finishes,
  half,
  oneAndAHalf,
  pays,
  play,
  type Step,
  type Suite,
  sends,
  waits,
  whole,
} from './world.ts'

export function paymentsContract({ promise, paysWallet, byProvider }: Suite): void {
  promise('the exact amount is settled less the fee', async (world) => {
    const order = await world.order()
    const done = await play(world, order, exactly)
    assert.equal(done.status, 'success')
    assert.equal(done.detail, 'paid')
    const due = order.legs[0]?.amountDue ?? 0n
    const out = paysWallet ? due : due - due / 100n
    assert.equal(done.amountOut, byProvider ? order.legs[0]?.amountOut : out)
    assert.ok(done.settleTxHash)
    await accountedFor(world, done)
  })

  promise('too little waits a day, then goes back', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const partial = await play(world, order, [...pays(half), confirms, waits(31 * MINUTE_MS)])
    assert.equal(partial.detail, 'underpaid')
    const done = await play(world, partial, [waits(DAY_MS), finishes])
    assert.equal(done.status, 'refunded')
    await accountedFor(world, done)
  })

  promise('two parts make a whole', async (world) => {
    const done = await play(world, await world.order(), [...pays(half), ...pays(half), confirms, finishes])
    assert.equal(done.status, 'success')
    await accountedFor(world, done)
  })

  promise('too much settles the quote and returns the rest', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const done = await play(world, order, [...pays(oneAndAHalf), confirms, finishes, finishes])
    assert.equal(done.status, 'success')
    assert.equal(done.detail, 'overpaid')
    const refunded = world.host.balanceOf(done)[0]?.refunded ?? 0n
    // What was too much, and what the quote had to spare, less what sending it costs.
    assert.ok(byProvider ? refunded > half(order) - costOf(order) : refunded === half(order))
    await accountedFor(world, done)
  })

  const once: Suite['promise'] = byProvider ? () => undefined : promise
  once('a second payment is returned', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const done = await play(world, order, [...exactly, ...pays(whole), confirms, finishes])
    assert.equal(done.status, 'success')
    assert.equal(world.host.balanceOf(done)[0]?.refunded, whole(order))
    await accountedFor(world, done)
  })

  promise('the whole amount late is settled, or returned where the merchant wants that', async (world) => {
    const late: Step[] = [waits(40 * MINUTE_MS), ...pays(whole), confirms, finishes]
    const settled = await play(world, await world.order({ refundAddress: world.payerAddress }), late)
    const expected = paysWallet || byProvider ? ['refunded', 'refunded'] : ['success', 'paid_late']
    assert.deepEqual([settled.status, settled.detail], expected)
    await accountedFor(world, settled)
    const returned = await play(
      world,
      await world.order({ latePolicy: 'refund', refundAddress: world.payerAddress }),
      late,
    )
    assert.equal(returned.status, 'refunded')
    await accountedFor(world, returned)
  })

  for (const asset of paysWallet || byProvider ? [] : (['wrong_asset', 'wrong_chain'] as const)) {
    promise(`money of the ${asset.replace('_', ' ')} never pays, and goes back at the end`, async (world) => {
      const order = await world.order({ refundAddress: world.payerAddress })
      const send: Step = (w, o) => w.transfer(o, { amount: whole(o), asset })
      const waiting = await play(world, order, [send, confirms])
      assert.equal(waiting.status, 'pending')
      assert.equal(waiting.payments[0]?.use, asset)
      const done = await play(world, waiting, [waits(31 * MINUTE_MS), finishes])
      assert.equal(done.status, 'refunded')
      await accountedFor(world, done)
    })
  }

  const token: Suite['promise'] = paysWallet || byProvider ? () => undefined : promise
  token('coins on an order that asked for a token are found and go back at the end', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const waiting = await play(world, order, [sends(COINS, 'native'), confirms])
    assert.deepEqual(
      waiting.payments.map(({ amount, use }) => [amount, use]),
      [[COINS, 'wrong_asset']],
    )
    const done = await play(world, waiting, [waits(31 * MINUTE_MS), finishes])
    assert.equal(done.status, 'refunded')
    await accountedFor(world, done)
  })

  once('what comes after success is found as well, whatever it is, and goes back', async (world) => {
    const order = await world.order({ refundAddress: world.payerAddress })
    const paid = await play(world, order, exactly)
    const strays: Step[] = [(w, o) => w.transfer(o, { amount: whole(o), asset: 'wrong_asset' }), sends(COINS, 'native')]
    const done = await play(world, paid, [waits(10 * DAY_MS), ...strays, confirms, finishes, finishes])
    assert.equal(done.status, 'success')
    assert.deepEqual(done.refunds.map((row) => row.amount).sort(), [COINS, whole(done)].sort())
    await accountedFor(world, done)
  })
}
