// Refunds: to a bound address at once and nowhere else; otherwise announced, 24 h, open to veto, once, within 7 days.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Address, zeroAddress } from 'viem'
import type { Route } from '../src/index.ts'
import { testUsdcAbi, testUsdcBytecode } from '../src/test-tokens.ts'
import { eventsOf } from './logs.ts'
import { DAY, fresh, freshAddress, fund, NATIVE, openStage, routeOn, type Stage, unitsOf, vaultAt } from './stage.ts'

const AMOUNT = 3_000_000n

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage.chain.stop())

describe('a bound refund', () => {
  it('goes to the bound address at once, whole or in part, for any token', async () => {
    const { chain, factory, refunder, usdt } = stage
    for (const token of [stage.usdc.address, usdt.address, NATIVE]) {
      const refundTo = freshAddress('payer')
      const route = routeOn(stage, { token, refundTo })
      await fund(stage, route)
      const receipt = await chain.do(factory, 'refundBound', [route, token, AMOUNT], { from: refunder })
      assert.equal(await unitsOf(stage, token, refundTo), AMOUNT)
      assert.equal(await unitsOf(stage, token, vaultAt(stage, route)), 7_000_000n)
      const [event] = eventsOf(receipt, 'Refunded')
      assert.deepEqual([event?.ref, event?.to, event?.amount], [route.ref, refundTo, AMOUNT])
    }
  })

  it('takes a refunder, and a route that binds an address', async () => {
    const { chain, factory, refunder } = stage
    const bound = routeOn(stage, { refundTo: stage.payer })
    for (const from of [stage.owner, stage.relayer, stage.guardian, stage.payer, stage.stranger]) {
      assert.equal(await chain.revert(factory, 'refundBound', [bound, bound.token, 1n], { from }), 'NotRole')
    }
    const unbound = routeOn(stage)
    const from = { from: refunder }
    assert.equal(await chain.revert(factory, 'refundBound', [unbound, unbound.token, 1n], from), 'RefundIsNotBound')
    assert.equal(await chain.revert(factory, 'refundBound', [bound, bound.token, 0n], from), 'ZeroAmount')
  })

  it('cannot be got round by an announcement', async () => {
    const { chain, factory, refunder, stranger } = stage
    const route = routeOn(stage, { refundTo: stage.payer })
    const args = [route, route.token, stranger, 1n]
    assert.equal(await chain.revert(factory, 'proposeRefund', args, { from: refunder }), 'RefundIsBound')
    assert.equal(await chain.revert(factory, 'executeRefund', args, { from: stranger }), 'NoProposal')
  })

  it('rescues what was sent on the wrong chain, where settling is refused', async () => {
    const other = await openStage({ chainId: 424_242 })
    try {
      assert.equal(other.factory.address, stage.factory.address)
      const refundTo = freshAddress('payer')
      const route = routeOn(stage, { refundTo })
      const token = await other.chain.deploy(testUsdcAbi, testUsdcBytecode)
      await fund(other, route, 7n, token.address)
      const settle = [route, token.address, 7n, 0]
      assert.equal(await other.chain.revert(other.factory, 'settle', settle, { from: other.relayer }), 'WrongChain')
      await other.chain.do(other.factory, 'refundBound', [route, token.address, 7n], { from: other.refunder })
      assert.equal(await unitsOf(other, token.address, refundTo), 7n)
    } finally {
      await other.chain.stop()
    }
  })
})

