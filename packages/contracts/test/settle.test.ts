// Settlement by the relayer: who gets what, for every kind of token, once and late and in parts, and who may not do it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encodeFunctionData, keccak256, zeroAddress } from 'viem'
import { vaultCodeHash } from '../src/index.ts'
import { falseTokenAbi, falseTokenBytecode } from './abi/false-token.ts'
import { hookTokenAbi, hookTokenBytecode } from './abi/hook-token.ts'
import { eventsOf, receivedBy, transfersOf } from './logs.ts'
import { freshAddress, fund, NATIVE, openStage, routeOn, type Stage, unitsOf, vaultAt } from './stage.ts'

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage.chain.stop())

describe('settle', () => {
  for (const name of ['usdc', 'usdt', 'native'] as const) {
    it(`pays merchant and collector exactly, in ${name}`, async () => {
      const { chain, factory, relayer } = stage
      const token = name === 'native' ? NATIVE : stage[name].address
      const route = routeOn(stage, { token })
      const vault = vaultAt(stage, route)
      await fund(stage, route, 10_000_001n)
      assert.equal(await chain.code(vault), '0x')

      const receipt = await chain.do(factory, 'settle', [route, token, 10_000_001n, 100], { from: relayer })

      assert.equal(await unitsOf(stage, token, route.merchant), 9_900_001n)
      assert.equal(await unitsOf(stage, token, route.collector), 100_000n)
      assert.equal(await unitsOf(stage, token, vault), 0n)
      assert.equal(keccak256(await chain.code(vault)), vaultCodeHash(stage.impl.address))
      const [event] = eventsOf(receipt, 'Settled')
      assert.ok(event)
      assert.equal(event.vault.toLowerCase(), vault)
      assert.deepEqual(
        [event.ref, event.merchant, event.token.toLowerCase(), event.gross, event.fee],
        [route.ref, route.merchant, token.toLowerCase(), 10_000_001n, 100_000n],
      )
    })
  }

  it('settles once: a second time there is nothing, and a late second deposit settles as well', async () => {
    const { chain, factory, relayer } = stage
    const route = routeOn(stage)
    await fund(stage, route)
    const args = [route, route.token, 10_000_000n, 100]
    await chain.do(factory, 'settle', args, { from: relayer })
    assert.match((await chain.revert(factory, 'settle', args, { from: relayer })) ?? '', /^TokenTransferFailed/)

    await fund(stage, route, 5_000_000n)
    await chain.do(factory, 'settle', [route, route.token, 5_000_000n, 50], { from: relayer })
    assert.equal(await unitsOf(stage, route.token, route.merchant), 9_900_000n + 4_975_000n)
  })

  it('moves a token nobody asked for, to the merchant only', async () => {
    const { chain, factory, relayer, usdt } = stage
    const route = routeOn(stage)
    await fund(stage, route, 77n, usdt.address)
    await chain.do(factory, 'settle', [route, usdt.address, 77n, 0], { from: relayer })
    assert.equal(await unitsOf(stage, usdt.address, route.merchant), 77n)
  })

  it('waives the fee when the collector is blocked, and moves nothing when the merchant is', async () => {
    const { chain, factory, relayer, usdc } = stage
    const route = routeOn(stage)
    await fund(stage, route)
    await chain.do(usdc, 'setBlacklisted', [route.collector, true], { from: relayer })
    const blocked = 'TokenTransferFailed: Blacklistable: account is blacklisted'
    const withFee = [route, route.token, 10_000_000n, 100]
    assert.equal(await chain.revert(factory, 'settle', withFee, { from: relayer }), blocked)
    await chain.do(factory, 'settle', [route, route.token, 4_000_000n, 0], { from: relayer })
    assert.equal(await unitsOf(stage, route.token, route.merchant), 4_000_000n)

    await chain.do(usdc, 'setBlacklisted', [route.merchant, true], { from: relayer })
    assert.equal(await chain.revert(factory, 'settle', [route, route.token, 1n, 0], { from: relayer }), blocked)
    assert.equal(await unitsOf(stage, route.token, vaultAt(stage, route)), 6_000_000n)
  })

  it('leaves no trace when the vault itself is frozen', async () => {
    const { chain, factory, relayer, refunder, usdc } = stage
    const route = routeOn(stage, { refundTo: stage.payer })
    await fund(stage, route)
    await chain.do(usdc, 'setBlacklisted', [vaultAt(stage, route), true], { from: relayer })
    assert.equal((await chain.send(factory, 'settle', [route, route.token, 1n, 0], { from: relayer })).ok, false)
    assert.equal((await chain.send(factory, 'refundBound', [route, route.token, 1n], { from: refunder })).ok, false)
    assert.equal(await chain.code(vaultAt(stage, route)), '0x')
  })

  it('takes a token that answers false for a failure, and code that is no token too', async () => {
    const { chain, factory, relayer } = stage
    const token = await chain.deploy(falseTokenAbi, falseTokenBytecode)
    const route = routeOn(stage, { token: token.address })
    await fund(stage, route, 5n)
    for (const given of [token.address, freshAddress('no code here')]) {
      const answer = await chain.revert(factory, 'settle', [route, given, 5n, 0], { from: relayer })
      assert.equal(answer, 'TokenTransferFailed')
    }
  })

  it('lets nothing back in while a token runs', async () => {
    const { chain, factory, relayer } = stage
    const token = await chain.deploy(hookTokenAbi, hookTokenBytecode)
    const route = routeOn(stage, { token: token.address, openAfter: 0 })
    await fund(stage, route, 100n)
    const again = encodeFunctionData({ abi: factory.abi, functionName: 'settleOpen', args: [route] })
    await chain.do(token, 'setHook', [factory.address, again], { from: relayer })
    await chain.do(factory, 'settle', [route, token.address, 50n, 0], { from: relayer })
    assert.equal(await chain.read(token, 'lastOk'), false)
    assert.equal(await unitsOf(stage, token.address, vaultAt(stage, route)), 50n)
  })

  it('settles what a fee-taking token left, and the transfer log says what arrived', async () => {
    const { chain, factory, relayer, payer, usdt } = stage
    const route = routeOn(stage, { token: usdt.address })
    await chain.do(usdt, 'mint', [payer, 10_000_000n], { from: payer })
    await chain.do(usdt, 'setFee', [20n], { from: payer })
    await chain.do(usdt, 'transfer', [vaultAt(stage, route), 10_000_000n], { from: payer })
    const held = await unitsOf(stage, usdt.address, vaultAt(stage, route))
    assert.equal(held, 9_980_000n)
    const receipt = await chain.do(factory, 'settle', [route, usdt.address, held, 100], { from: relayer })
    await chain.do(usdt, 'setFee', [0n], { from: payer })
    const [event] = eventsOf(receipt, 'Settled')
    assert.equal((event?.gross ?? 0n) - (event?.fee ?? 0n), 9_880_200n)
    assert.equal(receivedBy(receipt, route.merchant), 9_860_440n)
    assert.equal(await unitsOf(stage, usdt.address, route.merchant), 9_860_440n)
  })
})

