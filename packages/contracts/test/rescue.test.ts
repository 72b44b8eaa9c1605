// The way out when one side cannot be paid: two failures at least seven days apart, recorded on the chain, and the other side
// gets the money. Nobody can make a healthy side look like one that cannot be paid.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { decodeFailure, type Route } from '../src/index.ts'
import { gasBurnerAbi, gasBurnerBytecode } from './abi/gas-burner.ts'
import { hungryTokenAbi, hungryTokenBytecode } from './abi/hungry-token.ts'
import { reentererAbi, reentererBytecode } from './abi/reenterer.ts'
import { rejectorAbi, rejectorBytecode } from './abi/rejector.ts'
import type { Receipt } from './chain.ts'
import { eventsOf } from './logs.ts'
import { DAY, freshAddress, fund, itemOf, NATIVE, openStage, routeOn, type Stage, unitsOf, vaultAt } from './stage.ts'

const FULL = 10_000_000n
const SHORT = 9_999_999n

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage.chain.stop())

/** A route that is open already and binds a refund address, with money on it. */
async function funded(changes: Partial<Route> = {}, amount = FULL): Promise<Route> {
  const openAfter = await stage.chain.now()
  const route = routeOn(stage, { openAfter, refundTo: freshAddress('payer'), ...changes })
  await fund(stage, route, amount)
  return route
}
const block = (who: Address, on = true) =>
  stage.chain.do(stage.usdc, 'setBlacklisted', [who, on], { from: stage.stranger })
const rescue = (route: Route, token = route.token) =>
  stage.chain.do(stage.factory, 'rescue', [route, token], { from: stage.stranger })
const answer = (route: Route, token = route.token) =>
  stage.chain.revert(stage.factory, 'rescue', [route, token], { from: stage.stranger })
const failedAt = (route: Route, to: Address, token = route.token) =>
  stage.chain.read<number>(stage.factory, 'failedPushAt', [route, token, to])
const held = (route: Route) => unitsOf(stage, route.token, vaultAt(stage, route))
const outcome = (receipt: Receipt) => ({
  settled: eventsOf(receipt, 'Settled').length,
  refunded: eventsOf(receipt, 'Refunded').length,
  failed: eventsOf(receipt, 'PushFailed').length,
})
const PAID = { settled: 1, refunded: 0, failed: 0 }
const RETURNED = { settled: 0, refunded: 1, failed: 0 }
const RECORDED = { settled: 0, refunded: 0, failed: 1 }

describe('a full payment whose merchant cannot be paid', () => {
  it('goes to the bound refund address when the push failed twice, seven days apart to the second', async () => {
    const { chain } = stage
    const route = await funded()
    await block(route.merchant)
    const receipt = await rescue(route)
    assert.deepEqual(outcome(receipt), RECORDED)
    const [event] = eventsOf(receipt, 'PushFailed')
    assert.deepEqual([event?.ref, event?.to, event?.amount], [route.ref, route.merchant, FULL])
    assert.equal(decodeFailure(event?.reason ?? '0x').words, 'Blacklistable: account is blacklisted')
    assert.equal(await failedAt(route, route.merchant), receipt.at)
    assert.equal(await held(route), FULL)

    await chain.warpTo(receipt.at + 7 * DAY - 1)
    assert.equal(await answer(route), 'TooEarly')
    await chain.warpTo(receipt.at + 7 * DAY)
    assert.deepEqual(outcome(await rescue(route)), RETURNED)
    assert.equal(await unitsOf(stage, route.token, route.refundTo), FULL)
    assert.equal(await failedAt(route, route.merchant), 0)
    assert.equal(await answer(route), 'ZeroAmount')
  })

  it('goes the same way in native coins, also from a receiver that burns what it is given', async () => {
    const { chain } = stage
    for (const [abi, code] of [
      [rejectorAbi, rejectorBytecode],
      [gasBurnerAbi, gasBurnerBytecode],
    ] as const) {
      const { address } = await chain.deploy(abi, code)
      const route = await funded({ token: NATIVE, merchant: address })
      assert.deepEqual(outcome(await rescue(route)), RECORDED)
      await chain.warpBy(7 * DAY)
      assert.deepEqual(outcome(await rescue(route)), RETURNED)
      assert.equal(await unitsOf(stage, NATIVE, route.refundTo), FULL)
    }
  })

  it('is not stopped by a pause of refunds', async () => {
    const { chain, factory, guardian, owner } = stage
    const route = await funded()
    await block(route.merchant)
    await chain.do(factory, 'pauseRefunds', [], { from: guardian })
    await rescue(route)
    await chain.warpBy(7 * DAY)
    assert.deepEqual(outcome(await rescue(route)), RETURNED)
    await chain.do(factory, 'unpauseRefunds', [], { from: owner })
  })

  it('stays where no refund address is bound: nobody else is known', async () => {
    const route = await funded({ refundTo: zeroAddress })
    await block(route.merchant)
    assert.match((await answer(route)) ?? '', /^TokenTransferFailed: Blacklistable/)
    assert.equal(await held(route), FULL)
  })
})

