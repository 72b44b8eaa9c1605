// Batches: one bad item stops no other, a hostile receiver costs only its own item, too little gas is never a "failed item".
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { decodeFailure, type Item } from '../src/index.ts'
import { bombTokenAbi, bombTokenBytecode } from './abi/bomb-token.ts'
import { gasBurnerAbi, gasBurnerBytecode } from './abi/gas-burner.ts'
import { hungryTokenAbi, hungryTokenBytecode } from './abi/hungry-token.ts'
import { reentererAbi, reentererBytecode } from './abi/reenterer.ts'
import { rejectorAbi, rejectorBytecode } from './abi/rejector.ts'
import { returnBombAbi, returnBombBytecode } from './abi/return-bomb.ts'
import type { Receipt } from './chain.ts'
import { eventsOf } from './logs.ts'
import { fund, itemOf, NATIVE, openStage, routeOn, type Stage, unitsOf, vaultAt } from './stage.ts'

const ITEM_GAS = 400_000n

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage.chain.stop())

async function fundedItem(changes: Parameters<typeof routeOn>[1] = {}, gross = 10_000_000n): Promise<Item> {
  const route = routeOn(stage, changes)
  await fund(stage, route, gross)
  return itemOf(route, gross)
}

const outcome = (receipt: Receipt) => ({
  settled: eventsOf(receipt, 'Settled').map((event) => event.ref),
  failed: eventsOf(receipt, 'SettleFailed').map((event) => event.ref),
})

describe('settleBatch', () => {
  it('settles nine and reports the blocked tenth, whose money stays and whose vault is not made', async () => {
    const { chain, factory, relayer, usdc } = stage
    const items: Item[] = []
    while (items.length < 10) items.push(await fundedItem())
    const bad = items[3]
    assert.ok(bad)
    await chain.do(usdc, 'setBlacklisted', [bad.route.merchant, true], { from: relayer })

    const receipt = await chain.do(factory, 'settleBatch', [items, ITEM_GAS], { from: relayer })

    const good = items.filter((item) => item !== bad)
    assert.deepEqual(outcome(receipt), { settled: good.map((item) => item.route.ref), failed: [bad.route.ref] })
    assert.equal(await unitsOf(stage, usdc.address, vaultAt(stage, bad.route)), 10_000_000n)
    assert.equal(await chain.code(vaultAt(stage, bad.route)), '0x')
    const [failed] = eventsOf(receipt, 'SettleFailed')
    assert.equal(failed?.vault.toLowerCase(), vaultAt(stage, bad.route))
    const failure = decodeFailure(failed?.reason ?? '0x')
    assert.equal(failure.error, 'TokenTransferFailed')
    assert.equal(failure.words, 'Blacklistable: account is blacklisted')
  })

  it('tells the number that settled, and settles an order given twice once', async () => {
    const { chain, factory, relayer } = stage
    const [a, b] = [await fundedItem(), await fundedItem()]
    const args = [[a, b, a], ITEM_GAS]
    const data = encodeFunctionData({ abi: factory.abi, functionName: 'settleBatch', args })
    assert.equal(BigInt(await chain.rpc<Hex>('eth_call', [{ from: relayer, to: factory.address, data }, 'latest'])), 2n)
    const receipt = await chain.do(factory, 'settleBatch', args, { from: relayer })
    assert.deepEqual(outcome(receipt), { settled: [a.route.ref, b.route.ref], failed: [a.route.ref] })
  })

  it('reports items of another chain, with too high a fee or for nothing, and goes on', async () => {
    const { chain, factory, relayer } = stage
    const good = await fundedItem()
    const items = [
      await fundedItem({ chainId: 1n }),
      { ...(await fundedItem()), feeBps: 101 },
      { ...(await fundedItem()), gross: 0n },
      good,
    ]
    const receipt = await chain.do(factory, 'settleBatch', [items, ITEM_GAS], { from: relayer })
    const reasons = eventsOf(receipt, 'SettleFailed').map((event) => decodeFailure(event.reason).error)
    assert.deepEqual(reasons, ['WrongChain', 'FeeTooHigh', 'ZeroAmount'])
    assert.deepEqual(outcome(receipt).settled, [good.route.ref])
  })

  it('survives receivers that revert, never end, or answer with a megabyte, and pays the others', async () => {
    const { chain, factory, relayer } = stage
    const hostile: [Abi, Hex][] = [
      [rejectorAbi, rejectorBytecode],
      [gasBurnerAbi, gasBurnerBytecode],
      [returnBombAbi, returnBombBytecode],
    ]
    const bad: Item[] = []
    for (const [abi, bytecode] of hostile) {
      const { address } = await chain.deploy(abi, bytecode)
      bad.push(await fundedItem({ merchant: address, token: NATIVE }, 1_000n))
    }
    const good = [await fundedItem({ token: NATIVE }, 1_000n), await fundedItem({ token: NATIVE }, 1_000n)]
    const receipt = await chain.do(factory, 'settleBatch', [[...bad, ...good], ITEM_GAS], { from: relayer })
    assert.deepEqual(outcome(receipt), {
      settled: good.map((item) => item.route.ref),
      failed: bad.map((item) => item.route.ref),
    })
    for (const event of eventsOf(receipt, 'SettleFailed')) {
      assert.equal(decodeFailure(event.reason).error, 'NativeTransferFailed')
    }
    assert.ok(receipt.gasUsed < 700_000, `${receipt.gasUsed} gas`)
  })

  it('bounds what a token can make it copy', async () => {
    const { chain, factory, relayer } = stage
    const token = await chain.deploy(bombTokenAbi, bombTokenBytecode)
    const bad = await fundedItem({ token: token.address })
    const good = await fundedItem()
    const receipt = await chain.do(factory, 'settleBatch', [[bad, good], ITEM_GAS], { from: relayer })
    assert.deepEqual(outcome(receipt), { settled: [good.route.ref], failed: [bad.route.ref] })
    const [failed] = eventsOf(receipt, 'SettleFailed')
    assert.ok((failed?.reason.length ?? 0) <= 2 + 2 * 384)
    assert.equal(decodeFailure(failed?.reason ?? '0x').error, 'TokenTransferFailed')
  })

  it('lets a merchant contract that calls back in the middle change nothing', async () => {
    const { chain, factory, relayer } = stage
    const merchant = await chain.deploy(reentererAbi, reentererBytecode)
    const item = await fundedItem({ merchant: merchant.address, token: NATIVE, openAfter: 0 }, 1_000n)
    const again = encodeFunctionData({ abi: factory.abi, functionName: 'settleOpen', args: [item.route] })
    await chain.do(merchant, 'setHook', [factory.address, again], { from: relayer })
    const receipt = await chain.do(factory, 'settleBatch', [[{ ...item, gross: 400n }], ITEM_GAS], { from: relayer })
    assert.equal(outcome(receipt).settled.length, 1)
    assert.equal(await chain.balance(merchant.address), 396n)
    assert.equal(await chain.balance(vaultAt(stage, item.route)), 600n)
  })
})

