// Native coins: the odd ways they reach a deposit address, and what an address without and with code accepts.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Address } from 'viem'
import { stipendSenderAbi, stipendSenderBytecode } from './abi/stipend-sender.ts'
import type { Contract } from './chain.ts'
import { NATIVE, openStage, routeOn, type Stage, vaultAt } from './stage.ts'

let stage: Stage
let sender: Contract
before(async () => {
  stage = await openStage()
  sender = await stage.chain.deploy(stipendSenderAbi, stipendSenderBytecode)
})
after(() => stage.chain.stop())

const route = () => routeOn(stage, { token: NATIVE })
const payBy = (how: 'sendStipend' | 'sendCall', to: Address) =>
  stage.chain.send(sender, how, [to], { from: stage.payer, value: 1_000n })
const settle = (given: ReturnType<typeof route>, gross: bigint) =>
  stage.chain.do(stage.factory, 'settle', [given, NATIVE, gross, 0], { from: stage.relayer })

describe('native coins', () => {
  it('sent by a contract leave no log: only the balance tells', async () => {
    const given = route()
    const receipt = await payBy('sendCall', vaultAt(stage, given))
    assert.equal(receipt.ok, true)
    assert.deepEqual(receipt.logs, [])
    assert.equal(await stage.chain.balance(vaultAt(stage, given)), 1_000n)
  })

  it('sent with 2,300 gas reach a fresh address, and are turned away once the vault has code', async () => {
    const given = route()
    const vault = vaultAt(stage, given)
    assert.equal((await payBy('sendStipend', vault)).ok, true)
    await settle(given, 1_000n)
    assert.equal((await payBy('sendStipend', vault)).ok, false)
    assert.equal((await payBy('sendCall', vault)).ok, true)
    await settle(given, 1_000n)
    assert.equal(await stage.chain.balance(given.merchant), 2_000n)
  })

  it('forced on an address without running its code can be settled', async () => {
    const given = route()
    // Creation code that is PUSH20 address, SELFDESTRUCT.
    const data = `0x73${vaultAt(stage, given).slice(2)}ff` as const
    await stage.chain.transact({ from: stage.payer, data, value: 777n })
    assert.equal(await stage.chain.balance(vaultAt(stage, given)), 777n)
    await settle(given, 777n)
    assert.equal(await stage.chain.balance(given.merchant), 777n)
  })
})
