// Keys: what changes with 48 h notice, what changes at once because it only makes things safer, and how the owner changes.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Address, zeroAddress } from 'viem'
import { payFactoryAbi, payFactoryBytecode } from '../src/index.ts'
import { freshAddress, NATIVE, openStage, type Stage, unitsOf } from './stage.ts'
import { build } from './trace.ts'

const HOUR = 3_600
const WEEK = 7 * 86_400
const [RELAYER, REFUNDER, GUARDIAN] = [0, 1, 2]

let stage: Stage
let who: Address
before(async () => {
  stage = await openStage()
})
beforeEach(() => {
  who = freshAddress('new key')
})
after(() => stage.chain.stop())

const answer = (name: string, args: readonly unknown[], from: Address) =>
  stage.chain.revert(stage.factory, name, args, { from })
const act = (name: string, args: readonly unknown[], from: Address) =>
  stage.chain.do(stage.factory, name, args, { from })
const holds = (role: number | undefined, key: Address) =>
  stage.chain.read<boolean>(stage.factory, 'hasRole', [role, key])

describe('a role', () => {
  it('is given and taken 48 h after it was announced, within 7 days, by the owner', async () => {
    const { chain, owner } = stage
    for (const role of [RELAYER, REFUNDER, GUARDIAN]) {
      for (const on of [true, false]) {
        await act('scheduleRole', [role, who, on], owner)
        assert.equal(await answer('applyRole', [role, who, !on], owner), 'NotScheduled')
        await chain.warpBy(48 * HOUR - 2)
        assert.equal(await answer('applyRole', [role, who, on], owner), 'TooEarly')
        await chain.warpBy(2)
        assert.equal(await answer('applyRole', [role, who, on], stage.stranger), 'OwnableUnauthorizedAccount')
        await act('applyRole', [role, who, on], owner)
        assert.equal(await holds(role, who), on)
        assert.equal(await answer('applyRole', [role, who, on], owner), 'NotScheduled')
      }
    }
  })

  it('that was announced and forgotten must be announced again', async () => {
    const { chain, owner } = stage
    const change = [RELAYER, who, true]
    await act('scheduleRole', change, owner)
    assert.equal(await answer('scheduleRole', change, owner), 'AlreadyScheduled')
    await chain.warpBy(48 * HOUR + WEEK + 1)
    assert.equal(await answer('applyRole', change, owner), 'TooLate')
    await act('scheduleRole', change, owner)
    assert.equal(await answer('applyRole', change, owner), 'TooEarly')
  })

  it('change can be called off: any by the owner, a grant by a guardian, its own removal not', async () => {
    const { chain, guardian, owner, stranger } = stage
    const removal = [GUARDIAN, guardian, false]
    await act('scheduleRole', [REFUNDER, who, true], owner)
    await act('scheduleRole', removal, owner)
    assert.equal(await answer('cancelRole', [REFUNDER, who, true], stranger), 'NotAllowed')
    assert.equal(await answer('cancelRole', removal, guardian), 'NotAllowed')
    await act('cancelRole', [REFUNDER, who, true], guardian)
    await act('cancelRole', removal, owner)
    await chain.warpBy(48 * HOUR)
    for (const change of [[REFUNDER, who, true], removal]) {
      assert.equal(await answer('applyRole', change, owner), 'NotScheduled')
    }
  })

  it('of a refunder goes at once, by owner or guardian', async () => {
    const { guardian, owner, refunder } = stage
    assert.equal(await answer('dropRefunder', [refunder], stage.stranger), 'NotAllowed')
    assert.equal(await answer('dropRefunder', [refunder], owner), null)
    await act('dropRefunder', [refunder], guardian)
    assert.equal(await holds(REFUNDER, refunder), false)
    assert.equal(await holds(RELAYER, stage.relayer), true)
  })

  it('is given to nobody by no deployment', async () => {
    const code = build?.PayFactory?.bytecode ?? payFactoryBytecode
    for (const keys of [
      [[zeroAddress], [], []],
      [[], [stage.refunder, zeroAddress], []],
      [[], [], [zeroAddress]],
    ]) {
      await assert.rejects(stage.chain.deploy(payFactoryAbi, code, [stage.owner, ...keys]), /the deployment failed/)
    }
  })

  it('is announced by the owner only and never for nobody', async () => {
    for (const from of [stage.relayer, stage.refunder, stage.guardian, stage.stranger]) {
      assert.equal(await answer('scheduleRole', [RELAYER, from, true], from), 'OwnableUnauthorizedAccount')
    }
    assert.equal(await answer('scheduleRole', [RELAYER, zeroAddress, true], stage.owner), 'BadAddress')
  })
})

describe('the owner', () => {
  for (const name of ['factory', 'feeVault'] as const) {
    it(`of the ${name} is handed over in two steps and never dropped`, async () => {
      const { chain, owner, payer, stranger } = stage
      const contract = stage[name]
      const from = { from: owner }
      assert.equal(await chain.revert(contract, 'renounceOwnership', [], from), 'OwnerIsRequired')
      await chain.do(contract, 'transferOwnership', [payer], from)
      assert.equal((await chain.read<Address>(contract, 'owner')).toLowerCase(), owner)
      assert.notEqual(await chain.revert(contract, 'acceptOwnership', [], { from: stranger }), null)
      await chain.do(contract, 'acceptOwnership', [], { from: payer })
      assert.notEqual(await chain.revert(contract, 'transferOwnership', [owner], from), null)
      await chain.do(contract, 'transferOwnership', [owner], { from: payer })
      await chain.do(contract, 'acceptOwnership', [], from)
    })
  }
})

describe('the fee vault', () => {
  it('gives out native coins and tokens of every kind, to whom its owner says', async () => {
    const { chain, feeVault, owner, payer, stranger } = stage
    for (const token of [stage.usdc.address, stage.usdt.address, NATIVE]) {
      if (token === NATIVE) await chain.transact({ from: payer, to: feeVault.address, value: 100n })
      else await chain.do({ ...stage.usdc, address: token }, 'mint', [feeVault.address, 100n], { from: payer })
      const args = [token, who, 60n]
      assert.equal(await chain.revert(feeVault, 'withdraw', args, { from: stranger }), 'OwnableUnauthorizedAccount')
      await chain.do(feeVault, 'withdraw', args, { from: owner })
      assert.equal(await unitsOf(stage, token, who), 60n)
      assert.equal(await unitsOf(stage, token, feeVault.address), 40n)
    }
    for (const to of [zeroAddress, feeVault.address]) {
      assert.equal(await chain.revert(feeVault, 'withdraw', [NATIVE, to, 1n], { from: owner }), 'BadAddress')
    }
    assert.match(
      (await chain.revert(feeVault, 'withdraw', [NATIVE, who, 10n ** 18n], { from: owner })) ?? '',
      /^NativeTransferFailed/,
    )
  })
})
