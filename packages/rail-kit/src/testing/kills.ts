// A process that dies between any two of its statements, and requests that come twice.
import assert from 'node:assert/strict'
import { Killed, killable } from '@florin/platform/testing/killable'
import { SECOND_MS } from '@florin/protocol'
import { confirms, finishes, oneAndAHalf, pays, play, type Step, type Suite, samePlace, work } from './world.ts'

/** What a dead process had taken is free again after half a minute. */
const LEASE_MS = 31 * SECOND_MS

export function killsContract({ promise }: Suite, { killEvery }: { killEvery: number }): void {
  promise('opening a leg twice by one reference shows one leg', async (world) => {
    const order = await world.order()
    const [leg] = order.legs
    assert.ok(leg)
    const request = {
      ...order,
      legRef: leg.ref,
      pay: leg,
      settle: leg.settle,
      merchantAddress: leg.settleAddress,
      refundAddress: leg.boundRefundAddress,
      now: order.createdAt,
    }
    const again = await world.host.rails.byKind(leg.rail)?.open(request)
    assert.deepEqual([again?.address, again?.amountDue], [leg.address, leg.amountDue])
  })

  promise('killed between any two statements, the next run ends in the same state', async (world) => {
    const steps: Step[] = [...pays(oneAndAHalf), confirms, finishes, finishes]
    const expected = await play(world, await world.order({ refundAddress: world.payerAddress }), steps)
    assert.equal(expected.status, 'success')
    let kills = 0
    for (let killAt = 0; ; killAt += killEvery) {
      const order = await world.order({ refundAddress: world.payerAddress })
      const { sql, count } = killable(world.host.sql, killAt)
      let isKilled = false
      for (const step of steps) {
        await step(world, order)
        if (!isKilled) {
          isKilled = await work(world.hostOn(sql)).then(
            () => false,
            (error: unknown) => {
              if (!(error instanceof Killed)) throw error
              return true
            },
          )
          if (isKilled) await world.advance(LEASE_MS)
        }
        if (isKilled) await work(world.host)
      }
      await samePlace(world, await world.host.read(order), expected)
      if (!isKilled) {
        assert.ok(count() <= killAt, 'the last round was let through whole')
        break
      }
      kills++
    }
    assert.ok(kills * killEvery > 20, `only ${kills} places to be killed at`)
  })
}