describe('gas of a batch', () => {
  it('below the floor is refused', async () => {
    const { chain, factory, relayer } = stage
    const items = [await fundedItem()]
    assert.equal(await chain.revert(factory, 'settleBatch', [items, 299_999n], { from: relayer }), 'ItemGasTooLow')
    assert.equal(await chain.revert(factory, 'settleBatch', [items, 300_000n], { from: relayer }), null)
    const short = { from: relayer, gas: 300_000 }
    assert.equal(await chain.revert(factory, 'settleBatch', [items, 300_000n], short), 'NotEnoughGas')
    const most = 2n ** 256n - 1n
    assert.notEqual(await chain.revert(factory, 'settleBatch', [items, most], { from: relayer }), null)
  })

  it('too short at any limit reverts the whole batch and never reports a good item as failed', async () => {
    const { chain, factory, relayer } = stage
    // The dearer an item, the more is left after it ran out of gas, and so for a false report.
    const hungry = await chain.deploy(hungryTokenAbi, hungryTokenBytecode)
    const cases = [
      { token: stage.usdc, itemGas: 300_000n, from: 100_000, to: 900_000, step: 40_000 },
      { token: hungry, itemGas: 1_600_000n, from: 1_600_000, to: 5_600_000, step: 160_000 },
    ]
    for (const { token, itemGas, from, to, step } of cases) {
      const seen = { whole: 0, reverted: 0 }
      for (let gas = from; gas <= to; gas += step) {
        const items: Item[] = []
        while (items.length < 3) items.push(await fundedItem({ token: token.address }))
        const receipt = await chain.send(factory, 'settleBatch', [items, itemGas], { from: relayer, gas })
        assert.deepEqual(outcome(receipt).failed, [], `at ${gas} gas`)
        if (receipt.ok) assert.equal(outcome(receipt).settled.length, 3)
        seen[receipt.ok ? 'whole' : 'reverted']++
      }
      assert.ok(seen.whole > 3 && seen.reverted > 3, JSON.stringify(seen))
    }
  })
})