describe('a short payment whose payer cannot be paid', () => {
  it('goes to the merchant when the push back failed twice, seven days apart', async () => {
    const { chain } = stage
    const route = await funded({}, SHORT)
    await block(route.refundTo)
    assert.deepEqual(outcome(await rescue(route)), RECORDED)
    assert.equal(await answer(route), 'TooEarly')
    await chain.warpBy(7 * DAY)
    assert.deepEqual(outcome(await rescue(route)), PAID)
    assert.equal(await unitsOf(stage, route.token, route.merchant), SHORT - SHORT / 100n)
  })

  it('goes nowhere on another chain, where the merchant may be somebody else', async () => {
    const route = await funded({ chainId: 1n })
    await block(route.refundTo)
    assert.match((await answer(route)) ?? '', /^TokenTransferFailed: Blacklistable/)
    await block(route.refundTo, false)
    assert.deepEqual(outcome(await rescue(route)), RETURNED)
  })

  it('leaves nothing that would count against the merchant once the payment is full', async () => {
    const { chain } = stage
    const route = await funded({}, SHORT)
    await block(route.refundTo)
    await rescue(route)
    await chain.warpBy(8 * DAY)
    await fund(stage, route, 1n)
    await block(route.merchant)
    await block(route.refundTo, false)
    assert.deepEqual(outcome(await rescue(route)), RECORDED)
    assert.equal(await held(route), FULL)
  })
})

describe('a collector that cannot be paid', () => {
  it('loses its fee, and holds up neither merchant nor payer', async () => {
    const { chain } = stage
    for (const refundTo of [freshAddress('payer'), zeroAddress]) {
      const route = await funded({ refundTo })
      await block(route.collector)
      assert.deepEqual(outcome(await rescue(route)), PAID)
      assert.equal(await unitsOf(stage, route.token, route.merchant), FULL)
    }
    const late = await funded({}, SHORT)
    await block(late.collector)
    await block(late.refundTo)
    await rescue(late)
    await chain.warpBy(7 * DAY)
    assert.deepEqual(outcome(await rescue(late)), PAID)
    assert.equal(await unitsOf(stage, late.token, late.merchant), SHORT)
  })

  it('that is well gets its fee until 90 days after openAfter', async () => {
    const { chain } = stage
    const [soon, late] = [await funded(), await funded()]
    await rescue(soon)
    assert.equal(await unitsOf(stage, soon.token, soon.collector), 100_000n)
    await chain.warpTo(late.openAfter + 90 * DAY)
    await rescue(late)
    assert.equal(await unitsOf(stage, late.token, late.merchant), FULL)
  })
})

