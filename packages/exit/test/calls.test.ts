// Promises: call data is what the contracts' ABI says, and no call is offered that the contracts would refuse or that pays
// somebody else. That the contracts agree is seen on a real node by the drill.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payFactoryAbi } from '@florin/contracts'
import { encodeFunctionData, erc20Abi, padHex } from 'viem'
import { callsOf, encodeCall, faultOfCode, mayBeAnnounced, ZERO } from '../src/index.ts'
import { anExit, MERCHANT, OPENS, PAYER, TOKEN } from './proofs.ts'

const DAY = 86_400

test('call data is what the ABI of the contracts makes of it', () => {
  const { route } = anExit({ refundTo: PAYER })
  const abi = payFactoryAbi
  const encoded = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi, functionName, args } as never)
  assert.equal(encodeCall('settleOpen', route), encoded('settleOpen', [route]))
  assert.equal(encodeCall('settleOpenNoFee', route, TOKEN), encoded('settleOpenNoFee', [route, TOKEN]))
  assert.equal(encodeCall('rescue', route, TOKEN), encoded('rescue', [route, TOKEN]))
  assert.equal(encodeCall('failedPushAt', route, TOKEN, PAYER), encoded('failedPushAt', [route, TOKEN, PAYER]))
  assert.equal(encodeCall('settle', route, TOKEN, 7n, 100n), encoded('settle', [route, TOKEN, 7n, 100]))
  assert.equal(encodeCall('refundBound', route, TOKEN, 7n), encoded('refundBound', [route, TOKEN, 7n]))
  assert.equal(
    encodeCall('executeRefund', route, TOKEN, PAYER, 7n),
    encoded('executeRefund', [route, TOKEN, PAYER, 7n]),
  )
  assert.equal(encodeCall('refundEta', 7n), encoded('refundEta', [padHex('0x7')]))
  assert.equal(encodeCall('hasRole', 1n, PAYER), encoded('hasRole', [1, PAYER]))
  const balance = { abi: erc20Abi, functionName: 'balanceOf', args: [PAYER] } as const
  assert.equal(encodeCall('balanceOf', PAYER), encodeFunctionData(balance))
})

const rows = (exit: ReturnType<typeof anExit>, chainId: number, token: `0x${string}`, units: bigint) =>
  callsOf(exit, chainId, [{ token, units }]).map(({ name, by, opensAt, to, fee }) => [name, by, opensAt, to, fee])

test('a full payment goes to the merchant, a short one back where that is known', () => {
  const unbound = anExit()
  const bound = anExit({ refundTo: PAYER })
  const full = [
    ['settleOpen', 'anybody', OPENS, MERCHANT, 100_000n],
    ['rescue', 'anybody', OPENS, MERCHANT, 100_000n],
    ['settleOpenNoFee', 'anybody', OPENS + 90 * DAY, MERCHANT, 0n],
    ['settle', 'relayer', 0, MERCHANT, 100_000n],
  ]
  assert.deepEqual(rows(unbound, 8453, TOKEN, 10_000_000n), full)
  assert.deepEqual(rows(bound, 8453, TOKEN, 10_000_000n), full)
  assert.deepEqual(rows(bound, 8453, TOKEN, 9_999_999n), [
    ['settleOpen', 'anybody', OPENS, PAYER, 0n],
    ['rescue', 'anybody', OPENS, PAYER, 0n],
    ['settleOpenNoFee', 'anybody', OPENS + 90 * DAY, PAYER, 0n],
    ['refundBound', 'refunder', 0, PAYER, 0n],
  ])
  assert.deepEqual(rows(unbound, 8453, TOKEN, 9_999_999n)[0], ['settleOpen', 'anybody', OPENS, MERCHANT, 99_999n])
})

test('the relayer settles from the least amount on; what is less, or another coin, waits for the open calls', () => {
  for (const refundTo of [ZERO, PAYER]) {
    const settles = (token: `0x${string}`, units: bigint) =>
      rows(anExit({ refundTo }), 8453, token, units).filter(([name]) => name === 'settle').length
    assert.deepEqual([settles(TOKEN, 10_000_000n), settles(TOKEN, 9_999_999n), settles(ZERO, 10_000_000n)], [1, 0, 0])
  }
})