describe('settle refuses', () => {
  it('every caller but a relayer', async () => {
    const route = routeOn(stage)
    await fund(stage, route)
    for (const from of [stage.owner, stage.refunder, stage.guardian, stage.payer, stage.stranger]) {
      const { chain, factory } = stage
      assert.equal(await chain.revert(factory, 'settle', [route, route.token, 1n, 0], { from }), 'NotRole')
      const item = { route, token: route.token, gross: 1n, feeBps: 0 }
      assert.equal(await chain.revert(factory, 'settleBatch', [[item], 300_000n], { from }), 'NotRole')
      assert.equal(await chain.revert(factory, 'settleItem', [item], { from }), 'OnlySelf')
    }
  })

  it('a fee above the bound, above 10 %, or without a collector', async () => {
    const { chain, factory, relayer } = stage
    const cases = [
      [routeOn(stage), 101],
      [routeOn(stage, { feeBps: 2_000 }), 1_001],
      [routeOn(stage, { collector: zeroAddress }), 1],
    ] as const
    for (const [route, feeBps] of cases) {
      await fund(stage, route)
      const answer = await chain.revert(factory, 'settle', [route, route.token, 1n, feeBps], { from: relayer })
      assert.equal(answer, 'FeeTooHigh')
      await chain.do(factory, 'settle', [route, route.token, 1n, 0], { from: relayer })
    }
  })

  it('another chain, nothing, no merchant, and a route that differs in any field', async () => {
    const { chain, factory, relayer } = stage
    const settle = (route: ReturnType<typeof routeOn>, gross = 1n) =>
      chain.revert(factory, 'settle', [route, stage.usdc.address, gross, 0], { from: relayer })
    assert.equal(await settle(routeOn(stage, { chainId: 1n })), 'WrongChain')
    assert.equal(await settle(routeOn(stage), 0n), 'ZeroAmount')
    assert.equal(await settle(routeOn(stage, { merchant: zeroAddress })), 'BadAddress')
    const route = routeOn(stage)
    await fund(stage, route)
    assert.equal(await settle(route), null)
    const forged = {
      merchant: stage.stranger,
      collector: stage.stranger,
      refundTo: stage.stranger,
      feeBps: 99,
      openAfter: 1,
    }
    for (const [field, value] of Object.entries(forged)) {
      assert.equal(await settle({ ...route, [field]: value }), 'TokenTransferFailed', field)
    }
  })
})

describe('a vault', () => {
  it('obeys the factory only, and so does the code behind it', async () => {
    const { chain, factory, relayer } = stage
    const route = routeOn(stage)
    await fund(stage, route)
    await chain.do(factory, 'settle', [route, route.token, 1n, 0], { from: relayer })
    for (const address of [vaultAt(stage, route), stage.impl.address]) {
      for (const from of [stage.owner, stage.relayer, stage.refunder, stage.guardian, stage.stranger]) {
        const args = [route.token, from, 1n, from, 0n]
        assert.equal(await chain.revert({ ...stage.impl, address }, 'pay', args, { from }), 'NotFactory')
      }
    }
  })

  it('is settled by nothing when its deposit is undone by a reorganisation, and loses its code with its settlement', async () => {
    const { chain, factory, relayer } = stage
    const route = routeOn(stage)
    const args = [route, route.token, 10_000_000n, 100]
    await chain.rpc('anvil_mine', ['0x3'])
    await fund(stage, route)
    await chain.rpc('anvil_reorg', [2, []])
    assert.equal(await unitsOf(stage, route.token, vaultAt(stage, route)), 0n)
    assert.match((await chain.revert(factory, 'settle', args, { from: relayer })) ?? '', /^TokenTransferFailed/)

    await fund(stage, route)
    const receipt = await chain.do(factory, 'settle', args, { from: relayer })
    assert.equal(transfersOf(receipt).length, 2)
    await chain.rpc('anvil_reorg', [1, []])
    assert.equal(await chain.rpc('eth_getTransactionReceipt', [receipt.hash]), null)
    assert.equal(await chain.code(vaultAt(stage, route)), '0x')
    assert.equal(await unitsOf(stage, route.token, vaultAt(stage, route)), 10_000_000n)
  })
})