describe('an announced refund', () => {
  let route: Route
  let to: Address
  let args: readonly unknown[]
  let eta: number
  beforeEach(async () => {
    const { chain, factory, refunder } = stage
    route = routeOn(stage, { merchant: stage.merchant })
    to = freshAddress('payer')
    args = [route, route.token, to, AMOUNT]
    await fund(stage, route)
    const receipt = await chain.do(factory, 'proposeRefund', args, { from: refunder })
    const [event] = eventsOf(receipt, 'RefundProposed')
    assert.ok(event)
    eta = event.eta
    assert.equal(eta, receipt.at + DAY)
    assert.equal(event.id, await chain.read(factory, 'proposalId', args))
    assert.equal(await chain.read(factory, 'refundEta', [event.id]), eta)
  })
  const answer = (from: Address, given = args) => stage.chain.revert(stage.factory, 'executeRefund', given, { from })

  it('waits 24 h to the second, can then be made by anybody, and once', async () => {
    const { chain, factory, stranger } = stage
    await chain.warpTo(eta - 1)
    assert.equal(await answer(stranger), 'TooEarly')
    await chain.warpTo(eta)
    await chain.do(factory, 'executeRefund', args, { from: stranger })
    assert.equal(await unitsOf(stage, route.token, to), AMOUNT)
    assert.equal(await answer(stranger), 'NoProposal')
  })

  it('lapses 7 days after it was announced and must then be announced again', async () => {
    const { chain, factory, refunder, stranger } = stage
    const last = eta - DAY + 7 * DAY
    await chain.warpTo(last)
    assert.equal(await answer(stranger), null)
    assert.equal(await chain.revert(factory, 'proposeRefund', args, { from: refunder }), 'AlreadyProposed')
    await chain.warpTo(last + 1)
    assert.equal(await answer(stranger), 'TooLate')
    await chain.do(factory, 'proposeRefund', args, { from: refunder })
    assert.equal(await answer(stranger), 'TooEarly')
    await chain.warpBy(DAY)
    await chain.do(factory, 'executeRefund', args, { from: stranger })
  })

  it('is what was announced and nothing else', async () => {
    const { chain, stranger, usdt } = stage
    await chain.warpTo(eta)
    const others = [
      [route, route.token, stranger, AMOUNT],
      [route, route.token, to, AMOUNT + 1n],
      [route, usdt.address, to, AMOUNT],
      [{ ...route, ref: fresh('ref') }, route.token, to, AMOUNT],
    ]
    for (const given of others) assert.equal(await answer(stranger, given), 'NoProposal')
  })

  it('is struck out by the merchant or a guardian, by nobody else', async () => {
    const { chain, factory, guardian, refunder } = stage
    for (const from of [stage.owner, stage.relayer, refunder, stage.payer, stage.stranger]) {
      assert.equal(await chain.revert(factory, 'vetoRefund', args, { from }), 'NotAllowed')
    }
    for (const from of [stage.merchant, guardian]) {
      const receipt = await chain.do(factory, 'vetoRefund', args, { from })
      assert.equal(eventsOf(receipt, 'RefundVetoed')[0]?.by.toLowerCase(), from.toLowerCase())
      await chain.warpBy(DAY)
      assert.equal(await answer(stage.stranger), 'NoProposal')
      assert.equal(await chain.revert(factory, 'vetoRefund', args, { from }), 'NoProposal')
      await chain.do(factory, 'proposeRefund', args, { from: refunder })
    }
  })

  it('finds nothing when the order was settled before', async () => {
    const { chain, factory, relayer, stranger } = stage
    await chain.do(factory, 'settle', [route, route.token, 10_000_000n, 100], { from: relayer })
    await chain.warpTo(eta)
    assert.match((await answer(stranger)) ?? '', /^TokenTransferFailed/)
  })

  it('is announced by a refunder only, and never to the factory, the vault or nobody', async () => {
    const { chain, factory, refunder } = stage
    for (const from of [stage.owner, stage.relayer, stage.guardian, stage.payer, stage.stranger]) {
      const mine = [route, route.token, from, 1n]
      assert.equal(await chain.revert(factory, 'proposeRefund', mine, { from }), 'NotRole')
    }
    for (const bad of [zeroAddress, factory.address, vaultAt(stage, route)]) {
      const given = [route, route.token, bad, 1n]
      assert.equal(await chain.revert(factory, 'proposeRefund', given, { from: refunder }), 'BadAddress')
    }
    const nothing = [route, route.token, to, 0n]
    assert.equal(await chain.revert(factory, 'proposeRefund', nothing, { from: refunder }), 'ZeroAmount')
  })
})

describe('a pause', () => {
  it('stops every refund and no settlement, comes from guardian or owner, and ends by the owner', async () => {
    const { chain, factory, guardian, owner, refunder, relayer, stranger } = stage
    const bound = routeOn(stage, { refundTo: stage.payer })
    const unbound = routeOn(stage, { openAfter: 0 })
    for (const route of [bound, unbound]) await fund(stage, route)
    const proposal = [unbound, unbound.token, stranger, 1n]
    await chain.do(factory, 'proposeRefund', proposal, { from: refunder })
    await chain.warpBy(DAY)

    for (const from of [relayer, refunder, stranger]) {
      assert.equal(await chain.revert(factory, 'pauseRefunds', [], { from }), 'NotAllowed')
    }
    await chain.do(factory, 'pauseRefunds', [], { from: guardian })
    const paused = 'RefundsArePaused'
    const another = [unbound, unbound.token, stranger, 2n]
    assert.equal(await chain.revert(factory, 'refundBound', [bound, bound.token, 1n], { from: refunder }), paused)
    assert.equal(await chain.revert(factory, 'proposeRefund', another, { from: refunder }), paused)
    assert.equal(await chain.revert(factory, 'executeRefund', proposal, { from: stranger }), paused)
    assert.equal(await chain.revert(factory, 'vetoRefund', proposal, { from: guardian }), null)
    await chain.do(factory, 'settle', [bound, bound.token, 1n, 0], { from: relayer })
    const items = [{ route: unbound, token: unbound.token, gross: 1n, feeBps: 0 }]
    await chain.do(factory, 'settleBatch', [items, 300_000n], { from: relayer })
    await chain.do(factory, 'settleOpen', [unbound], { from: stranger })

    assert.equal(await chain.revert(factory, 'unpauseRefunds', [], { from: guardian }), 'OwnableUnauthorizedAccount')
    await chain.do(factory, 'unpauseRefunds', [], { from: owner })
    await chain.do(factory, 'refundBound', [bound, bound.token, 1n], { from: refunder })
    assert.equal(await chain.revert(factory, 'pauseRefunds', [], { from: owner }), null)
  })
})