describe('a healthy merchant', () => {
  it('is paid by every call from openAfter on, and before it by none', async () => {
    const { chain } = stage
    const route = await funded({ openAfter: (await chain.now()) + 1_000 })
    await chain.warpTo(route.openAfter - 1)
    assert.equal(await answer(route), 'TooEarly')
    await chain.warpTo(route.openAfter)
    assert.deepEqual(outcome(await rescue(route)), PAID)
    assert.equal(await unitsOf(stage, route.token, route.merchant), 9_900_000n)
  })

  it('cannot be made to fail by the gas of the transaction, whatever the token needs', async () => {
    const { chain, factory, stranger } = stage
    const hungry = await chain.deploy(hungryTokenAbi, hungryTokenBytecode)
    const seen = { reverted: 0, paid: 0 }
    for (const token of [stage.usdc.address, stage.usdt.address, hungry.address, NATIVE]) {
      for (let gas = 120_000; gas <= 2_400_000; gas += 95_000) {
        const route = await funded({ token })
        const receipt = await chain.send(factory, 'rescue', [route, token], { from: stranger, gas })
        if (receipt.ok) assert.deepEqual(outcome(receipt), PAID, `${gas} gas`)
        assert.equal(await failedAt(route, route.merchant), 0)
        seen[receipt.ok ? 'paid' : 'reverted']++
      }
    }
    assert.ok(seen.paid > 8 && seen.reverted > 8, JSON.stringify(seen))
  })

  it('loses nothing to a token that is paused twice: a pause fails both ways and does not count', async () => {
    const { chain, usdc, stranger } = stage
    const pause = (on: boolean) => chain.do(usdc, 'setPaused', [on], { from: stranger })
    const route = await funded()
    for (let time = 0; time < 2; time++) {
      await pause(true)
      assert.equal(await answer(route), 'TokenTransferFailed: Pausable: paused')
      await pause(false)
      await chain.warpBy(7 * DAY)
    }
    assert.equal(await failedAt(route, route.merchant), 0)
    // Also not where a failure of the merchant's own lies between.
    await block(route.merchant)
    await rescue(route)
    await block(route.merchant, false)
    await chain.warpBy(7 * DAY)
    await pause(true)
    assert.equal(await answer(route), 'TokenTransferFailed: Pausable: paused')
    await pause(false)
    assert.deepEqual(outcome(await rescue(route)), PAID)
  })

  it('loses nothing to a vault that was frozen: that fails both ways as well', async () => {
    const route = await funded()
    await block(vaultAt(stage, route))
    assert.match((await answer(route)) ?? '', /^TokenTransferFailed: Blacklistable/)
    await block(vaultAt(stage, route), false)
    assert.deepEqual(outcome(await rescue(route)), PAID)
  })

  it('loses nothing to a race with the relayer: what is settled cannot fail', async () => {
    const { chain, factory, relayer } = stage
    const route = await funded()
    await chain.do(factory, 'settle', [route, route.token, FULL, 100], { from: relayer })
    assert.equal(await answer(route), 'ZeroAmount')
    assert.equal(await failedAt(route, route.merchant), 0)
  })

  it('is not sent back by a payer who calls again from inside, nor paid twice by calling again itself', async () => {
    const { chain, factory, stranger } = stage
    const contract = await chain.deploy(reentererAbi, reentererBytecode)
    for (const [changes, amount] of [
      [{ merchant: contract.address }, 1_000n],
      [{ refundTo: contract.address }, 999n],
    ] as const) {
      const route = await funded({ ...changes, token: NATIVE, minAmount: 1_000n, feeBps: 0 }, amount)
      const again = encodeFunctionData({ abi: factory.abi, functionName: 'rescue', args: [route, NATIVE] })
      await chain.do(contract, 'setHook', [factory.address, again], { from: stranger })
      const had = await chain.balance(contract.address)
      await rescue(route)
      assert.equal(await chain.balance(contract.address), had + amount)
      assert.equal(await held(route), 0n)
    }
  })
})