test('another coin and another chain: back where that is known, else to the merchant at home, else nothing', () => {
  const bound = anExit({ refundTo: PAYER })
  const later = OPENS + 90 * DAY
  assert.deepEqual(rows(bound, 8453, ZERO, 5n)[0], ['settleOpenNoFee', 'anybody', later, PAYER, 0n])
  assert.deepEqual(rows(anExit(), 8453, ZERO, 5n)[0], ['settleOpenNoFee', 'anybody', later, MERCHANT, 0n])
  assert.deepEqual(rows(bound, 1, TOKEN, 10_000_000n)[0], ['settleOpen', 'anybody', OPENS, PAYER, 0n])
  assert.deepEqual(rows(anExit(), 1, TOKEN, 10_000_000n), [])
  assert.deepEqual(rows(bound, 8453, TOKEN, 0n), [])
})

test('who cannot be paid is stood in for by the other one, a week after that was recorded', () => {
  const rescues = (route: object, failedAt: number) =>
    callsOf(anExit(route), 8453, [{ token: TOKEN, units: 10_000_000n, failedAt }])
      .filter(({ name }) => name === 'rescue')
      .map(({ opensAt, to, otherwise }) => [opensAt, to, otherwise])
  assert.deepEqual(rescues({ refundTo: PAYER }, 0), [[OPENS, MERCHANT, PAYER]])
  assert.deepEqual(rescues({ refundTo: PAYER }, OPENS + 5), [[OPENS + 5 + 7 * DAY, MERCHANT, PAYER]])
  assert.deepEqual(rescues({}, 0), [[OPENS, MERCHANT, null]])
  assert.deepEqual(
    callsOf(anExit({ refundTo: PAYER }), 1, [{ token: TOKEN, units: 5n }]).filter(({ name }) => name === 'rescue'),
    [],
  )
})

test('an announced refund comes before the general rule, and is by name only where it takes what is the merchant’s', () => {
  const announced = [
    { token: TOKEN, to: PAYER, units: 3_000_000n, opensAt: OPENS, closesAt: OPENS + 6 * DAY },
    { token: TOKEN, to: PAYER, units: 10_000_001n, opensAt: OPENS, closesAt: OPENS + 6 * DAY },
    { token: ZERO, to: PAYER, units: 1n, opensAt: OPENS, closesAt: OPENS + 6 * DAY },
  ]
  const calls = (units: bigint) =>
    callsOf(anExit(), 8453, [{ token: TOKEN, units }], announced)
      .filter(({ by }) => by === 'anybody')
      .map(({ name, units: moved, isByName }) => `${name} ${moved}${isByName ? ' by name' : ''}`)
  assert.deepEqual(calls(9_000_000n).slice(0, 2), ['executeRefund 3000000', 'settleOpen 9000000'])
  assert.deepEqual(calls(10_000_000n).slice(0, 2), ['executeRefund 3000000 by name', 'settleOpen 10000000'])
  assert.deepEqual(calls(2_999_999n)[0], 'settleOpen 2999999', 'more than lies there cannot go')
  // Money on a wrong chain with no bound address has no other way.
  const elsewhere = callsOf(anExit(), 1, [{ token: TOKEN, units: 3_000_000n }], announced)
  assert.deepEqual(
    elsewhere.map(({ name, to }) => [name, to]),
    [['executeRefund', PAYER]],
  )
  assert.deepEqual(
    [mayBeAnnounced(anExit(), [{ token: TOKEN, units: 1n }]), mayBeAnnounced(anExit(), [])],
    [true, false],
  )
  assert.equal(mayBeAnnounced(anExit({ refundTo: PAYER }), [{ token: TOKEN, units: 1n }]), false)
})

test('without a collector there is no fee, and never one above what the contracts allow', () => {
  const [free] = callsOf(anExit({ collector: ZERO }), 8453, [{ token: TOKEN, units: 10_000_000n }])
  assert.equal(free?.fee, 0n)
  const [capped] = callsOf(anExit({ feeBps: 5_000 }), 8453, [{ token: TOKEN, units: 10_000_000n }])
  assert.equal(capped?.fee, 1_000_000n)
})

test('a chain without the code, or with other code, is named and nothing is offered', () => {
  assert.match(faultOfCode(anExit(), { factory: '0x', impl: '0x' }) ?? '', /not on this chain/)
  assert.match(faultOfCode(anExit(), { factory: '0x6001', impl: '0x' }) ?? '', /not the forwarder/)
})
