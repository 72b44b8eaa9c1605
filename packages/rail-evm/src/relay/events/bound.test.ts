import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zeroAddress } from 'viem'
import { mismatchOf } from './bound.ts'
import type { BoundLeg, FactoryLog } from './logs.store.ts'

const [factory, usdc, merchant, ref] = ['0xfa', '0x0c', '0x0e', '0x0f']
const chain = { id: 'base', factory }
const leg: BoundLeg = {
  ...{ legRef: 'leg', orderRef: 'order', chain: 'base', factory, token: usdc },
  route: {
    ...{ chainId: '1', ref, token: usdc, merchant: '0x0E', collector: '0x0d', feeBps: '100' },
    ...{ minAmount: '1', openAfter: '1', refundTo: zeroAddress },
  } as BoundLeg['route'],
}

function log(args: Record<string, string> = {}, fields: Partial<FactoryLog> = {}): FactoryLog {
  return {
    ...{ key: 'k', chain: 'base', event: 'Settled', vault: '0x0a', txHash: '0xt', height: 1n, state: 'final' },
    ...{ relayed: null, blockTime: null },
    args: { vault: '0x0a', ref, merchant, token: usdc, gross: '100', fee: '1', amountOut: '99', ...args },
    ...fields,
  }
}

test('only the own asset to the own merchant from the own factory is a settlement of the leg', () => {
  assert.equal(mismatchOf(log(), leg, chain), null)
  // A token may keep something for itself.
  assert.equal(mismatchOf(log({ amountOut: '98' }), leg, chain), null)
  const native = { ...leg, token: null }
  assert.equal(mismatchOf(log({ token: zeroAddress }), native, chain), null)
  const wrong: [FactoryLog, BoundLeg, typeof chain][] = [
    [log({ token: '0xfake' }), leg, chain],
    [log({ token: zeroAddress }), leg, chain],
    [log(), native, chain],
    [log({ merchant: '0x0thief' }), leg, chain],
    [log({ ref: '0x0other' }), leg, chain],
    [log(), leg, { id: 'base', factory: '0xfb' }],
    [log(), { ...leg, chain: 'op' }, chain],
    [log({ amountOut: '0' }), leg, chain],
    [log({ amountOut: '100' }), leg, chain],
  ]
  const found = wrong.map(([entry, bound, on]) => mismatchOf(entry, bound, on))
  assert.ok(found.every((why) => why !== null))
  assert.ok(new Set(found).size >= 6, 'each says what is wrong')
})