describe('the gas of a rescue', () => {
  it('is what the node estimates, for each thing that it can do', async () => {
    const { chain, factory, stranger } = stage
    const estimated = async (route: Route) => {
      const data = encodeFunctionData({ abi: factory.abi, functionName: 'rescue', args: [route, route.token] })
      const call = { from: stranger, to: factory.address, data }
      const gas = Number(await chain.rpc<Hex>('eth_estimateGas', [call]))
      assert.ok(gas > 2_000_000 && gas < 2_400_000, `${gas} gas`)
      return outcome(await chain.do(factory, 'rescue', [route, route.token], { from: stranger, gas }))
    }
    assert.deepEqual(await estimated(await funded()), PAID)
    const stuck = await funded()
    await block(stuck.merchant)
    assert.deepEqual(await estimated(stuck), RECORDED)
    await chain.warpBy(7 * DAY)
    assert.deepEqual(await estimated(stuck), RETURNED)
  })

  it('that is too little is said, and nothing is tried', async () => {
    const { chain, factory, stranger } = stage
    const route = await funded()
    const short = { from: stranger, gas: 2_000_000 }
    assert.equal(await chain.revert(factory, 'rescue', [route, route.token], short), 'NotEnoughGas')
  })
})

describe('a recorded failure', () => {
  const ends: Record<string, (route: Route) => Promise<unknown>> = {
    settle: (route) => stage.chain.do(stage.factory, 'settle', [route, route.token, 1n, 0], { from: stage.relayer }),
    settleBatch: (route) =>
      stage.chain.do(stage.factory, 'settleBatch', [[itemOf(route)], 400_000n], { from: stage.relayer }),
    settleOpen: (route) => stage.chain.do(stage.factory, 'settleOpen', [route], { from: stage.stranger }),
    rescue: (route) => rescue(route),
  }
  for (const [name, push] of Object.entries(ends)) {
    it(`ends with a push that goes through by ${name}, and two are needed again`, async () => {
      const { chain } = stage
      const route = await funded()
      await block(route.merchant)
      await rescue(route)
      await block(route.merchant, false)
      await push(route)
      assert.equal(await failedAt(route, route.merchant), 0)
      await block(route.merchant)
      await fund(stage, route)
      await chain.warpBy(7 * DAY)
      assert.deepEqual(outcome(await rescue(route)), RECORDED)
    })
  }

  it('of a refund ends with a refund that goes through', async () => {
    const { chain, factory, refunder } = stage
    const route = await funded({}, SHORT)
    await block(route.refundTo)
    await rescue(route)
    await block(route.refundTo, false)
    await chain.do(factory, 'refundBound', [route, route.token, 1n], { from: refunder })
    assert.equal(await failedAt(route, route.refundTo), 0)
  })

  it('counts for 30 days and is then a first one again', async () => {
    const { chain } = stage
    const route = await funded()
    await block(route.merchant)
    const first = await rescue(route)
    await chain.warpTo(first.at + 30 * DAY + 1)
    const second = await rescue(route)
    assert.deepEqual(outcome(second), RECORDED)
    assert.equal(await failedAt(route, route.merchant), second.at)
    await chain.warpBy(7 * DAY)
    assert.deepEqual(outcome(await rescue(route)), RETURNED)
  })

  it('is of one token: another is rescued from 90 days after openAfter on, by a record of its own', async () => {
    const { chain, usdt } = stage
    const usdc = stage.usdc.address
    const route = await funded({ token: usdt.address })
    await fund(stage, route, 7n, usdc)
    assert.equal(await answer(route, usdc), 'TooEarly')
    await chain.warpTo(route.openAfter + 90 * DAY)
    await block(route.refundTo)
    assert.deepEqual(outcome(await rescue(route, usdc)), RECORDED)
    assert.equal(await failedAt(route, route.refundTo), 0)
    assert.notEqual(await failedAt(route, route.refundTo, usdc), 0)
    await chain.warpBy(7 * DAY)
    assert.deepEqual(outcome(await rescue(route, usdc)), PAID)
    assert.equal(await unitsOf(stage, usdc, route.merchant), 7n)
  })

  it('is written by the factory alone', async () => {
    const { chain, factory } = stage
    const route = await funded()
    for (const from of [stage.owner, stage.relayer, stage.refunder, stage.guardian, stage.merchant, stage.stranger]) {
      for (const back of [true, false]) {
        const args = [itemOf(route), back, true]
        assert.equal(await chain.revert(factory, 'pushItem', args, { from }), 'OnlySelf')
      }
    }
  })
})
