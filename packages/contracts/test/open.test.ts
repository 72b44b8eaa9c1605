// The way out without us: after openAfter anybody pushes the money to whom it belongs, 90 days later also without the fee.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { zeroAddress } from 'viem'
import type { Route } from '../src/index.ts'
import { DAY, freshAddress, fund, NATIVE, openStage, routeOn, type Stage, unitsOf, vaultAt } from './stage.ts'

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage.chain.stop())

async function openIn(seconds: number, changes: Partial<Route> = {}): Promise<Route> {
  return routeOn(stage, { openAfter: (await stage.chain.now()) + seconds, ...changes })
}
const push = (route: Route) => stage.chain.do(stage.factory, 'settleOpen', [route], { from: stage.stranger })
const answer = (route: Route) => stage.chain.revert(stage.factory, 'settleOpen', [route], { from: stage.stranger })
const answerNoFee = (route: Route, token = route.token) =>
  stage.chain.revert(stage.factory, 'settleOpenNoFee', [route, token], { from: stage.stranger })

describe('settleOpen', () => {
  it('waits until openAfter, also for the relayer, and then pays a full balance like a settlement', async () => {
    const { chain, factory, relayer } = stage
    for (const token of [stage.usdc.address, stage.usdt.address, NATIVE]) {
      const route = await openIn(1_000, { token, refundTo: freshAddress('payer') })
      await fund(stage, route)
      await chain.warpTo(route.openAfter - 1)
      assert.equal(await answer(route), 'TooEarly')
      assert.equal(await chain.revert(factory, 'settleOpen', [route], { from: relayer }), 'TooEarly')
      await chain.warpTo(route.openAfter)
      await push(route)
      assert.equal(await unitsOf(stage, token, route.merchant), 9_900_000n)
      assert.equal(await unitsOf(stage, token, route.collector), 100_000n)
      assert.equal(await answer(route), 'ZeroAmount')
    }
  })

  it('returns a short balance to a bound refund address, also while refunds are paused', async () => {
    const { chain, factory, guardian, owner } = stage
    const route = await openIn(0, { refundTo: freshAddress('payer') })
    await fund(stage, route, 9_999_999n)
    await chain.do(factory, 'pauseRefunds', [], { from: guardian })
    await push(route)
    await chain.do(factory, 'unpauseRefunds', [], { from: owner })
    assert.equal(await unitsOf(stage, route.token, route.refundTo), 9_999_999n)
    assert.equal(await unitsOf(stage, route.token, route.merchant), 0n)
  })

  it('gives a short balance to the merchant where no refund address is bound', async () => {
    const route = await openIn(0)
    await fund(stage, route, 5_000_000n)
    await push(route)
    assert.equal(await unitsOf(stage, route.token, route.merchant), 4_950_000n)
  })

  it('takes no more than 10 %, and nothing without a collector', async () => {
    const greedy = await openIn(0, { feeBps: 5_000 })
    const free = await openIn(0, { collector: zeroAddress })
    for (const [route, share] of [[greedy, 9_000_000n] as const, [free, 10_000_000n] as const]) {
      await fund(stage, route)
      await push(route)
      assert.equal(await unitsOf(stage, route.token, route.merchant), share)
    }
  })

  it('on another chain goes back where an address is bound, and else nowhere', async () => {
    const bound = await openIn(0, { chainId: 1n, refundTo: freshAddress('payer') })
    const unbound = await openIn(0, { chainId: 1n })
    for (const route of [bound, unbound]) await fund(stage, route)
    await push(bound)
    assert.equal(await unitsOf(stage, bound.token, bound.refundTo), 10_000_000n)
    assert.equal(await answer(unbound), 'WrongChain')
  })
})

describe('settleOpenNoFee', () => {
  it('opens 90 days later, and a blocked collector no longer holds the money up', async () => {
    const { chain, usdc, stranger } = stage
    const route = await openIn(0)
    await fund(stage, route)
    await chain.do(usdc, 'setBlacklisted', [route.collector, true], { from: stranger })
    assert.match((await answer(route)) ?? '', /^TokenTransferFailed/)
    const opens = route.openAfter + 90 * DAY
    await chain.warpTo(opens - 1)
    assert.equal(await answerNoFee(route), 'TooEarly')
    await chain.warpTo(opens)
    await chain.do(stage.factory, 'settleOpenNoFee', [route, route.token], { from: stranger })
    assert.equal(await unitsOf(stage, route.token, route.merchant), 10_000_000n)
  })

  it('gives a token nobody asked for back where an address is bound, else to the merchant', async () => {
    const { chain, factory, usdt, stranger } = stage
    const refundTo = freshAddress('payer')
    for (const changes of [{ refundTo }, {}]) {
      const route = await openIn(-90 * DAY, changes)
      await fund(stage, route, 20_000_000n, usdt.address)
      await chain.do(factory, 'settleOpenNoFee', [route, usdt.address], { from: stranger })
      assert.equal(await unitsOf(stage, usdt.address, 'refundTo' in changes ? refundTo : route.merchant), 20_000_000n)
    }
    assert.equal(await unitsOf(stage, usdt.address, refundTo), 20_000_000n)
  })

  it('never opens for a route that never opens', async () => {
    const never = routeOn(stage, { openAfter: 2 ** 40 - 1 })
    await fund(stage, never)
    assert.equal(await answer(never), 'TooEarly')
    assert.equal(await answerNoFee(never), 'TooEarly')
    assert.equal(await unitsOf(stage, never.token, vaultAt(stage, never)), 10_000_000n)
  })
})
