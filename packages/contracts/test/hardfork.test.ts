// The same bytecode settles and refunds under every hardfork that chains run today.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventsOf } from './logs.ts'
import { freshAddress, fund, itemOf, NATIVE, openStage, routeOn, unitsOf } from './stage.ts'

for (const hardfork of ['cancun', 'prague', 'osaka']) {
  it(`settles and refunds under ${hardfork}`, async () => {
    const stage = await openStage({ args: ['--hardfork', hardfork] })
    try {
      const { chain, factory, relayer, refunder } = stage
      const routes = [stage.usdc.address, stage.usdt.address, NATIVE].map((token) => routeOn(stage, { token }))
      for (const route of routes) await fund(stage, route)
      const items = routes.map((route) => itemOf(route))
      const receipt = await chain.do(factory, 'settleBatch', [items, 400_000n], { from: relayer })
      assert.equal(eventsOf(receipt, 'Settled').length, 3)
      for (const route of routes) assert.equal(await unitsOf(stage, route.token, route.merchant), 9_900_000n)

      const bound = routeOn(stage, { refundTo: freshAddress('payer') })
      await fund(stage, bound)
      await chain.do(factory, 'refundBound', [bound, bound.token, 10_000_000n], { from: refunder })
      assert.equal(await unitsOf(stage, bound.token, bound.refundTo), 10_000_000n)
    } finally {
      await stage.chain.stop()
    }
  })
}
