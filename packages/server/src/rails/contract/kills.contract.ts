// A process that dies between any two of its statements, and requests that come twice.
import assert from 'node:assert/strict'
import { Killed, killable } from '../../../test/kills/killable.ts'
import { getOrder } from '../../orders/store.ts'
import {
  confirms,
  finishes,
  oneAndAHalf,
  pays,
  play,
  type Step,
  type Suite,
  samePlace,
  work,
} from './world.contract.ts'

export function killsContract({ promise }: Suite, { killEvery }: { killEvery: number }): void {
  promise('opening a leg twice by one reference shows one leg', async (world) => {
    const order = await world.order()
    const [leg] = order.legs
    assert.ok(leg)
    const found = world.deps.rails.find({
      livemode: order.livemode,
      pay: leg,
      settle: leg.settle,
      settleAddress: leg.settleAddress,
      thirdParty: order.thirdParty,
    })
    const request = {
      ...order,
      legRef: leg.ref,
      pay: leg,
      settle: leg.settle,
      merchantAddress: leg.settleAddress,
      refundAddress: leg.boundRefundAddress,
      now: order.createdAt,
    }
    const again = await found?.open(request)
    assert.deepEqual([again?.address, again?.amountDue], [leg.address, leg.amountDue])
  })

  promise('killed between any two statements, the next run ends in the same state', async (world) => {
    const steps: Step[] = [...pays(oneAndAHalf), confirms, finishes, finishes]
    const expected = await play(world, await world.order({ refundAddress: world.payerAddress }), steps)
    assert.equal(expected.status, 'success')
    let kills = 0
    for (let killAt = 0; ; killAt += killEvery) {
      const order = await world.order({ refundAddress: world.payerAddress })
      const { sql, count } = killable(world.deps.sql, killAt)
      let isKilled = false
      for (const step of steps) {
        await step(world, order)
        if (!isKilled) {
          isKilled = await work(world.depsOn(sql)).then(
            () => false,
            (error: unknown) => {
              if (!(error instanceof Killed)) throw error
              return true
            },
          )
        }
        if (isKilled) await work(world.deps)
      }
      await samePlace(world, await getOrder(world.deps.sql, order.orderNo), expected)
      if (!isKilled) {
        assert.ok(count() <= killAt, 'the last round was let through whole')
        break
      }
      kills++
    }
    assert.ok(kills * killEvery > 20, `only ${kills} places to be killed at`)
  })
}
